// An int of a sum of size_t, the usual index of a 2-D kernel, is contiguous unless it wraps: one comparison a segment
// decides, and lanes go their own ways only where a segment wraps.
// RUN: weftc %s --kernel=signed_index --local-size=16,16,1 --ids-fit-31-bits --emit=llvm | FileCheck %s --check-prefix=SIGNED
// RUN: weftc %s --kernel=unsigned_index --local-size=16,16,1 --ids-fit-31-bits --emit=llvm | FileCheck %s --check-prefix=UNSIGNED

// SIGNED-LABEL: @signed_index.group(
// 2^63 - 15 * 2^32, as the lanes' indices lie in the upper halves.
// SIGNED: icmp slt i64 {{%.*}}, 9223371972430266368
// SIGNED: icmp slt i64 {{%.*}}, 9223371972430266368
// SIGNED: contiguous
// SIGNED: load <16 x float>
// SIGNED: load <16 x float>
// SIGNED: wrapped
// SIGNED: store <16 x float>
kernel void signed_index(global const float* in, global float* out, int width) {
  int i = get_global_id(1) * width + get_global_id(0);
  out[i] = in[i + 1];
}

// UNSIGNED-LABEL: @unsigned_index.group(
// UNSIGNED: icmp ult i64 {{%.*}}, 4294967281
// UNSIGNED: contiguous
// UNSIGNED: load <16 x float>
// UNSIGNED: wrapped
// UNSIGNED: store <16 x float>
kernel void unsigned_index(global const float* in, global float* out, uint width) {
  uint i = get_global_id(1) * width + get_global_id(0);
  out[i] = in[i + 1];
}
