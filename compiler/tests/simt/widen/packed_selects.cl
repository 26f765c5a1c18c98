// Selects by comparisons of vectors stay packed: what saturates a conversion takes no vector apart.
// RUN: weftc %s --kernel=saturates --local-size=32,1,1 --ids-fit-31-bits --emit=llvm -o - | FileCheck %s
// RUN: weftc %s --kernel=takes_apart --local-size=32,1,1 --ids-fit-31-bits --emit=llvm -o - | FileCheck %s --check-prefix=APART

// CHECK-LABEL: @saturates.group
// CHECK: fcmp {{.*}}<128 x float>
// CHECK-NOT: shufflevector
// CHECK: fptoui <128 x float> {{.*}} to <128 x i8>
// CHECK-NOT: shufflevector
kernel void saturates(global const uchar4* in, global uchar4* out) {
  size_t i = get_global_id(0);
  out[i] = convert_uchar4_sat_rte(convert_float4(in[i]) * 0.7f - 3.0f);
}

// A comparison that something else asks for, too, is taken apart once.
// APART-LABEL: @takes_apart.group
// APART: fcmp {{.*}}<32 x float>
kernel void takes_apart(global const float4* in, global float4* out, global int* any_is_less) {
  size_t i = get_global_id(0);
  int4 less = in[i] < 0.5f;
  out[i] = select(in[i], (float4)0.5f, less);
  any_is_less[i] = any(less);
}
