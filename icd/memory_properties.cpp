#include "icd/memory_properties.h"

#include "icd/entry.h"
#include "icd/memory_flags.h"
#include "runtime/imported_memory.h"
#include "runtime/memory.h"

namespace weft::icd {

namespace memory_api = external_memory_api;

MemoryProperties checked_properties(const runtime::Context& context, const cl_mem_properties* properties, bool has_addresses) {
  MemoryProperties result;
  bool has_address = false, has_devices = false;
  for (const cl_mem_properties* item = properties; item && *item;) {
    const cl_mem_properties name = *item;
    result.list.push_back(*item++);
    if (name == runtime::Memory::kPrivateAddress && has_addresses) {
      require(!has_address && *item <= CL_TRUE, CL_INVALID_PROPERTY);
      has_address = true;
    } else if (name == memory_api::kOpaqueFd) {
      require(!result.descriptor, CL_INVALID_PROPERTY);
      result.descriptor = static_cast<int>(*item);
    } else if (name == memory_api::kDeviceHandleList) {
      require(!has_devices, CL_INVALID_PROPERTY);
      has_devices = true;
      for (; *item; ++item) {
        require(context.has(&checked(reinterpret_cast<cl_device_id>(*item), CL_INVALID_DEVICE)), CL_INVALID_DEVICE);
        result.list.push_back(*item);
      }
    } else {
      throw Error{CL_INVALID_PROPERTY};
    }
    result.list.push_back(*item++);
  }
  require(!has_devices || result.descriptor, CL_INVALID_PROPERTY);
  if (properties) result.list.push_back(0);
  return result;
}

void check_imported(cl_mem_flags flags, const void* host_ptr) {
  require(!(flags & kHostPointer), CL_INVALID_VALUE);
  require(!(flags & kImmutable) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)), CL_INVALID_VALUE);
  require(!host_ptr, CL_INVALID_HOST_PTR);
}

}  // namespace weft::icd
