; Kernel arguments, local variables and uniform work-item functions become loads from the launch and the group.
; RUN: weftc --passes=lower-args --kernel=k --local-size=16,1,1 --ids-fit-31-bits %s | FileCheck %s
; RUN: weftc --passes=lower-args --kernel=k %s | FileCheck %s --check-prefix=ANY

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%pair = type { i32, float }

@k.tile = internal addrspace(3) global [64 x i32] undef, align 4
@k.byte = internal addrspace(3) global i8 undef, align 1
@other.tile = internal addrspace(3) global [64 x i32] undef, align 4

declare i32 @__weft_local_id_x() memory(none)
declare i32 @__weft_local_id_y() memory(none)
declare i32 @__weft_local_size_x() memory(none)
declare i64 @__weft_global_id_x() memory(none)
declare i64 @__weft_global_id_y() memory(none)
declare i64 @__weft_group_id_x() memory(none)
declare i32 @__weft_work_dim() memory(none)

; CHECK: define internal i32 @k.item(ptr noalias noundef nonnull readonly align 8 dereferenceable(248) %launch, ptr noalias noundef nonnull readonly align 8 dereferenceable(88) %group)
define spir_kernel void @k(ptr addrspace(1) noundef align 4 %out, i8 noundef %small, <3 x float> noundef %v,
                           ptr addrspace(3) noundef align 4 %dynamic, ptr byval(%pair) align 4 %in_place,
                           ptr byval(%pair) align 4 %written) {
; A struct that is written gets a private copy; natural packing: out 0, small 8, v 16, dynamic 32, structs 40, 48.
; CHECK: [[COPY:%.*]] = alloca %pair, align 4
; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr %launch, i64 104
; CHECK: %arguments = load ptr, ptr [[FIELD]], align 8, !invariant.load [[E:![0-9]+]], !nonnull [[E]]
; CHECK: %out = load ptr addrspace(1), ptr %arguments, align 8, !invariant.load [[E]], !align {{![0-9]+}}, !noundef [[E]]
; CHECK: getelementptr inbounds i8, ptr %arguments, i64 8
; CHECK: %small = load i8
; CHECK: getelementptr inbounds i8, ptr %arguments, i64 16
; CHECK: %v = load <3 x float>
; CHECK: getelementptr inbounds i8, ptr %arguments, i64 32
; CHECK: [[OFFSET:%.*]] = load i64, {{.*}}, !invariant.load
; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr %group, i64 24
; CHECK: [[HOST:%.*]] = load ptr, ptr [[FIELD]], align 8, !invariant.load
; CHECK: %local_memory = addrspacecast ptr [[HOST]] to ptr addrspace(3)
; CHECK: %k.tile = getelementptr inbounds i8, ptr addrspace(3) %local_memory, i64 0
; CHECK: %k.byte = getelementptr inbounds i8, ptr addrspace(3) %local_memory, i64 256
; CHECK: %dynamic = getelementptr inbounds i8, ptr addrspace(3) %local_memory, i64 [[OFFSET]]
; CHECK: [[IN_PLACE:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 40
; CHECK: [[SOURCE:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 48
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 4 [[COPY]], ptr align 4 [[SOURCE]], i64 8, i1 false)
; The group's id is a load; in the y dimension all items of a group have the same ids.
; CHECK: %group_id_y = load i64
; CHECK: %global_offset_y = load i64
; CHECK: [[GID_Y:%.*]] = add nuw nsw i64 %group_id_y, %global_offset_y
; CHECK: %group_id_x = load i64, ptr %group, align 8, !range [[RANGE:![0-9]+]], !invariant.load
; CHECK: %work_dim = load i32
; CHECK: %lid = call noundef range(i32 0, 16) i32 @__weft_local_id_x()
; CHECK-NOT: @__weft_local_id_y
; CHECK-NOT: @__weft_local_size_x
; CHECK: call noundef range(i64 0, 1073741824) i64 @__weft_global_id_x()
; CHECK: getelementptr inbounds %pair, ptr [[IN_PLACE]], i64 0, i32 1
; CHECK: load float, {{.*}}, !invariant.load
; CHECK: getelementptr inbounds [64 x i32], ptr addrspace(3) %k.tile, i64 0, i64 3
; CHECK: add i32 {{.*}}, 16
; CHECK: ret i32 -1

; Without a specialization the size is loaded, and the ids stay calls.
; ANY: %local_size_x = load i64, {{.*}}!range
; ANY: trunc i64 %local_size_x to i32
; ANY: call noundef range(i32 0, 1024) i32 @__weft_local_id_x()
; ANY: call noundef range(i32 0, 1024) i32 @__weft_local_id_y()
; ANY: call noundef i64 @__weft_global_id_x()
entry:
  %lid = call i32 @__weft_local_id_x()
  %lid.y = call i32 @__weft_local_id_y()
  %gid = call i64 @__weft_global_id_x()
  %gid.y = call i64 @__weft_global_id_y()
  %group_id = call i64 @__weft_group_id_x()
  %dim = call i32 @__weft_work_dim()
  %size = call i32 @__weft_local_size_x()
  %field = getelementptr inbounds %pair, ptr %in_place, i64 0, i32 1
  %f = load float, ptr %field
  store i32 %lid, ptr %written
  store i32 %lid.y, ptr addrspace(3) getelementptr inbounds ([64 x i32], ptr addrspace(3) @k.tile, i64 0, i64 3)
  store i8 %small, ptr addrspace(3) @k.byte
  store i32 %dim, ptr addrspace(3) %dynamic
  %sum = add i32 %lid, %size
  %x = extractelement <3 x float> %v, i64 0
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %gid
  store i32 %sum, ptr addrspace(1) %p
  store i64 %gid.y, ptr addrspace(1) %p
  store i64 %group_id, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %p
  store float %f, ptr addrspace(1) %p
  ret void
}
