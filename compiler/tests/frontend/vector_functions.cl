// Math functions that are one operation stay one on vectors; others are made of their components.
// RUN: weftc --emit scalar %s | FileCheck %s

// CHECK-LABEL: define {{.*}}void @whole(
// CHECK: call {{.*}}<4 x float> @llvm.fma.v4f32(
// CHECK: call {{.*}}<4 x float> @llvm.sqrt.v4f32(
// CHECK-NOT: extractelement
// CHECK: ret void
kernel void whole(global float4* a) {
  const size_t i = get_global_id(0);
  a[i] = sqrt(mad(a[i], a[i + 1], a[i + 2]));
}

// CHECK-LABEL: define {{.*}}void @taken_apart(
// CHECK: extractelement
kernel void taken_apart(global float4* a) {
  const size_t i = get_global_id(0);
  a[i] = exp(a[i]);
}
