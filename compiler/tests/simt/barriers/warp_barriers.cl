// Barriers go that order nothing but work-items of one warp: of a tree, those behind the first steps.
// RUN: weftc --cpu=haswell --kernel=rows --local-size=256,1,1 --ids-fit-31-bits --stop-after=warp-barriers --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @rows.item(
// CHECK-COUNT-4: call void @__weft_barrier(
// CHECK-NOT: call void @__weft_barrier(
// CHECK: ret i32

// Rows of a tile that are a warp's own need none at all.
// RUN: weftc --cpu=haswell --kernel=own_rows --local-size=32,32,1 --ids-fit-31-bits --stop-after=warp-barriers %s | FileCheck %s --check-prefix=OWN
// OWN-LABEL: define internal i32 @own_rows.item(
// OWN-NOT: call void @__weft_barrier(
// OWN: ret i32

// Here each reads what another warp has written, where memory that all groups see is written on one side, or by an index from memory: all stay.
// RUN: weftc --cpu=haswell --kernel=columns --local-size=32,32,1 --ids-fit-31-bits --stop-after=warp-barriers %s | FileCheck %s --check-prefix=STAY
// RUN: weftc --cpu=haswell --kernel=through_memory --local-size=32,32,1 --ids-fit-31-bits --stop-after=warp-barriers %s | FileCheck %s --check-prefix=STAY
// RUN: weftc --cpu=haswell --kernel=listed --local-size=32,32,1 --ids-fit-31-bits --stop-after=warp-barriers %s | FileCheck %s --check-prefix=STAY
// RUN: weftc --cpu=haswell --kernel=own_rows --local-size=16,32,1 --ids-fit-31-bits --coarsen=1 --stop-after=warp-barriers %s | FileCheck %s --check-prefix=OWN
// RUN: weftc --cpu=haswell --kernel=own_rows --local-size=48,16,1 --ids-fit-31-bits --stop-after=warp-barriers %s | FileCheck %s --check-prefix=STAY
// STAY-LABEL: .item(
// STAY: call void @__weft_barrier(
// STAY: ret i32

// What some work-items store on the way is stored by all, the new or the old value.
// RUN: weftc --cpu=haswell --kernel=network --local-size=96,1,1 --ids-fit-31-bits --stop-after=warp-barriers %s | FileCheck %s --check-prefix=NETWORK
// NETWORK-LABEL: define internal i32 @network.item(
// NETWORK-NOT: br i1
// NETWORK: call void @__weft_barrier(
// NETWORK-NOT: call void @__weft_barrier(
// NETWORK: select i1
// NETWORK: ret i32

kernel void rows(global const float* in, global float* out, const int n, local float* t) {
  const int l = get_local_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 256) sum += in[get_group_id(0) * n + i] * out[i];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 128; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = l; i < n; i += 256) out[get_group_id(0) * n + i] = in[get_group_id(0) * n + i] * t[0];
}

kernel void own_rows(global const int* restrict in, global int* restrict out) {
  local int t[32][64];
  const int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0);
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  t[y][x] = 3 * in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[y][w - 1 - x] * in[0];
}

kernel void columns(global const int* restrict in, global int* restrict out) {
  local int t[32][32];
  const int x = get_local_id(0), y = get_local_id(1);
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  t[y][x] = 3 * in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[x][y];
}

kernel void through_memory(global int* in, global int* out) {
  local int t[32][32];
  const int x = get_local_id(0), y = get_local_id(1);
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  in[i] = t[y][x] = in[i] + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = t[y][31 - x];
}

kernel void listed(global const int* restrict in, global int* restrict out) {
  local int t[32][32];
  const int x = get_local_id(0), y = get_local_id(1);
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  t[y][x] = 3 * in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[y][in[i] & 31] * in[0];
}

kernel void network(global const uint* restrict in, global uint* restrict out) {
  local uint t[192];
  const uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  t[l + 96] = ~t[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = 16; stride > 0; stride >>= 1) {
    const uint low = 2 * l - (l & (stride - 1)), high = low + stride;
    const uint a = t[low], b = t[high];
    if (a > b) {
      t[low] = b;
      t[high] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[2 * l] ^ t[2 * l + 1];
}
