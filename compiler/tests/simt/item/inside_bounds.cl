// A filter's code twice: for warps whose texels all lie inside, without bounds and unrolled, and for the others.
// RUN: weftc --kernel=cross --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=inside-bounds --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @cross.item(
// CHECK: front:
// CHECK: [[IN:%.*]] = call i1 @weft.all(i1
// CHECK-NEXT: br i1 [[IN]], label %[[INSIDE:.*]], label %[[EDGE:[^ ,]*]], !prof {{.*}}!weft.inside
// CHECK: [[EDGE]]:
// CHECK: call i32 @llvm.smin.i32
// CHECK: [[INSIDE]]:
// CHECK-NOT: @llvm.smin
// CHECK-NOT: @llvm.smax.i32
// CHECK-NOT: br i1
// Places of texels, less than 2^30 bytes from an image's first, are said not to be negative, so that neighbours' are neighbours.
// CHECK-NOT: sext i32
// CHECK: zext nneg i32 {{.*}} to i64
// CHECK-COUNT-5: !weft.texel
// CHECK: store volatile i32

// Coordinates in floating point that are whole anyway are integers, with a border, too. Halves are cast as memory has them.
// RUN: weftc --kernel=centres --local-size=32,8,1 --ids-fit-31-bits --formats=e0000d05,e0000d05 --stop-after=inside-bounds --verify-each %s | FileCheck %s --check-prefix=WHOLE
// WHOLE-LABEL: define internal i32 @centres.item(
// WHOLE-NOT: @llvm.floor
// WHOLE: call i1 @weft.all(
// WHOLE: inside:
// WHOLE: load <2 x i32>, {{.*}}!weft.texel
// WHOLE-NEXT: bitcast <2 x i32> {{.*}} to <4 x half>

// Of ids that may be larger, or of numbers that are not whole, nothing is known.
// RUN: weftc --kernel=centres --local-size=32,8,1 --formats=e0000d05,e0000d05 --stop-after=inside-bounds %s | FileCheck %s --check-prefix=FLOAT
// RUN: weftc --kernel=between --local-size=32,8,1 --ids-fit-31-bits --formats=e0000d05,e0000d05 --stop-after=inside-bounds %s | FileCheck %s --check-prefix=FLOAT
// FLOAT: @llvm.floor
// FLOAT-NOT: @weft.all

// Few texels are worth a second copy where bounds are much of the code: one of a copied image has no masks to the end, and asks which warps run
// it by comparisons of numbers alone, not of lanes.
// RUN: weftc --kernel=copy --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=inside-bounds %s | FileCheck %s --check-prefix=FEW
// FEW: @weft.all
// RUN: weftc --kernel=copy --cpu=skylake-avx512 --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --disable=group-runs --emit=llvm %s | FileCheck %s --check-prefix=PLAIN
// PLAIN-LABEL: define i32 @copy.group(
// PLAIN: warp:
// PLAIN: icmp sge i32
// PLAIN: br i1 {{.*}}, label %[[INSIDE:[a-z.]*inside[a-z0-9.]*]], label
// PLAIN: [[INSIDE]]:
// PLAIN: load <32 x i32>
// PLAIN: store <32 x i32>

// In a long kernel they are not.
// RUN: weftc --kernel=mixed --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=inside-bounds %s | FileCheck %s --check-prefix=ONCE
// ONCE-NOT: @weft.all

// A bound from which a coordinate is computed stands in front of both copies, and stays.
// RUN: weftc --kernel=halved --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=inside-bounds --verify-each %s | FileCheck %s --check-prefix=MOVED
// MOVED-LABEL: define internal i32 @halved.item(
// MOVED: front:
// MOVED: [[BOUND:%.*]] = call {{.*}}i32 @llvm.smin.i32(
// MOVED: xor i32 [[BOUND]], 1
// MOVED: call i1 @weft.all(i1
// MOVED: ret

// Of two bounds of one number the closer one is asked about, with the lowest number of both.
// RUN: weftc --kernel=closer --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --disable=texel-tiles --stop-after=inside-bounds --verify-each %s | FileCheck %s --check-prefix=CLOSER
// CLOSER-LABEL: define internal i32 @closer.item(
// CLOSER: front:
// CLOSER: icmp ugt i64 {{%.*}}, 4
// CLOSER: add {{.*}}i32 {{.*}}, -9
// CLOSER: weft.all

