// A sub-group's functions stay where they are: in a branch they concern those alone that take it.
// RUN: weftc --options="-cl-std=CL3.0" --local-size=64,1,1 --stop-after=simplify %s -o - | FileCheck %s
// The functions are there in every version.
// RUN: weftc --options="-cl-std=CL1.2" --emit=frontend %s -o /dev/null
#if !cl_khr_subgroup_ballot || !cl_khr_subgroup_clustered_reduce || !cl_khr_subgroup_extended_types ||             \
    !cl_khr_subgroup_non_uniform_arithmetic || !cl_khr_subgroup_non_uniform_vote || !cl_khr_subgroup_rotate ||     \
    !cl_khr_subgroup_shuffle || !cl_khr_subgroup_shuffle_relative || defined(cl_khr_subgroups) ||                  \
    (__OPENCL_C_VERSION__ >= 300 && !__opencl_c_subgroups)
#error extensions
#endif
// CHECK-LABEL: @some(
// CHECK: br i1
// CHECK: call i32 @__weft_sub_group_ballot(i1
// CHECK-NEXT: br label
// CHECK: ret void
kernel void some(global const uint* in, global uint* out) {
  const uint x = in[get_global_id(0)];
  uint r = 7;
  if (x % 2 == 1 || x > 200) r = sub_group_ballot(1).x;
  out[get_global_id(0)] = r;
}
