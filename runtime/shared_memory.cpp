#include "runtime/shared_memory.h"

#include <new>

#include "runtime/host_memory.h"

namespace weft::runtime {

SharedMemory::~SharedMemory() {
  for (const auto& [address, allocation] : allocations_) deallocate_memory(allocation.base, allocation.size);
}

void* SharedMemory::allocate(std::size_t size, SharedAllocation::Kind kind, cl_bitfield flags, cl_device_id device) noexcept {
  std::byte* const base = allocate_memory(size);
  if (!base) return nullptr;
  try {
    std::lock_guard lock(mutex_);
    allocations_.emplace(reinterpret_cast<std::uintptr_t>(base), SharedAllocation{base, size, kind, flags, device});
  } catch (const std::bad_alloc&) {
    deallocate_memory(base, size);
    return nullptr;
  }
  return base;
}

bool SharedMemory::free(void* base) noexcept {
  decltype(allocations_)::node_type node;
  {
    std::lock_guard lock(mutex_);
    node = allocations_.extract(reinterpret_cast<std::uintptr_t>(base));
  }
  if (node.empty()) return false;
  deallocate_memory(node.mapped().base, node.mapped().size);
  return true;
}

std::optional<SharedAllocation> SharedMemory::find(const void* address) const {
  std::lock_guard lock(mutex_);
  auto after = allocations_.upper_bound(reinterpret_cast<std::uintptr_t>(address));
  if (after == allocations_.begin()) return std::nullopt;
  const SharedAllocation& allocation = std::prev(after)->second;
  if (!allocation.contains(address, 1)) return std::nullopt;
  return allocation;
}

}  // namespace weft::runtime
