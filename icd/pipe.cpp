// Pipes (OpenCL 3.0 API §5.4).
#include "runtime/pipe.h"

#include "icd/entry.h"
#include "icd/memory_flags.h"
#include "runtime/memory.h"

namespace weft::icd {

using runtime::Device;
using runtime::Memory;
using runtime::Pipe;

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size, cl_uint pipe_max_packets,
                    const cl_pipe_properties* properties, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    auto& owner = checked(context, CL_INVALID_CONTEXT);
    check_flags(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    require(properties == nullptr, CL_INVALID_VALUE);
    require(pipe_packet_size != 0 && pipe_packet_size <= Device::kMaxPipePacketSize && pipe_max_packets != 0, CL_INVALID_PIPE_SIZE);
    if (flags == 0) flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    return publish(runtime::make<Memory>(&owner, flags, Pipe(pipe_packet_size, pipe_max_packets)));
  });
}

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void* param_value,
                     size_t* param_value_size_ret) {
  return guarded([&] {
    const Memory& memory = checked(pipe, CL_INVALID_MEM_OBJECT);
    require(memory.pipe() != nullptr, CL_INVALID_MEM_OBJECT);
    memory.pipe()->info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

}  // namespace weft::icd
