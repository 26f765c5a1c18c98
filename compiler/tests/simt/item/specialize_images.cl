// An image is a pointer to its descriptor, a sampler a number. Known formats and samplers leave one way through the builtins, without
// a branch; unknown ones are read from the descriptor. RGBA of UNORM_INT8 is c0000205, CLAMP_TO_EDGE and NEAREST 80000012.
// RUN: weftc --kernel=copy --local-size=32,1,1 --ids-fit-31-bits --formats=c0000205,80000012,c0000205 --stop-after=simplify-item %s | FileCheck %s
// CHECK-LABEL: define internal i32 @copy.item(
// A write outside is none; that is the only branch.
// CHECK: br i1
// CHECK: [[IN:%.*]] = load ptr addrspace(2), ptr %arguments, align 8, !invariant.load
// CHECK: [[DATA:%.*]] = load ptr addrspace(2), ptr addrspace(2) [[IN]], align 8, !invariant.load
// CHECK: load i32, ptr addrspace(2) {{.*}}, align 4, !invariant.load
// CHECK: store volatile i32
// CHECK-NOT: br i1
// CHECK: ret i32 -1

// The sampler's bits are an argument of eight bytes, the format of order and type.
// RUN: weftc --kernel=copy --local-size=32,1,1 --ids-fit-31-bits --stop-after=specialize-images %s | FileCheck %s --check-prefix=ANY
// ANY-LABEL: define {{.*}}spir_kernel void @copy(ptr addrspace(2) noundef nonnull align 8 dereferenceable({{[0-9]+}}) "weft-image" %in, i64 noundef %s,
// ANY: trunc i64 %s to i32
// ANY: [[TYPE:%.*]] = shl i32 {{.*}}, 8
// ANY-NEXT: or i32 [[TYPE]]
// ANY: switch
kernel void copy(read_only image2d_t in, sampler_t s, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, s, p));
}

// Until formats are known, reads stay calls.
// RUN: weftc --emit=scalar %s | FileCheck %s --check-prefix=CALL
// CALL-LABEL: spir_kernel void @copy(
// CALL: call <4 x float> @__weft_image_read_f_at(

// Images, samplers and formats that a condition chooses.
// RUN: weftc --kernel=choose --local-size=32,1,1 --formats=c0000205,c0000205,c0000e00 --verify-each --emit=asm %s -o /dev/null
const sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
kernel void choose(read_only image2d_t a, read_only image2d_t b, read_only image2d_t c, global float4* out, int n) {
  const float2 p = (float2)(get_global_id(0), n);
  float4 color;
  if (n == 0) color = read_imagef(a, edge, p);
  else if (n == 1) color = read_imagef(b, edge, p);
  else color = read_imagef(c, linear, p);
  out[get_global_id(0)] = color;
}
