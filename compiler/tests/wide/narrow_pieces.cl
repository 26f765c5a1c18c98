// RUN: weftc --cpu=haswell --local-size=32,8,1 --kernel=means --formats=3 --ids-fit-31-bits --aligned-offsets --stop-after=register-blocking %s | FileCheck %s --check-prefix=MEANS
// RUN: weftc --cpu=haswell --local-size=32,8,1 --kernel=weighted --formats=3 --ids-fit-31-bits --aligned-offsets --stop-after=register-blocking %s | FileCheck %s --check-prefix=WEIGHTED

// Sums of bytes are of 16 bits: pieces hold so many of these as a register does, whatever wider numbers are made of the sums in the end.
kernel void means(global const uchar4* in, global float4* out, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  float4 s = 0;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) s += convert_float4(in[(y + j) * pitch + x + i]);
  out[y * pitch + x] = s * (1.0f / 16);
}
// MEANS-LABEL: @means.group(
// MEANS: zext <16 x i8> %{{.*}} to <16 x i16>
// MEANS-NOT: zext <8 x i8>
// MEANS: add {{.*}}<16 x i16>

// Most of what is computed is of 32 bits: a register's worth of these.
kernel void weighted(global const uchar4* in, global float4* out, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  float4 s = 0;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) s += convert_float4(in[(y + j) * pitch + x + i]) * (j * 0.3f + i * 0.7f + 0.1f);
  out[y * pitch + x] = s;
}
// WEIGHTED-LABEL: @weighted.group(
// WEIGHTED-NOT: <16 x float>
// WEIGHTED: <8 x float> @llvm.fmuladd
