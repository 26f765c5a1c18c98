#include "icd/extensions.h"

#include "icd/command_buffer.h"
#include "icd/entry_points.h"
#include "icd/exports.h"
#include "icd/external_memory.h"
#include "icd/semaphore.h"
#include "icd/unified_shared_memory.h"

namespace weft::icd {
namespace {

struct Function {
  std::string_view name;
  void* address;
};

#define WEFT_FUNCTION(name) {#name, reinterpret_cast<void*>(&icd::name)}

const Function functions[] = {
    // cl_khr_icd
    {"clIcdGetPlatformIDsKHR", reinterpret_cast<void*>(&::clIcdGetPlatformIDsKHR)},
    WEFT_FUNCTION(clIcdGetFunctionAddressForPlatformKHR),
    WEFT_FUNCTION(clIcdSetPlatformDispatchDataKHR),
    // cl_khr_subgroups, cl_khr_suggested_local_work_size; what became of the latter in OpenCL 3.1, for loaders that are older
    {"clGetKernelSubGroupInfoKHR", reinterpret_cast<void*>(&clGetKernelSubGroupInfo)},
    {"clGetKernelSuggestedLocalWorkSizeKHR", reinterpret_cast<void*>(&clGetKernelSuggestedLocalWorkSize)},
    WEFT_FUNCTION(clGetKernelSuggestedLocalWorkSize),
    // cl_khr_il_program
    {"clCreateProgramWithILKHR", reinterpret_cast<void*>(&clCreateProgramWithIL)},
    // cl_khr_create_command_queue
    {"clCreateCommandQueueWithPropertiesKHR", reinterpret_cast<void*>(&clCreateCommandQueueWithProperties)},
    // cl_khr_command_buffer
    WEFT_FUNCTION(clCreateCommandBufferKHR),
    WEFT_FUNCTION(clFinalizeCommandBufferKHR),
    WEFT_FUNCTION(clRetainCommandBufferKHR),
    WEFT_FUNCTION(clReleaseCommandBufferKHR),
    WEFT_FUNCTION(clEnqueueCommandBufferKHR),
    WEFT_FUNCTION(clGetCommandBufferInfoKHR),
    WEFT_FUNCTION(clCommandBarrierWithWaitListKHR),
    WEFT_FUNCTION(clCommandCopyBufferKHR),
    WEFT_FUNCTION(clCommandCopyBufferRectKHR),
    WEFT_FUNCTION(clCommandCopyBufferToImageKHR),
    WEFT_FUNCTION(clCommandCopyImageKHR),
    WEFT_FUNCTION(clCommandCopyImageToBufferKHR),
    WEFT_FUNCTION(clCommandFillBufferKHR),
    WEFT_FUNCTION(clCommandFillImageKHR),
    WEFT_FUNCTION(clCommandNDRangeKernelKHR),
    WEFT_FUNCTION(clCommandSVMMemcpyKHR),
    WEFT_FUNCTION(clCommandSVMMemFillKHR),
    // cl_khr_command_buffer_mutable_dispatch
    WEFT_FUNCTION(clUpdateMutableCommandsKHR),
    WEFT_FUNCTION(clGetMutableCommandInfoKHR),
    // cl_khr_semaphore
    WEFT_FUNCTION(clCreateSemaphoreWithPropertiesKHR),
    WEFT_FUNCTION(clRetainSemaphoreKHR),
    WEFT_FUNCTION(clReleaseSemaphoreKHR),
    WEFT_FUNCTION(clGetSemaphoreInfoKHR),
    WEFT_FUNCTION(clEnqueueWaitSemaphoresKHR),
    WEFT_FUNCTION(clEnqueueSignalSemaphoresKHR),
    WEFT_FUNCTION(clGetSemaphoreHandleForTypeKHR),
    // cl_khr_external_memory
    WEFT_FUNCTION(clEnqueueAcquireExternalMemObjectsKHR),
    WEFT_FUNCTION(clEnqueueReleaseExternalMemObjectsKHR),
    // cl_intel_unified_shared_memory, cl_ext_buffer_device_address
    WEFT_FUNCTION(clHostMemAllocINTEL),
    WEFT_FUNCTION(clDeviceMemAllocINTEL),
    WEFT_FUNCTION(clSharedMemAllocINTEL),
    WEFT_FUNCTION(clMemFreeINTEL),
    WEFT_FUNCTION(clMemBlockingFreeINTEL),
    WEFT_FUNCTION(clGetMemAllocInfoINTEL),
    WEFT_FUNCTION(clSetKernelArgMemPointerINTEL),
    WEFT_FUNCTION(clEnqueueMemFillINTEL),
    WEFT_FUNCTION(clEnqueueMemcpyINTEL),
    WEFT_FUNCTION(clEnqueueMigrateMemINTEL),
    WEFT_FUNCTION(clEnqueueMemAdviseINTEL),
    WEFT_FUNCTION(clSetKernelArgDevicePointerEXT),
};

const Function entry_points[] = {
#define WEFT_ENTRY_POINT(name) WEFT_FUNCTION(name),
#include "icd/entry_points.def"
};

#undef WEFT_FUNCTION

template <std::size_t N>
void* find(const Function (&list)[N], std::string_view name) noexcept {
  for (const Function& function : list) {
    if (function.name == name) return function.address;
  }
  return nullptr;
}

}  // namespace

void* extension_function(std::string_view name) noexcept { return find(functions, name); }

void* entry_point(std::string_view name) noexcept { return find(entry_points, name); }

}  // namespace weft::icd
