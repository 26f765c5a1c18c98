// What SPIR-V a device says it takes (cl_khr_spirv_queries, OpenCL 3.1 API §4.2) is what it takes.
#include <spirv/unified1/spirv.hpp>

#include <cstring>
#include <map>

#include "api/spirv_modules.h"

namespace weft::conformance {
namespace {

constexpr cl_device_info kInstructionSets = 0x12B9, kExtensions = 0x12BA, kCapabilities = 0x12BB;

template <class T>
std::vector<T> answers(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device, what, 0, nullptr, &size), CL_SUCCESS);
  std::vector<T> result(size / sizeof(T));
  EXPECT_EQ(clGetDeviceInfo(device, what, size, result.data(), nullptr), CL_SUCCESS);
  if (size) {
    EXPECT_EQ(clGetDeviceInfo(device, what, size - 1, result.data(), nullptr), CL_INVALID_VALUE);
  }
  return result;
}

class SpirvQueriesTest : public SpirvTest {
 protected:
  void SetUp() override {
    SpirvTest::SetUp();
    if (!has_extension("cl_khr_spirv_queries")) GTEST_SKIP() << "no cl_khr_spirv_queries";
  }
};

/// A module that declares a capability or an extension and stands on it. Of a kernel_of(), unless `body` has an entry point.
struct Use {
  std::string body;
  std::string declarations, types, decorations;
  cl_int (*expected)(cl_int x) = nullptr;  ///< of data[i] = i in groups of 32; null: it is built alone
};

constexpr char kImageConstants[] = R"(
%zero = OpConstant %float 0
%at = OpConstant %int 1
%place = OpConstantComposite %int2 %at %at
%between = OpConstantComposite %float2 %zero %zero
%colour = OpConstantComposite %float4 %zero %zero %zero %zero
)";

/// A kernel with an image of this type, made of OpTypeImage's operands, that does `body` with %in.
Use with_image(const std::string& capability, const std::string& image, const std::string& body, const std::string& types = "") {
  return {image_module(capability) + kImageConstants + "%image = OpTypeImage %void " + image + "\n%sampled = OpTypeSampledImage %image\n%signature = OpTypeFunction %void %image\n" + types +
          "%kernel = OpFunction %void None %signature\n%in = OpFunctionParameter %image\n%entry = OpLabel\n" + body +
          "\nOpReturn\nOpFunctionEnd\n"};
}

/// Sums, or minima and maxima, of floats of a width in place of data.
Use float_atomics(int width, bool is_sum) {
  const std::string size = std::to_string(width);
  std::string declarations = "OpCapability AtomicFloat" + size + (is_sum ? "AddEXT\n" : "MinMaxEXT\n");
  if (width != 32) declarations += "OpCapability Float" + size + "\n";
  declarations += is_sum ? (width == 16 ? "OpExtension \"SPV_EXT_shader_atomic_float16_add\"" : "OpExtension \"SPV_EXT_shader_atomic_float_add\"")
                         : "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"";
  // Each item has 64 bytes of its own behind the numbers.
  const std::string types = "%float = OpTypeFloat " + size + R"(
%global_float = OpTypePointer CrossWorkgroup %float
%local_float = OpTypePointer Workgroup %float
%generic_float = OpTypePointer Generic %float
%first = OpConstant %float 3
%second = OpConstant %float 5
%shared = OpVariable %local_float Workgroup
%wide = OpConstant %long 16
%offset = OpConstant %long 64
)";
  const std::string op = is_sum ? "OpAtomicFAddEXT" : "OpAtomicFMaxEXT";
  const std::string other = is_sum ? "OpAtomicFAddEXT" : "OpAtomicFMinEXT";
  const std::string body = R"(
