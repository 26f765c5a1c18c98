; A pass that changes nothing prints the shape of each value over the lanes of a warp.
; RUN: weftc --passes=widen --print-shapes --local-size=64,1,1 %s -o %t.ll 2>&1 | FileCheck %s
; RUN: weftc --passes=widen --print-shapes --local-size=16,16,1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
; RUN: weftc --passes=widen --print-shapes --local-size=24,2,1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ODD
; RUN: weftc --passes=widen --print-shapes %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ANY
; RUN: FileCheck %s --check-prefix=SAME < %t.ll
; SAME: define internal i32 @affine.region.0(
; SAME-NOT: ; stride

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare i32 @__weft_local_id_y() memory(none)
declare void @weft.mask(i1)
declare i1 @weft.any(i1)
declare ptr @weft.private(i32)
declare i32 @weft.slot.load.i32(i32)

; CHECK-LABEL: define internal i32 @affine.region.0(
; CHECK: %a = load {{.*}} ; uniform
; CHECK: %x = call {{.*}} ; stride 1 nsw nuw
; CHECK: %y = call {{.*}} ; uniform
; CHECK: %i = zext {{.*}} ; stride 1 nsw nuw
; CHECK: %p = getelementptr {{.*}} ; stride 4 nsw nuw{{$}}
; CHECK: %v = load {{.*}} ; varying
; CHECK: %u = load {{.*}} ; uniform
; CHECK: %down = sub {{.*}} ; stride -1
; CHECK: %five = mul {{.*}} ; stride 5
; CHECK: %four = shl {{.*}} ; stride 4
; CHECK: %float = uitofp {{.*}} ; varying
; CHECK: %square = mul {{.*}} ; varying
; CHECK: %odd = trunc {{.*}} ; varying
; CHECK: %any = call {{.*}} ; uniform
; CHECK: %same = select {{.*}} ; stride 1
; CHECK: %mixed = select {{.*}} ; varying
; CHECK: %old = atomicrmw {{.*}} ; varying
; A row of a 16x16 group is half a warp, a row of 24 a segment of 8.
; ROWS-LABEL: define internal i32 @affine.region.0(
; ROWS: %x = call {{.*}} ; stride 1 in 16
; ROWS: %y = call {{.*}} ; stride 0 in 16
; ROWS: %p = getelementptr {{.*}} ; stride 4 in 16
; ROWS: %j = mul {{.*}} ; stride 0 in 16
; ROWS: %at = add {{.*}} ; stride 1 in 16
; ROWS: %shared = load {{.*}} ; stride 0 in 16
; ODD-LABEL: define internal i32 @affine.region.0(
; ODD: %x = call {{.*}} ; stride 1 in 8
; ODD: %y = call {{.*}} ; stride 0 in 8
; Without a local size, ids have no known shape.
; ANY-LABEL: define internal i32 @affine.region.0(
; ANY: %a = load {{.*}} ; uniform
; ANY: %x = call {{.*}} ; varying
; ANY: %y = call {{.*}} ; varying
define internal i32 @affine.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i64, ptr %launch, !invariant.load !0
  %x = call i32 @__weft_local_id_x()
  %y = call i32 @__weft_local_id_y()
  %i = zext i32 %x to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load volatile float, ptr addrspace(1) %p
  %u = load volatile i64, ptr addrspace(1) %a
  %down = sub i64 %u, %i
  %five = mul i64 %i, 5
  %four = shl i64 %i, 2
  %float = uitofp i64 %i to float
  %square = mul i64 %i, %i
  %odd = trunc i32 %x to i1
  %any = call i1 @weft.any(i1 %odd)
  %same = select i1 %any, i64 %i, i64 %i
  %mixed = select i1 %odd, i64 %i, i64 0
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %row = zext i32 %y to i64
  %j = mul i64 %row, %n
  %at = add i64 %j, %i
  %q = getelementptr float, ptr addrspace(1) %a, i64 %j
  %shared = load volatile float, ptr addrspace(1) %q
  ret i32 -1
}

; An index may wrap unless its flags promise otherwise, for signed and unsigned extension each. In a masked block
; the promise holds for live lanes alone, and lane 0 need not be one.
; CHECK-LABEL: define internal i32 @wrap.region.0(
; CHECK: %plain = add {{.*}} ; stride 1{{$}}
; CHECK: %plain.z = zext {{.*}} ; stride 1 nsw nuw checked
; CHECK: %plain.p = getelementptr {{.*}} ; stride 4 {{.*}}checked
; CHECK: %signed = add {{.*}} ; stride 1 nsw{{$}}
; CHECK: %signed.s = sext {{.*}} ; stride 1 nsw{{$}}
; CHECK: %signed.z = zext {{.*}} checked
; CHECK: %nneg.z = zext nneg {{.*}} ; stride 1 nsw nuw{{$}}
; A lane that is not negative shows that a rising progression did not wrap on the way to it; of a falling or a steep one it does not.
; CHECK: %rising.z = zext nneg {{.*}} ; stride 1 nsw nuw{{$}}
; CHECK: %falling.z = zext nneg {{.*}} checked
; CHECK: %steep.z = zext nneg {{.*}} checked
; CHECK: %unsigned.z = zext {{.*}} ; stride 1 nsw nuw{{$}}
; A negative signed step is a large unsigned one.
; CHECK: %large = mul {{.*}} ; stride -5{{$}}
; CHECK: %large.z = zext {{.*}} checked
; CHECK: %small = mul {{.*}} ; stride 200 {{.*}}nuw{{$}}
; CHECK: %byte = trunc {{.*}} ; stride -56{{$}}
; CHECK: %byte.z = zext {{.*}} checked
; CHECK: %masked.z = zext {{.*}} checked
define internal i32 @wrap.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %x = call i32 @__weft_local_id_x()
  %odd = trunc i32 %x to i1
  %plain = add i32 %x, %n
  %plain.z = zext i32 %plain to i64
  %plain.p = getelementptr float, ptr addrspace(1) %a, i64 %plain.z
  %signed = add nsw i32 %x, %n
  %signed.s = sext i32 %signed to i64
  %signed.z = zext i32 %signed to i64
  %nneg.z = zext nneg i32 %signed to i64
  %rising.z = zext nneg i32 %plain to i64
  %falling = sub i32 %n, %x
  %falling.z = zext nneg i32 %falling to i64
  %steep = mul i32 %x, 100000000
  %steep.z = zext nneg i32 %steep to i64
  %unsigned = add nuw i32 %x, %n
  %unsigned.z = zext i32 %unsigned to i64
  %large = mul nuw i32 %x, -5
  %large.z = zext i32 %large to i64
  %small = mul nuw i32 %x, 200
  %byte = trunc nuw i32 %small to i8
  %byte.z = zext i8 %byte to i64
  br label %masked
masked:
  call void @weft.mask(i1 %odd)
  %masked.add = add nuw i32 %x, %n
  %masked.z = zext i32 %masked.add to i64
  ret i32 -1
}

; A loop: the counter is uniform, the pointer that all lanes step alike is affine, the one that they step by their
; own ids is not.
; CHECK-LABEL: define internal i32 @loop.region.0(
; CHECK: %k = phi {{.*}} ; uniform
; CHECK: %p = phi {{.*}} ; stride 4
; CHECK: %q = phi {{.*}} ; varying
; A phi of undef alone is uniform.
; CHECK: %nothing = phi {{.*}} ; uniform
define internal i32 @loop.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %x = call i32 @__weft_local_id_x()
  %i = zext i32 %x to i64
  %start = getelementptr float, ptr addrspace(1) %a, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %p.next, %loop ]
  %q = phi ptr addrspace(1) [ %start, %entry ], [ %q.next, %loop ]
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 64
  %q.next = getelementptr float, ptr addrspace(1) %q, i64 %i
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %nothing = phi i32 [ undef, %loop ]
  ret i32 -1
}

; Private memory lies lane after lane; its values are each lane's own, even at a uniform place.
; CHECK-LABEL: define internal i32 @private.region.0(
; CHECK: %t = alloca {{.*}} ; stride 12
; CHECK: %kept = call {{.*}} ; stride 32
; CHECK: %own = load {{.*}} ; varying
; CHECK: %kept.own = load {{.*}} ; varying
; CHECK: %slot = call {{.*}} ; uniform
; CHECK: %lane.slot = call {{.*}} ; varying
define internal i32 @private.region.0(ptr %launch, ptr %group) {
  %t = alloca [3 x i32], align 4
  %kept = call nonnull align 16 dereferenceable(32) ptr @weft.private(i32 0)
  %own = load i32, ptr %t
  %kept.own = load i32, ptr %kept
  %slot = call i32 @weft.slot.load.i32(i32 0), !weft.uniform !0
  %lane.slot = call i32 @weft.slot.load.i32(i32 1)
  ret i32 -1
}

!0 = !{}
