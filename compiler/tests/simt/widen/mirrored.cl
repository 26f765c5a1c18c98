// OpenCL vectors whose lanes lie side by side, the last one first, are whole registers that are turned round; so are pixels of three bytes where any bytes of
// registers may change places, each channel out of three pieces.
// RUN: weftc --cpu=icelake-server --kernel=pixels --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PIXELS
// RUN: weftc --cpu=icelake-server --kernel=pixels_back --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=BACK
// RUN: weftc --cpu=icelake-server --kernel=bounded --local-size=32,1,1 --ids-fit-31-bits --aligned-offsets --verify-each --remarks --emit=llvm -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: weftc --cpu=icelake-server --kernel=vectors --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=VECTORS
// RUN: weftc --cpu=haswell --kernel=vectors --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=VECTORS
// RUN: weftc --cpu=haswell --kernel=pixels --local-size=32,1,1 --ids-fit-31-bits --remarks --emit=llvm -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=BY-LANE

// PIXELS-LABEL: @pixels.region.0.warp(
// PIXELS-COUNT-3: load <32 x i8>
// PIXELS-NOT: load <3 x i8>
// PIXELS-COUNT-3: store <32 x i8>
kernel void pixels(global const uchar* in, global uchar* out) {
  const long x = get_local_id(0);
  vstore3(vload3(31 - x, in), x, out);
}

// BACK-LABEL: @pixels_back.region.0.warp(
// BACK-COUNT-3: store <32 x i8>
// BACK-NOT: store <3 x i8>
kernel void pixels_back(global const uchar* in, global uchar* out) {
  const long x = get_local_id(0);
  vstore3(vload3(x, in) + (uchar3)(1), 31 - x, out);
}

// Under a mask, and where an index may wrap around, what is usual is the same.
// SILENT-NOT: load of <3 x i8> under a mask: addresses are varying
// SILENT-NOT: gather
kernel void bounded(global const uchar* in, global uchar* out, int w) {
  const int x = get_global_id(0);
  if (x < w) vstore3(vload3(0, in + 3 * (w - 1 - x)), 0, out + 3 * x);
}

// VECTORS-LABEL: @vectors.region.0.warp(
// VECTORS: [[LOADED:%.*]] = load <128 x float>
// VECTORS: shufflevector <128 x float> [[LOADED]], <128 x float> poison, <128 x i32> <i32 124, i32 125, i32 126, i32 127, i32 120,
// VECTORS: store <128 x float>
kernel void vectors(global const float4* in, global float4* out) {
  const long x = get_local_id(0);
  out[x] = in[31 - x] * 2.0f;
}

// BY-LANE: load of <3 x i8>: addresses are -3 bytes apart: one lane after the other
