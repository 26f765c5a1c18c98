// Prototypes of every entry point, in the namespace that defines them.
//
// They carry the API's names without clashing with the loader's symbols: only icd/exports.cpp defines
// symbols that other objects see.
#pragma once

#include "runtime/opencl.h"

namespace weft::icd {

#define WEFT_ENTRY_POINT(name) decltype(::name) name

// icd/platform.cpp: the platform
WEFT_ENTRY_POINT(clGetPlatformIDs);
WEFT_ENTRY_POINT(clGetPlatformInfo);
WEFT_ENTRY_POINT(clGetExtensionFunctionAddress);
WEFT_ENTRY_POINT(clGetExtensionFunctionAddressForPlatform);

// icd/device.cpp: devices
WEFT_ENTRY_POINT(clGetDeviceIDs);
WEFT_ENTRY_POINT(clGetDeviceInfo);
WEFT_ENTRY_POINT(clCreateSubDevices);
WEFT_ENTRY_POINT(clRetainDevice);
WEFT_ENTRY_POINT(clReleaseDevice);
WEFT_ENTRY_POINT(clGetDeviceAndHostTimer);
WEFT_ENTRY_POINT(clGetHostTimer);

// icd/context.cpp: contexts
WEFT_ENTRY_POINT(clCreateContext);
WEFT_ENTRY_POINT(clCreateContextFromType);
WEFT_ENTRY_POINT(clRetainContext);
WEFT_ENTRY_POINT(clReleaseContext);
WEFT_ENTRY_POINT(clGetContextInfo);
WEFT_ENTRY_POINT(clSetContextDestructorCallback);

// icd/sampler.cpp: samplers
WEFT_ENTRY_POINT(clCreateSampler);
WEFT_ENTRY_POINT(clRetainSampler);
WEFT_ENTRY_POINT(clReleaseSampler);
WEFT_ENTRY_POINT(clGetSamplerInfo);
WEFT_ENTRY_POINT(clCreateSamplerWithProperties);

// icd/kernel.cpp: kernels
WEFT_ENTRY_POINT(clCreateKernel);
WEFT_ENTRY_POINT(clCreateKernelsInProgram);
WEFT_ENTRY_POINT(clRetainKernel);
WEFT_ENTRY_POINT(clReleaseKernel);
WEFT_ENTRY_POINT(clSetKernelArg);
WEFT_ENTRY_POINT(clGetKernelInfo);
WEFT_ENTRY_POINT(clGetKernelWorkGroupInfo);
WEFT_ENTRY_POINT(clGetKernelArgInfo);
WEFT_ENTRY_POINT(clCloneKernel);
WEFT_ENTRY_POINT(clGetKernelSubGroupInfo);
WEFT_ENTRY_POINT(clGetKernelSuggestedLocalWorkSizeKHR);

// icd/program.cpp: programs
WEFT_ENTRY_POINT(clCreateProgramWithSource);
WEFT_ENTRY_POINT(clCreateProgramWithBinary);
WEFT_ENTRY_POINT(clRetainProgram);
WEFT_ENTRY_POINT(clReleaseProgram);
WEFT_ENTRY_POINT(clBuildProgram);
WEFT_ENTRY_POINT(clUnloadCompiler);
WEFT_ENTRY_POINT(clGetProgramInfo);
WEFT_ENTRY_POINT(clGetProgramBuildInfo);
WEFT_ENTRY_POINT(clCreateProgramWithBuiltInKernels);
WEFT_ENTRY_POINT(clCompileProgram);
WEFT_ENTRY_POINT(clLinkProgram);
WEFT_ENTRY_POINT(clUnloadPlatformCompiler);
WEFT_ENTRY_POINT(clCreateProgramWithIL);
WEFT_ENTRY_POINT(clSetProgramReleaseCallback);
WEFT_ENTRY_POINT(clSetProgramSpecializationConstant);

// icd/memory.cpp: buffers and all memory objects
WEFT_ENTRY_POINT(clCreateBuffer);
WEFT_ENTRY_POINT(clRetainMemObject);
WEFT_ENTRY_POINT(clReleaseMemObject);
WEFT_ENTRY_POINT(clGetMemObjectInfo);
WEFT_ENTRY_POINT(clCreateSubBuffer);
WEFT_ENTRY_POINT(clSetMemObjectDestructorCallback);
WEFT_ENTRY_POINT(clCreatePipe);
WEFT_ENTRY_POINT(clGetPipeInfo);
WEFT_ENTRY_POINT(clCreateBufferWithProperties);

// icd/image.cpp: images
WEFT_ENTRY_POINT(clCreateImage2D);
WEFT_ENTRY_POINT(clCreateImage3D);
WEFT_ENTRY_POINT(clGetSupportedImageFormats);
WEFT_ENTRY_POINT(clGetImageInfo);
WEFT_ENTRY_POINT(clCreateImage);
WEFT_ENTRY_POINT(clCreateImageWithProperties);

// icd/event.cpp: events
WEFT_ENTRY_POINT(clWaitForEvents);
WEFT_ENTRY_POINT(clGetEventInfo);
WEFT_ENTRY_POINT(clRetainEvent);
WEFT_ENTRY_POINT(clReleaseEvent);
WEFT_ENTRY_POINT(clGetEventProfilingInfo);
WEFT_ENTRY_POINT(clSetEventCallback);
WEFT_ENTRY_POINT(clCreateUserEvent);
WEFT_ENTRY_POINT(clSetUserEventStatus);

// icd/queue.cpp: command queues
WEFT_ENTRY_POINT(clCreateCommandQueue);
WEFT_ENTRY_POINT(clRetainCommandQueue);
WEFT_ENTRY_POINT(clReleaseCommandQueue);
WEFT_ENTRY_POINT(clGetCommandQueueInfo);
WEFT_ENTRY_POINT(clSetCommandQueueProperty);
WEFT_ENTRY_POINT(clFlush);
WEFT_ENTRY_POINT(clFinish);
WEFT_ENTRY_POINT(clCreateCommandQueueWithProperties);
WEFT_ENTRY_POINT(clSetDefaultDeviceCommandQueue);

// icd/enqueue_image.cpp: transfers of images
WEFT_ENTRY_POINT(clEnqueueReadImage);
WEFT_ENTRY_POINT(clEnqueueWriteImage);
WEFT_ENTRY_POINT(clEnqueueCopyImage);
WEFT_ENTRY_POINT(clEnqueueCopyImageToBuffer);
WEFT_ENTRY_POINT(clEnqueueCopyBufferToImage);
WEFT_ENTRY_POINT(clEnqueueMapImage);
WEFT_ENTRY_POINT(clEnqueueFillImage);

// icd/enqueue*.cpp: other enqueued commands
WEFT_ENTRY_POINT(clEnqueueReadBuffer);
WEFT_ENTRY_POINT(clEnqueueWriteBuffer);
WEFT_ENTRY_POINT(clEnqueueCopyBuffer);
WEFT_ENTRY_POINT(clEnqueueMapBuffer);
WEFT_ENTRY_POINT(clEnqueueUnmapMemObject);
WEFT_ENTRY_POINT(clEnqueueNDRangeKernel);
WEFT_ENTRY_POINT(clEnqueueTask);
WEFT_ENTRY_POINT(clEnqueueNativeKernel);
WEFT_ENTRY_POINT(clEnqueueMarker);
WEFT_ENTRY_POINT(clEnqueueWaitForEvents);
WEFT_ENTRY_POINT(clEnqueueBarrier);
WEFT_ENTRY_POINT(clEnqueueReadBufferRect);
WEFT_ENTRY_POINT(clEnqueueWriteBufferRect);
WEFT_ENTRY_POINT(clEnqueueCopyBufferRect);
WEFT_ENTRY_POINT(clEnqueueFillBuffer);
WEFT_ENTRY_POINT(clEnqueueMigrateMemObjects);
WEFT_ENTRY_POINT(clEnqueueMarkerWithWaitList);
WEFT_ENTRY_POINT(clEnqueueBarrierWithWaitList);

// icd/svm.cpp: shared virtual memory
WEFT_ENTRY_POINT(clSVMAlloc);
WEFT_ENTRY_POINT(clSVMFree);
WEFT_ENTRY_POINT(clSetKernelArgSVMPointer);
WEFT_ENTRY_POINT(clSetKernelExecInfo);
WEFT_ENTRY_POINT(clEnqueueSVMFree);
WEFT_ENTRY_POINT(clEnqueueSVMMemcpy);
WEFT_ENTRY_POINT(clEnqueueSVMMemFill);
WEFT_ENTRY_POINT(clEnqueueSVMMap);
WEFT_ENTRY_POINT(clEnqueueSVMUnmap);
WEFT_ENTRY_POINT(clEnqueueSVMMigrateMem);

#undef WEFT_ENTRY_POINT

}  // namespace weft::icd
