; What instcombine makes of `(int)id + c` as an index, ((id << 32) + (c << 32)) >> 30, is a progression: no set bit goes out.
; RUN: weftc --passes=print-shapes --local-size=256 --ids-fit-31-bits %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: %before = ashr exact i64 {{.*}}; stride 4 nsw
; Its sign may turn within a warp: to be checked when it runs.
; CHECK: %after = ashr exact i64 {{.*}}; stride 4 nsw checked
; CHECK: %back = ashr exact i64 {{.*}}; stride -4 nsw
; CHECK: %ninth = ashr exact i64 {{.*}}; stride 36 nsw
; Not where bits go out, nor where a stride has such bits.
; CHECK: %inexact = ashr i64 {{.*}}; varying
; CHECK: %half = ashr exact i64 {{.*}}; varying
define internal i32 @shift.region.0(ptr %launch, ptr %group) {
  %g = call range(i64 0, 2147483648) i64 @__weft_global_id_x()
  %high = shl nuw nsw i64 %g, 32
  %less = add nsw i64 %high, -4294967296
  %before = ashr exact i64 %less, 30
  %more = add nuw i64 %high, 4294967296
  %after = ashr exact i64 %more, 30
  %negative = sub nsw i64 0, %high
  %back = ashr exact i64 %negative, 30
  %nine = mul nsw i64 %g, 38654705664
  %ninth = ashr exact i64 %nine, 30
  %inexact = ashr i64 %less, 30
  %half = ashr exact i64 %g, 1
  ret i32 -1
}
declare i64 @__weft_global_id_x()
