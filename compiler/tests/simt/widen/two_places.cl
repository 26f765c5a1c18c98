// One element a row: what a channel's elements share is loaded for the first lane and for the last one.
// RUN: weftc --cpu=znver4 --kernel=biased --local-size=64,1,1 --ids-fit-31-bits --disable=common-quotients --coarsen=1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=BIASED
// RUN: weftc --cpu=znver4 --kernel=guarded --local-size=64,1,1 --ids-fit-31-bits --disable=common-quotients --coarsen=1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=GUARDED
// RUN: weftc --cpu=znver4 --kernel=biased --local-size=64,1,1 --ids-fit-31-bits --disable=common-quotients,two-places --coarsen=1 --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=WITHOUT

// BIASED-LABEL: define {{.*}}@biased.region.0.warp(
// BIASED: [[FIRST:%of.first.*]] = icmp eq <32 x i32>
// BIASED: places{{.*}}:
// BIASED: load float, ptr
// BIASED: load float, ptr
// BIASED-NOT: load float
// BIASED: select <32 x i1> [[FIRST]], <32 x float>
// BIASED: scattered{{.*}}:
// BIASED: @llvm.masked.gather.v32f32

// WITHOUT-NOT: of.first
kernel void biased(global const float* in, global const float* bias, global float* out, int spatial, int channels) {
  const int i = get_global_id(0);
  out[i] = in[i] + bias[i / spatial % channels];
}

// A lane that does not run has no place: nothing is read for it.
// GUARDED-LABEL: define {{.*}}@guarded.region.0.warp(
// GUARDED: places{{.*}}:
// GUARDED: [[OWN:%.*]] = select i1 {{%.*}}, ptr {{%.*}}, ptr %nowhere
// GUARDED-NEXT: load float, ptr [[OWN]]
// GUARDED: [[LAST:%.*]] = select i1 {{%.*}}, ptr {{%.*}}, ptr %nowhere
// GUARDED-NEXT: load float, ptr [[LAST]]
kernel void guarded(global const float* in, global const float* bias, global float* out, int spatial, int n) {
  const int i = get_global_id(0);
  if (in[i] > 0) out[i] = in[i] + bias[i / spatial % n];
}
