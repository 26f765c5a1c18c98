// Pieces of rows: a load for each lane that differs, and lanes transposed by unpacking.
// RUN: weftc --cpu=icelake-server --kernel=rows --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --cpu=icelake-server --kernel=repeated --local-size=16,16,1 --ids-fit-31-bits --coarsen=2 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=REPEATED

// Addresses are a progression, whose distance n is: every fourth one, and up to three times the distance.
// ROWS-LABEL: define {{.*}}@rows.region.0.warp(
// ROWS: [[STEP:%.*]] = mul i64 {{%.*}}, 4
// ROWS-COUNT-32: load <4 x i32>, ptr {{%.*}}, align 4
// ROWS-NOT: load <4 x i32>
// ROWS: shufflevector <16 x i32> [[R0:%.*]], <16 x i32> [[R1:%.*]], <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 4, i32 20, i32 5, i32 21,
// ROWS-NOT: @llvm.masked.gather.v32i32
kernel void rows(global const float* a, global const float* x, global float* y, int n) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[row * n + k] * x[k];
  y[row] = s;
}

// Of 64 lanes those of one row of the group.
// REPEATED-LABEL: define {{.*}}@repeated.region.0.warp(
// REPEATED-COUNT-16: load <4 x i32>, ptr {{%.*}}, align 4
// REPEATED-NOT: load <4 x i32>
// REPEATED: ret
kernel void repeated(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[y * n + k] * b[x * n + k];
  c[y * n + x] = s;
}

// Under a mask lanes that are off load from somewhere harmless.
// RUN: weftc --cpu=icelake-server --kernel=wanted --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=WANTED
// WANTED-LABEL: define {{.*}}@wanted.region.0.warp(
// WANTED: [[OWN:%.*]] = select i1 {{%.*}}, ptr {{%.*}}, ptr %nowhere
// WANTED-NEXT: load <4 x i32>, ptr [[OWN]], align 4
// WANTED: shufflevector <16 x i32> [[R0:%.*]], <16 x i32> [[R1:%.*]], <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 4, i32 20, i32 5, i32 21,
kernel void wanted(global const float* a, global const int* of, global float* y, int n) {
  const int row = get_global_id(0);
  if (of[row]) {
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[row * n + k];
    y[row] = s;
  }
}

// Where lanes lie anywhere, safe addresses are selected for all at once: a selection for each lane would be a branch each.
// RUN: weftc --cpu=icelake-server --kernel=neighbours --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=ANYWHERE
// ANYWHERE-LABEL: define {{.*}}@neighbours.region.0.warp(
// ANYWHERE: select <32 x i1> {{%.*}}, <32 x ptr> {{%.*}}, <32 x ptr>
// ANYWHERE-NOT: select i1 {{%.*}}, ptr
// ANYWHERE-COUNT-32: load <4 x float>, ptr {{%.*}}, align 16
// ANYWHERE-NOT: select i1 {{%.*}}, ptr
kernel void neighbours(global const float4* p, global const int* index, global float* out, int n) {
  const int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 8; ++k) {
    const int j = index[k * n + i];
    if (j >= 0) {
      const float4 d = p[i] - p[j];
      s += 1 / (d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
    }
  }
  out[i] = s;
}

// OpenCL vectors of two pieces, where registers are wider; of whole registers LLVM makes squares.
// RUN: weftc --cpu=icelake-server --kernel=eights --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=EIGHTS
// RUN: weftc --cpu=haswell --kernel=eights --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=WHOLE
// EIGHTS-LABEL: define {{.*}}@eights.region.0.warp(
// EIGHTS-COUNT-64: load <4 x float>, ptr
// EIGHTS-NOT: load <{{4|8}} x float>
// EIGHTS: ret
// WHOLE-LABEL: define {{.*}}@eights.region.0.warp(
// WHOLE: load <8 x float>, ptr
kernel void eights(global const float8* a, global const int* at, global float* y) {
  const float8 v = a[at[get_global_id(0)]];
  y[get_global_id(0)] = v.s0 * v.s7 + v.s1 * v.s6 + v.s2 * v.s5 + v.s3 * v.s4;
}
