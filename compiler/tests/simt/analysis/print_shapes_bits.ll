; Bits of a 1-D local id keep a shape: a 16x16 tile is read from one dimension as well as from two.
; RUN: weftc --passes=widen --print-shapes --local-size=256 %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: %x = and i32 %l, 15 {{.*}}; stride 1 in 16
; CHECK: %y = lshr i32 %l, 4 {{.*}}; stride 0 in 16
; CHECK: %down = xor i32 %l, 255 {{.*}}; stride -1
; Without its low bits an id is constant in blocks; multiples of the id behave like the id.
; CHECK: %block = and i32 %l, 248 {{.*}}; stride 0 in 8
; CHECK: %times8 = shl {{.*}}; stride 8
; CHECK: %in.block = and i32 %times8, 126 {{.*}}; stride 8 in 16
; CHECK: %row = and i32 %times8, 384 {{.*}}; stride 0 in 16
; CHECK: %half = lshr i32 %times8, 2 {{.*}}; stride 2
; CHECK: %tile = lshr i32 %times8, 7 {{.*}}; stride 0 in 16
; CHECK: %up = xor i32 %times8, 129 {{.*}}; stride 8 in 16
; CHECK: %down8 = xor i32 %times8, 120 {{.*}}; stride -8 in 16
; No shape if the base is not a multiple of the stride.
; CHECK: %odd = and i32 %shifted, 126 {{.*}}; varying
; CHECK: %small = and i8 %times8.low, -8 {{.*}}; varying
; The global offset may be anything, so nothing is known of a global id's low bits.
; CHECK: %g.x = and i64 %g, 15 {{.*}}; varying
; But -1 - g has its shape, the other way round.
; CHECK: %mirrored = xor i64 %g, -1 {{.*}}; stride -1
; An extension from 32 bits keeps the shape unless it wraps, which the code must check.
; CHECK: %signed = ashr exact i64 %high, 32 {{.*}}; stride 1 nsw checked
; CHECK: %signed.bytes = ashr exact i64 %high.1, 30 {{.*}}; stride 4 nsw checked
; CHECK: %no.extension = ashr i64 %high, 33 {{.*}}; varying
; CHECK: %unsigned = and i64 %g, 4294967295 {{.*}}; stride 1 nsw nuw checked
; CHECK: %unsigned.nines = and i64 %nines, 4294967295 {{.*}}; stride 9 nsw nuw checked
; CHECK: %other.bits = and i64 %nines, 4294967288 {{.*}}; varying
; CHECK: %ring = and i64 %g, 255 {{.*}}; stride 1 nsw nuw checked
; In a shorter ring most segments would cross the end.
; CHECK: %short.ring = and i64 %g, 127 {{.*}}; varying
; Bounds are checked likewise; the difference of two is not uniform, although their strides are equal.
; CHECK: %most = call i32 @llvm.smin.i32({{.*}}; stride 1 nsw nuw checked
; CHECK: %least = call i32 @llvm.smax.i32({{.*}}; stride 1 nsw nuw checked
; CHECK: %distance = sub i32 %least, %most {{.*}}; varying
; CHECK: %unknown = call i32 @llvm.smin.i32({{.*}}; stride 1 nsw checked
define internal i32 @bits.region.0(ptr %launch, ptr %group) {
  %n = load i32, ptr %launch, !invariant.load !0
  %l = call i32 @__weft_local_id_x()
  %x = and i32 %l, 15
  %y = lshr i32 %l, 4
  %down = xor i32 %l, 255
  %block = and i32 %l, 248
  %times8 = shl nuw nsw i32 %l, 3
  %in.block = and i32 %times8, 126
  %row = and i32 %times8, 384
  %half = lshr i32 %times8, 2
  %tile = lshr i32 %times8, 7
  %up = xor i32 %times8, 129
  %down8 = xor i32 %times8, 120
  %shifted = add nuw nsw i32 %times8, 4
  %odd = and i32 %shifted, 126
  %times8.low = trunc i32 %times8 to i8
  %small = and i8 %times8.low, -8
  %g = call i64 @__weft_global_id_x()
  %g.x = and i64 %g, 15
  %mirrored = xor i64 %g, -1
  %high = shl i64 %g, 32
  %signed = ashr exact i64 %high, 32
  %high.1 = add i64 %high, 4294967296
  %signed.bytes = ashr exact i64 %high.1, 30
  %no.extension = ashr i64 %high, 33
  %unsigned = and i64 %g, 4294967295
  %nines = mul nuw nsw i64 %g, 9
  %unsigned.nines = and i64 %nines, 4294967295
  %other.bits = and i64 %nines, 4294967288
  %ring = and i64 %g, 255
  %short.ring = and i64 %g, 127
  %most = call i32 @llvm.smin.i32(i32 %l, i32 %n)
  %least = call i32 @llvm.smax.i32(i32 %l, i32 %n)
  %distance = sub i32 %least, %most
  %wraps = add i32 %l, %n
  %unknown = call i32 @llvm.smin.i32(i32 %wraps, i32 %n)
  ret i32 -1
}
declare i32 @__weft_local_id_x()
declare i64 @__weft_global_id_x()
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
!0 = !{}
