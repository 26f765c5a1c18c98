// Elements of rows that end anywhere in a warp: parts of two rows for each register.
// RUN: weftc %s --kernel=shifted --local-size=64,1,1 --cpu=haswell --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefixes=CHECK,WORDS
// RUN: weftc %s --kernel=shifted --local-size=64,1,1 --cpu=skylake-avx512 --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefixes=CHECK,BITS
// RUN: weftc %s --kernel=halved --local-size=64,1,1 --cpu=znver3 --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=HALVED
// RUN: weftc %s --kernel=spread --local-size=64,1,1 --cpu=haswell --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=SPREAD
// RUN: weftc %s --kernel=halved --local-size=64,1,1 --cpu=haswell --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=pitched --local-size=64,1,1 --cpu=haswell --verify-each --emit=llvm --coarsen=1 | FileCheck %s --check-prefix=PITCHED
// RUN: weftc %s --kernel=turned --local-size=64,1,1 --cpu=haswell --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=once --local-size=64,1,1 --cpu=haswell --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=once --local-size=64,1,1 --cpu=znver4 --verify-each --disable=common-quotients --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=ONCE
// RUN: weftc %s --kernel=ring --local-size=100,1,1 --cpu=znver4 --verify-each --disable=common-quotients --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=RING
// RUN: weftc %s --kernel=shifted --local-size=64,1,1 --cpu=nehalem --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=shifted --local-size=64,1,1 --cpu=haswell --disable=two-rows --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE

// Which lanes are in the first one's row does not change in the loop.
// CHECK: [[FIRST:%in.first.*]] = icmp eq <32 x i32>
// WORDS: call <8 x float> @llvm.masked.load.v8f32
// WORDS: call <8 x float> @llvm.masked.load.v8f32{{.*}}, <8 x float> %
// BITS: call <{{8|16}} x float> @llvm.masked.load
// NONE-NOT: in.first
// NONE: ret
kernel void shifted(global const float* in, global float* out, int width, int pitch, int plane, int n) {
  const int id = get_global_id(0);
  const int at = id / width * pitch + id % width;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum = fabs(sum) + in[at + k * plane];
  out[id] = sum;
}

// HALVED: call <16 x float> @llvm.masked.load.v16f32
// HALVED: call <16 x float> @llvm.masked.load.v16f32{{.*}}, <16 x float> %
// HALVED: shufflevector <16 x float> {{.*}}, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
kernel void halved(global const float* in, global float* out, int width, int pitch, int plane, int n) {
  const int id = get_global_id(0);
  const int at = id / width * 2 * pitch + id % width * 2;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum = fabs(sum) + in[at + k * plane];
  out[id] = sum;
}

// SPREAD: call void @llvm.masked.store.v8f32
kernel void spread(global const float* in, global float* out, int width, int pitch, int plane, int n) {
  const int id = get_global_id(0);
  const int at = id / width * pitch + id % width;
  for (int k = 0; k < n; ++k) out[at + k * plane] = in[id] * k;
}

// What the loop adds to the row is told apart from what lanes have of their own: the question is asked in front of it.
// PITCHED-COUNT-2: icmp eq <32 x i32>
// PITCHED: call <8 x float> @llvm.masked.load.v8f32
// PITCHED-NOT: icmp eq <32 x i32>
// PITCHED: ret
kernel void pitched(global const float* in, global float* out, int width, int pitch, int n) {
  const int id = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum = fabs(sum) + in[(id / width + k) * pitch + id % width + k];
  out[id] = sum;
}

// Down columns, each lane is in a row of its own.
kernel void turned(global const float* in, global float* out, int width, int pitch, int plane, int n) {
  const int id = get_global_id(0);
  const int at = id / width + id % width * pitch;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum = fabs(sum) + in[at + k * plane];
  out[id] = sum;
}

// To ask takes as long as to load once, where masks are vectors.
// ONCE: in.first
// ONCE: call <16 x float> @llvm.masked.load.v16f32
// ONCE: call <16 x float> @llvm.masked.load.v16f32{{.*}}, <16 x float> %
kernel void once(global const float* in, global float* out, int width, int pitch) {
  const int id = get_global_id(0);
  out[id] = in[id / width * pitch + id % width];
}

// OpenCL vectors, found in two steps. A row may begin behind the piece that the last lane's part is of: bytes are counted back, not numbers of 32 bits.
// RING: [[LAST:%.*]] = extractelement <32 x i64> [[PLACES:%.*]], i64 7
// RING: [[ROW:%.*]] = getelementptr <2 x float>, ptr {{.*}}, i64 [[LAST]]
// RING: getelementptr i8, ptr [[ROW]], i64 -56
// RING: call <16 x float> @llvm.masked.load.v16f32
kernel void ring(global const float2* in, global float2* out, uint width, uint pitch) {
  const uint id = get_global_id(0);
  global const float2* row = in + id / width * pitch;
  out[id] = row[id % width];
}
