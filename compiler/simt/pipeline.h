// From a scalar kernel to the function that runs one work-group as warps.
#pragma once

#include <cstdint>

#include "compiler/compiler_api.h"
#include "compiler/simt/pass_control.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// The group function (abi::GroupFunction) and what it needs of its caller.
struct GroupCode {
  llvm::Function* function = nullptr;  ///< in the module given; null when stopped before it exists
  std::uint32_t scratch_fixed = 0;     ///< bytes of GroupInfo::scratch whatever the group's size
  std::uint32_t scratch_warp = 0;      ///< bytes of GroupInfo::scratch more for each warp
  std::uint32_t private_bytes = 0;     ///< of one work-item, left in memory
  std::uint32_t stack = 1;             ///< groups of a stack
};

/// Turns `kernel`, prepared by prepare_program() and the only kernel of `module`, into its group function.
/// The passes and their names are listed in pipeline.cpp.
llvm::Expected<GroupCode> build_group_function(llvm::Module& module, llvm::StringRef kernel,
                                               const Specialization& specialization, PassControl& control);

}  // namespace weft::compiler::simt
