// The extensions' functions are declared where a program names them, in every version of the language.
// RUN: weftc --options="-cl-std=CL1.2" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CLC++2021" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-DSIZE=8" %s -o /dev/null
#ifndef SIZE
#define SIZE 32
#endif
#if !cl_intel_subgroups || !cl_intel_subgroups_char || !cl_intel_subgroups_long || !cl_intel_subgroups_short || !cl_intel_required_subgroup_size
#error extensions
#endif
// CHECK: call spir_func {{.*}}<4 x float> @_Z28intel_sub_group_shuffle_downDv4_fS_j({{.*}} #[[CONVERGENT:[0-9]+]]
// CHECK: call spir_func {{.*}}<8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS1Kt(
// CHECK: attributes #[[CONVERGENT]] = { convergent
kernel __attribute__((intel_reqd_sub_group_size(SIZE))) void k(global float4* a, global ushort* b, global ushort8* c) {
  a[0] = intel_sub_group_shuffle_down(a[0], a[1], 1);
  c[0] = intel_sub_group_block_read_us8(b);
}
