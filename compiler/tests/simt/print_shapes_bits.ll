; Bits of a 1-D local id keep a shape: a 16x16 tile is read from one dimension as well as from two.
; RUN: weftc --passes=print-shapes --local-size=256 %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: %x = and i32 %l, 15 {{.*}}; stride 1 in 16
; CHECK: %y = lshr i32 %l, 4 {{.*}}; stride 0 in 16
; CHECK: %down = xor i32 %l, 255 {{.*}}; stride -1
; The global offset may be anything, so nothing is known of a global id's low bits.
; CHECK: %g.x = and i64 %g, 15 {{.*}}; varying
define internal i32 @bits.region.0(ptr %launch, ptr %group) {
  %l = call i32 @__weft_local_id_x()
  %x = and i32 %l, 15
  %y = lshr i32 %l, 4
  %down = xor i32 %l, 255
  %g = call i64 @__weft_global_id_x()
  %g.x = and i64 %g, 15
  ret i32 -1
}
declare i32 @__weft_local_id_x()
declare i64 @__weft_global_id_x()
