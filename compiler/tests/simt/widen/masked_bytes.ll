; RUN: weftc --cpu=haswell --local-size=32,1,1 --passes=widen %s | FileCheck %s --check-prefixes=CHECK,WORDS
; RUN: weftc --cpu=icelake-server --local-size=32,1,1 --passes=widen %s | FileCheck %s --check-prefixes=CHECK,BYTES

; Where the processor masks no bytes: one load of them all, unless they reach into another page than the live lane's; then one of each page
; that a live lane's element lies in, through memory in which both lie as one;
; one store where all lanes are live, else one of each small register whose lanes are, and by element in those of which some are. An OpenCL vector that makes a word is masked as one; words are stored by registers where no mask registers
; make a masked store as cheap as another.
declare i32 @__weft_local_id_x()
declare void @weft.mask(i1)

; CHECK-LABEL: @k.region.0.warp
; WORDS: %[[AT:.*]] = and i64 %{{.*}}, 4095
; WORDS: %[[IN_PAGE:.*]] = icmp ule i64 %[[AT]], 4064
; WORDS: br i1 %[[IN_PAGE]], label %[[WHOLE:.*]], label %[[SOME:.*]], !prof
; WORDS: {{^}}[[WHOLE]]:
; WORDS: load <32 x i8>, ptr %{{.*}}, align 1
; WORDS: {{^}}[[SOME]]:
; WORDS: %[[FRONT:.*]] = sub i64 4096, %[[AT]]
; WORDS: icmp ult <32 x i16> <i16 0, i16 1, i16 2,
; WORDS: icmp ugt <32 x i16> <i16 1, i16 2, i16 3,
; WORDS: br i1 %{{.*}}, label %[[FIRST:.*]], label
; BYTES-NOT: br i1
; BYTES: call <32 x i8> @llvm.masked.load.v32i8.p0(
; CHECK: call <32 x i32> @llvm.masked.load.v32i32.p0(
; WORDS: %[[BITS:.*]] = bitcast <32 x i1> %{{.*}} to i32
; WORDS: %[[ALL:.*]] = icmp eq i32 %[[BITS]], -1
; WORDS: br i1 %[[ALL]], label
; WORDS: {{^}}[[FIRST]]:
; WORDS: load <32 x i8>, ptr %{{.*}}, align 1
; WORDS: store <32 x i8> %{{.*}}, ptr %{{.*}}, align 1
; WORDS: br i1 %{{.*}}, label %[[SECOND:.*]], label
; WORDS: {{^}}[[SECOND]]:
; WORDS: load <32 x i8>, ptr %{{.*}}, align 1
; WORDS: store <32 x i8> %{{.*}}, ptr %{{.*}}, align 1
; WORDS: load <32 x i8>, ptr %{{.*}}, align 1
; WORDS: store <32 x i8> %{{.*}}, ptr %p, align 1
; WORDS: %[[OF_16:.*]] = trunc i32 %{{.*}} to i16
; WORDS: %[[ALL_16:.*]] = icmp eq i16 %[[OF_16]], -1
; WORDS: br i1 %[[ALL_16]], label %[[REGISTER:.*]], label %[[REST:.*]]
; BYTES: call void @llvm.masked.store.v32i8.p0(
; BYTES: call void @llvm.masked.store.v32i32.p0(
; WORDS: %[[OF_WORDS:.*]] = bitcast <32 x i1> %{{.*}} to i32
; WORDS: icmp eq i32 %[[OF_WORDS]], -1
; WORDS: {{^}}[[REGISTER]]:
; WORDS: store <16 x i8>
; WORDS: {{^}}[[REST]]:
; WORDS: icmp ne i16 %[[OF_16]], 0
; WORDS: call void @llvm.masked.store.v16i8.p0(
; WORDS: call void @llvm.masked.store.v16i8.p0(
; WORDS: store <32 x i32>
; WORDS-COUNT-4: call void @llvm.masked.store.v8i32.p0(
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
