// Rounds of a hash with a comparison behind them, whose mask others choose the form of where there are no registers for masks: the rounds run a register's
// lanes at a time all the same, and what follows from the mask stays for all lanes.
// RUN: weftc --cpu=haswell --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=register-blocking --kernel=search %s | FileCheck %s
// CHECK-LABEL: @search.group(
// CHECK-NOT: llvm.fshl.v32i32
// CHECK: call <8 x i32> @llvm.fshl.v8i32
// CHECK: icmp eq <32 x i32>
#define ROUND(f, w) t = rotate(a, 5u) + (f) + e + (w); e = d; d = c; c = rotate(b, 30u); b = a; a = t;
#define ROUNDS(w) ROUND(b ^ c ^ d, w) ROUND(b & c | ~b & d, w + 1) ROUND(b ^ c ^ d, w ^ 2) ROUND(b & c | b & d | c & d, w)

kernel void search(global const uint* words, global const uint* salts, global uint* found, uint target, int n) {
  const uint w = words[get_global_id(0)], x = words[get_global_id(0) + 64], y = words[get_global_id(0) + 128];
  for (int k = 0; k < n; ++k) {
    uint a = 1 + salts[k], b = 2, c = 3, d = 4, e = 5, t;
    ROUNDS(w) ROUNDS(x) ROUNDS(y) ROUNDS(w) ROUNDS(y) ROUNDS(x) ROUNDS(w) ROUNDS(y)
    if (a == target) found[get_global_id(0)] = k;
  }
}
