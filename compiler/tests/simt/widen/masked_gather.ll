; RUN: weftc --cpu=haswell --local-size=32,1,1 --passes=widen %s | FileCheck %s --check-prefixes=CHECK,AVX2
; RUN: weftc --cpu=x86-64-v2 --local-size=32,1,1 --passes=widen %s | FileCheck %s --check-prefixes=CHECK,SSE

; With AVX2 a gather of some lanes is one instruction for several; all lanes' loads need no mask, and do without.
declare i32 @__weft_local_id_x()
declare void @weft.mask(i1)

; CHECK-LABEL: @k.region.0.warp
; CHECK-NOT: gather
; CHECK-COUNT-32: load i32, ptr %{{.*}}, align 4
; CHECK: {{^}}inner:
; AVX2: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> %{{.*}}, i32 4, <32 x i1> %{{.*}}, <32 x i32> poison)
; SSE-NOT: gather
; SSE-COUNT-32: load i32, ptr %{{.*}}, align 4
define internal i32 @k.region.0(ptr %launch, ptr %group) {
  %in = load ptr, ptr %launch
  %id = call i32 @__weft_local_id_x()
  %id64 = zext nneg i32 %id to i64
  %p = getelementptr [9 x i32], ptr %in, i64 %id64
  %i = load i32, ptr %p, align 4
  %some = icmp ugt i32 %i, 7
  br label %inner

inner:
  call void @weft.mask(i1 %some)
  %i64 = sext i32 %i to i64
  %q = getelementptr i32, ptr %in, i64 %i64
  %x = load i32, ptr %q, align 4
  store i32 %x, ptr %p, align 4
  ret i32 -1
}
