// An element that is read again although nobody has written it.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=digits --stop-after=repeated-loads --verify-each %s | FileCheck %s --check-prefix=DIGITS
// The first byte, and in the loop the next: each is compared twice and added up. Behind a lower bound follows an upper one, which lanes may miss.
// DIGITS-LABEL: define internal i32 @digits.region.0
// DIGITS-COUNT-2: load volatile i8
// DIGITS-NOT: load volatile i8
// DIGITS: store volatile i32
kernel void digits(global const uchar* text, global int* out) {
  int p = get_global_id(0) * 16, value = 0;
  while (text[p] >= '0' && text[p] <= '9') value = value * 10 + text[p++] - '0';
  out[get_global_id(0)] = value;
}

// What is written in between may be it, unless it is elsewhere.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=writes --stop-after=repeated-loads --verify-each %s | FileCheck %s --check-prefix=WRITES
// WRITES-LABEL: define internal i32 @writes.region.0
// WRITES-COUNT-2: load volatile float
kernel void writes(global float* x, global float* y, global const int* at) {
  const int i = get_global_id(0);
  if (x[i] > 0) y[at[i]] = x[i];
  if (x[i] > 1) y[i] = 2;
}
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=apart --stop-after=repeated-loads --verify-each %s | FileCheck %s --check-prefix=APART
// APART-LABEL: define internal i32 @apart.region.0
// APART-COUNT-1: load volatile float
// APART-NOT: load volatile float
// APART: ret
kernel void apart(global const float* restrict x, global float* restrict y, global const int* at) {
  const int i = get_global_id(0);
  if (x[i] > 0) y[at[i]] = x[i];
  if (x[i] > 1) y[i] = 2;
}

// Other warps may have written where lanes synchronize, and `volatile` is read each time.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=meets --stop-after=repeated-loads --verify-each %s | FileCheck %s --check-prefix=MEETS
// MEETS-LABEL: define internal i32 @meets.region.0
// MEETS-COUNT-2: load volatile i32
// MEETS-COUNT-2: load volatile i32
kernel void meets(global const int* x, global volatile int* flag, global int* out) {
  const int i = get_global_id(0);
  int sum = x[i];
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  sum += x[i];
  out[i] = sum + flag[i] + flag[i];
}

// A list: what is behind the next one's address is this iteration's.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=walk --stop-after=repeated-loads --verify-each %s | FileCheck %s --check-prefix=WALK
// WALK-LABEL: define internal i32 @walk.region.0
// WALK-COUNT-2: load volatile i32
// WALK-NOT: load volatile i32
// WALK: store volatile i32
kernel void walk(global const int* next, global int* out) {
  int at = get_global_id(0), steps = 0;
  while (next[at] >= 0) {
    at = next[at];
    ++steps;
  }
  out[get_global_id(0)] = steps;
}

// The first element has no load of its own, since clean-up makes one of it and of the one at the loop's end: it gets one back.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=root --stop-after=repeated-loads --verify-each %s | FileCheck %s --check-prefix=ROOT
// ROOT-LABEL: define internal i32 @root.region.0
// ROOT: load volatile i32
// ROOT: while.cond:
// ROOT-NEXT: %[[AT:.*]] = phi i32
// ROOT-COUNT-1: load volatile i32
// ROOT-NOT: load volatile i32
// ROOT: store volatile i32
kernel void root(global const int* parent, global int* out) {
  int at = parent[get_global_id(0)];
  while (at != parent[at]) at = parent[at];
  out[get_global_id(0)] = at;
}