%scaled = OpIMul %long %i %wide
%at = OpIAdd %long %scaled %offset
%words = OpInBoundsPtrAccessChain %global_int %data %at
%own = OpBitcast %global_float %words
OpStore %own %first Aligned 2
%before = )" + op + R"( %float %own %two %zero %second
%anywhere = OpPtrCastToGeneric %generic_float %own
%middle = )" + other + R"( %float %anywhere %two %zero %first
%last = OpLoad %float %own Aligned 2
OpStore %shared %first Aligned 2
OpControlBarrier %two %two %semantics
%of_local = OpAtomicFAddEXT_OR_MAX %float %shared %two %zero %first
%a = OpConvertFToS %int %before
%b = OpConvertFToS %int %middle
%c = OpConvertFToS %int %last
%ten = OpIMul %int %b %number10
%hundred = OpIMul %int %c %number100
%ab = OpIAdd %int %a %ten
%abc = OpIAdd %int %ab %hundred
%y = OpIAdd %int %abc %x
)";
  std::string whole = body;
  const std::string mark = "OpAtomicFAddEXT_OR_MAX";
  whole.replace(whole.find(mark), mark.size(), op);
  Use use{whole, "OpCapability GenericPointer\n" + declarations, types + "%zero = OpConstant %int 0\n%semantics = OpConstant %int 272\n%number10 = OpConstant %int 10\n%number100 = OpConstant %int 100\n"};
  // 3, then 8 or 5; then 11, or 3.
  if (is_sum) use.expected = [](cl_int x) { return 3 + 80 + 1100 + x; };
  else use.expected = [](cl_int x) { return 3 + 50 + 300 + x; };
  return use;
}

constexpr char kNumbers[] = R"(
%zero = OpConstant %int 0
%one = OpConstant %int 1
%sub_group = OpConstant %int 3
%four = OpConstant %int 4
%int4 = OpTypeVector %int 4
)";

constexpr char kBytes[] = R"(
%large = OpConstant %int 0x7ffffff0
%bytes = OpConstant %int 0xff020301
)";

