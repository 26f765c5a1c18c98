// Kernels (OpenCL 3.0 API §5.9).
#include "runtime/kernel.h"

#include <algorithm>

#include "icd/entry.h"
#include "runtime/ndrange.h"
#include "runtime/program.h"
#include "runtime/queue.h"

namespace weft::icd {
namespace {

using runtime::Kernel;
using runtime::Program;

Kernel& checked_kernel(cl_kernel kernel) { return checked(kernel, CL_INVALID_KERNEL); }

/// Queries about one device: null means the only one.
void check_device(const Kernel& kernel, cl_device_id device) {
  const Program& program = kernel.program();
  if (device)
    require(program.has(&checked(device, CL_INVALID_DEVICE)), CL_INVALID_DEVICE);
  else
    require(program.devices().size() == 1, CL_INVALID_DEVICE);
}

}  // namespace

cl_kernel clCreateKernel(cl_program program, const char* kernel_name, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    Program& owner = checked(program, CL_INVALID_PROGRAM);
    auto executable = owner.executable();
    require(kernel_name, CL_INVALID_VALUE);
    auto* code = executable->find(kernel_name);
    require(code, CL_INVALID_KERNEL_NAME);
    return publish(runtime::make<Kernel>(owner, std::move(executable), *code));
  });
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel* kernels,
                                cl_uint* num_kernels_ret) {
  return guarded([&] {
    Program& owner = checked(program, CL_INVALID_PROGRAM);
    const auto executable = owner.executable();
    const auto& all = executable->kernels();
    require(!kernels || num_kernels >= all.size(), CL_INVALID_VALUE);
    if (num_kernels_ret) *num_kernels_ret = static_cast<cl_uint>(all.size());
    if (!kernels) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      kernels[i] = publish(runtime::make<Kernel>(owner, executable, *all[i]));
    }
  });
}

cl_kernel clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    return publish(runtime::make<Kernel>(Kernel::Clone{checked_kernel(source_kernel)}));
  });
}

cl_int clRetainKernel(cl_kernel kernel) {
  return guarded([&] { runtime::retain(&checked_kernel(kernel)); });
}

cl_int clReleaseKernel(cl_kernel kernel) {
  return guarded([&] { runtime::release(&checked_kernel(kernel)); });
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void* arg_value) {
  return guarded([&] { checked_kernel(kernel).set_argument(arg_index, arg_size, arg_value); });
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                       void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked_kernel(kernel).info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx, cl_kernel_arg_info param_name,
                          size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked_kernel(kernel).argument_info(arg_indx, param_name,
                                         {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                                size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    Kernel& object = checked_kernel(kernel);
    check_device(object, device);
    object.work_group_info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name, size_t input_value_size,
                               const void* input_value, size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    Kernel& object = checked_kernel(kernel);
    check_device(object, device);
    object.sub_group_info(param_name, input_value_size, input_value, {param_value_size, param_value, param_value_size_ret});
  });
}

// What a launch with these sizes and no local size would take.
cl_int clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                         const size_t* global_work_offset, const size_t* global_work_size,
                                         size_t* suggested_local_work_size) {
  return guarded([&] {
    const auto& queue = checked(command_queue, CL_INVALID_COMMAND_QUEUE);
    Kernel& object = checked_kernel(kernel);
    require(&object.context() == &queue.context(), CL_INVALID_CONTEXT);
    require(object.program().has(&queue.device()), CL_INVALID_PROGRAM_EXECUTABLE);
    object.snapshot();  // all arguments have to be set
    require(work_dim >= 1 && work_dim <= 3, CL_INVALID_WORK_DIMENSION);
    require(global_work_size && std::none_of(global_work_size, global_work_size + work_dim, [](size_t size) { return size == 0; }),
            CL_INVALID_GLOBAL_WORK_SIZE);
    require(suggested_local_work_size, CL_INVALID_VALUE);
    const auto range = runtime::make_ndrange(object.description(), work_dim, global_work_offset, global_work_size, nullptr,
                                             runtime::Device::num_workers());
    std::copy_n(range.local.begin(), work_dim, suggested_local_work_size);
  });
}

}  // namespace weft::icd
