// What the device offers to OpenCL C: the one list from which the compiler's macros and the device queries
// (CL_DEVICE_EXTENSIONS_WITH_VERSION, CL_DEVICE_OPENCL_C_FEATURES, CL_DEVICE_OPENCL_C_ALL_VERSIONS) are made.
// Knows neither LLVM nor OpenCL API types.
#pragma once

#include <cstdint>

namespace weft::compiler {

/// A version as the API packs it (OpenCL 3.0 API §3.4.3.1, cl_version).
constexpr std::uint32_t packed_version(std::uint32_t major, std::uint32_t minor, std::uint32_t patch) {
  return (major << 22) | (minor << 12) | patch;
}

struct NamedVersion {
  const char* name;
  std::uint32_t version;
};

/// Extensions that change the language; each is a macro in every program, whatever its version.
/// Extensions of the API alone (cl_khr_icd) are the runtime's to add.
inline constexpr NamedVersion kLanguageExtensions[] = {
    {"cl_ext_float_atomics", packed_version(1, 0, 0)},
    {"cl_intel_required_subgroup_size", packed_version(1, 0, 0)},
    {"cl_intel_subgroups", packed_version(1, 0, 0)},
    {"cl_intel_subgroups_char", packed_version(1, 0, 0)},
    {"cl_intel_subgroups_long", packed_version(1, 0, 0)},
    {"cl_intel_subgroups_short", packed_version(1, 0, 0)},
    {"cl_khr_3d_image_writes", packed_version(1, 0, 0)},
    {"cl_khr_byte_addressable_store", packed_version(1, 0, 0)},
    {"cl_khr_depth_images", packed_version(1, 0, 0)},
    {"cl_khr_extended_async_copies", packed_version(1, 0, 0)},
    {"cl_khr_extended_bit_ops", packed_version(1, 0, 0)},
    {"cl_khr_fp16", packed_version(1, 0, 0)},
    {"cl_khr_fp64", packed_version(1, 0, 0)},
    {"cl_khr_global_int32_base_atomics", packed_version(1, 0, 0)},
    {"cl_khr_global_int32_extended_atomics", packed_version(1, 0, 0)},
    {"cl_khr_image2d_from_buffer", packed_version(1, 0, 0)},
    {"cl_khr_int64_base_atomics", packed_version(1, 0, 0)},
    {"cl_khr_int64_extended_atomics", packed_version(1, 0, 0)},
    {"cl_khr_integer_dot_product", packed_version(2, 0, 0)},
    {"cl_khr_kernel_clock", packed_version(1, 0, 0)},
    {"cl_khr_local_int32_base_atomics", packed_version(1, 0, 0)},
    {"cl_khr_local_int32_extended_atomics", packed_version(1, 0, 0)},
    {"cl_khr_mipmap_image", packed_version(1, 0, 0)},
    {"cl_khr_mipmap_image_writes", packed_version(1, 0, 0)},
    {"cl_khr_srgb_image_writes", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_ballot", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_clustered_reduce", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_extended_types", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_non_uniform_arithmetic", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_non_uniform_vote", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_rotate", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_shuffle", packed_version(1, 0, 0)},
    {"cl_khr_subgroup_shuffle_relative", packed_version(1, 0, 0)},
    {"cl_nv_pragma_unroll", packed_version(1, 0, 0)},
};

/// Optional features of OpenCL C 3.0; each is a macro with -cl-std=CL3.0 (OpenCL C 3.0 §6.2.1).
inline constexpr NamedVersion kFeatures[] = {
    {"__opencl_c_int64", packed_version(3, 0, 0)},
    {"__opencl_c_images", packed_version(3, 0, 0)},
    {"__opencl_c_3d_image_writes", packed_version(3, 0, 0)},
    {"__opencl_c_read_write_images", packed_version(3, 0, 0)},
    {"__opencl_c_fp64", packed_version(3, 0, 0)},
    {"__opencl_c_atomic_order_acq_rel", packed_version(3, 0, 0)},
    {"__opencl_c_atomic_order_seq_cst", packed_version(3, 0, 0)},
    {"__opencl_c_atomic_scope_device", packed_version(3, 0, 0)},
    {"__opencl_c_atomic_scope_all_devices", packed_version(3, 0, 0)},
    {"__opencl_c_device_enqueue", packed_version(3, 0, 0)},
    {"__opencl_c_generic_address_space", packed_version(3, 0, 0)},
    {"__opencl_c_pipes", packed_version(3, 0, 0)},
    {"__opencl_c_program_scope_global_variables", packed_version(3, 0, 0)},
    {"__opencl_c_integer_dot_product_input_4x8bit", packed_version(3, 0, 0)},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", packed_version(3, 0, 0)},
    {"__opencl_c_kernel_clock_scope_device", packed_version(3, 0, 0)},
    {"__opencl_c_kernel_clock_scope_work_group", packed_version(3, 0, 0)},
    {"__opencl_c_kernel_clock_scope_sub_group", packed_version(3, 0, 0)},
    {"__opencl_c_subgroups", packed_version(3, 0, 0)},
    {"__opencl_c_work_group_collective_functions", packed_version(3, 0, 0)},
};

/// Values of -cl-std= that programs may ask for: CL1.0, CL1.1, CL1.2, CL3.0 and CL3.1.
inline constexpr NamedVersion kLanguageVersions[] = {
    {"OpenCL C", packed_version(1, 0, 0)},
    {"OpenCL C", packed_version(1, 1, 0)},
    {"OpenCL C", packed_version(1, 2, 0)},
    {"OpenCL C", packed_version(3, 0, 0)},
    {"OpenCL C", packed_version(3, 1, 0)},
};

/// What kernels may require of their sub-groups (CL_DEVICE_SUB_GROUP_SIZES_INTEL), from the smallest to that of all others, a warp.
inline constexpr std::uint32_t kSubGroupSizes[] = {8, 16, 32};

}  // namespace weft::compiler
