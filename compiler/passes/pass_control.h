// Which passes run, and what may be seen of them.
//
// Every pass of passes.def goes through PassControl::run, so that weftc can stop after, print after, or leave out any of
// them, and so that a lit test can run one alone. A pass that is left out does nothing at all; the next one
// must cope or fail cleanly.
#pragma once

#include <cstdint>
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

namespace weft::compiler::passes {

/// pass_list.h has the names. Whoever names none does not include it, since a new pass compiles all again that do.
enum class Pass : std::uint8_t;
enum class Scope : std::uint8_t;

/// Which loops run for one lane after the other (scalarize_loops.h), of those that may.
enum class ScalarizeLoops { kFaster, kNever, kAlways };

/// Which functions run block by block (dispatch.h), of those with divergent branches.
enum class Dispatch { kLarge, kNever, kAlways };

/// What is asked of the passes. The library sets `disable`, `required_only` and `remarks`; the rest is weftc's and weft-fuzz's.
/// All names are of passes.def.
struct PassOptions {
  std::string stop_after;                ///< the last pass to run; empty: all
  std::vector<std::string> print_after;  ///< passes after which the module is printed; "all": each
  std::vector<std::string> disable;      ///< passes to leave out, required ones too
  std::vector<std::string> only;         ///< when not empty, the passes to run; all others are left out
#ifdef NDEBUG
  bool verify_each = false;
#else
  bool verify_each = true;
#endif
  bool required_only = false;  ///< no optimization: one warp a body, nothing moved between lanes, warps or groups
  bool remarks = false;        ///< keep remarks in PassControl::remarks()
  unsigned coarsening = 0;            ///< warps to run coarsened in one body; 0: as the compiler finds best
  ScalarizeLoops scalarize_loops = ScalarizeLoops::kFaster;
  bool byte_tables = false;           ///< look functions of a byte up wherever that may be, whatever that gains (byte_tables.h)
  bool pairs = false;                 ///< run two groups of one work-item beside each other wherever they may, whatever that gains (group_pairs.h)
  bool wide_calls = false;            ///< run all that stays a call for all lanes at once, whatever that gains (call_region.h)
  bool stack_rows = false;            ///< stack rows wherever they may be, whatever that gains (stacked_rows.h)
  Dispatch dispatch = Dispatch::kLarge;
  unsigned most_inlined = 40'000;  ///< instructions of a kernel, were every call inlined, above which calls stay (kept_calls.h)
  bool count_lanes = false;    ///< counted code hands each access to the service lane by lane, and relies on no progression
  bool print_shapes = false;   ///< print the shapes of what `widen` is given, and stop there
  bool trace = false;          ///< print each pass's name as it is reached
};

/// Splits `names` at commas and checks each: none unknown and, unless `required_too`, none that is required or a guard.
llvm::Expected<std::vector<std::string>> pass_names(llvm::StringRef names, bool required_too);

class PassControl {
 public:
  explicit PassControl(PassOptions options);
  /// `out` receives the printed modules; must outlive this.
  PassControl(PassOptions options, llvm::raw_ostream& out);

  /// Runs `body` over `module` as `pass`, unless it is left out or the pass to stop after has already run. Verifies and
  /// prints as asked. Fails with what `body` failed with (prefixed by nothing), or, when the module no longer
  /// verifies, with the verifier's text and the pass's name.
  llvm::Error run(Pass pass, llvm::Module& module, llvm::function_ref<llvm::Error()> body);

  /// Not left out. For steps within another pass (Scope::kWidening).
  bool is_on(Pass pass) const;
  /// The pass to stop after has run: callers return what they have.
  bool stopped() const { return stopped_; }
  /// For a pass after which there is nothing to go on with.
  void stop() { stopped_ = true; }
  /// From here on no optimization runs, as by PassOptions::required_only.
  void leave_out_optimizations() { options_.required_only = true; }
  /// Only named passes run (weftc --passes): the module may be at any stage.
  bool selective() const { return !options_.only.empty(); }
  /// Where passes that print write to.
  llvm::raw_ostream& out() const { return *out_; }

  /// Says something a user may want to know, at `where`'s source line: what could not be widened and why.
  /// The pass that is running is named. Cheap when remarks are off.
  void remark(const llvm::Instruction* where, const llvm::Twine& message);

  const PassOptions& options() const { return options_; }
  const std::string& remarks() const { return remarks_; }

 private:
  PassOptions options_;
  llvm::raw_ostream* out_;
  llvm::StringRef running_;
  std::string remarks_;
  bool stopped_ = false;
};

}  // namespace weft::compiler::passes
