// A tile that one body writes and reads again is in registers, and local memory is gone with its group: nothing stores to it.
// RUN: weftc --cpu=znver4 --kernel=turned --local-size=16,16,1 --emit=llvm %s | FileCheck %s
// RUN: weftc --cpu=znver4 --kernel=turned --local-size=16,16,1 --disable=unread-local --emit=llvm %s | FileCheck %s --check-prefix=WITHOUT
// CHECK-LABEL: @turned.group(
// CHECK-NOT: %local_memory
// CHECK: ret i32
// WITHOUT: store <16 x float> %{{.*}}, ptr %local_memory
kernel void turned(global const float* in, global float* out, int width, int height) {
  local float tile[16][17];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_group_id(0) * 16, y = get_group_id(1) * 16;
  tile[ly][lx] = in[(y + ly) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(x + ly) * height + y + lx] = tile[lx][ly];
}

// What may be read stays.
// RUN: weftc --cpu=znver4 --kernel=kept --local-size=64,1,1 --emit=llvm %s | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: @kept.group(
// KEPT: store <32 x i32> <i32 64, i32 66
kernel void kept(global int* out, global const int* where) {
  local int tile[64];
  const int i = get_local_id(0);
  tile[i] = i * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = atomic_add(&tile[where[i] & 63], 1);
}
