// Loops that each work-item begins elsewhere, and that all run as often: an id is less than the local size. They are unrolled, or have a counter.
// RUN: weftc --kernel=filled --local-size=32,16,1 --ids-fit-31-bits --stop-after=known-counts --verify-each %s | FileCheck %s --check-prefix=FILLED
// FILLED-LABEL: @filled.item(
// FILLED-NOT: phi
// FILLED: store volatile float {{.*}} addrspace(3)
// FILLED-NOT: phi
// FILLED: store volatile float {{.*}} addrspace(3)
// FILLED-NOT: phi
// FILLED: call void @__weft_barrier

// RUN: weftc --kernel=longer --local-size=64,1,1 --ids-fit-31-bits --stop-after=known-counts --verify-each %s | FileCheck %s --check-prefix=LONG
// LONG-LABEL: @longer.item(
// LONG: %iteration = phi i32 [ 0, %item.entry ], [ %[[NEXT:.*]], %for.body ]
// LONG: %[[NEXT]] = add nuw nsw i32 %iteration, 1
// LONG: icmp {{.*}} i32 %{{.*}}, {{1000|999}}

// Half of the work-items run one iteration more, or it is not known how large the group is.
// RUN: weftc --kernel=uneven --local-size=32,16,1 --ids-fit-31-bits --stop-after=known-counts %s | FileCheck %s --check-prefix=UNEVEN
// RUN: weftc --kernel=filled --ids-fit-31-bits --stop-after=known-counts %s | FileCheck %s --check-prefix=UNEVEN
// UNEVEN-NOT: %iteration
// UNEVEN: phi i32
// UNEVEN-NOT: %iteration

kernel void filled(global const float* in, global float* out, const int pitch) {
  local float t[32][32];
  const int x = get_local_id(0);
  for (int j = get_local_id(1); j < 32; j += 16) t[j][x] = in[j * pitch + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(1) * pitch + x] = t[get_local_id(1) + 5][31 - x];
}

kernel void longer(global const float* in, global float* out) {
  float sum = 0;
  for (uint j = get_local_id(0); j < 64000; j += 64) sum += in[j];
  out[get_global_id(0)] = sum;
}

kernel void uneven(global const float* in, global float* out, const int pitch) {
  local float t[32][32];
  const int x = get_local_id(0);
  for (int j = get_local_id(1); j < 24; j += 16) t[j][x] = in[j * pitch + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(1) * pitch + x] = t[get_local_id(1) + 5][31 - x];
}
