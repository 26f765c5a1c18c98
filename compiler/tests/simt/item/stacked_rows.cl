// A filter's rows run together where a row of the group is whole warps: what rows read alike is read once, in an order in which each
// value is used up before the next is read. Rows that meet bounds run together, too: each bound is of the first row's number, so that what rows read alike
// is seen.
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=box3 --stop-after=stacked-rows %s | FileCheck %s --check-prefix=BOX
// BOX-LABEL: define internal i32 @box3.item(
// BOX: rows:
// BOX: shl nuw nsw i64 %{{.*}}, 2
// BOX: call i1 @weft.all(
// Six rows of three for four rows.
// BOX: rows.all:
// BOX-COUNT-3: load volatile float
// BOX: fadd
// BOX-COUNT-15: load volatile float
// BOX-NOT: load volatile float
// BOX: store volatile float
// BOX-COUNT-3: store volatile float
// BOX: rows.rim:
// BOX-COUNT-18: load volatile float{{.*}} !weft.rim
// BOX-NOT: load volatile float
// BOX-COUNT-4: store volatile float
// BOX-NOT: phi
// BOX: ret i32 -1
//
// Sums that have units of their own wait for reads: eight rows read ten. Products and sums of a filter with weights take longer than the reads of four rows: it keeps four.
// RUN: weftc --cpu=znver4 --local-size=32,8,1 --ids-fit-31-bits --kernel=box3 --stop-after=stacked-rows %s | FileCheck %s --check-prefix=EIGHT
// RUN: weftc --cpu=znver4 --local-size=32,12,1 --ids-fit-31-bits --kernel=box3 --stop-after=stacked-rows %s | FileCheck %s --check-prefix=BOX
// EIGHT-LABEL: define internal i32 @box3.item(
// EIGHT: shl nuw nsw i64 %{{.*}}, 3
// EIGHT: rows.all:
// EIGHT-COUNT-30: load volatile float
// EIGHT-NOT: load volatile float
// EIGHT-COUNT-8: store volatile float
// EIGHT: rows.rim:
// EIGHT-COUNT-8: store volatile float
// EIGHT-NOT: phi
// EIGHT: ret i32 -1
// RUN: weftc --cpu=znver4 --local-size=32,8,1 --ids-fit-31-bits --kernel=weighted --stop-after=stacked-rows %s | FileCheck %s --check-prefix=FOUR
// FOUR: shl nuw nsw i64 %{{.*}}, 2
//
// Without a second copy there is one path, bounds and all: of rows that are bound alone, four read what lies in six rows.
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=bound_rows --stop-after=stacked-rows %s | FileCheck %s --check-prefix=BOUND
// BOUND-LABEL: define internal i32 @bound_rows.item(
// BOUND: rows:
// BOUND-COUNT-6: load volatile float
// BOUND-NOT: load volatile float
// BOUND-COUNT-4: store volatile float
//
// Whole rows take more than the registers, but each register of a result follows from one of each row that is read: six rows of one texel for four.
// RUN: weftc --cpu=haswell --local-size=32,8,1 --ids-fit-31-bits --kernel=columns --stop-after=stacked-rows %s | FileCheck %s --check-prefix=COLUMNS
// COLUMNS-LABEL: define internal i32 @columns.item(
// COLUMNS: rows:
// COLUMNS-COUNT-6: load volatile <4 x float>
// COLUMNS-NOT: load volatile <4 x float>
// COLUMNS-COUNT-4: store volatile <4 x float>
// Where something else is done with them than arithmetic by elements, they are not.
// RUN: weftc --cpu=haswell --local-size=32,8,1 --ids-fit-31-bits --kernel=greatest --stop-after=stacked-rows %s | FileCheck %s --check-prefix=GREATEST
// GREATEST-LABEL: define internal i32 @greatest.item(
// GREATEST-NOT: rows:
//
// Rows of the same pitch are the same memory however they are reached.
// RUN: weftc --cpu=sapphirerapids --local-size=64,2,1 --ids-fit-31-bits --kernel=neighbours --stop-after=stacked-rows %s | FileCheck %s --check-prefix=NEIGHBOURS
// NEIGHBOURS-LABEL: define internal i32 @neighbours.item(
// NEIGHBOURS-COUNT-4: load volatile float
// NEIGHBOURS-NOT: load volatile float
// NEIGHBOURS-COUNT-2: store volatile float
//
// Of an image of one channel a work-item adds up numbers, so that four rows fit the registers.
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=image --formats=e0000e00,e0000e00 --stop-after=stacked-rows %s | FileCheck %s --check-prefix=IMAGE
// IMAGE-LABEL: define internal i32 @image.item(
// IMAGE-NOT: fadd <4 x float>
// IMAGE: shl nuw nsw i64 %{{.*}}, 2
// IMAGE-NOT: fadd <4 x float>
// IMAGE: fadd float
// IMAGE-NOT: fadd <4 x float>
// Its write is outside in some rows: those run in turn.
// IMAGE: rows.asked:
// IMAGE: call i1 @weft.all(
// IMAGE: br i1 %{{.*}}, label %rows.rim, label %{{front.*}}
// IMAGE: rows.rim:
// IMAGE-COUNT-40: load float{{.*}} !weft.rim
// IMAGE-NOT: load float
// IMAGE: !"llvm.loop.unroll.disable"
//
// Weights are no values that taps wait for: a row of five taps is read with the weights of all that it is part of.
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=weighted --stop-after=stacked-rows %s | FileCheck %s --check-prefix=WEIGHTED
// WEIGHTED-LABEL: define internal i32 @weighted.item(
// WEIGHTED: rows:
// WEIGHTED: load volatile float, ptr addrspace(1)
// WEIGHTED-NOT: load volatile float, ptr addrspace(1)
// WEIGHTED: @llvm.fmuladd.f32
// WEIGHTED: load volatile float, ptr addrspace(1)
// WEIGHTED-NOT: load volatile float, ptr addrspace(1)
// WEIGHTED: @llvm.fmuladd.f32
// WEIGHTED-NOT: load volatile float, ptr addrspace(1)
// WEIGHTED: @llvm.fmuladd.f32
// WEIGHTED: load volatile float, ptr addrspace(1)
// WEIGHTED-NOT: load volatile float, ptr addrspace(1)
// WEIGHTED: @llvm.fmuladd.f32
// WEIGHTED-NOT: load volatile float, ptr addrspace(1)
// WEIGHTED: @llvm.fmuladd.f32
// WEIGHTED-NOT: load volatile float, ptr addrspace(1)
// WEIGHTED: @llvm.fmuladd.f32
// WEIGHTED: load volatile float, ptr addrspace(1)
//
// Behind a barrier, where the group has filled a tile: the rows fill it one after the other. What is asked before a work-item writes is asked
// first. Six rows of three for four rows; rows that go apart do what the program says.
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=tile --stop-after=stacked-rows --verify-each %s | FileCheck %s --check-prefix=TILE
// TILE-LABEL: define internal i32 @tile.item(
// TILE: %row.number = phi i32
// TILE: store volatile float {{.*}}, ptr addrspace(3)
// TILE: call void @__weft_barrier(i32
// TILE: call i1 @weft.all(
// TILE: rows.all:
// TILE-COUNT-18: load volatile float, ptr addrspace(3)
// TILE-NOT: load volatile
// TILE-COUNT-4: store volatile float{{.*}}, ptr addrspace(1)
// TILE-NOT: store
// TILE: %row.number{{.*}} = phi i32
// TILE-COUNT-9: load volatile float, ptr addrspace(3)
// TILE-NOT: load volatile
// TILE: br i1
// TILE: store volatile float
//
// Not where something that is read in front of the barrier is used behind it, or where work-items end in front of it.
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=kept --stop-after=stacked-rows %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=ended --stop-after=stacked-rows %s | FileCheck %s --check-prefix=NONE
//
// Not where a row is less than a warp, where rows read nothing alike, or where a work-item reads what it wrote.
// RUN: weftc --cpu=sapphirerapids --local-size=16,16,1 --ids-fit-31-bits --kernel=box3 --stop-after=stacked-rows %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=own_row --stop-after=stacked-rows %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=writes_between --stop-after=stacked-rows %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --local-size=32,8,1 --ids-fit-31-bits --kernel=box3 --disable=stacked-rows --stop-after=split-regions %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: {{^rows}}
kernel void box3(global const float* in, global float* out, int width, int height) {
  const int column = get_global_id(0), line = get_global_id(1);
  float sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) sum += in[clamp(line + y, 0, height - 1) * width + clamp(column + x, 0, width - 1)];
  out[line * width + column] = sum;
}

