; What a kernel does with queues becomes calls of the functions of its launch's abi::DeviceQueues, a work-item after the other.
; RUN: weftc --passes=lower-enqueue %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_enqueue(ptr)
declare i64 @__weft_queue_call(i32, i64, i64)

; CHECK-LABEL: define internal i32 @k.item(
define internal i32 @k.item(ptr %launch, ptr %group, ptr %record, i64 %event) {
; CHECK: %e = call i32 @__weft_enqueue.launch(ptr %launch, ptr %record)
; CHECK: call i64 @__weft_queue_call.launch(ptr %launch, i32 3, i64 %event, i64 0)
  %e = call i32 @__weft_enqueue(ptr %record)
  %r = call i64 @__weft_queue_call(i32 3, i64 %event, i64 0)
  ret i32 %e
}

; CHECK: define internal i32 @__weft_enqueue.launch(ptr %0, ptr %1) #[[ONCE:[0-9]+]]
; CHECK: %queues = load ptr
; CHECK: %function = load ptr
; CHECK: call i32 %function(ptr %queues, ptr %1)
; CHECK: define internal i64 @__weft_queue_call.launch(ptr %0, i32 %1, i64 %2, i64 %3) #[[ONCE]]
; CHECK: call i64 %function(ptr %queues, i32 %1, i64 %2, i64 %3)
; CHECK: attributes #[[ONCE]] = { noinline nounwind }
