// Indices of 32 bits that count up along a row of a small buffer are sums of 64 bits: where they wrapped around, a place was in front of its start.
// RUN: weftc %s --kernel=row --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --verify-each --stop-after=walked-indices | FileCheck %s --check-prefix=WALKED
// RUN: weftc %s --kernel=parts --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --verify-each --stop-after=walked-indices | FileCheck %s --check-prefix=WALKED
// RUN: weftc %s --kernel=row --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --emit=llvm --cpu=znver3 | FileCheck %s --check-prefix=PIECES
// Not where nothing is known of the buffer, where an iteration may do without, where it counts from elsewhere, or where what wraps is another number.
// RUN: weftc %s --kernel=row --local-size=64,1,1 --ids-fit-31-bits --stop-after=walked-indices | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=sometimes --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --stop-after=walked-indices | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=from --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --stop-after=walked-indices | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=shifted --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --stop-after=walked-indices | FileCheck %s --check-prefix=SAME

// WALKED: [[ROW:%.*]] = sext i32 {{.*}} to i64
// WALKED: [[COUNTER:%.*]] = phi i32 [ 0,
// WALKED: [[COUNT:%.*]] = zext nneg i32 [[COUNTER]] to i64
// WALKED: add nsw i64 [[ROW]], [[COUNT]]
// WALKED: add nuw i32 [[COUNTER]], 1
// PIECES-NOT: masked.gather
// SAME-NOT: .walked
kernel void row(global const float* in, global float* out, uint n, uint pitch) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < n; ++k) sum += in[i * pitch + k];
  out[i] = sum;
}
kernel void parts(global const float* in, global float* out, uint n, uint pitch, uint first) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < n; ++k) sum += in[k + first + i * pitch];
  out[i] = sum;
}
kernel void sometimes(global const float* in, global float* out, uint n, uint pitch) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < n; ++k)
    if (k * i % 7) sum += in[i * pitch + k];
  out[i] = sum;
}
kernel void from(global const float* in, global float* out, uint n, uint pitch) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = i / 3; k < n; ++k) sum += in[i * pitch + k];
  out[i] = sum;
}
kernel void shifted(global const float* in, global float* out, uint n, uint pitch) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < n; ++k) sum += in[(i * pitch + k) >> 1];
  out[i] = sum;
}
