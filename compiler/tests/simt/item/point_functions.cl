// What depends on one byte, or on 16 bits, through floating point, and is what saturating integer arithmetic computes.
// RUN: weftc --kernel=inverted --local-size=32,8,1 --ids-fit-31-bits --stop-after=point-functions --verify-each %s | FileCheck %s --check-prefix=INVERTED
// RUN: weftc --kernel=inverted --local-size=32,8,1 --ids-fit-31-bits --stop-after=point-functions --disable=point-functions %s | FileCheck %s --check-prefix=BEFORE
// BEFORE-LABEL: define internal i32 @inverted.item(
// BEFORE: uitofp <4 x i8>
// BEFORE: fptoui <4 x float>
// INVERTED-LABEL: define internal i32 @inverted.item(
// INVERTED: [[TEXEL:%.*]] = load volatile <4 x i8>
// INVERTED-NOT: float
// INVERTED: [[RESULT:%.*]] = xor <4 x i8> [[TEXEL]], <i8 -1, i8 -1, i8 -1, i8 -1>
// INVERTED: store volatile <4 x i8> [[RESULT]]

// The bytes of a texel stay in their word.
// RUN: weftc --kernel=brighter --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=point-functions --verify-each %s | FileCheck %s --check-prefix=BRIGHTER
// BRIGHTER-LABEL: define internal i32 @brighter.item(
// BRIGHTER: [[TEXEL:%.*]] = load i32, {{.*}}!weft.texel
// BRIGHTER-NEXT: [[BYTES:%.*]] = bitcast i32 [[TEXEL]] to <4 x i8>
// BRIGHTER-NEXT: [[SUM:%.*]] = call <4 x i8> @llvm.uadd.sat.v4i8(<4 x i8> [[BYTES]], <4 x i8> <i8 51, i8 51, i8 51, i8 51>)
// BRIGHTER-NEXT: [[RESULT:%.*]] = bitcast <4 x i8> [[SUM]] to i32
// BRIGHTER: store volatile i32 [[RESULT]]

// So do halves of two words.
// RUN: weftc --kernel=brighter --local-size=32,8,1 --ids-fit-31-bits --formats=e0000305,e0000305 --stop-after=point-functions --verify-each %s | FileCheck %s --check-prefix=HALVES
// HALVES: load <2 x i32>, {{.*}}!weft.texel
// HALVES-NEXT: bitcast <2 x i32> {{.*}} to <4 x i16>
// HALVES-NEXT: call <4 x i16> @llvm.uadd.sat.v4i16
// HALVES-NEXT: bitcast <4 x i16> {{.*}} to <2 x i32>

// Another order of channels, and one that is a constant.
// RUN: weftc --kernel=opaque --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000206 --stop-after=point-functions --verify-each %s | FileCheck %s --check-prefix=ORDER
// ORDER: [[BYTES:%.*]] = bitcast i32 {{.*}} to <4 x i8>
// ORDER-NEXT: [[TURNED:%.*]] = shufflevector <4 x i8> [[BYTES]], <4 x i8> poison, <4 x i32> <i32 2, i32 1, i32 0, i32 3>
// ORDER-NEXT: call <4 x i8> @llvm.uadd.sat.v4i8(<4 x i8> [[TURNED]], <4 x i8> <i8 0, i8 0, i8 0, i8 -1>)

// RUN: weftc --kernel=copied --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=point-functions --verify-each %s | FileCheck %s --check-prefix=COPIED
// COPIED: [[TEXEL:%.*]] = load i32, {{.*}}!weft.texel
// COPIED-NOT: {{bitcast|float}}
// COPIED: store volatile i32 [[TEXEL]]

// Bounds that are not the type's, and one value below a place and another above.
// RUN: weftc --kernel=bounded --local-size=32,8,1 --ids-fit-31-bits --stop-after=point-functions --verify-each %s | FileCheck %s --check-prefix=BOUNDED
// BOUNDED: load volatile i8
// BOUNDED: [[LOW:%.*]] = call i8 @llvm.umax.i8(i8 {{.*}}, i8 26)
// BOUNDED-NEXT: call i8 @llvm.umin.i8(i8 [[LOW]], i8 -52)
// RUN: weftc --kernel=threshold --local-size=32,8,1 --ids-fit-31-bits --stop-after=point-functions --verify-each %s | FileCheck %s --check-prefix=STEP
// STEP: [[ABOVE:%.*]] = icmp uge i8 {{.*}}, 103
// STEP-NEXT: select i1 [[ABOVE]], i8 -56, i8 10

// In widened code a body's bytes are full registers.
// RUN: weftc --kernel=brighter --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --cpu=haswell --emit=llvm %s | FileCheck %s --check-prefix=WIDE
// WIDE: call <{{[0-9]+}} x i8> @llvm.uadd.sat.v
// WIDE-NOT: uitofp

// What depends on two texels, leaves as a float, or is no such function, stays.
// RUN: weftc --kernel=mixed --local-size=32,8,1 --ids-fit-31-bits --stop-after=point-functions %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=left --local-size=32,8,1 --ids-fit-31-bits --stop-after=point-functions %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=squared --local-size=32,8,1 --ids-fit-31-bits --stop-after=point-functions %s | FileCheck %s --check-prefix=STAYS
// STAYS: uitofp
// STAYS: fptoui

constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define AT const int2 p = (int2)(get_global_id(0), get_global_id(1)); const int i = p.y * 1024 + p.x

kernel void inverted(global const uchar4* a, global uchar4* o) {
  AT;
  o[i] = convert_uchar4_sat_rte((1.0f - convert_float4(a[i]) * (1.0f / 255)) * 255.0f);
}

kernel void brighter(read_only image2d_t a, write_only image2d_t o) {
  AT;
  write_imagef(o, p, read_imagef(a, edge, p) + 0.2f);
}

kernel void opaque(read_only image2d_t a, write_only image2d_t o) {
  AT;
  write_imagef(o, p, (float4)(read_imagef(a, edge, p).xyz, 1.0f));
}

kernel void copied(read_only image2d_t a, write_only image2d_t o) {
  AT;
  write_imagef(o, p, read_imagef(a, edge, p));
}

kernel void bounded(global const uchar* a, global uchar* o) {
  AT;
  o[i] = convert_uchar_sat_rte(clamp(a[i] / 255.0f, 0.1f, 0.8f) * 255.0f);
}

kernel void threshold(global const uchar* a, global uchar* o) {
  AT;
  o[i] = a[i] / 255.0f > 0.4f ? 200 : 10;
}

kernel void mixed(global const uchar* a, global const uchar* b, global uchar* o) {
  AT;
  o[i] = convert_uchar_sat_rte(a[i] / 255.0f * b[i]);
}

kernel void left(global const uchar* a, global uchar* o, global float* f) {
  AT;
  const float c = a[i] / 255.0f;
  o[i] = convert_uchar_sat_rte((1.0f - c) * 255.0f);
  f[i] = c;
}

kernel void squared(global const uchar* a, global uchar* o) {
  AT;
  const float c = a[i] / 255.0f;
  o[i] = convert_uchar_sat_rte(c * c * 255.0f);
}
