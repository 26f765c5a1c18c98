// Programs from SPIR-V (OpenCL 3.0 API §5.8.1, SPIR-V 1.6).
#include <cstdlib>

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
