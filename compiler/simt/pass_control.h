// Names, order and observation of the compiler's passes.
//
// Every step from scalar IR to the group function goes through PassControl::run under a name of its
// own, so that weftc can stop after, print after, or leave out any of them, and so that a lit test can
// run one pass alone. A pass that is left out does nothing at all; the next one must cope or fail cleanly.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Instruction;
class Module;
class Twine;
class raw_ostream;
}  // namespace llvm

namespace weft::compiler::simt {

/// Which loops run for one lane after the other (loops_by_lane.h), of those that may.
enum class LoopsByLane { kFaster, kNever, kAlways };

/// What weftc's flags ask of the passes; the library keeps to the defaults but for library_options().
struct PassOptions {
  std::string stop_after;                ///< the last pass to run; empty: all
  std::vector<std::string> print_after;  ///< passes after which the module is printed; "all": each
  std::vector<std::string> disable;      ///< passes to leave out
  std::vector<std::string> only;         ///< when not empty, the passes to run; all others are left out
#ifdef NDEBUG
  bool verify_each = false;
#else
  bool verify_each = true;
#endif
  bool remarks = false;  ///< keep remarks in PassControl::remarks()
  unsigned jam = 0;      ///< warps to run jammed in one body; 0: as the compiler finds best
  LoopsByLane loops_by_lane = LoopsByLane::kFaster;
  unsigned turn = 0;     ///< instructions of a turn of a stack of groups (stack_groups.h); 0: as the compiler finds best
  bool streams = false;  ///< all loops that may go on with few lanes do (codegen/streams.h), not those alone that gain
  bool list = false;     ///< print each pass's name as it is reached
};

/// The library's: the defaults, without the passes that the environment variable WEFT_DISABLE names.
PassOptions library_options();

class PassControl {
 public:
  explicit PassControl(PassOptions options);
  /// `out` receives the printed modules; must outlive this.
  PassControl(PassOptions options, llvm::raw_ostream& out);

  /// Runs `body` over `module` as the pass `name`, unless it is left out or the pass to stop after has
  /// already run. Verifies and prints as asked. Fails with what `body` failed with (prefixed by nothing),
  /// or, when the module no longer verifies, with the verifier's text and the pass's name.
  llvm::Error run(llvm::StringRef name, llvm::Module& module, llvm::function_ref<llvm::Error()> body);

  /// The pass to stop after has run: callers return what they have.
  bool stopped() const { return stopped_; }
  /// Only named passes run (weftc --passes): the module may be at any stage.
  bool selective() const { return !options_.only.empty(); }
  /// `name` is among the passes that alone are to run.
  bool names(llvm::StringRef name) const;
  /// Where passes that print write to.
  llvm::raw_ostream& out() const { return *out_; }

  /// Says something a user may want to know, at `where`'s source line: what could not be widened and why.
  /// The pass that is running is named. Cheap when remarks are off.
  void remark(const llvm::Instruction* where, const llvm::Twine& message);

  unsigned jam() const { return options_.jam; }
  LoopsByLane loops_by_lane() const { return options_.loops_by_lane; }
  unsigned turn() const { return options_.turn; }
  bool all_streams() const { return options_.streams; }
  const std::string& remarks() const { return remarks_; }

 private:
  PassOptions options_;
  llvm::raw_ostream* out_;
  std::string running_;
  std::string remarks_;
  bool stopped_ = false;
};

}  // namespace weft::compiler::simt
