// Programs from SPIR-V (OpenCL 3.0 API §5.8.1, SPIR-V 1.6).
#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "api/spirv_modules.h"

namespace weft::conformance {
namespace {

TEST_F(SpirvTest, RunsAndIsGivenBack) {
  const Words words = assemble(kernel_of("%product = OpIMul %int %x %two\n%y = OpExtInst %int %std s_max %product %two"));
  const Program program = create(words);
  std::size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size), CL_SUCCESS);
  ASSERT_EQ(size, words.size() * sizeof words[0]);
  Words back(words.size());
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, size, back.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(back, words);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "-cl-mad-enable", nullptr, nullptr), CL_SUCCESS) << log_of(program);
  const auto result = run(program);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(result[i], std::max(2 * i, 2));
}

TEST_F(SpirvTest, TheOtherByteOrder) {
  Words words = assemble(kernel_of("%y = OpIAdd %int %x %two"));
  for (std::uint32_t& word : words) word = __builtin_bswap32(word);
  const Program program = create(words);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
  EXPECT_EQ(run(program)[5], 7);
}

TEST_F(SpirvTest, SpecializationConstants) {
  const Program program = create(assemble(kernel_of("%y = OpIAdd %int %x %sum", R"(
%constant = OpSpecConstant %int 10
%flag = OpSpecConstantTrue %bool
%zero = OpConstant %int 0
%chosen = OpSpecConstantOp %int Select %flag %constant %zero
%sum = OpSpecConstantOp %int IAdd %chosen %two
)", "OpDecorate %constant SpecId 7\nOpDecorate %flag SpecId 8")));
  const auto set = [&](cl_uint id, std::size_t size, const void* value) {
    return clSetProgramSpecializationConstant(program, id, size, value);
  };
  const cl_int value = 100;
  const cl_uchar off = 0;
  EXPECT_EQ(set(6, 4, &value), CL_INVALID_SPEC_ID);
  EXPECT_EQ(set(7, 8, &value), CL_INVALID_VALUE);
  EXPECT_EQ(set(7, 4, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
  EXPECT_EQ(run(program)[3], 3 + 12);
  EXPECT_EQ(set(7, 4, &value), CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
  EXPECT_EQ(run(program)[3], 3 + 102);
  EXPECT_EQ(set(8, 1, &off), CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
  EXPECT_EQ(run(program)[3], 3 + 2);
}

TEST_F(SpirvTest, LinksWithSource) {
  // The declaration stands in front of all definitions.
  std::string text = kernel_of("%y = OpFunctionCall %int %helper %x", R"(
%of_int = OpTypeFunction %int %int
%helper = OpFunction %int None %of_int
%argument = OpFunctionParameter %int
OpFunctionEnd)", "OpDecorate %helper LinkageAttributes \"helper\" Import");
  const Program imports = create(assemble(text));
  const Program source = session.create_program("int helper(int x) { return x * x; }");
  for (const Program* program : {&imports, &source})
    ASSERT_EQ(clCompileProgram(*program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS) << log_of(*program);
  const cl_program inputs[] = {imports, source};
  cl_int error = CL_SUCCESS;
  const Program linked(clLinkProgram(context, 1, &device, "", 2, inputs, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(run(linked)[9], 81);
}

TEST_F(SpirvTest, WholeStructsAreChosenAndCopied) {
  const Program program = build(kernel_of(R"(
%is_small = OpULessThan %bool %x %two
%a = OpCompositeConstruct %pair %x %pair_of_two
%b = OpCompositeConstruct %pair %two %pair_of_two
%picked = OpSelect %pair %is_small %a %b
%as_other = OpCopyLogical %other %picked
%first = OpCompositeExtract %int %as_other 0
%second = OpCompositeExtract %int %as_other 1 1
%y = OpIAdd %int %first %second
)", R"(
%inner = OpTypeStruct %int %int
%pair = OpTypeStruct %int %inner
%other_inner = OpTypeStruct %int %int
%other = OpTypeStruct %int %other_inner
%pair_of_two = OpConstantComposite %inner %two %two
)"), SPV_ENV_UNIVERSAL_1_4);
  const auto result = run(program);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(result[i], i < 2 ? i + 2 : 4);
}

// Products, bits and truth values over groups of three sub-groups, the last of which is not whole.
TEST_F(SpirvTest, UniformGroupArithmetic) {
  WEFT_ONLY("SPV_KHR_uniform_group_instructions is an extension");
  struct Operation {
    const char* name;
    std::uint32_t identity;
    std::uint32_t (*combine)(std::uint32_t a, std::uint32_t b);
    bool is_logical = false;
  };
  const Operation operations[] = {
      {"IMulKHR", 1, [](std::uint32_t a, std::uint32_t b) { return a * b; }},
      {"BitwiseAndKHR", ~0u, [](std::uint32_t a, std::uint32_t b) { return a & b; }},
      {"BitwiseOrKHR", 0, [](std::uint32_t a, std::uint32_t b) { return a | b; }},
      {"BitwiseXorKHR", 0, [](std::uint32_t a, std::uint32_t b) { return a ^ b; }},
      {"LogicalAndKHR", 1, [](std::uint32_t a, std::uint32_t b) { return a & b; }, true},
      {"LogicalOrKHR", 0, [](std::uint32_t a, std::uint32_t b) { return a | b; }, true},
      {"LogicalXorKHR", 0, [](std::uint32_t a, std::uint32_t b) { return a ^ b; }, true},
  };
  constexpr int kLocal = 80, kCount = 160;
  for (const Operation& operation : operations)
    for (const bool of_work_group : {true, false})
      for (const std::string kind : {"Reduce", "InclusiveScan", "ExclusiveScan"}) {
        SCOPED_TRACE(std::string(operation.name) + " " + kind + (of_work_group ? " of a work-group" : " of a sub-group"));
        const std::string scope = of_work_group ? "%two" : "%three";
        const std::string group = std::string(" = OpGroup") + operation.name;
        const std::string body = operation.is_logical
                                     ? "%low = OpBitwiseAnd %int %x %three\n%t = OpINotEqual %bool %low %zero\n%r" + group + " %bool " + scope + " " +
                                           kind + " %t\n%y = OpSelect %int %r %one %zero"
                                     : "%y" + group + " %int " + scope + " " + kind + " %x";
        const Program program = build(kernel_of(body, "%zero = OpConstant %int 0\n%one = OpConstant %int 1\n%three = OpConstant %int 3", "",
                                                "OpCapability Groups\nOpCapability GroupUniformArithmeticKHR\n"
                                                "OpExtension \"SPV_KHR_uniform_group_instructions\""));
        std::vector<std::uint32_t> in(kCount);
        std::uint32_t state = 7;
        for (std::uint32_t& value : in) value = (state = state * 1664525u + 1013904223u) >> 3 | 1u << 20;
        // Few enough zeros that `and` of truth values is true somewhere.
        if (operation.is_logical)
          for (int i = 0; i < 100; ++i) in[i] |= 1;
        const Mem data = session.upload(in);
        session.launch(session.kernel(program, "k"), {{kCount}, {kLocal}}, data);
        const auto out = session.download<std::uint32_t>(data, kCount);
        for (int i = 0; i < kCount; ++i) {
          const int group_begin = i / kLocal * kLocal, group_end = group_begin + kLocal;
          const int begin = of_work_group ? group_begin : group_begin + (i - group_begin) / 32 * 32;
          const int end = kind == "Reduce" ? (of_work_group ? group_end : std::min(begin + 32, group_end)) : kind == "InclusiveScan" ? i + 1 : i;
          std::uint32_t expected = operation.identity;
          for (int k = begin; k < end; ++k) expected = operation.combine(expected, operation.is_logical ? (in[k] & 3) != 0 : in[k]);
          ASSERT_EQ(out[i], expected) << i;
        }
      }
}

// Of powers of two, which are exact.
TEST_F(SpirvTest, UniformGroupProductsOfFloats) {
  WEFT_ONLY("SPV_KHR_uniform_group_instructions is an extension");
  for (const std::string width : {"16", "32", "64"}) {
    const Program program = build(kernel_of(
        "%low = OpBitwiseAnd %int %x %one\n%more = OpIAdd %int %low %one\n%f = OpConvertUToF %float %more\n"
        "%r = OpGroupFMulKHR %float %two InclusiveScan %f\n%y = OpConvertFToU %int %r",
        "%float = OpTypeFloat " + width + "\n%one = OpConstant %int 1", "",
        "OpCapability Groups\nOpCapability GroupUniformArithmeticKHR\nOpCapability Float16\nOpCapability Float64\n"
        "OpExtension \"SPV_KHR_uniform_group_instructions\""));
    std::vector<std::uint32_t> in(40);
    for (const int odd : {3, 17, 33, 39}) in[odd] = 1;
    const Mem data = session.upload(in);
    session.launch(session.kernel(program, "k"), {{40}, {40}}, data);
    const auto out = session.download<std::uint32_t>(data, 40);
    std::uint32_t expected = 1;
    for (int i = 0; i < 40; ++i) {
      expected *= in[i] + 1;
      EXPECT_EQ(out[i], expected) << i << " of " << width;
    }
  }
}

// A kernel that puts its id into a pipe three ways, and one that takes out as many. The scopes 2 and 3 are a work-group and a sub-group.
constexpr char kPipeModule[] = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability GenericPointer
OpCapability Groups
OpCapability Pipes
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %fill "fill" %id %lane
OpEntryPoint Kernel %drain "drain" %id %lane
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %id Constant
OpDecorate %lane BuiltIn LocalInvocationId
OpDecorate %lane Constant
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%long3 = OpTypeVector %long 3
%in_long3 = OpTypePointer Input %long3
%id = OpVariable %in_long3 Input
%lane = OpVariable %in_long3 Input
%own_int = OpTypePointer Function %int
%generic_int = OpTypePointer Generic %int
%generic = OpTypePointer Generic %char
%global_int = OpTypePointer CrossWorkgroup %int
%reservation = OpTypeReserveId
%own_reservation = OpTypePointer Function %reservation
%none = OpConstantNull %reservation
%in_type = OpTypePipe ReadOnly
%out_type = OpTypePipe WriteOnly
%zero = OpConstant %int 0
%one = OpConstant %int 1
%two = OpConstant %int 2
%three = OpConstant %int 3
%four = OpConstant %int 4
%items = OpConstant %int 32
%hundred = OpConstant %int 100
%of_choose = OpTypeFunction %reservation %reservation
%of_fill = OpTypeFunction %void %out_type
%of_drain = OpTypeFunction %void %in_type %global_int
%choose = OpFunction %reservation None %of_choose
%given = OpFunctionParameter %reservation
%choose_entry = OpLabel
%is_given = OpIsValidReserveId %bool %given
OpBranchConditional %is_given %choose_end %not_given
%not_given = OpLabel
OpBranch %choose_end
%choose_end = OpLabel
%chosen = OpPhi %reservation %given %choose_entry %none %not_given
OpReturnValue %chosen
OpFunctionEnd
%fill = OpFunction %void None %of_fill
%out = OpFunctionParameter %out_type
%fill_entry = OpLabel
%variable = OpVariable %own_int Function
%kept = OpVariable %own_reservation Function
%ids = OpLoad %long3 %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%x = OpUConvert %int %i
%lanes = OpLoad %long3 %lane Aligned 32
%lane_long = OpCompositeExtract %long %lanes 0
%place = OpUConvert %int %lane_long
%any = OpPtrCastToGeneric %generic_int %variable
%packet = OpBitcast %generic %any
OpStore %variable %x Aligned 4
%first = OpWritePipe %int %out %packet %four %four
%x1 = OpIAdd %int %x %hundred
OpStore %variable %x1 Aligned 4
%own = OpReserveWritePipePackets %reservation %out %one %four %four
%same = OpFunctionCall %reservation %choose %own
OpStore %kept %same Aligned 8
%back = OpLoad %reservation %kept Aligned 8
%second = OpReservedWritePipe %int %out %back %zero %packet %four %four
OpCommitWritePipe %out %back %four %four
%x2 = OpIAdd %int %x1 %hundred
OpStore %variable %x2 Aligned 4
%of_group = OpGroupReserveWritePipePackets %reservation %two %out %items %four %four
%third = OpReservedWritePipe %int %out %of_group %place %packet %four %four
OpGroupCommitWritePipe %two %out %of_group %four %four
OpReturn
OpFunctionEnd
%drain = OpFunction %void None %of_drain
%in = OpFunctionParameter %in_type
%data = OpFunctionParameter %global_int
%drain_entry = OpLabel
%ids_d = OpLoad %long3 %id Aligned 32
%i_d = OpCompositeExtract %long %ids_d 0
%lanes_d = OpLoad %long3 %lane Aligned 32
%lane_d = OpCompositeExtract %long %lanes_d 0
%place_d = OpUConvert %int %lane_d
%of_sub_group = OpGroupReserveReadPipePackets %reservation %three %in %items %four %four
%is_valid = OpIsValidReserveId %bool %of_sub_group
OpBranchConditional %is_valid %reads %ends
%reads = OpLabel
%at = OpInBoundsPtrAccessChain %global_int %data %i_d
%at_any = OpPtrCastToGeneric %generic_int %at
%at_packet = OpBitcast %generic %at_any
%result = OpReservedReadPipe %int %in %of_sub_group %place_d %at_packet %four %four
OpGroupCommitReadPipe %three %in %of_sub_group %four %four
OpBranch %ends
%ends = OpLabel
%left = OpGetNumPipePackets %int %in %four %four
%most = OpGetMaxPipePackets %int %in %four %four
OpReturn
OpFunctionEnd
)";

TEST_F(SpirvTest, Pipes) {
  cl_bool there = CL_FALSE;
  if (clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof there, &there, nullptr) != CL_SUCCESS || !there)
    GTEST_SKIP() << "the device has no pipes";
  const Program program = build(kPipeModule);
  cl_int error = CL_SUCCESS;
  const Mem pipe(clCreatePipe(context, 0, 4, 192, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const Mem buffer = session.buffer(224 * 4);
  const cl_mem raw_buffer = buffer, raw_pipe = pipe;
  const Kernel fill = session.kernel(program, "fill"), drain = session.kernel(program, "drain");
  EXPECT_EQ(clSetKernelArg(fill, 0, sizeof raw_buffer, &raw_buffer), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(drain, 1, sizeof raw_pipe, &raw_pipe), CL_INVALID_MEM_OBJECT);
  cl_kernel_arg_type_qualifier qualifier = 0;
  ASSERT_EQ(clGetKernelArgInfo(fill, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, nullptr), CL_SUCCESS);
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
  session.launch(fill, {{64}, {32}}, pipe);
  std::vector<cl_int> marked(224, -1);
  check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, marked.size() * 4, marked.data(), 0, nullptr, nullptr), "clEnqueueWriteBuffer");
  session.launch(drain, {{224}, {32}}, pipe, buffer);
  auto got = session.download<cl_int>(buffer, 224);
  std::sort(got.begin(), got.end());
  std::vector<cl_int> expected(32, -1);
  for (int each = 0; each < 3; ++each)
    for (int i = 0; i < 64; ++i) expected.push_back(i + 100 * each);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(got, expected);
}

const std::string kImageModule = image_module("OpCapability LiteralSampler") + R"(
%to = OpTypePointer CrossWorkgroup %float4
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%sampled = OpTypeSampledImage %image
%of_helper = OpTypeFunction %float4 %image %sampler %float2
%of_kernel = OpTypeFunction %void %image %sampler %to
%literal = OpConstantSampler %sampler ClampToEdge 0 Nearest
%zero = OpConstant %float 0
%at_x = OpConstant %float 1.5
%at_y = OpConstant %float 0.5
%place = OpConstantComposite %float2 %at_x %at_y
%column = OpConstant %int 2
%row = OpConstant %int 1
%texel = OpConstantComposite %int2 %column %row
%helper = OpFunction %float4 None %of_helper
%helper_image = OpFunctionParameter %image
%helper_sampler = OpFunctionParameter %sampler
%helper_place = OpFunctionParameter %float2
%helper_entry = OpLabel
%pair = OpSampledImage %sampled %helper_image %helper_sampler
%read = OpImageSampleExplicitLod %float4 %pair %helper_place Lod %zero
OpReturnValue %read
OpFunctionEnd
%kernel = OpFunction %void None %of_kernel
%in = OpFunctionParameter %image
%given = OpFunctionParameter %sampler
%out = OpFunctionParameter %to
%entry = OpLabel
%a = OpFunctionCall %float4 %helper %in %given %place
%b = OpFunctionCall %float4 %helper %in %literal %place
%c = OpImageRead %float4 %in %texel
%ab = OpFAdd %float4 %a %b
%abc = OpFAdd %float4 %ab %c
OpStore %out %abc Aligned 16
OpReturn
OpFunctionEnd
)";

TEST_F(SpirvTest, ImagesAndSamplers) {
  const Program program = build(kImageModule);
  std::vector<cl_float4> texels(4 * 4);
  for (int i = 0; i < 16; ++i) texels[i] = {{i * 1.0f, i * 10.0f, i * 100.0f, 1.0f}};
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 4;
  cl_int error = CL_SUCCESS;
  const Mem image(clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, texels.data(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE,
                                              CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
  const cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const Mem out = session.buffer(sizeof(cl_float4));
  session.launch(session.kernel(program, "k"), {{1}, {1}}, image, sampler, out);
  const cl_float4 result = session.download<cl_float4>(out, 1)[0];
  EXPECT_EQ(result.s[0], 1.0f + 1.0f + 6.0f);
  EXPECT_EQ(result.s[2], 100.0f + 100.0f + 600.0f);
  clReleaseSampler(sampler);
}

// Translators of some versions name the variables of built-in inputs alone, where SPIR-V 1.4 asks for all that an entry point uses.
TEST_F(SpirvTest, VariablesThatNoInterfaceNames) {
  const Program program = build(kernel_of("%at = OpInBoundsAccessChain %shared_int %shared %zero\nOpStore %at %x\n"
                                          "%y = OpLoad %int %at", R"(
%zero = OpConstant %int 0
%row = OpTypeArray %int %two
%shared_row = OpTypePointer Workgroup %row
%shared_int = OpTypePointer Workgroup %int
%shared = OpVariable %shared_row Workgroup
)"), SPV_ENV_UNIVERSAL_1_4);
  const Mem data = session.upload(iota<cl_int>(64));
  session.launch(session.kernel(program, "k"), {{64}, {1}}, data);
  const auto out = session.download<cl_int>(data, 64);
  for (cl_int i = 0; i < 64; ++i) ASSERT_EQ(out[i], i);
}

// LLVM 15's translator declares what -cl-fast-relaxed-math uses without its extension.
TEST_F(SpirvTest, CapabilitiesWithoutTheirExtension) {
  const Program program = build(kernel_of("%f = OpConvertSToF %float %x\n%g = OpFMul %float %f %f\n%y = OpConvertFToS %int %g", "%float = OpTypeFloat 32",
                                          "OpDecorate %g FPFastMathMode AllowContractFastINTEL", "OpCapability FPFastMathModeINTEL"));
  EXPECT_EQ(run(program)[9], 81);
}

// -cl-fast-relaxed-math, which nothing in the module says.
TEST_F(SpirvTest, RelaxedMath) {
  const Words words = assemble(kernel_of("%f = OpConvertSToF %float %x\n%g = OpFMul %float %f %tenth\n"
                                         "%e = OpExtInst %float %std exp %g\n%y = OpBitcast %int %e",
                                         "%float = OpTypeFloat 32\n%tenth = OpConstant %float 0.1"));
  std::vector<cl_int> results[2];
  for (const bool is_relaxed : {false, true}) {
    const Program program = create(words);
    ASSERT_EQ(clBuildProgram(program, 1, &device, is_relaxed ? "-cl-fast-relaxed-math" : "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
    results[is_relaxed] = run(program);
    for (std::size_t i = 0; i < 64; ++i) {
      const double want = std::exp(static_cast<float>(i) * 0.1f), got = std::bit_cast<float>(results[is_relaxed][i]);
      EXPECT_NEAR(got, want, want * 1e-5);
    }
  }
  NOT_ON_POCL("its exp is one function");
  EXPECT_NE(results[0], results[1]);
}

// A format that ends a line and has nothing to convert, whose result nobody reads: in a C library that is puts.
TEST_F(SpirvTest, PrintfOfALine) {
  NOT_ON_POCL("writes to stdout at another time");
  const Program program = build(kernel_of("%format = OpInBoundsPtrAccessChain %constant_char %text %zero %zero\n%printed = OpExtInst %int %std printf %format\n"
                                          "%y = OpIAdd %int %x %two", R"(
%char = OpTypeInt 8 0
%constant_char = OpTypePointer UniformConstant %char
%h = OpConstant %char 104
%i_ = OpConstant %char 105
%line = OpConstant %char 10
%end = OpConstant %char 0
%zero = OpConstant %long 0
%four = OpConstant %int 4
%chars = OpTypeArray %char %four
%constant_chars = OpTypePointer UniformConstant %chars
%contents = OpConstantComposite %chars %h %i_ %line %end
%text = OpVariable %constant_chars UniformConstant %contents
)", "OpDecorate %text Constant", "OpCapability Int8"));
  testing::internal::CaptureStdout();
  const Mem data = session.upload(iota<cl_int>(64));
  session.launch(session.kernel(program, "k"), {{1}, {1}}, data);
  const auto out = session.download<cl_int>(data, 64);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hi\n");
  EXPECT_EQ(out[0], 2);
}

// C++ has them in structs whose other fields are what a kernel is given.
TEST_F(SpirvTest, PointersToFunctionsThatNobodyCalls) {
  WEFT_ONLY("SPV_INTEL_function_pointers is an extension");
  const Program program = build(kernel_of("%whole = OpBitcast %global_struct %data\n%at = OpInBoundsAccessChain %global_int %whole %one\n"
                                          "%field = OpLoad %int %at Aligned 8\n%y = OpIAdd %int %field %x", R"(
%one = OpConstant %int 1
%of_int = OpTypeFunction %void %int
%function = OpTypePointer Function %of_int
%struct = OpTypeStruct %function %int
%global_struct = OpTypePointer CrossWorkgroup %struct
)", "", "OpCapability FunctionPointersINTEL\nOpExtension \"SPV_INTEL_function_pointers\""));
  const Mem data = session.upload(iota<cl_int>(64));
  session.launch(session.kernel(program, "k"), {{1}, {1}}, data);
  EXPECT_EQ(session.download<cl_int>(data, 64)[0], 2);
}

// Of extensions that say nothing of results: capabilities and decorations that older parsers do not know.
TEST_F(SpirvTest, HintsThatNobodyKnows) {
  WEFT_ONLY("other platforms know other extensions");
  Words words = assemble(kernel_of("%f = OpConvertSToF %float %x\n%g = OpFDiv %float %f %two_float\n%y = OpConvertFToS %int %g",
                                   "%float = OpTypeFloat 32\n%two_float = OpConstant %float 2", "OpDecorate %g Constant\nOpDecorate %f Constant",
                                   "OpExtension \"SPV_INTEL_fp_max_error\"\nOpExtension \"SPV_INTEL_cache_controls\""));
  constexpr std::uint32_t kMaxErrorCapability = 6169, kCacheControlsCapability = 6441, kMaxError = 6170, kCacheControlLoad = 6442;
  // In place of the two decorations: an error of 2.5 units, and a level of a cache with what to do there.
  const std::uint32_t decorate = 3u << 16 | spv::OpDecorate;
  bool is_first = true;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if (words[at] != decorate || words[at + 2] != spv::DecorationConstant) continue;
    Words changed = is_first ? Words{4u << 16 | spv::OpDecorate, words[at + 1], kMaxError, 0x40200000}
                             : Words{5u << 16 | spv::OpDecorate, words[at + 1], kCacheControlLoad, 0, 1};
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at), words.begin() + static_cast<std::ptrdiff_t>(at) + 3);
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), changed.begin(), changed.end());
    if (!std::exchange(is_first, false)) break;
  }
  for (const std::uint32_t capability : {kMaxErrorCapability, kCacheControlsCapability})
    words.insert(words.begin() + 5, {2u << 16 | spv::OpCapability, capability});
  const Program program = create(words);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
  EXPECT_EQ(run(program)[9], 4);
}

TEST_F(SpirvTest, BadModules) {
  cl_int error = CL_SUCCESS;
  const Words good = assemble(kernel_of("%y = OpIAdd %int %x %two"));
  EXPECT_EQ(clCreateProgramWithIL(context, nullptr, 4, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(context, good.data(), 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(context, "no SPIR-V, but long enough", 26, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(nullptr, good.data(), good.size() * 4, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  // Of what has a header, the build tells.
  Words cut = good;
  cut.resize(good.size() - 3);
  const Program half = create(cut);
  EXPECT_EQ(clBuildProgram(half, 1, &device, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log_of(half).find("error"), std::string::npos);
  // Where the translator runs in this process, its faults are this process's (docs/trust.md).
  const char* process = std::getenv("WEFT_COMPILER_PROCESS");
  const std::size_t end = process && process[0] == '0' ? 0 : good.size();
  for (std::size_t at = 5; at < end; at += 3) {
    Words wrong = good;
    wrong[at] ^= 0x20u;
    const Program program = create(wrong);
    clBuildProgram(program, 1, &device, "", nullptr, nullptr);  // whatever it says, the program lives
  }
  const Program source = session.create_program("kernel void k(global int* a) { a[0] = 1; }");
  const cl_int value = 1;
  EXPECT_NE(clSetProgramSpecializationConstant(source, 7, 4, &value), CL_SUCCESS);
  std::size_t size = 1;
  EXPECT_EQ(clGetProgramInfo(source, CL_PROGRAM_IL, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
}

}  // namespace
}  // namespace weft::conformance