const std::map<spv::Capability, Use>& uses() {
  static const std::map<spv::Capability, Use> all = [] {
    const auto plus_two = [](cl_int x) { return x + 2; };
    const std::string add = "%y = OpIAdd %int %x %two";
    std::map<spv::Capability, Use> uses;
    for (const auto capability : {spv::CapabilityAddresses, spv::CapabilityKernel, spv::CapabilityLinkage, spv::CapabilityInt64}) uses[capability] = {add, "", "", "", plus_two};
    uses[spv::CapabilityInt8] = {"%small = OpUConvert %char %x\n%sum = OpIAdd %char %small %ten\n%y = OpUConvert %int %sum", "OpCapability Int8",
                                 "%char = OpTypeInt 8 0\n%ten = OpConstant %char 10", "", [](cl_int x) { return x + 10; }};
    uses[spv::CapabilityInt16] = {"%small = OpUConvert %short %x\n%sum = OpIAdd %short %small %ten\n%y = OpUConvert %int %sum", "OpCapability Int16",
                                  "%short = OpTypeInt 16 0\n%ten = OpConstant %short 10", "", [](cl_int x) { return x + 10; }};
    uses[spv::CapabilityVector16] = {"%v = OpCompositeInsert %int16 %x %none 15\n%w = OpIAdd %int16 %v %v\n%y = OpCompositeExtract %int %w 15",
                                     "OpCapability Vector16", "%int16 = OpTypeVector %int 16\n%none = OpUndef %int16", "",
                                     [](cl_int x) { return 2 * x; }};
    uses[spv::CapabilityFloat16Buffer] = {"%as_half = OpBitcast %global_half %place\n%f = OpExtInst %float %std vload_half %long0 %as_half\n"
                                          "%g = OpFMul %float %f %f\n%y = OpIAdd %int %x %two",
                                          "OpCapability Float16Buffer",
                                          "%half = OpTypeFloat 16\n%float = OpTypeFloat 32\n%global_half = OpTypePointer CrossWorkgroup %half\n%long0 = OpConstant %long 0", "", plus_two};
    uses[spv::CapabilityFloat16] = {"%f = OpConvertSToF %float %x\n%g = OpFAdd %float %f %f\n%y = OpConvertFToS %int %g", "OpCapability Float16",
                                    "%float = OpTypeFloat 16", "", [](cl_int x) { return 2 * x; }};
    uses[spv::CapabilityFloat64] = {"%f = OpConvertSToF %float %x\n%g = OpFAdd %float %f %f\n%y = OpConvertFToS %int %g", "OpCapability Float64",
                                    "%float = OpTypeFloat 64", "", [](cl_int x) { return 2 * x; }};
    uses[spv::CapabilityInt64Atomics] = {"%scaled = OpIMul %long %i %wide\n%at = OpIAdd %long %scaled %offset\n%words = OpInBoundsPtrAccessChain %global_int %data %at\n"
                                         "%own = OpBitcast %global_long %words\nOpStore %own %wide Aligned 8\n"
                                         "%before = OpAtomicIAdd %long %own %two %zero %i\n%after = OpAtomicSMax %long %own %two %zero %i\n"
                                         "%sum = OpIAdd %long %before %after\n%y = OpUConvert %int %sum",
                                         "OpCapability Int64Atomics",
                                         "%global_long = OpTypePointer CrossWorkgroup %long\n%wide = OpConstant %long 16\n%offset = OpConstant %long 64\n%zero = OpConstant %int 0", "",
                                         [](cl_int x) { return 32 + x; }};
    uses[spv::CapabilityGenericPointer] = {"%anywhere = OpPtrCastToGeneric %generic %place\n%y = OpLoad %int %anywhere Aligned 4", "OpCapability GenericPointer",
                                           "%generic = OpTypePointer Generic %int", "", [](cl_int x) { return x; }};
    uses[spv::CapabilityGroups] = {"%sum = OpGroupIAdd %int %two Reduce %x\n%last = OpGroupSMax %int %sub_group InclusiveScan %x\n"
                                   "%is = OpGroupAny %bool %two %true\n%least = OpSelect %int %is %sum %zero\n%y = OpIAdd %int %least %last",
                                   "OpCapability Groups", std::string(kNumbers) + "%true = OpConstantTrue %bool", "",
                                   [](cl_int x) { return (x < 32 ? 496 : 1520) + x; }};
    uses[spv::CapabilityGroupUniformArithmeticKHR] = {
        "%odd = OpBitwiseOr %int %x %one\n%product = OpGroupIMulKHR %int %sub_group Reduce %odd\n"
        "%bits = OpGroupBitwiseXorKHR %int %two InclusiveScan %product\n%y = OpIAdd %int %bits %x",
        "OpCapability Groups\nOpCapability GroupUniformArithmeticKHR\nOpExtension \"SPV_KHR_uniform_group_instructions\"", kNumbers, "",
        [](cl_int x) {
          cl_uint product = 1;
          for (cl_int i = x / 32 * 32; i < x / 32 * 32 + 32; ++i) product *= static_cast<cl_uint>(i | 1);
          return static_cast<cl_int>(x % 2 == 0 ? product : 0) + x;
        }};
    uses[spv::CapabilityDeviceEnqueue] = {"%y = OpIAdd %int %x %two\n%queue = OpGetDefaultQueue %queue_type\n%user = OpCreateUserEvent %event_type\n"
                                          "OpReleaseEvent %user",
                                          "OpCapability DeviceEnqueue", "%queue_type = OpTypeQueue\n%event_type = OpTypeDeviceEvent", "", plus_two};
    uses[spv::CapabilityPipes] = {"%y = OpIAdd %int %x %two\n%nothing = OpIsValidReserveId %bool %none", "OpCapability Pipes",
                                  "%reservation = OpTypeReserveId\n%none = OpConstantNull %reservation", "", plus_two};
    uses[spv::CapabilitySubgroupDispatch] = {add, "OpCapability SubgroupDispatch", "", "OpExecutionMode %kernel SubgroupSize 32", plus_two};
    uses[spv::CapabilityUniformDecoration] = {"%y = OpIAdd %int %two %two", "OpCapability UniformDecoration", "", "OpDecorate %y Uniform", [](cl_int) { return 4; }};
    uses[spv::CapabilityExpectAssumeKHR] = {"OpAssumeTrueKHR %true\n%y = OpExpectKHR %int %x %two",
                                            "OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"", "%true = OpConstantTrue %bool", "",
                                            [](cl_int x) { return x; }};
    uses[spv::CapabilityBitInstructions] = {"%a = OpBitFieldInsert %int %x %two %four %four\n%b = OpBitFieldUExtract %int %a %one %four\n"
                                            "%c = OpBitReverse %int %b\n%y = OpBitFieldSExtract %int %c %top %four",
                                            "OpCapability BitInstructions\nOpExtension \"SPV_KHR_bit_instructions\"",
                                            std::string(kNumbers) + "%top = OpConstant %int 28", "", [](cl_int x) {
                                              const cl_int b = ((x & ~0xf0) | 0x20) >> 1 & 15;
                                              const cl_int reversed = (b & 1) << 3 | (b & 2) << 1 | (b & 4) >> 1 | (b & 8) >> 3;
                                              return reversed >= 8 ? reversed - 16 : reversed;
                                            }};

    uses[spv::CapabilityShaderClockKHR] = {"%before = OpReadClockKHR %long %sub_group\n%after = OpReadClockKHR %long %sub_group\n"
                                           "%is = OpUGreaterThanEqual %bool %after %before\n%y = OpSelect %int %is %two %x",
                                           "OpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"", kNumbers, "", [](cl_int) { return 2; }};

    const std::string non_uniform = "OpCapability GroupNonUniform\n";
    uses[spv::CapabilityGroupNonUniform] = {"%first = OpGroupNonUniformElect %bool %sub_group\n%y = OpSelect %int %first %two %x", non_uniform, kNumbers, "",
                                            [](cl_int x) { return x % 32 ? x : 2; }};
    uses[spv::CapabilityGroupNonUniformVote] = {"%same = OpGroupNonUniformAllEqual %bool %sub_group %x\n%y = OpSelect %int %same %two %x",
                                                non_uniform + "OpCapability GroupNonUniformVote", kNumbers, "", [](cl_int x) { return x; }};
    uses[spv::CapabilityGroupNonUniformArithmetic] = {"%y = OpGroupNonUniformIAdd %int %sub_group Reduce %x",
                                                      non_uniform + "OpCapability GroupNonUniformArithmetic", kNumbers, "",
                                                      [](cl_int x) { return x < 32 ? 496 : 1520; }};
    uses[spv::CapabilityGroupNonUniformBallot] = {"%odd = OpBitwiseAnd %int %x %one\n%is = OpIEqual %bool %odd %one\n"
                                                  "%ballot = OpGroupNonUniformBallot %int4 %sub_group %is\n"
                                                  "%y = OpGroupNonUniformBallotBitCount %int %sub_group ExclusiveScan %ballot",
                                                  non_uniform + "OpCapability GroupNonUniformBallot", kNumbers, "", [](cl_int x) { return x % 32 / 2; }};
    uses[spv::CapabilityGroupNonUniformShuffle] = {"%y = OpGroupNonUniformShuffleXor %int %sub_group %x %one",
                                                   non_uniform + "OpCapability GroupNonUniformShuffle", kNumbers, "", [](cl_int x) { return x ^ 1; }};
    uses[spv::CapabilityGroupNonUniformShuffleRelative] = {"%up = OpGroupNonUniformShuffleUp %int %sub_group %x %one\n"
                                                           "%y = OpGroupNonUniformShuffleDown %int %sub_group %up %one",
                                                           non_uniform + "OpCapability GroupNonUniformShuffleRelative", kNumbers, ""};
    uses[spv::CapabilityGroupNonUniformClustered] = {"%y = OpGroupNonUniformIAdd %int %sub_group ClusteredReduce %x %four",
                                                     non_uniform + "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformArithmetic", kNumbers, "",
                                                     [](cl_int x) { return x / 4 * 16 + 6; }};
    uses[spv::CapabilityGroupNonUniformRotateKHR] = {"%a = OpGroupNonUniformRotateKHR %int %sub_group %x %one\n"
                                                     "%y = OpGroupNonUniformRotateKHR %int %sub_group %a %one %four",
                                                     non_uniform + "OpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"", kNumbers, "",
                                                     [](cl_int x) { return (x / 4 * 4 + (x + 1) % 4) / 32 * 32 + (x / 4 * 4 + (x + 1) % 4 + 1) % 32; }};

    // Bytes 1, 3, 2 and 255 or -1, by those of x.
    const std::string packed = "%a = OpSDot %int %x %bytes PackedVectorFormat4x8Bit\n%b = OpUDot %int %bytes %bytes PackedVectorFormat4x8Bit\n"
                               "%c = OpSUDot %int %bytes %bytes PackedVectorFormat4x8Bit\n%d = OpSDotAccSat %int %bytes %bytes %large PackedVectorFormat4x8Bit\n"
                               "%e = OpUDotAccSat %int %x %bytes %a PackedVectorFormat4x8Bit\n%f = OpSUDotAccSat %int %x %bytes %b PackedVectorFormat4x8Bit\n"
                               "%ec = OpIAdd %int %e %c\n%ecf = OpIAdd %int %ec %f\n%y = OpBitwiseXor %int %ecf %d";
    const auto sum = [](cl_int x) {
      const cl_int b = 1 + 9 + 4 + 255 * 255, c = 1 + 9 + 4 - 255;
      return (2 * x + c + x + b) ^ 0x7fffffff;
    };
    uses[spv::CapabilityDotProduct] = uses[spv::CapabilityDotProductInput4x8BitPacked] = {
        packed, "OpCapability DotProduct\nOpCapability DotProductInput4x8BitPacked", kBytes, "", sum};
    std::string vectors = packed;
    for (std::size_t at; (at = vectors.find(" PackedVectorFormat4x8Bit")) != std::string::npos;) vectors.erase(at, std::strlen(" PackedVectorFormat4x8Bit"));
    const auto as_bytes = [&](const std::string& from, const std::string& to) {
      for (std::size_t at = 0; (at = vectors.find("Dot", at)) != std::string::npos; ++at) {
        const std::size_t end = vectors.find('\n', at);
        std::string line = vectors.substr(at, end - at);
        for (std::size_t in; (in = line.find(from)) != std::string::npos;) line.replace(in, from.size(), to);
        vectors.replace(at, end - at, line);
      }
    };
    as_bytes("%x ", "%x_bytes ");
    as_bytes("%bytes", "%b_bytes");
    uses[spv::CapabilityDotProductInput4x8Bit] = {"%x_bytes = OpBitcast %char4 %x\n%b_bytes = OpBitcast %char4 %bytes\n" + vectors,
                                                  "OpCapability Int8\nOpCapability DotProduct\nOpCapability DotProductInput4x8Bit",
                                                  std::string(kBytes) + "%char = OpTypeInt 8 0\n%char4 = OpTypeVector %char 4", "", sum};

    for (const int width : {16, 32, 64}) {
      const auto add_of = [](int bits) { return bits == 16 ? spv::CapabilityAtomicFloat16AddEXT : bits == 32 ? spv::CapabilityAtomicFloat32AddEXT : spv::CapabilityAtomicFloat64AddEXT; };
      const auto end_of = [](int bits) { return bits == 16 ? spv::CapabilityAtomicFloat16MinMaxEXT : bits == 32 ? spv::CapabilityAtomicFloat32MinMaxEXT : spv::CapabilityAtomicFloat64MinMaxEXT; };
      uses[add_of(width)] = float_atomics(width, true);
      uses[end_of(width)] = float_atomics(width, false);
    }

    const std::string intel = "\nOpExtension \"SPV_INTEL_subgroups\"";
    uses[spv::CapabilitySubgroupShuffleINTEL] = {
        "%first = OpSubgroupShuffleINTEL %int %x %four\n%other = OpSubgroupShuffleXorINTEL %int %x %one\n"
        "%next = OpSubgroupShuffleDownINTEL %int %x %zero %one\n%before = OpSubgroupShuffleUpINTEL %int %zero %x %one\n"
        "%a = OpIAdd %int %first %other\n%b = OpIAdd %int %next %before\n%y = OpIMul %int %a %b",
        "OpCapability SubgroupShuffleINTEL" + intel, kNumbers, "",
        [](cl_int x) { return (x / 32 * 32 + 4 + (x ^ 1)) * ((x % 32 == 31 ? 0 : x + 1) + (x % 32 == 0 ? 0 : x - 1)); }};
    // A row of 32 for each sub-group, 64 of them behind the numbers.
    uses[spv::CapabilitySubgroupBufferBlockIOINTEL] = {
        "%lane = OpBitwiseAnd %long %i %low\n%row = OpISub %long %i %lane\n%from = OpInBoundsPtrAccessChain %global_int %data %row\n"
        "%twice = OpIMul %long %row %two_long\n%behind = OpIAdd %long %twice %offset\n%to = OpInBoundsPtrAccessChain %global_int %data %behind\n"
        "%in = OpSubgroupBlockReadINTEL %int %from\n%pair = OpCompositeConstruct %int2 %in %two\nOpSubgroupBlockWriteINTEL %to %pair\n"
        "%both = OpSubgroupBlockReadINTEL %int2 %to\n%p = OpCompositeExtract %int %both 0\n%q = OpCompositeExtract %int %both 1\n%y = OpIMul %int %p %q",
        "OpCapability SubgroupBufferBlockIOINTEL" + intel,
        "%int2 = OpTypeVector %int 2\n%low = OpConstant %long 31\n%two_long = OpConstant %long 2\n%offset = OpConstant %long 64", "", [](cl_int x) { return 2 * x; }};
    uses[spv::CapabilityFPFastMathModeINTEL] = {
        "%f = OpConvertSToF %float %x\n%g = OpFMul %float %f %f\n%h = OpFAdd %float %g %f\n%y = OpConvertFToS %int %h",
        "OpCapability FPFastMathModeINTEL\nOpExtension \"SPV_INTEL_fp_fast_math_mode\"", "%float = OpTypeFloat 32",
        "OpDecorate %g FPFastMathMode NSZ|AllowContractFastINTEL|AllowReassocINTEL\nOpDecorate %h FPFastMathMode AllowContractFastINTEL", [](cl_int x) { return x * x + x; }};
    // The lists of scopes stand in front of all functions, as the extension says, and as memory operands and decorations of accesses.
    uses[spv::CapabilityMemoryAccessAliasingINTEL] = {
        "OpStore %place %two Aligned|NoAliasINTELMask 4 %scopes\n%a = OpLoad %int %place AliasScopeINTELMask|NoAliasINTELMask %scopes %scopes\n"
        "%b = OpLoad %int %place\nOpCopyMemorySized %place %beside %four Aligned|AliasScopeINTELMask 4 %scopes\n%c = OpIAdd %int %a %b\n%y = OpIAdd %int %c %x",
        "OpCapability MemoryAccessAliasingINTEL\nOpExtension \"SPV_INTEL_memory_access_aliasing\"",
        "%four = OpConstant %long 4\n%shared = OpTypePointer Workgroup %int\n%beside = OpVariable %shared Workgroup",
        "%domain = OpAliasDomainDeclINTEL\n%scope = OpAliasScopeDeclINTEL %domain\n%scopes = OpAliasScopeListDeclINTEL %scope\n"
        "OpDecorateId %b AliasScopeINTEL %scopes\nOpDecorateId %b NoAliasINTEL %scopes",
        [](cl_int x) { return x + 4; }};

    const std::string read_2d = "%read = OpImageRead %float4 %in %place", read_1d = "%read = OpImageRead %float4 %in %at";
    uses[spv::CapabilityImageBasic] = with_image("", "2D 0 0 0 0 Unknown ReadOnly", read_2d);
    uses[spv::CapabilityImage1D] = with_image("OpCapability Image1D", "1D 0 0 0 0 Unknown WriteOnly", "OpImageWrite %in %at %colour");
    uses[spv::CapabilitySampled1D] = with_image("OpCapability Sampled1D", "1D 0 0 0 0 Unknown ReadOnly", read_1d);
    uses[spv::CapabilityImageBuffer] = with_image("OpCapability ImageBuffer", "Buffer 0 0 0 0 Unknown WriteOnly", "OpImageWrite %in %at %colour");
    uses[spv::CapabilitySampledBuffer] = with_image("OpCapability SampledBuffer", "Buffer 0 0 0 0 Unknown ReadOnly", read_1d);
    uses[spv::CapabilityImageReadWrite] =
        with_image("OpCapability ImageReadWrite", "2D 0 0 0 0 Unknown ReadWrite", read_2d + "\nOpImageWrite %in %place %read");
    uses[spv::CapabilitySubgroupImageBlockIOINTEL] =
        with_image("OpCapability ImageReadWrite\nOpCapability SubgroupImageBlockIOINTEL" + intel, "2D 0 0 0 0 Unknown ReadWrite",
                   "%row = OpSubgroupImageBlockReadINTEL %int %in %place\nOpSubgroupImageBlockWriteINTEL %in %place %row");
    const std::string sample = "%pair = OpSampledImage %sampled %in %literal\n%read = OpImageSampleExplicitLod %float4 %pair %between Lod %zero";
    uses[spv::CapabilityLiteralSampler] = with_image("OpCapability LiteralSampler", "2D 0 0 0 0 Unknown ReadOnly", sample,
                                                     "%literal = OpConstantSampler %sampler ClampToEdge 0 Nearest\n");
    uses[spv::CapabilityImageMipmap] = with_image("OpCapability ImageMipmap\nOpCapability LiteralSampler\nOpCapability ImageQuery",
                                                  "2D 0 0 0 0 Unknown ReadOnly", sample + "\n%levels = OpImageQueryLevels %int %in",
                                                  "%literal = OpConstantSampler %sampler ClampToEdge 1 Linear\n");
    return uses;
  }();
  return all;
}

TEST_F(SpirvQueriesTest, EachCapabilityIsThere) {
  WEFT_ONLY("tests of the capabilities that it says");
  for (const cl_uint capability : answers<cl_uint>(device, kCapabilities)) {
    const auto found = uses().find(static_cast<spv::Capability>(capability));
    if (found == uses().end()) {
      ADD_FAILURE() << "no module for capability " << capability;
      continue;
    }
    SCOPED_TRACE("capability " + std::to_string(capability));
    const Use& use = found->second;
    // From 1.4 on entry points name their variables.
    const bool is_new = use.declarations.find("UniformDecoration") != std::string::npos || use.declarations.find("DotProduct") != std::string::npos;
    const spv_target_env version = is_new ? SPV_ENV_UNIVERSAL_1_6 : SPV_ENV_UNIVERSAL_1_3;
    const bool is_whole = use.body.find("OpEntryPoint") != std::string::npos;
    const Program program = build(is_whole ? use.body : kernel_of(use.body, use.types, use.decorations, use.declarations), version);
    if (!use.expected || HasFailure()) continue;
    std::vector<cl_int> in(64 + 64 * 16);
    std::iota(in.begin(), in.begin() + 64, 0);
    const Mem data = session.upload(in);
    session.launch(session.kernel(program, "k"), {{64}, {32}}, data);
    const auto out = session.download<cl_int>(data, 64);
    for (cl_int i = 0; i < 64; ++i) ASSERT_EQ(out[i], use.expected(i)) << i;
  }
}

TEST_F(SpirvQueriesTest, EachExtensionIsThere) {
  WEFT_ONLY("tests of the extensions that it says");
  const std::map<std::string, Use> others = {
      {"SPV_KHR_linkonce_odr", {"%y = OpFunctionCall %int %helper %x", "OpExtension \"SPV_KHR_linkonce_odr\"",
                                "%of_int = OpTypeFunction %int %int\n%helper = OpFunction %int None %of_int\n%argument = OpFunctionParameter %int\n"
                                "%begin = OpLabel\nOpReturnValue %argument\nOpFunctionEnd",
                                "OpDecorate %helper LinkageAttributes \"helper\" LinkOnceODR", [](cl_int x) { return x; }}},
      {"SPV_KHR_no_integer_wrap_decoration", {"%y = OpIAdd %int %x %two", "OpExtension \"SPV_KHR_no_integer_wrap_decoration\"", "",
                                              "OpDecorate %y NoSignedWrap", [](cl_int x) { return x + 2; }}},
      {"SPV_KHR_non_semantic_info", {"%said = OpExtInst %void %notes 1 %x\n%y = OpIAdd %int %x %two",
                                     "OpExtension \"SPV_KHR_non_semantic_info\"\n%notes = OpExtInstImport \"NonSemantic.Nobody.Knows\"", "", "",
                                     [](cl_int x) { return x + 2; }}},
  };
  for (const char* const extension : answers<const char*>(device, kExtensions)) {
    const auto found = others.find(extension);
    const bool by_capability = std::any_of(uses().begin(), uses().end(), [&](const auto& use) {
      return use.second.declarations.find(extension) != std::string::npos;
    });
    EXPECT_TRUE(by_capability || found != others.end() || std::string(extension) == "SPV_KHR_integer_dot_product") << extension;
    if (found == others.end()) continue;
    const Use& use = found->second;
    SCOPED_TRACE(extension);
    const auto out = run(build(kernel_of(use.body, use.types, use.decorations, use.declarations)));
    for (cl_int i = 0; i < 64; ++i) ASSERT_EQ(out[i], use.expected(i)) << i;
  }
  // Before SPIR-V 1.6 the capabilities are the extension's.
  const auto out = run(build(kernel_of("%y = OpUDotKHR %int %x %two PackedVectorFormat4x8BitKHR", "", "",
                                       "OpCapability DotProductKHR\nOpCapability DotProductInput4x8BitPackedKHR\nOpExtension \"SPV_KHR_integer_dot_product\"")));
  for (cl_int i = 0; i < 64; ++i) ASSERT_EQ(out[i], 2 * i) << i;
}

TEST_F(SpirvQueriesTest, InstructionSets) {
  const auto names = answers<const char*>(device, kInstructionSets);
  EXPECT_TRUE(std::any_of(names.begin(), names.end(), [](const char* name) { return std::strcmp(name, "OpenCL.std") == 0; }));
}

}  // namespace
}  // namespace weft::conformance
