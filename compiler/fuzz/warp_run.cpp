#include "compiler/fuzz/warp_run.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "device/worker.h"

namespace weft::fuzz {
namespace {

/// Memory of one group, with a guard behind what may be read of it.
class GroupMemory {
 public:
  GroupMemory(std::size_t readable) : bytes_((readable + 4095) / 4096 * 4096) {
    memory_ = static_cast<std::byte*>(mmap(nullptr, bytes_ + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory_ + bytes_, 4096, PROT_NONE);
  }
  ~GroupMemory() { munmap(memory_, bytes_ + 4096); }
  GroupMemory(const GroupMemory&) = delete;
  GroupMemory& operator=(const GroupMemory&) = delete;
  std::byte* data() { return memory_; }
  /// Nothing may count on what an earlier group left.
  void spoil(std::size_t bytes, int with) { std::memset(memory_, with, bytes); }

 private:
  std::size_t bytes_;
  std::byte* memory_;
};

}  // namespace

const char* run_warps(const device::Code& code, const std::byte* arguments, std::size_t local_bytes, const Variant& variant,
                      device::counters::WorkerCounts* counts, const std::uint64_t* copies) {
  abi::LaunchInfo launch{};
  abi::Services services{};
  services.count_access = [](void* counts, std::uint32_t record, std::uint32_t mask, const std::uint64_t* address) {
    static_cast<device::counters::WorkerCounts*>(counts)->count(record, mask, address);
  };
  services.wait = [] {};
  launch.services = &services;
  launch.work_dim = 3;
  for (int d = 0; d < 3; ++d) {
    launch.local_size[d] = variant.local[d];
    launch.num_groups[d] = variant.groups[d];
    launch.global_size[d] = std::uint64_t{variant.local[d]} * variant.groups[d];
    launch.global_offset[d] = variant.offset[d];
  }
  launch.arguments = arguments;
  if (local_bytes > device::kLocalMemoryBytes) return "too much local memory";
  const std::size_t scratch_bytes = code.scratch_bytes(variant.group_items());
  GroupMemory local(device::kLocalMemoryFront + device::kLocalMemoryBytes + abi::kLocalMemoryPadding), scratch(scratch_bytes);
  abi::GroupInfo group{};
  group.local_memory = local.data() + device::kLocalMemoryFront;
  group.scratch = scratch.data();
  group.scratch_bytes = scratch_bytes;
  alignas(4096) std::byte tables[abi::kMostTableBytes + sizeof(std::uint64_t)] = {};
  if (code.traits().has_tables) {
    launch.tables = 1;
    group.tables = tables;
  }
  group.copies = copies;
  group.counts = counts;
  group.count_words = counts ? counts->words() : nullptr;
  const std::uint32_t blocks = (variant.groups[0] + variant.fuse - 1) / variant.fuse;
  for (std::uint32_t i = 0; i < blocks * variant.groups[1] * variant.groups[2]; i += static_cast<std::uint32_t>(group.run)) {
    local.spoil(device::kLocalMemoryFront + local_bytes, 0xa5);
    scratch.spoil(scratch_bytes, 0xee);
    group.group_id[0] = i % blocks;
    group.run = std::min(code.traits().run, blocks - i % blocks);
    group.group_id[1] = i / blocks % variant.groups[1];
    group.group_id[2] = i / blocks / variant.groups[1];
    if (code.entry()(&launch, &group) == abi::GroupStatus::kDivergentBarrier) return "the group function reports divergent barriers";
  }
  return nullptr;
}

}  // namespace weft::fuzz
