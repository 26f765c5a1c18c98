; RUN: weftc --local-size=32,1,1 --passes=interleave %s | FileCheck %s
; RUN: weftc --local-size=32,1,1 --passes=interleave,widen --print-shapes -o /dev/null %s 2>&1 | FileCheck --check-prefix=SHAPE %s
; RUN: weftc --cpu=icelake-server --local-size=32,1,1 --disable=spaced-lanes --passes=interleave,widen %s | FileCheck --check-prefix=WIDE %s

declare i32 @__weft_local_id_x()
declare i1 @weft.live()
declare void @weft.mask(i1)
declare ptr @weft.private(i32)
declare void @escape(ptr)

; At an index that the lanes share, the access is one row of 32 units without a mask; at any other index, a gather.
; CHECK-LABEL: @rows.region.0
; CHECK: %array = alloca [10 x float], align 4, !weft.interleaved ![[FOUR:[0-9]+]]
; SHAPE: %array = alloca [10 x float]{{.*}} ; stride 4
; CHECK: %[[BYTES:.*]] = mul i64 %i, 128
; CHECK: %shared = getelementptr i8, ptr %array, i64 %[[BYTES]]
; SHAPE: %shared ={{.*}} ; stride 4
; CHECK: load float, ptr %shared, align 4, !weft.interleaved ![[FOUR]]
; CHECK: %[[ALSO:.*]] = mul i64 %id64, 128
; CHECK: %own = getelementptr i8, ptr %array, i64 %[[ALSO]]
; CHECK: %next = getelementptr i8, ptr %own, i64 128
; WIDE-LABEL: @rows.region.0.warp
; WIDE: %array = alloca [1280 x i8], align 64
; WIDE: load <32 x float>, ptr %{{.*}}, align 64
; WIDE: gather.v32f32
; WIDE: %[[OLD:.*]] = load <32 x float>, ptr %[[ROW:.*]], align 64
; WIDE: %[[NEW:.*]] = select <32 x i1> %{{.*}}, <32 x float> %{{.*}}, <32 x float> %[[OLD]]
; WIDE: store <32 x float> %[[NEW]], ptr %[[ROW]], align 64
define internal i32 @rows.region.0(ptr %launch, ptr %group) {
  %array = alloca [10 x float], align 4
  %id = call i32 @__weft_local_id_x()
  %id64 = zext nneg i32 %id to i64
  %i = load i64, ptr %launch
  %shared = getelementptr inbounds [10 x float], ptr %array, i64 0, i64 %i
  %a = load float, ptr %shared, align 4
  %own = getelementptr inbounds float, ptr %array, i64 %id64
  %next = getelementptr inbounds i8, ptr %own, i64 4
  %b = load float, ptr %next, align 4
  %sum = fadd float %a, %b
  %bound = load i32, ptr %launch
  %some = icmp ugt i32 %id, %bound
  br label %inner

inner:
  call void @weft.mask(i1 %some)
  store float %sum, ptr %shared, align 4
  ret i32 -1
}

; A vector at a shared index is split; so is a wide store where most accesses are narrow.
; CHECK-LABEL: @pieces.region.1
; CHECK-COUNT-2: load float, {{.*}} align 4, !weft.interleaved
; CHECK-NOT: load
; CHECK: ret
define internal i32 @pieces.region.1(ptr %launch, ptr %group) {
  %array = alloca [8 x <2 x float>], align 8
  store i64 0, ptr %array, align 8
  %i = load i64, ptr %launch
  %p = getelementptr [8 x <2 x float>], ptr %array, i64 0, i64 %i
  %v = load <2 x float>, ptr %p, align 8
  store <2 x float> %v, ptr %array, align 8
  ret i32 -1
}

; A vector at an index of the lane's own stays whole.
; CHECK-LABEL: @whole.region.2
; CHECK: alloca {{.*}} !weft.interleaved ![[SIXTEEN:[0-9]+]]
; CHECK: load <4 x float>, ptr %{{.*}}, align 16, !weft.interleaved ![[SIXTEEN]]
define internal i32 @whole.region.2(ptr %launch, ptr %group) {
  %array = alloca [8 x <4 x float>], align 16
  %id = call i32 @__weft_local_id_x()
  %p = getelementptr [8 x <4 x float>], ptr %array, i32 0, i32 %id
  %v = load <4 x float>, ptr %p, align 16
  store <4 x float> %v, ptr %array, align 16
  ret i32 -1
}

; What lives across barriers is interleaved in all regions or in none: the second variable's address escapes.
; CHECK-LABEL: @across.region.3
; CHECK: call align 4 dereferenceable(40) ptr @weft.private(i32 0), !weft.interleaved ![[FOUR]]
; CHECK: call align 4 dereferenceable(40) ptr @weft.private(i32 1){{$}}
define internal i32 @across.region.3(ptr %launch, ptr %group) {
  %a = call align 4 dereferenceable(40) ptr @weft.private(i32 0)
  %b = call align 4 dereferenceable(40) ptr @weft.private(i32 1)
  store i32 1, ptr %a
  store i32 1, ptr %b
  ret i32 4
}

; CHECK-LABEL: @across.region.4
; CHECK: call align 4 dereferenceable(40) ptr @weft.private(i32 0), !weft.interleaved ![[FOUR]]
; CHECK: getelementptr i8, ptr %a, i64 1152
; CHECK: call align 4 dereferenceable(40) ptr @weft.private(i32 1){{$}}
; CHECK: getelementptr i8, ptr %b, i64 36
define internal i32 @across.region.4(ptr %launch, ptr %group) {
  %a = call align 4 dereferenceable(40) ptr @weft.private(i32 0)
  %p = getelementptr i8, ptr %a, i64 36
  %x = load i32, ptr %p
  %b = call align 4 dereferenceable(40) ptr @weft.private(i32 1)
  %q = getelementptr i8, ptr %b, i64 36
  store i32 %x, ptr %q
  %address = ptrtoint ptr %b to i64
  store i64 %address, ptr %launch
  ret i32 -1
}

; Units of different sizes at odd places, and pointers that meet those of another variable, stay blocked.
; CHECK-LABEL: @blocked.region.5
; CHECK-NOT: interleaved
; CHECK: ret
define internal i32 @blocked.region.5(ptr %launch, ptr %group) {
  %odd = alloca [10 x i8], align 4
  %x = alloca [10 x i32], align 4
  %y = alloca [10 x i32], align 4
  %p = getelementptr i8, ptr %odd, i64 3
  store i32 1, ptr %p, align 1
  %c = load i1, ptr %launch
  %either = select i1 %c, ptr %x, ptr %y
  store i32 1, ptr %either
  ret i32 -1
}

; CHECK: ![[FOUR]] = !{i32 4}
; CHECK: ![[SIXTEEN]] = !{i32 16}
