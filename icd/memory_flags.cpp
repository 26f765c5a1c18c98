#include "icd/memory_flags.h"

#include <bit>

#include "runtime/error.h"

namespace weft::icd {

using runtime::require;

void check_flags(cl_mem_flags flags, cl_mem_flags allowed) {
  const auto at_most_one = [](cl_mem_flags some) { return std::popcount(some) <= 1; };
  require((flags & ~allowed) == 0, CL_INVALID_VALUE);
  require(at_most_one(flags & kAccess) && at_most_one(flags & kHostAccess), CL_INVALID_VALUE);
  const bool uses_host = (flags & CL_MEM_USE_HOST_PTR) != 0;
  require(!uses_host || !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)), CL_INVALID_VALUE);
}

void check_immutable(cl_mem_flags flags) {
  if (!(flags & kImmutable)) return;
  require(!(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)), CL_INVALID_VALUE);
  require(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR), CL_INVALID_VALUE);
}

void check_child_flags(cl_mem_flags own, cl_mem_flags parent) {
  check_flags(own, kAccess | kHostAccess | kImmutable);
  const auto clash = [&](cl_mem_flags theirs, cl_mem_flags ours) {
    return (parent & theirs) != 0 && (own & ours) != 0;
  };
  require(!clash(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY), CL_INVALID_VALUE);
  require(!clash(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  require(!clash(kImmutable, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE);
  require(!(own & kImmutable) || (parent & kImmutable), CL_INVALID_VALUE);
  require(!clash(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE);
  require(!clash(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE);
  require(!clash(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE);
}

void check_host_pointer(cl_mem_flags flags, const void* host_ptr) {
  const bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  require((host_ptr != nullptr) == wants_pointer, CL_INVALID_HOST_PTR);
}

}  // namespace weft::icd
