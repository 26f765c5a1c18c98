// Texels of an image that is enlarged lie close together: the lanes of a register share a window of memory, and permute it.
// RUN: weftc --cpu=sapphirerapids --kernel=linear --local-size=32,8,1 --coarsen=1 --formats=c0000205 --emit=llvm %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=linear --local-size=32,8,1 --coarsen=1 --formats=c0000205 --emit=llvm %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=nehalem --kernel=linear --local-size=32,8,1 --coarsen=1 --formats=c0000205 --emit=llvm %s | FileCheck %s --check-prefix=SSE
// RUN: weftc --cpu=sapphirerapids --kernel=linear --local-size=8,32,1 --coarsen=1 --formats=c0000205 --emit=llvm %s | FileCheck %s --check-prefix=SSE
// RUN: weftc --cpu=sapphirerapids --kernel=linear --local-size=32,8,1 --coarsen=1 --formats=e0000200 --emit=llvm %s | FileCheck %s --check-prefix=BYTES
// RUN: weftc --cpu=haswell --kernel=linear --local-size=32,8,1 --coarsen=1 --formats=e0000205 --emit=llvm %s | FileCheck %s --check-prefix=PADDED
// RUN: weftc --cpu=haswell --kernel=linear --local-size=32,8,1 --coarsen=1 --formats=e0000200 --emit=llvm %s | FileCheck %s --check-prefix=SHUFFLE
// Both rows lie alike: what is asked of the first is asked before the loop over rows.
// CHECK-LABEL: @linear.group(
// CHECK: icmp ult i32
// CHECK: icmp u{{le|gt}} <32 x i32>
// CHECK: warp:
// CHECK: {{^}}close
// CHECK: load <32 x i32>
// CHECK: load <32 x i32>
// CHECK: {{^}}scattered
// A pair's words share a window, of one register where that has all of it.
// CHECK: masked.load.v16i32
// CHECK: {{^}}half
// CHECK-NEXT: call <16 x i32> @llvm.x86.avx512.permvar.si.512
// CHECK-NEXT: call <16 x i32> @llvm.x86.avx512.permvar.si.512
// CHECK: {{^}}whole
// CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512
// CHECK-NEXT: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512
// CHECK: {{^}}apart
// CHECK: masked.gather
// AVX2-LABEL: @linear.group(
// AVX2: masked.load.v8i32
// AVX2: call <8 x i32> @llvm.x86.avx2.permd
// AVX2: call <8 x float> @llvm.x86.avx.blendv.ps.256
// SSE-LABEL: @linear.group(
// SSE-NOT: close
// SSE: neighbours
// Texels of a byte, at any byte.
// BYTES-LABEL: @linear.group(
// BYTES: load <64 x i8>
// BYTES: call <64 x i8> @llvm.x86.avx512.permvar.qi.512
// BYTES: masked.gather
// Around padded images memory may be read, so that no mask is needed, and 16 bytes can be shuffled.
// PADDED-LABEL: @linear.group(
// PADDED-NOT: masked.load
// PADDED: call <8 x i32> @llvm.x86.avx2.permd
// SHUFFLE-LABEL: @linear.group(
// SHUFFLE: load <16 x i8>
// SHUFFLE: call <32 x i8> @llvm.x86.avx2.pshuf.b
kernel void linear(read_only image2d_t in, global uint4* out) {
  const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 at = (convert_float2(p) + 0.25f) / (float2)(640, 480);
  out[p.y * 640 + p.x] = convert_uint4(read_imagef(in, s, at) * 255.0f);
}

// Elements of buffers whose index is rounded: in floating point, or by a shift. Those that are looked up lie anywhere, and those of which a lane is off are loaded by lane, two together.
// RUN: weftc --cpu=sapphirerapids --kernel=pixels --local-size=16,16,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=PIXELS
// RUN: weftc --cpu=sapphirerapids --kernel=shifted --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=SHIFTED
// RUN: weftc --cpu=sapphirerapids --kernel=looked_up --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=LOOKED
// PIXELS-LABEL: @pixels.group(
// PIXELS: masked.load.v64i8
// PIXELS: call <64 x i8> @llvm.x86.avx512.permvar.qi.512
// PIXELS: masked.load.v64i8
// PIXELS: load i16, ptr {{.*}}, align 1
kernel void pixels(global const uchar* a, global uchar* o, int w, float scale) {
  const int x = get_global_id(0), y = get_global_id(1);
  const float fx = x * scale, fy = y * scale;
  const int left = fx, top = fy;
  global const uchar* p = a + top * w + left;
  o[y * 512 + x] = p[0] * (1 - (fx - left)) + p[1] * (fx - left);
}
// SHIFTED-LABEL: @shifted.group(
// SHIFTED: masked.load.v16i32
// SHIFTED: call <16 x i32> @llvm.x86.avx512.permvar.si.512
kernel void shifted(global const float* a, global float* o, uint step) {
  const uint i = get_global_id(0);
  o[i] = a[i * step >> 16];
}
// LOOKED-LABEL: @looked_up.group(
// LOOKED-NOT: permvar
// LOOKED: masked.gather
kernel void looked_up(global const float* a, global const float* at, global float* o) {
  const int i = get_global_id(0);
  o[i] = a[(int)at[i]];
}
// A row that is rounded, too, as where an image is turned, lies far from the next lane's.
// RUN: weftc --cpu=sapphirerapids --kernel=turned --local-size=16,16,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=TURNED
// TURNED-LABEL: @turned.group(
// TURNED-NOT: permvar
// TURNED: masked.gather
kernel void turned(global const float* a, global float* o, int w, float c, float s) {
  const int x = get_global_id(0), y = get_global_id(1);
  o[y * 512 + x] = a[(int)(x * s + y * c) * w + (int)(x * c - y * s)];
}
// What is looked up in the tables of functions of a byte lies anywhere, whatever LLVM takes its type to be; places counted by bytes would wrap around.
// RUN: weftc --cpu=sapphirerapids --kernel=of_bytes --local-size=64,1,1 --byte-tables --coarsen=1 --verify-each --emit=llvm %s | FileCheck %s --check-prefix=OF_BYTES
// OF_BYTES-LABEL: @of_bytes.group(
// OF_BYTES-NOT: permvar
// OF_BYTES: masked.gather
kernel void of_bytes(global const uchar* a, global float* o) {
  const int i = get_global_id(0);
  o[i] = popcount(a[i]);
}
