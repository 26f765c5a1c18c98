// All lanes come to what is behind a loop, however they leave it: the second loop runs for all side by side.
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s
// CHECK-LABEL: define internal i32 @k.
// CHECK-NOT: cttz
// CHECK: lshr <32 x i64>
// CHECK-NOT: cttz
// CHECK: ret
kernel void k(global const ulong* a, global uint* o) {
  const size_t i = get_global_id(0);
  ulong x = a[i], r = 0, b = 1ul << 62;
  while (b > x) b >>= 2;
  while (b) {
    if (x >= r + b) {
      x -= r + b;
      r = (r >> 1) + b;
    } else {
      r >>= 1;
    }
    b >>= 2;
  }
  o[i] = r;
}
