#include "runtime/spirv_support.h"

#include "runtime/compiler_loader.h"

namespace weft::runtime::spirv {
namespace {

constexpr unsigned kNewestMinor = 6;  // of 1

// Each is declared and used by a module of the API tests.
const char* const kExtensions[] = {
    "SPV_EXT_shader_atomic_float16_add",
    "SPV_EXT_shader_atomic_float_add",
    "SPV_EXT_shader_atomic_float_min_max",
    "SPV_INTEL_fp_fast_math_mode",
    "SPV_INTEL_memory_access_aliasing",
    "SPV_INTEL_subgroups",
    "SPV_KHR_bit_instructions",
    "SPV_KHR_expect_assume",
    "SPV_KHR_integer_dot_product",
    "SPV_KHR_linkonce_odr",
    "SPV_KHR_no_integer_wrap_decoration",
    "SPV_KHR_non_semantic_info",
    "SPV_KHR_shader_clock",
    "SPV_KHR_subgroup_rotate",
    "SPV_KHR_uniform_group_instructions",
};

constexpr cl_uint kCapabilities[] = {
    4,  // Addresses
    5,  // Linkage
    6,  // Kernel
    7,  // Vector16
    8,  // Float16Buffer
    9,  // Float16
    10,  // Float64
    11,  // Int64
    12,  // Int64Atomics
    13,  // ImageBasic
    14,  // ImageReadWrite
    15,  // ImageMipmap
    17,  // Pipes
    18,  // Groups
    19,  // DeviceEnqueue
    20,  // LiteralSampler
    22,  // Int16
    38,  // GenericPointer
    39,  // Int8
    43,  // Sampled1D
    44,  // Image1D
    46,  // SampledBuffer
    47,  // ImageBuffer
    58,  // SubgroupDispatch
    61,  // GroupNonUniform
    62,  // GroupNonUniformVote
    63,  // GroupNonUniformArithmetic
    64,  // GroupNonUniformBallot
    65,  // GroupNonUniformShuffle
    66,  // GroupNonUniformShuffleRelative
    67,  // GroupNonUniformClustered
    71,  // UniformDecoration
    5055,  // ShaderClockKHR
    5568,  // SubgroupShuffleINTEL
    5569,  // SubgroupBufferBlockIOINTEL
    5570,  // SubgroupImageBlockIOINTEL
    5612,  // AtomicFloat32MinMaxEXT
    5613,  // AtomicFloat64MinMaxEXT
    5616,  // AtomicFloat16MinMaxEXT
    5629,  // ExpectAssumeKHR
    5837,  // FPFastMathModeINTEL
    5910,  // MemoryAccessAliasingINTEL
    6017,  // DotProductInput4x8Bit
    6018,  // DotProductInput4x8BitPacked
    6019,  // DotProduct
    6025,  // BitInstructions
    6026,  // GroupNonUniformRotateKHR
    6033,  // AtomicFloat32AddEXT
    6034,  // AtomicFloat64AddEXT
    6095,  // AtomicFloat16AddEXT
    6400,  // GroupUniformArithmeticKHR
};

}  // namespace

std::string versions() {
  std::string result;
  if (!reads_spirv()) return result;
  for (unsigned minor = kNewestMinor + 1; minor-- > 0;) result += (result.empty() ? "SPIR-V_1." : " SPIR-V_1.") + std::to_string(minor);
  return result;
}

std::vector<cl_name_version> named_versions() {
  std::vector<cl_name_version> result;
  if (!reads_spirv()) return result;
  for (unsigned minor = kNewestMinor + 1; minor-- > 0;) result.push_back({CL_MAKE_VERSION(1, minor, 0), "SPIR-V"});
  return result;
}

std::vector<const char*> instruction_sets() {
  if (!reads_spirv()) return {};
  return {"OpenCL.std"};
}

std::vector<const char*> extensions() {
  if (!reads_spirv()) return {};
  return {std::begin(kExtensions), std::end(kExtensions)};
}

std::vector<cl_uint> capabilities() {
  if (!reads_spirv()) return {};
  return {std::begin(kCapabilities), std::end(kCapabilities)};
}

}  // namespace weft::runtime::spirv
