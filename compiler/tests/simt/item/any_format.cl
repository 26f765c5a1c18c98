// Reads of formats that are known at run time alone: a few are in place, more are calls, for one lane after the other.
// RUN: weftc --kernel=many --local-size=32,8,1 --stop-after=specialize-images --verify-each %s | FileCheck %s --check-prefix=CALLS
// CALLS-LABEL: define {{.*}}@many(
// CALLS-COUNT-4: call {{.*}}@__weft_image_sample_f(
// CALLS: ret void
// CALLS-NOT: @__weft_count_texel(i32 %
// RUN: weftc --kernel=many --local-size=32,8,1 --emit=llvm --verify-each %s | FileCheck %s --check-prefix=LANES
// LANES-LABEL: @many.group(
// LANES: call {{.*}}@__weft_image_sample_f(

// With formats known, and of few reads, none is a call.
// RUN: weftc --kernel=many --local-size=32,8,1 --formats=e0000205,80000030 --stop-after=specialize-images %s | FileCheck %s --check-prefix=PLACE
// RUN: weftc --kernel=few --local-size=32,8,1 --stop-after=specialize-images %s | FileCheck %s --check-prefix=PLACE
// PLACE-LABEL: define {{.*}}spir_kernel void @{{many|few}}(
// PLACE-NOT: call {{.*}}@__weft_image_
// PLACE: ret void
kernel void many(read_only image2d_t in, sampler_t s, global float4* out) {
  const float2 p = (float2)(get_global_id(0), get_global_id(1));
  out[get_global_id(0)] = read_imagef(in, s, p) + read_imagef(in, s, p * 2) + read_imagef(in, s, p * 3) + read_imagef(in, s, p * 5);
}

kernel void few(read_only image2d_t in, sampler_t s, global float4* out) {
  out[get_global_id(0)] = read_imagef(in, s, (int2)(get_global_id(0), get_global_id(1)));
}
