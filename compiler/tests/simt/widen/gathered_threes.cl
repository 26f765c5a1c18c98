// Three bytes of each lane's own place are taken of the words that begin with their first byte's pair; of lanes under a mask, too. Where nothing
// gathers, lanes go one after the other.
// RUN: weftc --cpu=sapphirerapids --kernel=pixels --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=sapphirerapids --kernel=pixels --local-size=32,1,1 --ids-fit-31-bits --disable=gather-parts --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=APART
// RUN: weftc --cpu=nehalem --kernel=pixels --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=APART
// CHECK-LABEL: @pixels.region.0.warp(
// CHECK: [[PAIR:%.*]] = ashr <32 x i32> [[INDEX:%.*]], <i32 1, i32 1,
// CHECK: [[ODD:%.*]] = and <32 x i32> [[INDEX]], <i32 1, i32 1,
// CHECK: [[WORDS:%.*]] = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> {{%.*}}, i32 2,
// CHECK: lshr <32 x i32> [[WORDS]],
// CHECK: shufflevector <128 x i8> {{%.*}}, <128 x i8> poison, <96 x i32> <i32 0, i32 1, i32 2, i32 4, i32 5, i32 6, i32 8,
// APART-LABEL: @pixels.region.0.warp(
// APART-COUNT-32: load <3 x i8>, ptr
kernel void pixels(global const uchar* in, global const int* at, global uchar* out) {
  const int i = get_global_id(0);
  vstore3(vload3(0, in + at[i]), i, out);
}

// RUN: weftc --cpu=sapphirerapids --kernel=some --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SOME
// SOME-LABEL: @some.region.0.warp(
// SOME: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> {{%.*}}, i32 2, <32 x i1> {{%.*}},
kernel void some(global const uchar* in, global const int* at, global uchar* out) {
  const int i = get_global_id(0);
  if (at[i] > 0) vstore3(vload3(at[i], in), i, out);
}
