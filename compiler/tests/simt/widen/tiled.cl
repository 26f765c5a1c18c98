// Groups of two dimensions whose slower one is contiguous in memory: columns as whole vectors, transposed in registers.
// RUN: weftc --cpu=sapphirerapids --kernel=store --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=STORE
// RUN: weftc --cpu=znver3 --kernel=store --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=HALVES
// RUN: weftc --cpu=sapphirerapids --kernel=store --local-size=16,16,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=ASM
// RUN: weftc --cpu=sapphirerapids --kernel=store --local-size=16,4,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=FOUR
// RUN: weftc --cpu=sapphirerapids --kernel=store --local-size=24,8,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=load --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=LOAD
// RUN: weftc --cpu=sapphirerapids --kernel=guarded --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=GUARDED
// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=32,8,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WRAPS
// RUN: weftc --cpu=sapphirerapids --kernel=quads --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=QUADS
// RUN: weftc --cpu=sapphirerapids --kernel=bytes --local-size=16,4,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=BYTES
// RUN: weftc --cpu=sapphirerapids --kernel=tile --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=TILE
// RUN: weftc --cpu=sapphirerapids --kernel=near --coarsen=8 --local-size=16,16,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=NONE

// So many warps that a column is a line; a scatter where columns meet, which keeps the order of the lanes.
// STORE-LABEL: @store.region.0.warp(
// STORE: %first = mul nuw nsw i32 %warp, 256
// STORE: [[PITCH:%.*]] = sub i64
// STORE: [[PLACE:%.*]] = add i64 [[PITCH]], 63
// STORE: [[APART:%.*]] = icmp ugt i64 [[PLACE]], 126
// STORE: br i1 [[APART]], label %columns, label %apart
// STORE: columns:
// STORE: shufflevector <16 x float> {{.*}}, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 4, i32 20, i32 5, i32 21, i32 8,
// STORE-COUNT-16: store <16 x float>
// STORE-NOT: store <
// STORE: apart:
// STORE: call void @llvm.masked.scatter.v256f32
// HALVES: columns:
// HALVES-COUNT-32: store <8 x float>
// HALVES: apart:
// HALVES: rolled:
// ASM-COUNT-16: vunpck{{[lh]}}p{{[sd]}} {{.*}}zmm
// ASM: vshuff64x2
// Columns of four.
// FOUR: %first = mul nuw nsw i32 %warp, 64
// FOUR: columns:
// FOUR-COUNT-16: store <4 x float>
// Rows of 24 are no power of two; columns 4 bytes apart meet.
// NONE-NOT: columns:
// NONE: }
kernel void store(global const float* in, global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

// Wherever columns lie, they can be read.
// LOAD-LABEL: @load.region.0.warp(
// LOAD: %first = mul nuw nsw i32 %warp, 256
// LOAD-NOT: br i1
// LOAD-COUNT-16: load <16 x i32>
// LOAD-NOT: gather
// LOAD: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 4,
// LOAD-COUNT-16: store <16 x i32>
// LOAD: ret
kernel void load(global const int* in, global int* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = in[x * height + y];
}

// Where all lanes run. What a row has alike of a mask is a number.
// GUARDED: %first = mul nuw nsw i32 %warp, 256
// GUARDED: bitcast <16 x i16> {{.*}} to <256 x i1>
// GUARDED: icmp eq i256 {{%.*}}, -1
// GUARDED: columns:
// GUARDED-COUNT-16: store <16 x float>
// GUARDED: apart:
// GUARDED: call void @llvm.masked.scatter.v256f32
kernel void guarded(global const float* in, global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

// An index of 32 bits that wraps where it likes: three corners of the block tell, the first is one that the program computed.
// WRAPS: [[FIRST:%.*]] = zext i32 {{.*}} to i64
// WRAPS-COUNT-3: icmp ult i64 {{.*}}, 4294967296
// WRAPS: columns:
// WRAPS-COUNT-32: store <8 x i8>
// WRAPS: apart:
kernel void wraps(global const uchar* in, global uchar* out, uint pitch, uint from) {
  const uint x = get_global_id(0), y = get_global_id(1);
  out[x * pitch + y + from] = in[y * 512 + x];
}

// Columns that lie a known distance apart need no check.
// TILE-NOT: br i1
// TILE-COUNT-16: load <16 x float>, ptr {{.*}}, align 4
// TILE-NOT: gather
// TILE: ret
kernel void tile(global const float* in, global float* out) {
  local float tile[16][17];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_group_id(0) * 256 + 16 * y + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0) * 256 + 16 * y + x] = tile[x][y];
}

// Four rows of 16 bytes are a line.
// QUADS: %first = mul nuw nsw i32 %warp, 64
// QUADS: columns:
// QUADS: shufflevector <8 x i64> {{.*}}, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
// QUADS-COUNT-16: store <8 x i64>
// QUADS: apart:
kernel void quads(global const float4* in, global float4* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

// Columns of four bytes are not worth it.
// BYTES: %first = mul nuw nsw i32 %warp, 32
// BYTES-NOT: columns:
// BYTES: ret
kernel void bytes(global const uchar* in, global uchar* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

kernel void near(global const float* in, global float* out, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[5 * x + y] = in[y * width + x];
}
