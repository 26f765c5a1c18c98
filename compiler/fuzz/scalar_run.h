// The oracle: a kernel run one work-item at a time, as the scalar function that Clang made of it.
//
// Nothing of compiler/simt has a part in it: the module is the frontend's, linked with the builtins, and
// LLVM's code generator makes ordinary functions of it. A work-item is a fiber that stops at barriers
// and at the functions of a sub-group.
#pragma once

#include <memory>

#include "compiler/compiler_api.h"
#include "compiler/fuzz/launch.h"
#include "compiler/fuzz/meetings.h"
#include "device/code.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace weft::fuzz {

/// In which the groups run, and the work-items of a group between two barriers.
enum class ItemOrder { kForwards, kBackwards };

class ScalarKernel {
 public:
  /// Of a module that was linked and retargeted; it is used up. Local memory begins as bytes of `local_begins`.
  static llvm::Expected<std::unique_ptr<ScalarKernel>> make(std::unique_ptr<llvm::Module> module, const compiler::KernelInfo& kernel,
                                                            std::uint8_t local_begins = 0);

  /// Runs all groups. False when the work-items of one did not all meet the same barriers: no oracle for that.
  bool run(const Memory& memory, const Variant& variant, ItemOrder order = ItemOrder::kForwards) const;

 private:
  std::shared_ptr<const device::Code> code_;
  std::vector<std::unique_ptr<MeetingPoint>> points_;  ///< whose addresses the code holds
  bool waits_ = false;
  std::size_t sub_group_size_ = 32;
  std::uint8_t local_begins_ = 0;
};

}  // namespace weft::fuzz
