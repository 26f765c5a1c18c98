# Flags of builtins/*.cl: the language, extensions and macros of programs (device_features.h), OpenCL C 3.0.
set(WEFT_BUILTIN_FLAGS
  -target spir64-unknown-unknown -x cl -cl-std=CL3.0
  -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins
  -U__SPIR__ -U__SPIR64__ -D__OPENCL_VERSION__=300
  -Xclang -cl-ext=-all,+cl_khr_fp16,+cl_khr_mipmap_image,+cl_khr_mipmap_image_writes,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+cl_khr_3d_image_writes,+cl_khr_byte_addressable_store,+cl_khr_depth_images,+cl_khr_fp64,+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,+__opencl_c_int64,+__opencl_c_images,+__opencl_c_3d_image_writes,+__opencl_c_read_write_images,+__opencl_c_fp64,+__opencl_c_atomic_order_acq_rel,+__opencl_c_atomic_order_seq_cst,+__opencl_c_atomic_scope_device,+__opencl_c_atomic_scope_all_devices,+__opencl_c_generic_address_space,+__opencl_c_subgroups
  -D__opencl_c_atomic_scope_device=1 -D__opencl_c_atomic_scope_all_devices=1 -D__opencl_c_work_group_collective_functions=1
  # No library calls are made up, nothing is vectorized, no tables are made of switches, and Clang's own
  # guesses about types in memory stay out.
  -O1 -fno-builtin -fno-vectorize -fno-slp-vectorize -funroll-loops -fno-jump-tables
  -fno-strict-aliasing -Xclang -disable-lifetime-markers -fno-ident -Wall -Wno-unused-function)
