// Loops that index private arrays by their counters are unrolled far, because the arrays become registers. Those that
// index by other values stay loops: unrolled, they would be long and the array still in memory.
// RUN: weftc --kernel=counted --local-size=64,1,1 --stop-after=simplify-item --emit=llvm %s | FileCheck %s
// RUN: weftc --kernel=looked_up --local-size=64,1,1 --stop-after=simplify-item --emit=llvm %s | FileCheck %s --check-prefix=LOOP
// RUN: weftc --kernel=by_table --local-size=64,1,1 --stop-after=simplify-item --emit=llvm %s | FileCheck %s --check-prefix=TABLE

#define WORK(x) x = x * 5 + (x >> 3); x ^= x << 7; x = x * 9 + (x >> 5); x ^= x << 11; x = x * 3 + (x >> 2);

// CHECK-NOT: alloca
// CHECK-NOT: phi
// CHECK: ret i32 -1
kernel void counted(global uint* a, uint n) {
  uint x = a[get_global_id(0)], p[8] = {0};
  for (int i = 0; i < 24; ++i) {
    WORK(x) WORK(x)
    p[(i * 3 ^ 5) & 7] += x;
  }
  a[get_global_id(0)] = p[0] ^ p[1] ^ p[2] ^ p[3] ^ p[4] ^ p[5] ^ p[6] ^ p[7];
}

// LOOP: [[P:%.*]] = alloca [8 x i32]
// LOOP: phi i32
// LOOP: getelementptr {{.*}}[[P]]
// LOOP-COUNT-1: br i1
kernel void looked_up(global uint* a, uint n) {
  uint x = a[get_global_id(0)], p[8] = {0};
  for (int i = 0; i < 24; ++i) {
    WORK(x) WORK(x)
    p[x & 7] += x;
  }
  a[get_global_id(0)] = p[n & 7];
}

// A table of constants has constants at constant places.
// TABLE-NOT: alloca
// TABLE-NOT: phi
// TABLE: ret i32 -1
constant int places[24] = {5, 1, 7, 3, 6, 2, 0, 4, 3, 6, 1, 5, 2, 7, 4, 0, 7, 2, 5, 0, 1, 4, 6, 3};
kernel void by_table(global uint* a, uint n) {
  uint x = a[get_global_id(0)], p[8] = {0};
  for (int i = 0; i < 24; ++i) {
    WORK(x) WORK(x)
    p[places[i]] += x;
  }
  a[get_global_id(0)] = p[0] ^ p[1] ^ p[2] ^ p[3] ^ p[4] ^ p[5] ^ p[6] ^ p[7];
}
