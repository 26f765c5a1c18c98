// Loads that step far in each iteration are prefetched; those that hardware predicts are left alone.
// RUN: weftc --cpu=icelake-server --kernel=matmul --local-size=16,16,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=MATMUL
// RUN: weftc --cpu=znver3 --kernel=matmul --local-size=16,16,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=ASM
// RUN: weftc --kernel=matmul --local-size=16,16,1 --ids-fit-31-bits --disable=prefetch --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=along_row --local-size=16,16,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=few_rows --local-size=16,16,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=icelake-server --kernel=far_step --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=FAR
// RUN: weftc --cpu=znver3 --kernel=by_grid --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=GRID
// RUN: weftc --cpu=sapphirerapids --kernel=by_grid --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=MESH
// RUN: weftc --cpu=znver3 --kernel=tile --local-size=64,1,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=TILE
// RUN: weftc --cpu=haswell --kernel=march --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=MARCH
// RUN: weftc --cpu=haswell --kernel=only_write --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=rows_around --local-size=32,8,1 --ids-fit-31-bits --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=AROUND
// RUN: weftc --cpu=znver4 --kernel=sum_by_grid --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=STREAM
// RUN: weftc --cpu=znver4 --kernel=sum_by_grid --local-size=256,1,1 --ids-fit-31-bits --aligned-offsets --emit=llvm %s | FileCheck %s --check-prefix=NEARER
// RUN: weftc --cpu=emeraldrapids --kernel=sum_by_grid --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=SERVER
// RUN: weftc --cpu=znver4 --kernel=sum_columns --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=COLUMNS
// RUN: weftc --cpu=znver4 --kernel=sum_short --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=neighbours --local-size=256,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=ORDER
// RUN: weftc --cpu=znver4 --kernel=neighbours --local-size=256,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE

// One line for each row of b; the loads of a stay within a row.
// MATMUL-LABEL: @matmul.group
// MATMUL: load <16 x float>, ptr [[B:%.+]], align 4
// MATMUL-NEXT: [[NEXT:%.+]] = getelementptr i8, ptr [[B]], i64 %{{.+}}
// MATMUL-NEXT: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
// MATMUL-NOT: call void @llvm.prefetch
// Registers of AVX2 hold half of four rows of sums: two register blocks, each asks for its line.
// ASM-COUNT-2: prefetcht0
// ASM-NOT: prefetcht0
// NONE-NOT: call void @llvm.prefetch
kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void along_row(global const float* a, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k * 16 + x];
  c[y * n + x] = sum;
}

// All nine rows are read before many prefetches are done.
kernel void few_rows(global const float* a, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 9; ++k) sum = sqrt(sum * a[(y + k) * n + x] + sum);
  c[y * n + x] = sum;
}

// 4,096 bytes from row to row; 32 work-items read two lines of each, in a loop unrolled by four.
// FAR-COUNT-8: call void @llvm.prefetch
// FAR-NOT: call void @llvm.prefetch
kernel void far_step(global const float* a, global float* c, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum = sqrt(sqrt(sum * a[k * 1024 + x] + sum));
  c[x] = sum;
}

// Of a loop with few iterations the lines that the first of its register blocks asks for serve the others.
// TILE-COUNT-2: prefetcht0
// TILE-NOT: prefetcht0
kernel void tile(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1) * 8, lane = get_sub_group_local_id();
  float sums[8] = {0}, mine[8];
  for (int r = 0; r < 8; ++r) mine[r] = a[(y + r) * 32 + lane];
  for (int k = 0; k < 32; ++k)
    for (int r = 0; r < 8; ++r) sums[r] += sub_group_broadcast(mine[r], k) * b[k * n + x];
  for (int r = 0; r < 8; ++r) c[(y + r) * n + x] = sums[r];
}

