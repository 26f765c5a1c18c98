// A chain of integers, as a hash is: where a result takes longer than others begin (Zen 4, Zen 5), a register block of one register waits for
// itself, so that blocks have chains side by side, even though they spill. So it does where many begin at once (up to Zen 3). Elsewhere, and where a block has enough beside its chain, blocks are what
// fits the registers.
// RUN: weftc --cpu=znver5 --kernel=hash --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=znver4 --kernel=hash --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=hash --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=HALVES
// RUN: weftc --cpu=znver3 --kernel=hash --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=HALVES
// RUN: weftc --cpu=haswell --kernel=hash --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=QUARTERS
// RUN: weftc --cpu=znver5 --kernel=long_hash --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=long_hash --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=QUARTERS
// RUN: weftc --cpu=znver5 --kernel=words --local-size=32,1,1 --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=FIVE
// WHOLE-NOT: {{^}}register_block
// HALVES-COUNT-2: {{^}}register_block{{[0-9]*}}:
// HALVES-NOT: {{^}}register_block{{[0-9]*}}:
// FIVE-COUNT-5: {{^}}register_block{{[0-9]*}}:
// QUARTERS-COUNT-4: {{^}}register_block{{[0-9]*}}:
// QUARTERS-NOT: {{^}}register_block{{[0-9]*}}:
#define EACH_OF_16(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define READ(i) w##i = in[i * 4096 + x];
#define DECLARE(i) w##i,
#define MIX(i, j)                                         \
  w##i = rotate(w##i ^ w##j, one);                        \
  t = rotate(a, five) + ((b & c) | (~b & d)) + e + w##i;  \
  e = d; d = c; c = rotate(b, thirty); b = a; a = t;
#define HASH(NAME, TYPE)                                                                                                        \
  kernel void NAME(global const TYPE* in, global TYPE* out, uint n) {                                                           \
    const size_t x = get_global_id(0);                                                                                          \
    const TYPE one = 1, five = 5, thirty = 30;                                                                                  \
    TYPE EACH_OF_16(DECLARE) a = in[x], b = 1, c = 2, d = 3, e = 4, t;                                                          \
    EACH_OF_16(READ)                                                                                                            \
    for (uint r = 0; r < n; ++r) {                                                                                              \
      MIX(0, 2) MIX(1, 3) MIX(2, 4) MIX(3, 5) MIX(4, 6) MIX(5, 7) MIX(6, 8) MIX(7, 9)                                           \
      MIX(8, 10) MIX(9, 11) MIX(10, 12) MIX(11, 13) MIX(12, 14) MIX(13, 15) MIX(14, 0) MIX(15, 1)                               \
    }                                                                                                                           \
    out[x] = a ^ b ^ c ^ d ^ e;                                                                                                 \
  }
HASH(hash, uint)
HASH(long_hash, ulong)

#define STEP(i) w##i = (w##i ^ (w##i << 3)) + k; v##i = (v##i ^ (v##i << 5)) + k;
#define READ_BOTH(i) w##i = in[i * 4096 + x]; v##i = in[i * 8192 + x];
#define DECLARE_BOTH(i) w##i, v##i,
#define ADD(i) sum += w##i ^ v##i;
kernel void words(global const uint* in, global uint* out, uint n) {
  const size_t x = get_global_id(0);
  const uint k = x;
  uint EACH_OF_16(DECLARE_BOTH) sum = 0;
  EACH_OF_16(READ_BOTH)
  for (uint r = 0; r < n; ++r) { EACH_OF_16(STEP) }
  EACH_OF_16(ADD)
  out[x] = sum;
}
