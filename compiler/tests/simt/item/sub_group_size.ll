; A kernel that requires sub-groups of 16 has two of them in a warp: what it asks its sub-group is said in primitives of warps. What a function of the
; work-group asks the warp stays. In a kernel that requires nothing a sub-group is a warp, and only its size becomes known.
; RUN: weftc --passes=sub-group-size --verify-each %s -o - | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_sub_group_size()
declare i32 @__weft_sub_group_lane() memory(none)
declare i32 @__weft_sub_group_id() memory(none)
declare i32 @__weft_sub_group_ballot(i1) convergent memory(none)
declare i64 @__weft_sub_group_first_i64(i64) convergent memory(none)
declare i8 @__weft_sub_group_broadcast_i8(i8, i32) convergent memory(none)
declare i32 @__weft_sub_group_shuffle_i32(i32, i32) convergent memory(none)
declare float @__weft_sub_group_reduce_add_f32(float) convergent memory(none)
declare i32 @__weft_sub_group_cluster_umax_i32(i32, i32) convergent memory(none)
declare i32 @__weft_sub_group_inclusive_and_i32(i32) convergent memory(none)
declare half @__weft_sub_group_exclusive_min_f16(half) convergent memory(none)
declare i32 @__weft_warp_reduce_add_i32(i32) convergent memory(none)

; CHECK-LABEL: define spir_kernel void @place(
; CHECK: [[LANE:%.*]] = call i32 @__weft_warp_lane()
; CHECK-NEXT: [[OWN:%.*]] = and i32 [[LANE]], 15
; CHECK-NEXT: [[WARP:%.*]] = call i32 @__weft_warp_id()
; CHECK-NEXT: [[BEFORE:%.*]] = shl i32 [[WARP]], 1
; CHECK-NEXT: [[UPPER:%.*]] = call i32 @__weft_warp_lane()
; CHECK-NEXT: [[HALF:%.*]] = lshr i32 [[UPPER]], 4
; CHECK-NEXT: [[ID:%.*]] = or i32 [[BEFORE]], [[HALF]]
; CHECK-NEXT: store i32 [[OWN]]
; CHECK-NEXT: store i32 [[ID]]
; CHECK-NEXT: store i32 16
define spir_kernel void @place(ptr addrspace(1) %a) !intel_reqd_sub_group_size !0 {
  %size = call i32 @__weft_sub_group_size()
  %lane = call i32 @__weft_sub_group_lane()
  %id = call i32 @__weft_sub_group_id()
  store i32 %lane, ptr addrspace(1) %a
  store i32 %id, ptr addrspace(1) %a
  store i32 %size, ptr addrspace(1) %a
  ret void
}

; Votes are of a half of the warp's.
; CHECK-LABEL: define spir_kernel void @votes(
; CHECK: [[ALL:%.*]] = call i32 @__weft_warp_ballot(i1 %p)
; CHECK: [[BASE:%.*]] = and i32 %{{.*}}, 16
; CHECK: [[MOVED:%.*]] = lshr i32 [[ALL]], [[BASE]]
; CHECK: [[VOTES:%.*]] = and i32 [[MOVED]], 65535
; CHECK-NEXT: store i32 [[VOTES]]
define spir_kernel void @votes(ptr addrspace(1) %a, i1 %p) !intel_reqd_sub_group_size !0 {
  %votes = call i32 @__weft_sub_group_ballot(i1 %p)
  store i32 %votes, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define spir_kernel void @others(
; CHECK: [[HERE:%.*]] = call i32 @__weft_warp_ballot(i1 true)
; CHECK: call i32 @llvm.cttz.i32(
; CHECK: call i64 @__weft_warp_shuffle_i64(i64 %z, i32
; CHECK: [[BASE:%.*]] = and i32 %{{.*}}, 16
; CHECK: [[THREE:%.*]] = or i32 [[BASE]], 3
; CHECK: call i8 @__weft_warp_shuffle_i8(i8 %x, i32 [[THREE]])
; CHECK: [[WITHIN:%.*]] = and i32 %y, 15
; CHECK: [[BASE:%.*]] = and i32 %{{.*}}, 16
; CHECK: [[FROM:%.*]] = or i32 [[BASE]], [[WITHIN]]
; CHECK: call i32 @__weft_warp_shuffle_i32(i32 %y, i32 [[FROM]])
define spir_kernel void @others(ptr addrspace(1) %a, i8 %x, i32 %y, i64 %z) !intel_reqd_sub_group_size !0 {
  %first = call i64 @__weft_sub_group_first_i64(i64 %z)
  %third = call i8 @__weft_sub_group_broadcast_i8(i8 %x, i32 3)
  %any = call i32 @__weft_sub_group_shuffle_i32(i32 %y, i32 %y)
  ret void
}

; CHECK-LABEL: define spir_kernel void @sums(
; CHECK: call fast float @__weft_warp_cluster_add_f32(float %x, i32 16)
; CHECK: call i32 @llvm.umin.i32(i32 %y, i32 16)
; CHECK: call i32 @__weft_warp_cluster_umax_i32(i32 %y, i32
; CHECK: call i32 @__weft_warp_segment_inclusive_and_i32(i32 %y, i32 16)
; CHECK: call half @__weft_warp_segment_exclusive_min_f16(half %z, i32 16)
; CHECK: call i32 @__weft_warp_reduce_add_i32(i32 %y)
define spir_kernel void @sums(float %x, i32 %y, half %z) !intel_reqd_sub_group_size !0 {
  %sum = call fast float @__weft_sub_group_reduce_add_f32(float %x)
  %most = call i32 @__weft_sub_group_cluster_umax_i32(i32 %y, i32 %y)
  %bits = call i32 @__weft_sub_group_inclusive_and_i32(i32 %y)
  %least = call half @__weft_sub_group_exclusive_min_f16(half %z)
  %of_warp = call i32 @__weft_warp_reduce_add_i32(i32 %y)
  ret void
}

; CHECK-LABEL: define spir_kernel void @warps(
; CHECK-NEXT: %lane = call i32 @__weft_sub_group_lane()
; CHECK-NEXT: store i32 32
; CHECK-NEXT: store i32 %lane
define spir_kernel void @warps(ptr addrspace(1) %a) {
  %size = call i32 @__weft_sub_group_size()
  %lane = call i32 @__weft_sub_group_lane()
  store i32 %size, ptr addrspace(1) %a
  store i32 %lane, ptr addrspace(1) %a
  ret void
}

; What talks to others stays where it is, and for the lanes that are there.
; CHECK: declare i32 @__weft_warp_ballot(i1) [[TALKS:#[0-9]+]]
; CHECK: attributes [[TALKS]] = { convergent nounwind willreturn memory(none) }

!0 = !{i32 16}
