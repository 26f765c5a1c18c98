; A 64-bit phi whose lower half alone is used becomes a 32-bit phi, and so do its addends.
; RUN: weftc --passes=narrow-phis --verify-each %s | FileCheck %s

; CHECK-LABEL: define internal i32 @signed.region.0(
; CHECK: [[I:%.*]] = phi i32 [ [[FIRST:%.*]], %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK-NOT: phi i64
; CHECK: [[INDEX:%.*]] = sext i32 [[I]] to i64
; CHECK: getelementptr i8, ptr addrspace(1) %p, i64 [[INDEX]]
; CHECK: [[NEXT]] = add i32 [[I]], [[STEP:%.*]]
; CHECK: icmp slt i32 [[NEXT]], %n
define internal i32 @signed.region.0(ptr %launch, ptr %group) {
entry:
  %p = load ptr addrspace(1), ptr %launch
  %n = load i32, ptr %launch
  %step = load i64, ptr %launch
  %g = call i64 @__weft_global_id_x()
  br label %loop
loop:
  %i = phi i64 [ %g, %entry ], [ %sum, %loop ]
  %high = shl i64 %i, 32
  %index = ashr exact i64 %high, 32
  %at = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store volatile i8 0, ptr addrspace(1) %at
  %sum = add nsw i64 %index, %step
  %low = trunc i64 %sum to i32
  %again = icmp slt i32 %low, %n
  br i1 %again, label %loop, label %done
done:
  ret i32 -1
}

; CHECK-LABEL: define internal i32 @unsigned.region.0(
; CHECK: [[I:%.*]] = phi i32
; CHECK: zext i32 [[I]] to i64
; CHECK: add i32 [[I]],
define internal i32 @unsigned.region.0(ptr %launch, ptr %group) {
entry:
  %p = load ptr addrspace(1), ptr %launch
  %n = load i32, ptr %launch
  %step = load i64, ptr %launch
  %g = call i64 @__weft_global_id_x()
  br label %loop
loop:
  %i = phi i64 [ %g, %entry ], [ %sum, %loop ]
  %index = and i64 %i, 4294967295
  %at = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store volatile i8 0, ptr addrspace(1) %at
  %sum = add nuw nsw i64 %index, %step
  %low = trunc i64 %sum to i32
  %again = icmp ult i32 %low, %n
  br i1 %again, label %loop, label %done
done:
  ret i32 -1
}

; A phi whose upper half is used keeps it.
; CHECK-LABEL: define internal i32 @wide.region.0(
; CHECK: phi i64
; CHECK-NOT: phi i32
define internal i32 @wide.region.0(ptr %launch, ptr %group) {
entry:
  %n = load i64, ptr %launch
  %g = call i64 @__weft_global_id_x()
  br label %loop
loop:
  %i = phi i64 [ %g, %entry ], [ %sum, %loop ]
  %index = and i64 %i, 4294967295
  %sum = add i64 %index, %n
  %again = icmp ult i64 %i, %n
  br i1 %again, label %loop, label %done
done:
  ret i32 -1
}

declare i64 @__weft_global_id_x()
