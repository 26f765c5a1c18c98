// Every function that has a relaxed form has it for all vectors, too: a program of them is complete.
// Bodies of a few lanes fill a part of the registers that estimates are made of.
// RUN: weftc %s --options=-cl-fast-relaxed-math --local-size=8,1,1 --cpu=icelake-server --verify-each --emit=llvm | FileCheck %s
// RUN: weftc %s --options=-cl-fast-relaxed-math --local-size=4,1,1 --cpu=haswell --verify-each --emit=llvm | FileCheck %s
// CHECK: define {{.*}}@all.group(
// CHECK-NOT: __weft_relaxed

#define OF_ONE(T, v, i) \
  acos(v) + asin(v) + atan(v) + cos(v) + exp(v) + exp10(v) + exp2(v) + log(v) + log10(v) + log2(v) + rsqrt(v) + sin(v) + sqrt(v) + tan(v) + tanh(v)
#define OF_TWO(T, v, i) atan2(v, v) + pow(v, v) + powr(v, v) + pown(v, i) + rootn(v, i)
#define ALL(T, I)                                        \
  {                                                      \
    const T v = ((global T*)in)[x];                      \
    const I i = ((global I*)whole)[x];                   \
    T cosine, sum = OF_ONE(T, v, i) + OF_TWO(T, v, i);   \
    sum += sincos(v, &cosine);                           \
    ((global T*)out)[x] = sum + cosine;                  \
  }
#define GEOMETRIC(T)                                                                       \
  {                                                                                        \
    const T v = ((global T*)in)[x];                                                        \
    ((global T*)out)[x] = normalize(v) * length(v) + distance(v, ((global T*)out)[x + 1]); \
  }

kernel void all(global float* in, global int* whole, global float* out) {
  const size_t x = get_global_id(0);
  ALL(float, int) ALL(float2, int2) ALL(float3, int3) ALL(float4, int4) ALL(float8, int8) ALL(float16, int16)
  GEOMETRIC(float) GEOMETRIC(float2) GEOMETRIC(float3) GEOMETRIC(float4)
}
