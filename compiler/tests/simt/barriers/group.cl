// The group function: the warps of a work-group, region by region.
// RUN: weftc --cpu=znver4 --kernel=one --coarsen=1 --local-size=64,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --cpu=znver4 --kernel=one --coarsen=1 --local-size=64,1,1 --disable=group-runs --verify-each --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=znver4 --kernel=one --coarsen=1 --local-size=50,1,1 --disable=group-runs --verify-each --stop-after=group %s | FileCheck %s --check-prefix=PARTIAL
// RUN: weftc --cpu=znver4 --kernel=one --coarsen=1 --disable=group-runs --verify-each --stop-after=group %s | FileCheck %s --check-prefix=ANY
// RUN: weftc --cpu=znver4 --kernel=several --coarsen=1 --local-size=64,1,1 --verify-each --stop-after=group %s | FileCheck %s --check-prefix=SEVERAL
// RUN: weftc --cpu=znver4 --kernel=several --coarsen=1 --local-size=64,1,1 --verify-each --emit=llvm %s | FileCheck %s --check-prefix=END
// RUN: weftc --cpu=znver4 --kernel=straight --coarsen=1 --local-size=64,1,1 --disable=whole-group --verify-each --emit=llvm %s | FileCheck %s --check-prefix=STRAIGHT

// BEFORE-NOT: @one.group
// BEFORE: define internal i32 @one.region.0.warp(ptr {{.*}}%launch, ptr {{.*}}%group, ptr {{.*}}%frame, i32 %warp)

// One region: a loop over the warps, with nothing to compare. 64 work-items are two warps.
// ONE-NOT: .warp(
// ONE: define i32 @one.group(ptr {{.*}}%launch, ptr {{.*}}%group)
// ONE-NOT: switch
// ONE: [[WARP:%.*]] = phi i32 [ 0, %entry ], [ [[NEXT:%.*]], %[[LAST:.*]] ]
// ONE: mul nuw nsw i32 [[WARP]], 32
// ONE: store <32 x i32>
// ONE: [[NEXT]] = add nuw nsw i32 [[WARP]], 1
// ONE: icmp ult i32 [[NEXT]], 2
// ONE: ret i32 0
// ONE-NEXT: }

// 50 are two as well; the second is masked and has no loop of its own.
// PARTIAL: define i32 @one.group(
// PARTIAL: icmp ult <32 x i32> {{%.*}}, <i32 50,
// PARTIAL: call void @llvm.masked.store.v32i32
// PARTIAL: icmp ult i32 {{%.*}}, 2
// PARTIAL: ret i32 0
// PARTIAL-NEXT: }

// A size that is not known is read from the launch: (x * y * z + 31) / 32.
// ANY: define i32 @one.group(
// ANY: [[UP:%.*]] = add i64 {{%.*}}, 31
// ANY: [[COUNT:%.*]] = udiv i64 [[UP]], 32
// ANY: [[WARPS:%.*]] = trunc i64 [[COUNT]] to i32
// ANY: icmp ult i32 {{%.*}}, [[WARPS]]

// Several regions: each runs for all warps, then the one that they return; -1 ends the group. Warps that return
// different ones have met different barriers, and the group is abandoned (status 1).
// SEVERAL: define i32 @several.group(
// SEVERAL: dispatch:
// SEVERAL: [[REGION:%.*]] = phi i32 [ 0, %entry ]
// SEVERAL: switch i32 [[REGION]], label %[[DIVERGENT:.*]] [
// SEVERAL-NEXT: i32 -1, label %[[DONE:.*]]
// SEVERAL-NEXT: i32 0, label %[[FIRST:.*]]
// SEVERAL-NEXT: i32 1, label %[[SECOND:.*]]
// SEVERAL: [[DIVERGENT]]:
// SEVERAL-NEXT: ret i32 1
// SEVERAL: [[DONE]]:
// SEVERAL-NEXT: ret i32 0
// SEVERAL: [[FIRST]]:
// A warp's frame, where the slots lie, follows the one before.
// SEVERAL: [[BYTES:%.*]] = mul i64 {{%.*}}, {{[1-9][0-9]*}}
// SEVERAL: getelementptr inbounds i8, ptr %frames, i64 [[BYTES]]
// SEVERAL: [[NOT_FIRST:%.*]] = icmp ne i32 {{%.*}}, 0
// SEVERAL: [[DIFFERS:%.*]] = and i1 [[NOT_FIRST]],
// SEVERAL: [[WITHIN:%.*]] = icmp eq i32 {{.*}}, -2
// SEVERAL: [[BAD:%.*]] = or i1 [[DIFFERS]], [[WITHIN]]
// SEVERAL: br i1 [[BAD]], label %[[DIVERGENT]], label %

// Regions that all go on to the same one: nothing to compare, no number to keep.
// STRAIGHT: define {{.*}}i32 @straight.group(
// STRAIGHT-NOT: switch
// STRAIGHT-NOT: ret i32 1
// STRAIGHT: ret i32 0

// Optimized, the kernel is this one function.
// END: define {{.*}}i32 @several.group(
// END-NOT: define
// END-NOT: declare {{.*}}weft
kernel void one(global int* a) { a[get_local_id(0)] = 1; }

kernel void several(global int* a, local int* s, int n) {
  int i = get_local_id(0);
  float f = a[i];
  for (int k = 0; k < n; ++k) {
    s[i] = f;
    barrier(CLK_LOCAL_MEM_FENCE);
    f += s[(i + 7) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[i] = f;
}

kernel void straight(global float* a, local float* s) {
  int i = get_local_id(0);
  s[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float f = s[a[i] > 3.0f ? i : i * 5 & 63];
  barrier(CLK_LOCAL_MEM_FENCE);
  s[i * 3 & 63] = f;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = s[i];
}
