// Words of a private array that unrolled rounds name by constants are registers between bytes at places not known: each is loaded and stored once.
//
// RUN: weftc --kernel=masked --local-size=64 --verify-each --stop-after=simplify %s | FileCheck %s
// RUN: weftc --kernel=few --local-size=64 --verify-each --stop-after=simplify %s | FileCheck %s --check-prefix=FEW
#define ROUND(k) w[(k) & 15] = rotate(w[(k) & 15] ^ w[((k) + 2) & 15] ^ w[((k) + 8) & 15] ^ w[((k) + 13) & 15], 1u) + h, h ^= w[(k) & 15];
#define ROUNDS(k) ROUND(k) ROUND((k) + 1) ROUND((k) + 2) ROUND((k) + 3) ROUND((k) + 4) ROUND((k) + 5) ROUND((k) + 6) ROUND((k) + 7)

// CHECK-LABEL: @masked
// CHECK: store i8
// CHECK-COUNT-16: load i32, ptr %
// CHECK-NOT: load i32
// CHECK-COUNT-16: store i32 {{.*}}, ptr %
// CHECK-NOT: store i32 {{.*}}, ptr %
// CHECK: br i1
kernel void masked(global const uchar* in, global uint* out, int n) {
  uint w[16] = {0}, h = get_global_id(0);
  uchar* bytes = (uchar*)w;
  for (int r = 0; r < n; ++r) {
    bytes[in[get_global_id(0) * n + r] & 63] = r;
    ROUNDS(0) ROUNDS(8) ROUNDS(16) ROUNDS(24) ROUNDS(32) ROUNDS(40) ROUNDS(48) ROUNDS(56)
  }
  out[get_global_id(0)] = h;
}

// Nothing is saved where each word is met once.
// FEW-LABEL: @few
// FEW: load i32, ptr %
// FEW-NEXT: add
// FEW-NEXT: store i32 {{.*}}, ptr %
// FEW-NEXT: getelementptr
// FEW-NEXT: load i32, ptr %
kernel void few(global const uchar* in, global uint* out, int n) {
  uint w[16] = {0};
  uchar* bytes = (uchar*)w;
  for (int r = 0; r < n; ++r) {
    bytes[in[r] & 63] = r;
#pragma unroll
    for (int k = 0; k < 16; ++k) w[k] += r;
  }
  out[get_global_id(0)] = w[n & 15];
}
