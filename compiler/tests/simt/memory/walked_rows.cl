// Lanes that walk along rows of their own read pieces of 16 bytes.
// RUN: weftc --cpu=sapphirerapids --kernel=floats --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=walked-rows %s | FileCheck %s --check-prefix=FLOATS
// RUN: weftc --cpu=sapphirerapids --kernel=bytes --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=walked-rows %s | FileCheck %s --check-prefix=BYTES
// RUN: weftc --cpu=sapphirerapids --kernel=together --local-size=64,1,1 --ids-fit-31-bits --stop-after=walked-rows %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=written --local-size=64,1,1 --ids-fit-31-bits --stop-after=walked-rows %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=apart --local-size=64,1,1 --ids-fit-31-bits --disable=common-iterations --stop-after=walked-rows %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=unknown --local-size=64,1,1 --ids-fit-31-bits --stop-after=walked-rows %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=64,1,1 --stop-after=walked-rows %s | FileCheck %s --check-prefix=WHOLE

// Four iterations read a piece; what all lanes read alike stays; a loop reads what is left over.
// FLOATS-LABEL: @floats.region.0(
// FLOATS: [[PIECE:%.*]] = load volatile <4 x i32>, ptr addrspace(1) {{%.*}}, align 4, !weft.nonvolatile
// FLOATS: extractelement <4 x i32> [[PIECE]], i64 0
// FLOATS: load volatile float, ptr addrspace(1) {{%.*}}
// FLOATS: extractelement <4 x i32> [[PIECE]], i64 3
// FLOATS: br i1
// FLOATS: epil:
// FLOATS-COUNT-2: load volatile float
// FLOATS-NOT: !weft.walk
kernel void floats(global const float* a, global const float* x, global float* y, int n) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[row * n + k] * x[k];
  y[row] = s;
}

// Bytes are parts of words.
// BYTES-LABEL: @bytes.region.0(
// BYTES: load volatile <4 x i32>, ptr addrspace(1) {{%.*}}, align 1
// BYTES: lshr i32 {{%.*}}, 8
// BYTES: trunc i32 {{%.*}} to i8
kernel void bytes(global const uchar* text, global uint* y, int n) {
  uint h = 0;
  for (int k = 0; k < n; ++k) h = h * 31 + text[get_global_id(0) * n + k];
  y[get_global_id(0)] = h;
}

// WHOLE-LABEL: .region.0(
// WHOLE-NOT: <4 x i32>

// Lanes read neighbours.
kernel void together(global const float* a, global float* y, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[get_global_id(0) + k];
  y[get_global_id(0)] = s;
}

// What is written may be what the next iteration reads.
kernel void written(global float* a, global const float* b, int n) {
  for (int k = 0; k < n; ++k) a[get_global_id(0) * n + k + 1] = a[get_global_id(0) * n + k] + b[k];
}

// Lanes leave one by one.
kernel void apart(global const float* a, global const int* ends, global float* y, int n) {
  float s = 0;
  const int end = ends[get_global_id(0)];
  for (int k = 0; k < end; ++k) s += a[get_global_id(0) * n + k];
  y[get_global_id(0)] = s;
}

// Memory says where rows end: the elements behind may not be there.
kernel void unknown(global const int* a, global const int* more, global int* y, int n) {
  int s = 0, k = 0;
  do s = s * 3 + a[get_global_id(0) * n + k]; while (more[k++]);
  y[get_global_id(0)] = s;
}

// An index that may wrap around is no row's.
kernel void wraps(global const float* a, global float* y, uint n, uint m) {
  float s = 0;
  for (uint k = 0; k < n; ++k) s += a[(uint)get_global_id(0) * m + k];
  y[get_global_id(0)] = s;
}

// A short row that is the same for each iteration of the loop around: no loop is left, and all pieces have addresses that do not change in the loop around.
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=nearest --stop-after=walked-rows --verify-each %s | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: define internal i32 @nearest.region.0
// KEPT-COUNT-4: %piece{{.*}} = load volatile <4 x i32>, ptr addrspace(1)
// KEPT-NOT: %piece{{.*}} = load volatile <4 x i32>
// KEPT: ret i32
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=nearest --emit=llvm %s | FileCheck %s --check-prefix=IN-FRONT
// IN-FRONT: load <4 x i32>
// IN-FRONT: preheader.i:
// IN-FRONT-NOT: load <4 x i32>
// IN-FRONT: fcmp olt <32 x float>
kernel void nearest(global const float* points, global const float* centres, global int* out, int n) {
  const int i = get_global_id(0);
  float best = INFINITY;
  int which = 0;
  for (int k = 0; k < n; ++k) {
    float distance = 0;
    for (int j = 0; j < 16; ++j) {
      const float d = points[i * 16 + j] - centres[k * 16 + j];
      distance += d * d;
    }
    if (distance < best) {
      best = distance;
      which = k;
    }
  }
  out[i] = which;
}
