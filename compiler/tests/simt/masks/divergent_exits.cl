// A loop with a uniform exit at its head and a divergent one at its back edge: some lanes leave by the one, some by the
// other, so a value that differs by exit is divergent.
// RUN: weftc --verify-each --local-size=64,1,1 --stop-after=split-regions %s | FileCheck %s
// RUN: weftc --verify-each --local-size=64,1,1 --stop-after=linearize %s | FileCheck %s --check-prefix=LINEAR

// CHECK: define internal i32 @k.region.0(
// CHECK: [[R:%.*]] = phi i32 [ 2, %for.cond ], [ 1, %{{.*}} ], !weft.divergent
// CHECK: call void @weft.slot.store.i32(i32 0, i32 [[R]]){{$}}

// LINEAR: define internal i32 @k.region.0(
// LINEAR: call void @weft.slot.store.i32(i32 0, i32 [[R:%.*]]){{$}}
kernel void k(global const uint* in, uint n, global uint* out) {
  uint i = get_global_id(0), r = 9, k = 0;
  for (;; ++k) {
    uint x = k * 3u + n;  // too much for the loop to be rotated
    x = x * in[x & 7u] + in[x & 15u] * in[x & 3u] + in[(x >> 1) & 31u] * in[(x >> 3) & 63u] + k;
    x = x * in[x & 7u] + in[x & 15u] * in[x & 3u] + in[(x >> 1) & 31u] * in[(x >> 3) & 63u] + k;
    if ((x & 15u) == 1u) { r = 2; break; }
    if (k >= i) { r = 1; break; }
  }
  out[i] = r;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] += r * 3;
}