// Several loops in both copies, of which some have no constant count.
// RUN: weftc --kernel=rows --local-size=32,1,1 --formats=c0000205,0 --stop-after=inside-bounds --verify-each %s | FileCheck %s --check-prefix=ROWS
// ROWS-LABEL: define internal i32 @rows.item(
// ROWS: call i1 @weft.all(
constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void cross(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = read_imagef(in, edge, p);
  for (int i = -1; i <= 1; i += 2) sum += read_imagef(in, edge, p + (int2)(i, 0)) + read_imagef(in, edge, p + (int2)(0, i));
  write_imagef(out, p, sum * 0.2f);
}

kernel void centres(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 c = convert_float2(p) + 0.5f;
  float4 sum = 0;
  for (int i = -2; i <= 2; ++i) sum += read_imagef(in, border, c + (float2)(i, 1));
  write_imagef(out, p, sum);
}

kernel void between(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 c = convert_float2(p) + 0.3f;
  float4 sum = 0;
  for (int i = -2; i <= 2; ++i) sum += read_imagef(in, border, c + (float2)(i, 1));
  write_imagef(out, p, sum);
}

kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, edge, p));
}

kernel void mixed(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  uint4 bits = as_uint4(read_imagef(in, edge, p));
  for (int i = 0; i < 90; ++i) bits = (bits ^ bits.yzwx >> 7) * 1664525u + 1013904223u;
  write_imagef(out, p, convert_float4(bits) * 0x1p-32f);
}

kernel void halved(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const int x = min(p.x, get_image_width(in) - 1) ^ 1;
  float4 sum = 0;
  for (int i = 0; i < 4; ++i) sum += read_imagef(in, edge, (int2)(x + i, p.y));
  write_imagef(out, p, sum);
}

kernel void closer(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int i = -5; i < 3; ++i) sum += read_imagef(in, edge, (int2)(p.x + i, p.y));
  sum += read_imagef(in, edge, (int2)(clamp(p.x, 0, get_image_width(in) - 9), p.y));
  write_imagef(out, p, sum);
}

kernel void rows(read_only image2d_t in, sampler_t any, global float* a, global float4* b, int m) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), items = get_global_size(0);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < min(2, m); ++i) a[(j * 2 + i) * items + x] = read_imagef(in, border, (int2)(x + 4 + i, 100 - 2 * z + j)).w;
  b[x] = read_imagef(in, any, (float2)(x * 2.0f, y * 0.75f));
}

// Bounds on an array's indices, also where each work-item reads one element alone: neighbours are neighbours where no bound is met. Of
// `clamp`, least and greatest; of a bound that a constant moves (max(x, 2) - 2).
// RUN: weftc --kernel=clamped --local-size=32,8,1 --ids-fit-31-bits --stop-after=inside-bounds --verify-each %s | FileCheck %s --check-prefix=CLAMPED
// CLAMPED-LABEL: define internal i32 @clamped.item(
// CLAMPED: front:
// CLAMPED: call i1 @weft.all(i1
// CLAMPED: call {{.*}}i32 @llvm.smin.i32(
// CLAMPED: item.entry.inside:
// CLAMPED-NOT: @llvm.s{{min|max}}
// CLAMPED: ret
kernel void clamped(global const float* in, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = in[clamp(y - 2, 0, height - 1) * width + clamp(x - 2, 0, width - 1)];
}

// Bounds along y alone part no neighbours.
// RUN: weftc --kernel=rows_alone --local-size=32,8,1 --ids-fit-31-bits --stop-after=inside-bounds %s | FileCheck %s --check-prefix=ROWS-ALONE
// ROWS-ALONE-NOT: @weft.all
kernel void rows_alone(global const float* in, global float* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = in[min(y + 1, height - 1) * width + x];
}

// A filter that takes nothing from beyond the border: tests of each tap's own coordinates, some of which simplification writes as inequalities. What parts
// a grid in two is no such test.
// RUN: weftc --kernel=zeros --local-size=32,8,1 --ids-fit-31-bits --stop-after=inside-bounds --verify-each %s | FileCheck %s --check-prefix=ZEROS
// RUN: weftc --kernel=halves --local-size=32,8,1 --ids-fit-31-bits --stop-after=inside-bounds %s | FileCheck %s --check-prefix=HALVES
// ZEROS-LABEL: define internal i32 @zeros.item(
// ZEROS: call i1 @weft.all(
// ZEROS: .inside:
// ZEROS-NOT: icmp
// ZEROS-NOT: br i1
// ZEROS-COUNT-9: load volatile float
// ZEROS-NOT: icmp
// ZEROS: store volatile float
// HALVES-NOT: weft.all
kernel void zeros(global const float* in, global float* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      if (x + i >= 0 && x + i < w && y + j >= 0 && y + j < h) sum += in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}
kernel void halves(global const float* in, global float* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) out[y * w + x] = x > 8 && y > 8 ? in[y * w + x] : in[x * w + y];
}
