// The greatest of bytes that are extended to ints is found in bytes; that of signed ones, of different widths or beyond a byte is not.
// RUN: weftc --kernel=greatest --local-size=32,1,1 --ids-fit-31-bits --stop-after=narrow-orders --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @greatest.item(
// CHECK-NOT: llvm.smax.i32
// CHECK: call i8 @llvm.umax.i8(
// CHECK: call i8 @llvm.umax.i8(
// CHECK: call i8 @llvm.umin.i8(i8 {{.*}}, i8 -56)
// CHECK: ret i32
// RUN: weftc --kernel=others --local-size=32,1,1 --ids-fit-31-bits --stop-after=narrow-orders %s | FileCheck %s --check-prefix=OTHERS
// OTHERS-LABEL: define internal i32 @others.item(
// OTHERS-NOT: .i8(
// OTHERS: ret i32
kernel void greatest(global const uchar* a, global const uchar* b, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = min(max(max((int)a[i], (int)b[i]), (int)a[i + 1]), 200);
}
kernel void others(global const uchar* a, global const char* b, global const ushort* c, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = max((int)a[i], (int)b[i]) + max((int)a[i], (int)c[i]) + min((int)a[i] - 1, (int)a[i + 1]) + max((int)a[i], 300);
}

// Of a chain of more than six, too.
// RUN: weftc --kernel=least_of_ten --local-size=32,1,1 --ids-fit-31-bits --stop-after=narrow-orders --verify-each %s | FileCheck %s --check-prefix=CHAIN
// CHAIN-LABEL: define internal i32 @least_of_ten.item(
// CHAIN-NOT: llvm.smin.i32
// CHAIN-COUNT-9: call i8 @llvm.umin.i8(
// CHAIN-NOT: llvm.smin.i32
// CHAIN: ret i32
kernel void least_of_ten(global const uchar* a, global uchar* out) {
  const size_t i = get_global_id(0);
  uchar m = a[i];
#pragma unroll
  for (int k = 1; k < 10; ++k) m = min((int)m, (int)a[i + 2 * k]);
  out[i] = m;
}
