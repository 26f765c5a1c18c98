// The lesser and the greater of bytes are bytes, though OpenCL C promotes them: of the library's functions, and of what a program computes in int.
// RUN: weftc --kernel=library --emit=scalar %s | FileCheck %s --check-prefix=LIBRARY
// RUN: weftc --kernel=promoted --emit=scalar %s | FileCheck %s --check-prefix=PROMOTED
// RUN: weftc --kernel=extended --emit=scalar %s | FileCheck %s --check-prefix=EXTENDED
// RUN: weftc --kernel=library --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=CODE

// LIBRARY-LABEL: @library(
// LIBRARY-NOT: i32 @llvm.
// LIBRARY: call {{.*}}i8 @llvm.umin.i8
// LIBRARY: call {{.*}}i8 @llvm.umax.i8
// LIBRARY: ret void
// CODE: vpminub
// CODE-NOT: vpmovzxbd
kernel void library(global const uchar* a, global const uchar* b, global uchar* out) {
  const size_t i = get_global_id(0);
  const uchar least = min((uchar)(a[i] + 1), b[i]);
  out[i] = clamp(least, (uchar)b[i + 1], (uchar)200);
}

// PROMOTED-LABEL: @promoted(
// PROMOTED: call i16 @llvm.umax.i16
// PROMOTED: call i16 @llvm.umin.i16({{.*}} 1000)
// PROMOTED: zext
kernel void promoted(global const ushort* a, global const ushort* b, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = min(max((int)a[i], (int)b[i]), 1000) * 3;
}

// One number has more bits than the other, or has a sign: nothing to narrow.
// EXTENDED-LABEL: @extended(
// EXTENDED: i32 @llvm.smax.i32
// EXTENDED: i32 @llvm.smin.i32
kernel void extended(global const uchar* a, global const short* b, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = min(max((int)a[i], (int)b[i]), 1000);
}
