// OpenCL vectors of bytes are taken apart, and put together, by groups that are numbers as long as they are words.
// RUN: weftc --cpu=icelake-server --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s

// CHECK: [[PAIRS:%.*]] = bitcast <512 x i8> {{%.*}} to <64 x i64>
// CHECK: shufflevector <64 x i64> [[PAIRS]], <64 x i64> poison, <32 x i32> <i32 0, i32 2, i32 4,
// CHECK: shufflevector <64 x i32> {{%.*}}, <64 x i32> poison, <32 x i32> <i32 0, i32 2, i32 4,
// CHECK: shufflevector <64 x i16> {{%.*}}, <64 x i16> poison, <32 x i32> <i32 0, i32 2, i32 4,
// CHECK: shufflevector <64 x i8> {{%.*}}, <64 x i8> poison, <32 x i32> <i32 0, i32 2, i32 4,
// CHECK: shufflevector <32 x i64> {{%.*}}, <32 x i64> {{%.*}}, <64 x i32> <i32 0, i32 32, i32 1, i32 33,
kernel void mixed(global uchar16* a, global const uint* s) {
  const uint g = get_global_id(0), x = s[g];
  uchar16 v = a[g];
  v.s0 += x;
  v.s3 ^= v.s7 + x;
  v.s9 = mul_hi(v.s1, v.sf);
  v.s5 = x * v.s6;
  a[g] = v.s0a1b2c3d4e5f6879;
}
