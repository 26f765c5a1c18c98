// Kernels that would be large inlined keep calls, of functions that write private memory alone and ask nothing of the work-item.
// RUN: weftc --emit=scalar --most-inlined=100 %s | FileCheck %s
// RUN: weftc --emit=scalar %s | FileCheck %s --check-prefix=INLINED
// RUN: weftc --emit=llvm --kernel=many --most-inlined=100 --local-size=64,1,1 --verify-each --disable=wide-calls %s | FileCheck %s --check-prefix=WIDE

// CHECK-NOT: define {{.*}} @shared(
// CHECK-NOT: define {{.*}} @asks(
// CHECK-LABEL: define {{.*}}spir_kernel void @many(
// CHECK-COUNT-12: call void @mix(
// CHECK: define internal {{.*}} @mix(
// CHECK-LABEL: define {{.*}}spir_kernel void @few(
// CHECK-NOT: call void @mix(
// INLINED-NOT: define internal
// INLINED-NOT: call void @mix(

// WIDE-LABEL: define {{.*}} @many.group(
// WIDE: lane{{.*}}:
// WIDE: call void @mix(
static void mix(uint* state, uint x) {
  for (int i = 0; i < 4; ++i) state[i] = (state[i] ^ x) * 5u + state[(x + i) & 3];
  state[x & 3] += 7;
}
static void shared(global uint* p, uint x) { p[x & 3] = x * x + 1; }
static uint asks(uint x) { return x * 3u + get_local_id(0); }

#define TWICE(x) x x
kernel void many(global uint* p) {
  uint state[4] = {1, 2, 3, p[get_global_id(0)]};
  TWICE(mix(state, state[3]); mix(state, 1); mix(state, 2);)
  TWICE(mix(state, state[2]); mix(state, 3); mix(state, asks(state[0]));)
  shared(p, state[1]);
  p[get_global_id(0)] = state[0] + state[3];
}

kernel void few(global uint* p) {
  uint state[4] = {1, 2, 3, p[get_global_id(0)]};
  mix(state, 3);
  p[get_global_id(0)] = state[0];
}
