// Functions of one byte that cost more than a look-up.
// RUN: weftc --kernel=curve --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-tables --verify-each %s | FileCheck %s --check-prefix=CURVE
// The item function looks up where there are tables.
// CURVE-LABEL: define internal i32 @curve.item(
// CURVE: [[TABLES:%.*]] = load ptr addrspace(2), {{.*}} !invariant.load
// CURVE: icmp eq ptr addrspace(2) [[TABLES]], null
// CURVE: [[BYTE:%.*]] = load volatile i8
// CURVE-NOT: float
// CURVE: br i1 {{.*}}, label %[[COMPUTED:.*]], label %[[FILLED:.*]], !prof
// CURVE: [[INDEX:%.*]] = zext i8 [[BYTE]] to i64
// CURVE: [[AT:%.*]] = getelementptr inbounds i8, ptr addrspace(2) [[TABLES]], i64 [[INDEX]]
// CURVE: load i8, ptr addrspace(2) [[AT]]
// CURVE: __weft_float_{{exponent|octave}}
// CURVE: store volatile i8
// Another fills them.
// CURVE-LABEL: define internal i32 @curve.item.fill(
// CURVE: call i32 @__weft_local_id_x()
// CURVE: __weft_float_{{exponent|octave}}
// CURVE: store volatile i8
kernel void curve(global const uchar* a, global uchar* o, float amount) {
  const size_t i = get_global_id(0);
  o[i] = convert_uchar_sat_rte(255.0f * powr(a[i] * (1.0f / 255.0f), amount));
}

// A group's code calls it where the worker's tables are another launch's.
// RUN: weftc --kernel=curve --local-size=256,1,1 --ids-fit-31-bits --stop-after=group %s | FileCheck %s --check-prefix=GROUP
// GROUP-LABEL: define {{.*}}i32 @curve.group(
// GROUP: [[NUMBER:%.*]] = load i64, ptr
// GROUP: [[WHOSE:%.*]] = load i64, ptr
// GROUP: icmp ne i64 [[WHOSE]], [[NUMBER]]
// GROUP: call i32 @curve.fill.group(
// GROUP: store i64 [[NUMBER]]
// GROUP: define internal i32 @curve.fill.group(

// A table of an image's colours, filtered.
// RUN: weftc --kernel=colours --local-size=32,8,1 --ids-fit-31-bits --formats=e0000200,e0000205,e0000205 --stop-after=byte-tables --verify-each %s | FileCheck %s --check-prefix=COLOURS
// COLOURS-LABEL: define internal i32 @colours.item(
// COLOURS: load i32, ptr addrspace(2) {{.*}}, align 4, !invariant.load
// COLOURS: fma.v4f32
// COLOURS-LABEL: define internal i32 @colours.item.fill(
// COLOURS: load <2 x i32>, {{.*}}!weft.texel
// COLOURS: store volatile i32
constant sampler_t whole = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t unit = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void colours(read_only image2d_t in, write_only image2d_t out, read_only image1d_t table) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(table, unit, read_imagef(in, whole, p).x));
}

// What depends on two bytes, on memory that programs write, or costs little stays.
// RUN: weftc --kernel=others --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-tables --verify-each %s | FileCheck %s --check-prefix=OTHERS
// RUN: weftc --kernel=curve --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-tables --disable=byte-tables %s | FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: item.fill
kernel void others(global const uchar2* a, global float4* o, global const float* amount) {
  const size_t i = get_global_id(0);
  const float x = a[i].x / 255.0f;
  o[i] = (float4)(log(x + a[i].y), exp(x * *amount), x * 3 - 1, 0);
}

// Three bytes are stored as four, of which the last may be anything, but not the word that they are looked up as.
// RUN: weftc --kernel=threes --local-size=256,1,1 --ids-fit-31-bits --byte-tables --emit=llvm %s | FileCheck %s --check-prefix=THREES
// THREES-LABEL: @threes.fill.group(
// THREES: store <
// THREES: ret
kernel void threes(global const uchar* a, local uchar3* t, global uint* o) {
  const size_t i = get_local_id(0);
  const float x = native_exp(a[get_global_id(0)] * 0.01f);
  t[i] = (uchar3)((uchar)x, (uchar)(x * 2), (uchar)native_log(x));
  barrier(CLK_LOCAL_MEM_FENCE);
  const uchar3 v = t[i ^ 1];
  o[get_global_id(0)] = v.x * 65536 + v.y * 256 + v.z;
}
