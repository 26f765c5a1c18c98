// Functions that stay calls run for all lanes at once, where they go straight on. Their frame has the lanes that run them, and the arguments: one
// that is the same in all lanes once. Of what branches at every turn each lane has its own call.
// RUN: weftc --kernel=k --most-inlined=400 --local-size=64,1,1 --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --kernel=k --most-inlined=400 --local-size=64,1,1 --disable=wide-calls --stop-after=widen %s | FileCheck %s --check-prefix=LANES
// RUN: weftc --kernel=k --most-inlined=400 --local-size=64,1,1 --wide-calls --stop-after=widen %s | FileCheck %s --check-prefix=ALL
// RUN: weftc --kernel=once --most-inlined=400 --local-size=64,1,1 --stop-after=widen %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --kernel=once --most-inlined=400 --local-size=64,1,1 --soon --stop-after=widen %s | FileCheck %s --check-prefix=SOON
// RUN: weftc --kernel=k --most-inlined=400 --local-size=64,1,1 --soon --verify-each --stop-after=widen %s | FileCheck %s

// CHECK-LABEL: define {{.*}} @k.mix.region.0.warp(
// CHECK: load <32 x i8>
// CHECK-LABEL: define {{.*}} @k.region.0.warp(
// CHECK: [[FRAME:%.*]] = alloca [{{[0-9]+}} x i8], align 128
// CHECK: store <32 x i8> {{.*}}, ptr [[RUNS:%.*]], align 32
// CHECK: store i32 5, ptr
// CHECK: call i32 @k.mix.region.0.warp(ptr %launch, ptr %group, ptr [[FRAME]], i32 0)
// CHECK: load <32 x i32>
// CHECK: call i32 @choose(
// LANES-NOT: @k.mix
// LANES: call i32 @mix(
// ALL: call i32 @k.choose.region.0.warp(

// Code that is made sooner has calls for all lanes within loops alone.
// ONCE: call i32 @once.mix.region.0.warp(
// SOON-NOT: @once.mix
// SOON: call i32 @mix(
#define ROUND(i) a = rotate(a + (b ^ state[i]), i + 1u) * 3u; b = rotate(b ^ a, i + 2u) + n; state[i] = a;
uint mix(uint* state, uint x, uint n) {
  uint a = x, b = n;
  ROUND(0) ROUND(1) ROUND(2) ROUND(3) ROUND(0) ROUND(1) ROUND(2) ROUND(3)
  return a ^ b;
}
uint choose(uint* state, uint x) {
  switch (x & 7) {
    case 0: return state[0] + 1;
    case 1: return state[1] * 3;
    case 2: return state[2] ^ 7;
    case 3: return state[3] - x;
    case 4: return state[0] * state[1];
    case 5: return state[1] + state[2];
  }
  return x;
}
kernel void k(global uint* p, int n) {
  const size_t i = get_global_id(0);
  uint state[4] = {1, 2, 3, p[i]}, x = p[i];
  if (x & 1) x = mix(state, x, 5);
  x = choose(state, x);
  for (int j = 0; j < n; ++j) {
    x = mix(state, x, 5) + mix(state, x, 5);
    x += choose(state, x);
  }
  p[i] = x;
}
kernel void once(global uint* p) {
  const size_t i = get_global_id(0);
  uint state[4] = {1, 2, 3, p[i]}, x = p[i];
  x = mix(state, x, 5) + mix(state, x, 6) + mix(state, x, 7) + mix(state, x, 8) + mix(state, x, 9);
  p[i] = x + mix(state, x, 10);
}
