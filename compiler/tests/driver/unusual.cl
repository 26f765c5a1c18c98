// A build makes code of kernels alone that have what may not be made code of, and keeps nothing of it: rounding to even is none of that.
// RUN: weftc --info --emit=scalar %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: kernel rounds:
// CHECK-NOT: unusual
// CHECK: kernel reduces:
// CHECK-SAME: unusual
kernel void rounds(global const float* in, global uchar* out) {
  size_t i = get_global_id(0);
  out[i] = convert_uchar_sat_rte(in[i]);
}

kernel void reduces(global const int4* in, global int* out) {
  size_t i = get_global_id(0);
  out[i] = __builtin_reduce_xor(in[i]);
}
