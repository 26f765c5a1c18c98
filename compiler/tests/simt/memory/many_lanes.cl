// A loop that is faster for one lane after the other only where few lanes come has code for both, since how many do is not known before.
//
// RUN: weftc --cpu=znver4 --kernel=ranks --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=BOTH
// RUN: weftc --cpu=znver4 --kernel=ranks --local-size=64 --ids-fit-31-bits --verify-each --stop-after=linearize %s | FileCheck %s --check-prefix=MASKED
// RUN: weftc --cpu=znver4 --kernel=ranks --local-size=64 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=COUNTED
// RUN: weftc --cpu=haswell --kernel=ranks --local-size=64 --ids-fit-31-bits --verify-each --emit=asm %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=znver4 --kernel=all_ranks --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=NEVER
// RUN: weftc --cpu=znver4 --kernel=of_own --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=NEVER

// BOTH: %are.few = call i1 @weft.few(i1 true, i32 [[FEW:[0-9]+]])
// BOTH: br i1 %are.few, label %so, label %{{.*}}.many
// BOTH: so:
// BOTH: call {{.*}}by_lane
// Lanes that are off are none of them.
// MASKED: call i1 @weft.few(i1 %{{.*}}, i32
// COUNTED: call i32 @llvm.ctpop.i32(
// AVX2: popcnt
// NEVER-NOT: are.few

ulong rank_in(global const float* row, ulong n, float key) {
  ulong low = 0;
  for (ulong left = n; left > 0;) {
    ulong half_way = left >> 1;
    if (row[low + half_way] < key) {
      low += half_way + 1;
      left -= half_way + 1;
    } else {
      left = half_way;
    }
  }
  return low;
}

kernel void ranks(global const float* keys, global const float* rows, ulong n, global ulong* out) {
  ulong i = get_global_id(0);
  float key = keys[i];
  if (key > 0 && keys[i + 1] > key && keys[i + 2] < keys[i + 3] && keys[i + 4] > 2 * key && keys[i + 5] < key) out[i] = rank_in(rows, n, key);
}

kernel void all_ranks(global const float* keys, global const float* rows, ulong n, global ulong* out) {
  ulong i = get_global_id(0);
  out[i] = rank_in(rows, n, keys[i]);
}

// Arrays of each lane's own lie for one of the two ways.
kernel void of_own(global const uchar* keys, global uint* out, int n) {
  ulong i = get_global_id(0);
  if (keys[i] > 3) {
    uint counts[256] = {};
    for (int k = 0; k < n; ++k) ++counts[keys[i * n + k]];
    out[i] = counts[keys[i]];
  }
}
