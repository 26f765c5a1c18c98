// What a kernel is run with: sizes, arguments, memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler_api.h"
#include "device/kernel_abi.h"

namespace weft::fuzz {

/// One way to compile and run a kernel.
struct Variant {
  std::array<std::uint32_t, 3> local{1, 1, 1};
  std::array<std::uint32_t, 3> groups{1, 1, 1};
  std::array<std::uint64_t, 3> offset{0, 0, 0};
  unsigned coarsening = 0;             ///< 0: as the compiler finds best
  bool ids_fit_31_bits = true;
  bool any_size = false;        ///< code for any local size
  bool dispatch = false;          ///< divergent control flow runs block by block
  bool scalarize = false;         ///< all loops that may run lane by lane do, and rows are stacked that may be
  unsigned fuse = 1;            ///< groups side by side along x to run as one block, where the kernel allows it
  unsigned turned = 0;          ///< sizes, groups and offset are those of code that has x exchanged with this dimension, where the kernel allows it
  bool soon = false;            ///< as launches wait for it: Specialization::soon
  bool required_only = false;   ///< required passes alone
  bool counted = false;         ///< with code that counts, twice: as it is, and lane by lane; the counts agree

  std::uint32_t group_items() const { return local[0] * local[1] * local[2]; }
  std::uint32_t num_groups() const { return groups[0] * groups[1] * groups[2]; }
  /// The launch as the program has it.
  Variant of_program() const;
  /// Sets required_only, and takes back what that leaves no choice of.
  void leave_out_optimizations();
  compiler::Specialization specialization() const;
  /// "16,16,1 groups 2,1,1 coarsen 2": what `// launch:` lines hold and parse() reads.
  std::string text() const;
  static std::optional<Variant> parse(std::string_view text);
};

/// `count` of them for the kernel of a seed. Code for many warps at once takes long to compile where there is much of it, so
/// large kernels run coarsened less.
std::vector<Variant> draw_variants(std::uint64_t seed, unsigned count, const std::string& source);

/// Every local size on the list, each with every J.
std::vector<Variant> all_variants(const std::string& source);

/// The arguments of one launch. Buffers end at pages that nobody may touch.
class Memory {
 public:
  Memory(const compiler::KernelInfo& kernel, const Variant& variant, std::uint64_t seed);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const std::byte* arguments() const { return arguments_.data(); }
  std::size_t local_bytes() const { return local_bytes_; }  ///< static variables and __local arguments

  /// The buffer whose address lies at `offset` of the arguments.
  std::span<std::byte> buffer_at(std::uint32_t offset) const;

  void reset() const;  ///< to the contents before the launch
  std::vector<std::byte> contents() const;
  /// Says where `a` and `b`, both of contents(), differ first; empty when they do not.
  std::string difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) const;

 private:
  struct Region {
    std::string name;
    std::byte* pages = nullptr;       ///< between two guards
    std::size_t page_bytes = 0;
    std::size_t first = 0;            ///< where the buffer begins in the pages
    std::vector<std::byte> initial;
  };
  std::vector<Region> regions_;
  std::vector<std::byte> arguments_;
  std::size_t local_bytes_ = 0;
};

}  // namespace weft::fuzz
