// A group that reads rows a pitch apart asks for those of the next group, in the order in which groups run.
// RUN: weftc --cpu=znver4 --kernel=turned --local-size=16,16,1 --emit=llvm %s | FileCheck %s
// CHECK-LABEL: @turned.group(
// CHECK: %[[PITCH:.*]] = sext i32 %width.i to i64
// CHECK: %[[ROWS:.*]] = mul i64 64, %[[PITCH]]
// CHECK: %[[THERE:.*]] = getelementptr i8, ptr %[[ROW:.*]], i64 %[[ROWS]]
// CHECK: call void @llvm.prefetch.p0(ptr %[[THERE]], i32 0, i32 2, i32 1)
// CHECK-NEXT: load <16 x float>, ptr %[[ROW]]
kernel void turned(global const float* in, global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

// Groups along diagonals go on by a row and a column, but for one.
// RUN: weftc --cpu=znver4 --kernel=diagonal --local-size=16,16,1 --emit=llvm %s | FileCheck %s --check-prefix=DIAGONAL
// DIAGONAL-LABEL: @diagonal.group(
// DIAGONAL: %[[FAR:.*]] = mul i64 64, %{{.*}}
// DIAGONAL: %[[BOTH:.*]] = add i64 %[[FAR]], 64
// DIAGONAL: getelementptr i8, ptr %{{.*}}, i64 %[[BOTH]]
// DIAGONAL: call void @llvm.prefetch
kernel void diagonal(global const float* in, global float* out, int width, int height) {
  local float tile[16][17];
  const int lx = get_local_id(0), ly = get_local_id(1), y = get_group_id(0) * 16, x = (get_group_id(0) + get_group_id(1)) % get_num_groups(0) * 16;
  tile[ly][lx] = in[(y + ly) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(x + ly) * height + y + lx] = tile[lx][ly];
}

// Not for rows that go on with the next group, nor for what a loop reads.
// RUN: weftc --cpu=znver4 --kernel=copied --local-size=1024,1,1 --emit=llvm %s | FileCheck %s --check-prefix=NEAR
// RUN: weftc --cpu=znver4 --kernel=added --local-size=16,16,1 --emit=llvm %s | FileCheck %s --check-prefix=NEAR
// NEAR-NOT: llvm.prefetch
kernel void copied(global const float* in, global float* out) { out[get_global_id(0)] = in[get_global_id(0)]; }
kernel void added(global const float* in, global float* out, int width, int height, int taps) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < taps; ++i) sum += in[y * width + x + i * 4];
  out[x * height + y] = sum;
}
