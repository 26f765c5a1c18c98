// How a kernel's stores lie in memory: what a launch may write past the caches, and in which order its groups should run.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

struct WrittenRows {
  std::uint32_t streamed_bytes = 0;  ///< KernelInfo::streamed_bytes
  std::uint32_t read_bytes = 0;      ///< KernelInfo::read_bytes
  bool by_columns = false;           ///< KernelInfo::by_columns
  bool goes_once = false;            ///< no loop accesses global memory, and no access is atomic
};

/// `kernel` is linked and scalar-optimized.
///
/// `streamed_bytes` is not 0 where `goes_once`, and all stores to global memory go to arguments of which nothing is read, so that what work-items of a group
/// write lies beside each other: along x, one value or several to a work-item, or along y while x goes down a column. A group then writes whole lines, or
/// nearly. `read_bytes` are then those of the arrays read: of each what it is read at different places by, but no more than a work-item writes or than is
/// read at once, as neighbours read the same.
///
/// `by_columns`: from a group to the next along x all stores go down a column, by a pitch that is known at run time, and along y they go on
/// where the one before has ended.
WrittenRows written_rows(const llvm::Function& kernel);

}  // namespace weft::compiler::simt
