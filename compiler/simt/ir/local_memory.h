// Assigns static `__local` variables their places in GroupInfo::local_memory.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

struct LocalVariable {
  llvm::GlobalVariable* variable = nullptr;
  std::uint64_t offset = 0;  ///< bytes from GroupInfo::local_memory
};

struct LocalLayout {
  std::vector<LocalVariable> variables;  ///< in the module's order
  std::uint64_t bytes = 0;               ///< total size, reported as KernelInfo::local_bytes
};

/// Gives each `__local` variable that `function` uses, directly or through constants, an offset aligned to the
/// variable's own alignment, at least 16 bytes. Calls must be inlined already.
LocalLayout assign_local_globals(const llvm::Function& function);

/// Replaces `function`'s uses of `__local` variables with offsets from `base`, a `ptr addrspace(3)` whose
/// definition in the entry block dominates the rest of `function`.
void lower_local_globals(llvm::Function& function, llvm::Value& base, const LocalLayout& layout);

}  // namespace weft::compiler::simt
