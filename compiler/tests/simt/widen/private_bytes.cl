// Bytes of a private array that the lanes choose. Lanes' copies lie side by side: a lane's byte of the word that is gathered is known. Stores go lane by lane,
// their places and bytes out of words of several.
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --emit=llvm %s | FileCheck %s
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --emit=asm %s | FileCheck %s --check-prefix=CODE

// CHECK: [[WORDS:%.*]] = call <32 x i32> @llvm.masked.gather.v32i32.v32p0
// CHECK: lshr <32 x i32> [[WORDS]], <i32 0, i32 8, i32 16, i32 24, i32 0, i32 8,
// CHECK: [[PLACES:%.*]] = extractelement <16 x i64> {{%.*}}, i64 0
// CHECK: lshr i64 [[PLACES]], 32
// CODE: vpgatherdd
// CODE-NOT: vpextrb
// CODE: vmovq {{.*}}%xmm{{[0-9]+}}, %r
// CODE: shrq {{.*}}$32
// CODE: movb
kernel void shuffled(global const uint* in, global uint* out, uint count) {
  uchar s[64];
  for (uint k = 0; k < 64; ++k) s[k] = k;
  uint x = in[get_global_id(0)], sum = 0;
  for (uint k = 0; k < count; ++k) {
    x = x * 1664525u + 1013904223u;
    const uint a = k & 63, b = x >> 26;
    const uchar c = s[a];
    s[a] = s[b];
    s[b] = c;
    sum = sum * 31 + s[c];
  }
  out[get_global_id(0)] = sum;
}
