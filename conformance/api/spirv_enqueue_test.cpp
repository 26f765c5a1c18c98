// Kernels of SPIR-V that enqueue on the device (SPIR-V §3.42.20 "Device-Side Enqueue Instructions"): a function that is no kernel, its
// parameter plain memory, the range a value.
#include "api/spirv_modules.h"

namespace weft::conformance {
namespace {

constexpr char kModule[] = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability Linkage
OpCapability GenericPointer
OpCapability DeviceEnqueue
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "k" %id
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %id Constant
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%char = OpTypeInt 8 0
%queue_type = OpTypeQueue
%event_type = OpTypeDeviceEvent
%long3 = OpTypeVector %long 3
%input_long3 = OpTypePointer Input %long3
%id = OpVariable %input_long3 Input
%three = OpConstant %long 3
%sizes = OpTypeArray %long %three
%range_type = OpTypeStruct %int %sizes %sizes %sizes
%global_int = OpTypePointer CrossWorkgroup %int
%local_int = OpTypePointer Workgroup %int
%local_char = OpTypePointer Workgroup %char
%captured = OpTypeStruct %global_int %int
%captured_at = OpTypePointer Function %captured
%generic_captured = OpTypePointer Generic %captured
%generic_char = OpTypePointer Generic %char
%generic_event = OpTypePointer Generic %event_type
%event_at = OpTypePointer Function %event_type
%generic_global_int = OpTypePointer Generic %global_int
%generic_int = OpTypePointer Generic %int
%private_global_int = OpTypePointer Function %global_int
%private_int = OpTypePointer Function %int
%zero = OpConstant %int 0
%one = OpConstant %int 1
%seven = OpConstant %int 7
%align = OpConstant %int 8
%size = OpConstant %int 16
%local_size = OpConstant %int 64
%zero_long = OpConstant %long 0
%items = OpConstant %long 16
%group = OpConstant %long 8
%scope = OpConstant %int 2
%semantics = OpConstant %int 272
%no_events = OpConstantNull %generic_event
%signature = OpTypeFunction %void %global_int %queue_type
%block_signature = OpTypeFunction %void %generic_char %local_char

; out[id] = value * (id of the other end of the group)
%block = OpFunction %void None %block_signature
%param = OpFunctionParameter %generic_char
%local = OpFunctionParameter %local_char
%block_entry = OpLabel
%b = OpBitcast %generic_captured %param
%out_at = OpInBoundsPtrAccessChain %generic_global_int %b %zero_long %zero
%out_b = OpLoad %global_int %out_at Aligned 8
%value_at = OpInBoundsPtrAccessChain %generic_int %b %zero_long %one
%value_b = OpLoad %int %value_at Aligned 8
%ids = OpLoad %long3 %id Aligned 32
%x = OpCompositeExtract %long %ids 0
%x_int = OpUConvert %int %x
%in_group = OpBitwiseAnd %int %x_int %seven
%in_group_long = OpUConvert %long %in_group
%cells = OpBitcast %local_int %local
%own = OpInBoundsPtrAccessChain %local_int %cells %in_group_long
OpStore %own %x_int Aligned 4
OpControlBarrier %scope %scope %semantics
%other = OpBitwiseXor %int %in_group %seven
%other_long = OpUConvert %long %other
%theirs = OpInBoundsPtrAccessChain %local_int %cells %other_long
%their_id = OpLoad %int %theirs Aligned 4
%product = OpIMul %int %their_id %value_b
%place = OpInBoundsPtrAccessChain %global_int %out_b %x
OpStore %place %product Aligned 4
OpReturn
OpFunctionEnd

%kernel = OpFunction %void None %signature
%out = OpFunctionParameter %global_int
%queue = OpFunctionParameter %queue_type
%entry = OpLabel
%literal = OpVariable %captured_at Function
%event = OpVariable %event_at Function
%pointer_at = OpInBoundsPtrAccessChain %private_global_int %literal %zero_long %zero
OpStore %pointer_at %out Aligned 8
%number_at = OpInBoundsPtrAccessChain %private_int %literal %zero_long %one
OpStore %number_at %seven Aligned 8
%generic = OpPtrCastToGeneric %generic_captured %literal
%as_chars = OpBitcast %generic_char %generic
%event_out = OpPtrCastToGeneric %generic_event %event
%range = OpBuildNDRange %range_type %items %group %zero_long
%error = OpEnqueueKernel %int %queue %one %range %zero %no_events %event_out %block %as_chars %size %align %local_size
%done = OpLoad %event_type %event Aligned 8
OpReleaseEvent %done
OpReturn
OpFunctionEnd
)";

TEST_F(SpirvTest, AFunctionIsEnqueuedOnTheDevice) {
  cl_device_device_enqueue_capabilities there = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof there, &there, nullptr) != CL_SUCCESS || !(there & CL_DEVICE_QUEUE_SUPPORTED))
    GTEST_SKIP() << "the device has no queues of its own";
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const Queue on_device(clCreateCommandQueueWithProperties(context, device, properties, nullptr));
  const Program program = build(kModule);
  std::size_t kernels = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), "number");
  EXPECT_EQ(kernels, 1u);
  const Kernel kernel = session.kernel(program, "k");
  char name[16] = {};
  check(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr), "type");
  EXPECT_STREQ(name, "queue_t");
  const Mem out = session.upload(std::vector<cl_int>(16));
  const cl_command_queue argument = on_device;
  session.launch(kernel, {{1}, {1}}, out, argument);
  const auto values = session.download<cl_int>(out, 16);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(values[i], 7 * (i ^ 7)) << i;
}

}  // namespace
}  // namespace weft::conformance
