// What OpenCL C refuses and other compilers take: calls between whose overloads it does not choose, program-scope samplers without
// const, and PTX where an extension of NVIDIA's is. The errors become warnings; -Werror leaves them, -w hides them. Calls that the language can choose for are as they were.
// RUN: weftc --emit=frontend -o %t.ll %s 2> %t.log
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=LOG %s < %t.log
// RUN: weftc --options=-w --emit=frontend -o %t.ll %s 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// RUN: not weftc --options=-Werror --emit=frontend %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not weftc --options=-DWRONG --emit=frontend %s 2>&1 | FileCheck --check-prefix=WRONG %s
// ERROR: error: global sampler requires
// SILENT-NOT: warning
// WRONG: error: call to 'mul24' is ambiguous
// WRONG: error: call to 'mul24' is ambiguous

// LOG: leniency.cl:[[#@LINE+1]]:11: warning: global sampler requires a const or constant address space qualifier; taken as const
sampler_t plain = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
const sampler_t marked = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t placed = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

// CHECK-LABEL: define {{.*}}void @samplers(
// CHECK: @__translate_sampler_initializer(i32 20)
// CHECK: @__translate_sampler_initializer(i32 20)
// CHECK: @__translate_sampler_initializer(i32 20)
kernel void samplers(read_only image2d_t image, sampler_t argument, global float4* out) {
  sampler_t own = argument;
  out[0] = read_imagef(image, plain, (int2)(0)) + read_imagef(image, marked, (int2)(0)) + read_imagef(image, placed, (int2)(0)) +
           read_imagef(image, own, (int2)(0));
}

// CHECK-LABEL: define {{.*}}void @sizes(
kernel void sizes(global uint* u, global int* i, global float* f) {
  // LOG: leniency.cl:[[#@LINE+2]]:10: warning: call to 'mul24' is ambiguous; its arguments are converted to one type
  // CHECK: @_ZL5mul24mm(
  u[0] = mul24(get_group_id(0), get_local_size(0));
  // LOG: [[#@LINE+2]]:10: warning: call to 'mad24' is ambiguous
  // CHECK: @_ZL5mad24mmm(
  u[1] = mad24(get_group_id(0), get_local_size(0), get_local_id(0));
  // LOG: [[#@LINE+2]]:10: warning: call to 'max' is ambiguous
  // CHECK: @_ZL3maxij(
  i[1] = max(i[2], u[2]);
  // LOG: [[#@LINE+2]]:10: warning: call to 'clamp' is ambiguous
  // CHECK: @_ZL5clampfii(
  f[1] = clamp(f[2], 0, 1);
  // LOG-NOT: warning
  // CHECK: @_Z5mul24ii(
  i[3] = mul24(i[4], i[5]);
  // CHECK: @_Z3maxff(
  f[3] = max(f[4], f[5]);
}

// CHECK-LABEL: define internal {{.*}}i32 @_ZL5mul24mm(
// CHECK: @_Z5mul24jj(
// CHECK-LABEL: define {{.*}}void @rotated(
// CHECK: shl i32 {{.*}}, 7
kernel void rotated(global uint* u) {
#ifdef cl_nv_pragma_unroll
  // LOG: [[#@LINE+1]]:3: warning: use of undeclared identifier 'asm'; compiled without cl_nv_pragma_unroll
  asm("shf.l.wrap.b32 %0, %1, %1, 7;" : "=r"(u[0]) : "r"(u[1]));
#else
  u[0] = u[1] << 7 | u[1] >> 25;
#endif
}

// CHECK: !{!"image2d_t", !"sampler_t", !"float4*"}

#ifdef WRONG
kernel void floats(global float* f) { f[0] = mul24(f[1], f[2]); }
#endif
