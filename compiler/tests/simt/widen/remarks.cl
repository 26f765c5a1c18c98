// Every fall-back of a load or store says so, at its line: what shape its addresses have, and what is done.
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --options=-g --remarks --kernel=fast --stop-after=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST --allow-empty
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --options=-g --remarks --kernel=slow --stop-after=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=SLOW,AVX512
// RUN: weftc --cpu=znver3 --local-size=32,1,1 --ids-fit-31-bits --options=-g --remarks --kernel=slow --stop-after=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=SLOW,AVX2
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --options=-g --remarks --kernel=segments --local-size=8,4,1 --disable=checked-shapes --stop-after=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SEGMENTS

// RUN: weftc --cpu=x86-64-v2 --local-size=32,1,1 --ids-fit-31-bits --options=-g --remarks --kernel=many --stop-after=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --options=-g --remarks --kernel=others --stop-after=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHERS

// None where vectors serve, also where that is checked at run time.
// FAST-NOT: remark
kernel void fast(global const float* a, global float* b, global float* c, int n) {
  int l = get_local_id(0);
  float x = a[2 * l];
  if (l + n > 5) b[l + n] = a[31 - l] + x;
  c[n] = x;
}

kernel void slow(global const int* a, global int* b, global char* c, global volatile int* v, global int3* w) {
  int l = get_local_id(0);
  // AVX512: remarks.cl:[[#@LINE+2]]: remark: load of i32: addresses are varying: gather (32 memory accesses) [widen]
  // AVX2: remarks.cl:[[#@LINE+1]]: remark: load of i32: addresses are varying: one lane after the other (32 memory accesses) [widen]
  int x = a[a[l] ^ 5];
  // AVX512: remarks.cl:[[#@LINE+2]]: remark: load of i8: addresses are varying: gather of the words around (32 memory accesses) [widen]
  // AVX2: remarks.cl:[[#@LINE+1]]: remark: load of i8: addresses are varying: one lane after the other (32 memory accesses) [widen]
  x += c[x];
  // SLOW: remarks.cl:[[#@LINE+1]]: remark: volatile load of i32: addresses are varying: one lane after the other (32 memory accesses) [widen]
  x += v[x];
  // SLOW: remarks.cl:[[#@LINE+1]]: remark: store of i32: addresses are 36 bytes apart: one lane after the other, evenly apart (32 memory accesses) [widen]
  b[9 * l] = x;
  if (x > 3) {
    // SLOW: remarks.cl:[[#@LINE+1]]: remark: store of i8 under a mask: addresses are varying: one lane after the other (96 memory accesses) [widen]
    c[x] = x;
    // SLOW: remarks.cl:[[#@LINE+1]]: remark: atomicrmw: one live lane after the other, in a loop [widen]
    atomic_xchg(&b[x], l);
  }
  // SLOW-NOT: remark
}

kernel void segments(global const int* a, global int* b, uint n) {
  // SEGMENTS: remarks.cl:[[#@LINE+1]]: remark: store of i32: addresses are 4 bytes apart in segments of 8 lanes unless an index wraps around: scatter (32 memory accesses) [widen]
  b[(uint)get_local_id(0) + n * (uint)get_local_id(1)] = 1;
}

// Too many to write them all out.
kernel void many(global const int* a, global int* b) {
  int x = ~a[get_local_id(0)];
  // MANY-COUNT-28: remarks.cl:[[#@LINE+3]]: remark: load of i32: addresses are varying: one lane after the other, in a loop (32 memory accesses) [widen]
#define TWO x = a[x]; x = a[x + 1];
#define EIGHT TWO TWO TWO TWO
  EIGHT EIGHT EIGHT TWO TWO
  b[get_local_id(0)] = x;
}

// What is no load or store.
kernel void others(global const int* a, local int* s) {
  int l = get_local_id(0);
  // OTHERS: remarks.cl:[[#@LINE+1]]: remark: prefetch: addresses are varying: left out [widen]
  prefetch(a + a[l], 1);
  // OTHERS: remarks.cl:[[#@LINE+1]]: remark: atomicrmw: one lane after the other [widen]
  atomic_add(&s[a[l]], l);
  // OTHERS: remarks.cl:[[#@LINE+1]]: remark: cmpxchg: one live lane after the other, in a loop [widen]
  atomic_cmpxchg(&s[l], 1, 2);
}
