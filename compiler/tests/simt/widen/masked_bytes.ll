; RUN: weftc --cpu=haswell --local-size=32,1,1 --passes=widen %s | FileCheck %s --check-prefixes=CHECK,WORDS
; RUN: weftc --cpu=icelake-server --local-size=32,1,1 --passes=widen %s | FileCheck %s --check-prefixes=CHECK,BYTES

; Where the processor masks no bytes: one load of them all, unless they reach into another page than the live lane's;
; one store where all lanes are live. An OpenCL vector that makes a word is masked as one.
declare i32 @__weft_local_id_x()
declare void @weft.mask(i1)

; CHECK-LABEL: @k.region.0.warp
; WORDS: %[[AT:.*]] = and i64 %{{.*}}, 4095
; WORDS: %[[IN_PAGE:.*]] = icmp ule i64 %[[AT]], 4064
; WORDS: br i1 %[[IN_PAGE]], label %[[WHOLE:.*]], label %[[SOME:.*]], !prof
; WORDS: {{^}}[[WHOLE]]:
; WORDS: load <32 x i8>, ptr %{{.*}}, align 1
; WORDS: {{^}}[[SOME]]:
; BYTES-NOT: br i1
; CHECK: call <32 x i8> @llvm.masked.load.v32i8.p0(
; CHECK: call <32 x i32> @llvm.masked.load.v32i32.p0(
; WORDS: %[[BITS:.*]] = bitcast <32 x i1> %{{.*}} to i32
; WORDS: %[[ALL:.*]] = icmp eq i32 %[[BITS]], -1
; WORDS: br i1 %[[ALL]], label
; WORDS: store <32 x i8>
; CHECK: call void @llvm.masked.store.v32i8.p0(
; CHECK: call void @llvm.masked.store.v32i32.p0(
define internal i32 @k.region.0(ptr %launch, ptr %group) {
  %in = load ptr, ptr %launch
  %id = call i32 @__weft_local_id_x()
  %id64 = zext nneg i32 %id to i64
  %p = getelementptr i8, ptr %in, i64 %id64
  %q = getelementptr <4 x i8>, ptr %in, i64 %id64
  %bound = load i32, ptr %launch
  %some = icmp ugt i32 %id, %bound
  br label %inner

inner:
  call void @weft.mask(i1 %some)
  %x = load i8, ptr %p, align 1
  %v = load <4 x i8>, ptr %q, align 4
  store i8 %x, ptr %p, align 1
  store <4 x i8> %v, ptr %q, align 4
  ret i32 -1
}
