// Loops of constant counts are unrolled as long as the kernel stays of a usual size: steps that each make a row of rates shorter are few enough or not. What the
// program asks to unroll is unrolled all the same.
// RUN: weftc --local-size=64,1,1 --stop-after=simplify-item --kernel=many %s | FileCheck --check-prefix=MANY %s
// RUN: weftc --local-size=64,1,1 --stop-after=simplify-item --kernel=few %s | FileCheck --check-prefix=FEW %s
// RUN: weftc --local-size=1,1,1 --stop-after=simplify-item --kernel=lines %s | FileCheck --check-prefix=LINES %s
// RUN: weftc --options=-DLONG=700 --local-size=1,1,1 --stop-after=simplify-item --kernel=lines %s | FileCheck --check-prefix=SHORT %s

// MANY-NOT: alloca [8 x float]
// MANY: alloca [40 x float]
// MANY-NOT: alloca [8 x float]
// MANY: phi
// FEW-NOT: alloca
// FEW-NOT: phi
#define STEPS(COUNT, FIRST)                                                                 \
  float rates[COUNT], sum = 0;                                                              \
  for (int k = 0; k < COUNT; k++) rates[k] = initial[k];                                    \
  for (int n = 0; n < FIRST; n++) {                                                         \
    float drift = 0;                                                                        \
    for (int k = n + 1; k < COUNT; k++) {                                                   \
      drift += 0.05f * rates[k] / (1 + 0.25f * rates[k]);                                   \
      rates[k] *= native_exp(0.25f * drift + 0.2f * shocks[n]) + drift * native_sin(drift); \
    }                                                                                       \
  }                                                                                         \
  for (int k = FIRST; k < COUNT; k++) sum += rates[k];                                      \
  out[get_global_id(0)] = sum;

kernel void many(global const float* initial, global const float* shocks, global float* out) {
  STEPS(40, 32)
  float last[8];
  __attribute__((opencl_unroll_hint)) for (int k = 0; k < 8; k++) last[k] = initial[k + get_global_id(0)];
  __attribute__((opencl_unroll_hint)) for (int k = 0; k < 8; k++) out[k] += last[7 - k];
}
kernel void few(global const float* initial, global const float* shocks, global float* out) { STEPS(6, 4) }

// Not what only moves more elements than there will be registers for.
// LINES-LABEL: define {{.*}}@lines.item
// LINES-COUNT-3: store i32
// LINES-NOT: store i32
// SHORT-LABEL: define {{.*}}@lines.item
// SHORT-COUNT-700: store i32
#ifndef LONG
#define LONG 769
#endif
kernel void lines(global const int* in, global int* out, int n) {
  int rows[LONG + 1];
  for (int i = 0; i <= LONG; i++) rows[i] = 0;
  for (int k = 0; k < n; k++) {
    __attribute__((opencl_unroll_hint)) for (int i = LONG; i > 0; i--) rows[i] = rows[i - 1];
    rows[0] = in[k];
    out[k] = rows[0] + rows[LONG] - rows[n % LONG];
  }
}

// Copies of a variable of which the program chooses an element stay loops, where they are long; those of one that becomes registers do not.
// RUN: weftc --local-size=64,1,1 --stop-after=simplify-item --kernel=chosen %s | FileCheck --check-prefix=CHOSEN %s
// RUN: weftc --options=-DWORDS=64 --local-size=64,1,1 --stop-after=simplify-item --kernel=chosen %s | FileCheck --check-prefix=CHOSEN %s
// RUN: weftc --options=-DWORDS=20 --local-size=64,1,1 --stop-after=simplify-item --kernel=chosen %s | FileCheck --check-prefix=FEWER %s
// RUN: weftc --local-size=64,1,1 --stop-after=simplify-item --kernel=summed %s | FileCheck --check-prefix=SUMMED %s
// RUN: weftc --options=-DWORDS=64 --local-size=64,1,1 --stop-after=simplify-item --kernel=summed %s | FileCheck --check-prefix=SUMMED %s
// CHOSEN-LABEL: define {{.*}}@chosen.item
// CHOSEN: phi
// CHOSEN: load volatile i32, ptr addrspace(1)
// CHOSEN: br i1
// CHOSEN: phi
// CHOSEN: store volatile i32
// CHOSEN: br i1
// CHOSEN: ret i32
// FEWER-LABEL: define {{.*}}@chosen.item
// FEWER-NOT: phi
// FEWER: ret i32
// SUMMED-LABEL: define {{.*}}@summed.item
// SUMMED-NOT: alloca
// SUMMED: ret i32
#ifndef WORDS
#define WORDS 65
#endif
struct record {
  int words[WORDS];
};
kernel void chosen(global struct record* records, int n) {
  struct record own = records[get_global_id(0)];
  own.words[n & 15] += own.words[records[0].words[1] & 15];
  records[get_global_id(0)] = own;
}
kernel void summed(global const struct record* records, global int* out) {
  struct record own = records[get_global_id(0)];
  int sum = 0;
  for (int i = 0; i < WORDS; i++) sum += own.words[i] * (i + 1);
  out[get_global_id(0)] = sum;
}
