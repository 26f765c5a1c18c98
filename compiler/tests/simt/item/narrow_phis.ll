; A 64-bit phi whose lower half alone is used becomes a 32-bit phi, and so do its addends and products made of it.
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

; `i * 3 + 1`, sign-extended and times four, as instcombine computes it in the upper half of 64 bits.
; CHECK-LABEL: define internal i32 @upper.region.0(
; CHECK: [[I:%.*]] = phi i32
; CHECK: [[PRODUCT:%.*]] = mul i32 [[I]], 3
; CHECK: [[OTHER:%.*]] = sext i32 [[PRODUCT]] to i64
; CHECK: shl i64 [[OTHER]], 32
; CHECK: [[SUM:%.*]] = add i32 [[PRODUCT]], 1
; CHECK: [[EXTENDED:%.*]] = sext i32 [[SUM]] to i64
; CHECK: [[AT:%.*]] = shl nsw i64 [[EXTENDED]], 2
; CHECK: getelementptr i8, ptr addrspace(1) %p, i64 [[AT]]
define internal i32 @upper.region.0(ptr %launch, ptr %group) {
entry:
  %p = load ptr addrspace(1), ptr %launch
  %n = load i32, ptr %launch
  %step = load i64, ptr %launch
  %g = call i64 @__weft_global_id_x()
  br label %loop
loop:
  %i = phi i64 [ %g, %entry ], [ %sum, %loop ]
  %product = mul i64 %i, 12884901888
  %second = add i64 %product, 4294967296
  %offset = ashr exact i64 %second, 30
  %at = getelementptr i8, ptr addrspace(1) %p, i64 %offset
  store volatile i64 %product, ptr addrspace(1) %at
  %high = shl i64 %i, 32
  %index = ashr exact i64 %high, 32
  %sum = add nsw i64 %index, %step
  %low = trunc i64 %sum to i32
  %again = icmp slt i32 %low, %n
  br i1 %again, label %loop, label %done
done:
  ret i32 -1
}

; `i * 3 + 1` of an unsigned counter, of which only the lower half counts.
; CHECK-LABEL: define internal i32 @product.region.0(
; CHECK: [[I:%.*]] = phi i32
; CHECK: [[PRODUCT:%.*]] = mul i32 [[I]], 3
; CHECK: [[SUM:%.*]] = add i32 [[PRODUCT]], 1
; CHECK: zext i32 [[SUM]] to i64
define internal i32 @product.region.0(ptr %launch, ptr %group) {
entry:
  %p = load ptr addrspace(1), ptr %launch
  %n = load i32, ptr %launch
  %step = load i64, ptr %launch
  %g = call i64 @__weft_global_id_x()
  br label %loop
loop:
  %i = phi i64 [ %g, %entry ], [ %sum, %loop ]
  %product = mul nsw i64 %i, 3
  %second = add nsw i64 %product, 1
  %offset = and i64 %second, 4294967295
  %at = getelementptr i8, ptr addrspace(1) %p, i64 %offset
  store volatile i8 0, ptr addrspace(1) %at
  %index = and i64 %i, 4294967295
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
