// Loops that are chains of integers, each made of the one before, leave a processor time that waits for each (Zen 4): several warps run in one body,
// also where they part for a number that hardly any lane finds, behind which may be anything.
// RUN: weftc --cpu=znver4 --kernel=search --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --cpu=znver4 --kernel=chain --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=TWO
// TWO: fshl.v64i32

// Not where others are made for, where lanes may part often, or where a warp has enough to do.
// RUN: weftc --cpu=sapphirerapids --kernel=search --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=znver4 --kernel=classes --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=znver4 --kernel=beside --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// ONE: fshl.v32i32

#define MIX(k) a = rotate(a + (d ^ (b & (c ^ d))) + k, 7u) + b; t = d; d = c; c = b; b = a; a = t;
#define MIX8(k) MIX(k) MIX(k + 1) MIX(k + 2) MIX(k + 3) MIX(k + 4) MIX(k + 5) MIX(k + 6) MIX(k + 7)
#define MIX32(k) MIX8(k) MIX8(k + 8) MIX8(k + 16) MIX8(k + 24)

kernel void search(global const uint* left, constant uint* right, uint count, uint digest, global uint* found, global uint* digests) {
  const size_t i = get_global_id(0);
  for (uint k = 0; k < count; ++k) {
    uint a = left[i] + right[k], b = 1, c = 2, d = 3, t;
    MIX32(k)
    if (a != digest) continue;
    MIX32(k)
    if (b == digests[1] && c == digests[2]) found[atomic_inc(digests)] = i;
  }
}

kernel void chain(global const uint* left, uint count, global uint* out) {
  const size_t i = get_global_id(0);
  uint a = left[i], b = 1, c = 2, d = 3, t;
  for (uint k = 0; k < count; ++k) { MIX32(k) }
  out[i] = a ^ b ^ c ^ d;
}

kernel void classes(global const uint* left, constant uint* right, uint count, global uint* found) {
  const size_t i = get_global_id(0);
  for (uint k = 0; k < count; ++k) {
    uint a = left[i] + right[k], b = 1, c = 2, d = 3, t;
    MIX32(k)
    if (a > c) continue;
    MIX32(k)
    found[i] = a;
  }
}

#define WORDS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define START(n) uint a##n = left[i + n], b##n = n, c##n = 2, d##n = 3;
#define STEP(n) { uint a = a##n, b = b##n, c = c##n, d = d##n, t; MIX32(k) a##n = a; b##n = b; c##n = c; d##n = d; }
#define ADD(n) sum += a##n;
kernel void beside(global const uint* left, uint count, global uint* out) {
  const size_t i = get_global_id(0);
  WORDS(START)
  for (uint k = 0; k < count; ++k) { WORDS(STEP) }
  uint sum = 0;
  WORDS(ADD)
  out[i] = sum;
}
