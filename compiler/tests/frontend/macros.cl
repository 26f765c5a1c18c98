// The macros that describe the device, by language version.
// RUN: weftc --emit=frontend --options="-cl-std=CL1.0 -DSTD=100" %s -o /dev/null
// RUN: weftc --emit=frontend --options="-cl-std=CL1.1 -DSTD=110" %s -o /dev/null
// RUN: weftc --emit=frontend --options="-cl-std=CL1.2 -DSTD=120" %s -o /dev/null
// RUN: weftc --emit=frontend --options="-cl-std=CL2.0 -DSTD=200" %s -o /dev/null
// RUN: weftc --emit=frontend --options="-cl-std=CL3.0 -DSTD=300" %s -o /dev/null
// RUN: weftc --emit=frontend --options="-cl-std=CL3.1 -DSTD=310 -Werror" %s -o /dev/null
// RUN: weftc --emit=frontend --options="-DSTD=120" %s -o /dev/null
#if __OPENCL_C_VERSION__ != STD || (__OPENCL_VERSION__ != 300 && __OPENCL_VERSION__ != 310) || CL_VERSION_3_1 != 310 || !__ENDIAN_LITTLE__
#error version
#endif
#if defined(__SPIR__) || defined(__SPIR64__)
#error other targets
#endif
#if !__IMAGE_SUPPORT__ || !cl_khr_3d_image_writes || (STD >= 120 && !cl_khr_depth_images) || \
    (STD >= 300 && (!cl_khr_srgb_image_writes || !cl_khr_mipmap_image || !cl_khr_mipmap_image_writes))
#error images
#endif
#if !cl_ext_float_atomics || (STD >= 200) != defined(__opencl_c_ext_fp32_global_atomic_add)
#error atomics of floats
#endif
#if !cl_khr_fp16 || !cl_khr_fp64 || !cl_khr_byte_addressable_store || !cl_khr_global_int32_base_atomics || \
    !cl_khr_global_int32_extended_atomics || !cl_khr_local_int32_base_atomics ||           \
    !cl_khr_local_int32_extended_atomics || !cl_khr_int64_base_atomics || !cl_khr_int64_extended_atomics
#error extensions
#endif
#if defined(cl_khr_subgroups) || (STD >= 200) != defined(__opencl_c_pipes) || \
    (STD < 200 && defined(__opencl_c_generic_address_space))
#error extensions that the device lacks
#endif
#if STD >= 300 && (!__opencl_c_int64 || !__opencl_c_fp64 || !__opencl_c_atomic_order_acq_rel || \
                   !__opencl_c_atomic_order_seq_cst || !__opencl_c_atomic_scope_device || !__opencl_c_images || \
                   !__opencl_c_3d_image_writes || !__opencl_c_read_write_images || !__opencl_c_generic_address_space || \
                   !__opencl_c_atomic_scope_all_devices)
#error features
#endif
__kernel void k(__global double* x) { x[0] = 1.0; }