// Steps by the grid's size, which is known at a launch only, of numbers that may wrap. Intel's servers wait longer for a line.
// GRID: [[AHEAD:%.+]] = shl nuw nsw i64 %global_size_x.i, 1
// GRID: %idxprom12.full.i = zext i32
// GRID: [[NEXT:%.+]] = getelementptr i8, ptr %arrayidx13.full.i, i64 [[AHEAD]]
// GRID: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
// MESH: [[AHEAD:%.+]] = mul nuw nsw i64 %global_size_x.i, 3
// MESH: %idxprom12.full.i = zext i32
// MESH: [[NEXT:%.+]] = getelementptr i8, ptr %arrayidx13.full.i, i64 [[AHEAD]]
// MESH: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
kernel void by_grid(global const uchar* a, global uint* bins, uint n) {
  local uint mine[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[a[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) bins[i] = mine[i];
}

// Two lines of what is written, and two of the plane ahead: the one here was ahead an iteration before.
// MARCH-COUNT-2: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// MARCH-COUNT-2: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)
// MARCH-NOT: call void @llvm.prefetch
kernel void march(global const float* in, global float* out, int plane, int depth) {
  int at = get_global_id(0);
#pragma unroll 1
  for (int z = 1; z < depth; ++z, at += plane) out[at] = sqrt(in[at] * in[at]) + sqrt(in[at + plane]) / sqrt(in[at] + 1);
}

// Nothing is waited for.
kernel void only_write(global float* out, int plane, int depth) {
  int at = get_global_id(0);
#pragma unroll 1
  for (int z = 1; z < depth; ++z, at += plane) out[at] = sqrt(sqrt(at * (float)z)) * sqrt((float)z);
}

// Of two warps' three rows each, two are the same; numbers of 32 bits, which may wrap around.
// AROUND-COUNT-8: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// AROUND-NOT: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
kernel void rows_around(global const float* in, global float* out, int width, int plane, int depth) {
  int at = plane + get_global_id(1) * width + get_global_id(0);
#pragma unroll 1
  for (int z = 1; z < depth; ++z, at += plane) out[at] = sqrt(in[at - width]) + sqrt(in[at] * in[at]) + sqrt(in[at + width]);
}

// A loop that waits for memory alone asks where both arrays up to n are more than caches hold, four lines of each, 16 iterations ahead.
// STREAM: [[STEP:%.+]] = shl nuw nsw i64 %global_size_x.i, 2
// STREAM: %is.far = icmp uge i64 {{.*}}, 25165824
// STREAM: [[AHEAD:%.+]] = mul i64 [[STEP]], 16
// STREAM: br i1 %is.far
// STREAM: getelementptr i8, ptr %{{.+}}, i64 [[AHEAD]]
// STREAM-COUNT-8: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 2, i32 1)
// STREAM-NOT: i32 0, i32 2, i32 1)
// SERVER: %is.far = icmp uge i64 {{.*}}, 100663296
// Sixteen lines of each: fewer iterations where the last cache may have half of both.
// NEARER: %is.farther = icmp uge i64 [[BYTES:%.+]], 50331648
// NEARER: %ahead = select i1 %is.farther, i64 16, i64 8
// NEARER: [[AHEAD:%.+]] = mul i64 {{%.+}}, %ahead
// NEARER: getelementptr i8, ptr %{{.+}}, i64 [[AHEAD]]
kernel void sum_by_grid(global const float* a, global const float* b, global float* sums, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i] * b[i];
  sums[get_global_id(0)] = sum;
}

// Eight rows in each iteration of the unrolled loop, and so no more than four iterations ahead.
// COLUMNS: %is.far = icmp uge i64 {{.*}}, 25165824
// COLUMNS: br i1 %is.far
// COLUMNS-COUNT-32: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 2, i32 1)
// COLUMNS-NOT: call void @llvm.prefetch
kernel void sum_columns(global const float* a, global float* sums, int rows, int columns) {
  int x = get_global_id(0);
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += a[r * columns + x];
  sums[x] = sum;
}

// Half a megabyte.
kernel void sum_short(global const float* a, global float* sums) {
  int x = get_global_id(0);
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < 128; ++r) sum += a[r * 1024 + x];
  sums[x] = sum;
}

// A load of 16 lines is made from its end to its beginning or in any order: all are asked for in front of it, where there are 16 registers.
// ORDER-COUNT-16: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// ORDER-NOT: call void @llvm.prefetch
// ORDER: load <256 x i32>
kernel void neighbours(global const int* a, global int* c) {
  local int row[256];
  int x = get_local_id(0);
  row[x] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[get_global_id(0)] = row[x] + row[255 - x];
}
