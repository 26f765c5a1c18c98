// Six elements a lane are three pairs, each a number: halves of three bytes would be numbers of 24 bits, of which LLVM takes vectors apart.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=CODE

// CHECK-NOT: i24
// CHECK: bitcast <{{[0-9]+}} x i8> {{.*}} to <{{[0-9]+}} x i16>
// CHECK: store <192 x i8>
// CODE-NOT: i24
kernel void bytes(global const uchar* restrict in, global uchar* restrict out) {
  const int i = get_global_id(0);
  for (int c = 0; c < 3; ++c) {
    const int a = in[6 * i + c], b = in[6 * i + 3 + c];
    out[6 * i + c] = (3 * a + b + 2) >> 2;
    out[6 * i + 3 + c] = (a + 3 * b + 2) >> 2;
  }
}
