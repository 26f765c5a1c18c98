// Vectors of three components a lane cross from one block to another as three pieces, where an index may wrap around.
// RUN: weftc --cpu=icelake-server --local-size=32,1,1 --ids-fit-31-bits --aligned-offsets --verify-each --stop-after=widen %s | FileCheck %s
// CHECK: loaded:
// CHECK-COUNT-3: phi <32 x i8>
// CHECK-NOT: phi <96 x i8>
// CHECK: shufflevector <64 x i8> {{.*}}, <96 x i32>
kernel void pixels(global const uchar* in, global uchar* out, uint offset, int w) {
  const int x = get_global_id(0);
  if (x < w) vstore3(vload3(0, in + (uint)(offset + 3u * x)) & (uchar3)(15), 0, out + 3 * x);
}