kernel void bound_rows(global const float* in, global float* out, int width, int height) {
  const int column = get_global_id(0), line = get_global_id(1);
  float sum = 0;
  for (int y = -1; y <= 1; ++y) sum += in[clamp(line + y, 0, height - 1) * width + column];
  out[line * width + column] = sum;
}

kernel void neighbours(global const float* in, global float* out, int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0);
  out[at] = in[at - pitch] + in[at] * in[at + pitch];
}

kernel void own_row(global const float* in, global float* out, int pitch) {
  const int at = get_global_id(1) * pitch + get_global_id(0);
  out[at] = in[at] + in[at + 1] + in[at + 2];
}

kernel void writes_between(global const float* in, global float* out, int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0);
  out[at] = in[at] + in[at - pitch];
  out[at + 1] = in[at] + in[at + pitch];
}

kernel void image(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, edge, p + (int2)(x, y));
  write_imagef(out, p, sum);
}

kernel void columns(global const float4* in, global float4* out, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1) + 1;
  out[y * pitch + x] = 0.25f * in[(y - 1) * pitch + x] + 0.5f * in[y * pitch + x] + 0.25f * in[(y + 1) * pitch + x];
}

kernel void greatest(global const float4* in, global float4* out, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1) + 1;
  const float4 sum = 0.25f * in[(y - 1) * pitch + x] + 0.5f * in[y * pitch + x] + 0.25f * in[(y + 1) * pitch + x];
  out[y * pitch + x] = (float4)(sum.x + sum.y, sum.z, sum.w, sum.x - sum.y);
}

kernel void weighted(global const float* in, global float* out, global const int* weights, int pitch) {
  const int at = get_global_id(1) * pitch + get_global_id(0);
  float sum = 0;
  for (int y = 0; y < 5; ++y) sum += weights[y] * in[at + y * pitch];
  out[at] = sum;
}

#define FILL local float t[10][34]; \
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1); \
  for (int j = ly; j < 10; j += 8) \
    for (int i = lx; i < 34; i += 32) t[j][i] = in[(y - ly + j) * width + x - lx + i]; \
  barrier(CLK_LOCAL_MEM_FENCE);
#define SUM float sum = 0; \
  for (int j = 0; j < 3; ++j) \
    for (int i = 0; i < 3; ++i) sum += t[ly + j][lx + i];

kernel void tile(global const float* in, global float* out, int width, int height) {
  FILL
  SUM
  if (x < width && y < height) out[y * width + x] = sum;
}

kernel void kept(global const float* in, global float* out, int width) {
  const float own = in[get_global_id(0)];
  FILL
  SUM
  out[y * width + x] = own * sum;
}

kernel void ended(global const float* in, global float* out, int width) {
  if (get_global_id(1) > 1000) return;
  FILL
  SUM
  out[y * width + x] = sum;
}
