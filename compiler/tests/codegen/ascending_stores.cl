// Rows of memory are stored from their beginning to their end.
// RUN: weftc --cpu=znver4 --local-size=32,8,1 --ids-fit-31-bits --aligned-offsets --emit=asm %s | FileCheck %s
// CHECK: vmovups %zmm{{[0-9]+}}, (%[[BASE:[a-z0-9]+]],%[[ROW:[a-z0-9]+]])
// CHECK-NEXT: vmovups %zmm{{[0-9]+}}, 64(%[[BASE]],%[[ROW]])
// CHECK-NEXT: vmovups %zmm{{[0-9]+}}, 128(%[[BASE]],%[[ROW]])
kernel void widened(global const uchar4* in, global float4* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * 1024 + x] = convert_float4(in[y * 1024 + x]) * (1.0f / 255);
}
