// Stores to the bytes of a pixel, one behind the other, become one store of a vector.
// RUN: weftc --kernel=gray_to_bgr --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=PIXELS
// RUN: weftc --kernel=gray_to_bgr --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-rows --disable=byte-rows %s | FileCheck %s --check-prefix=BEFORE
// BEFORE-COUNT-3: store volatile i8
// PIXELS-LABEL: define internal i32 @gray_to_bgr.region.0(
// PIXELS-NOT: store volatile i8
// PIXELS: store volatile <3 x i8> {{.*}}, align 1
// PIXELS-NOT: store
// PIXELS: ret
kernel void gray_to_bgr(global const uchar* a, global uchar* restrict o, int count) {
  const int i = get_global_id(0);
  if (i >= count) return;
  o[3 * i] = a[i];
  o[3 * i + 1] = a[i] + 1;
  o[3 * i + 2] = a[i] + 2;
}

// Widened, they are stored by registers; where not all lanes run, too.
// RUN: weftc --kernel=gray_to_bgr --local-size=256,1,1 --ids-fit-31-bits --cpu=icelake-server --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=WIDE
// WIDE-LABEL: define internal i32 @gray_to_bgr.region.0.warp(
// WIDE: whole:
// WIDE-COUNT-3: store <32 x i8>
// WIDE: some:
// WIDE-COUNT-3: call void @llvm.masked.store.v32i8

// What another pointer may read meanwhile stays where it is, and so do pixels with gaps.
// RUN: weftc --kernel=others --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: x i8>
// OTHERS-NOT: x i16>
kernel void others(global const uchar* a, global uchar* o, global ushort* gaps) {
  const int i = get_global_id(0);
  o[3 * i] = a[i];
  o[3 * i + 1] = a[i] + 1;
  o[3 * i + 2] = a[i] + 2;
  gaps[4 * i] = i;
  gaps[4 * i + 1] = i;
  gaps[4 * i + 3] = i;
}
