// shuffle() with a mask known at run time is a permutation within registers where its vectors are packed, and selects where they are taken apart.
// RUN: weftc --cpu=znver4 --kernel=bytes --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=BYTES
// RUN: weftc --cpu=znver4 --kernel=words --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=WORDS
// RUN: weftc --cpu=haswell --kernel=words --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=nehalem --kernel=words --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=APART
// RUN: weftc --cpu=haswell --kernel=halves --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=HALVES
// RUN: weftc --cpu=znver4 --kernel=taken --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=APART
// RUN: weftc --emit=scalar %s | FileCheck %s --check-prefix=CONSTANT
// RUN: weftc --kernel=bytes --required-only --local-size=64,1,1 --verify-each --emit=obj -o /dev/null %s

// BYTES-LABEL: @bytes.group
// BYTES: call <64 x i8> @llvm.x86.avx512.pshuf.b.512(
// BYTES-NOT: select
kernel void bytes(global const uchar16* a, global const uchar16* m, global uchar16* out) {
  const size_t i = get_global_id(0);
  out[i] = shuffle(a[i], m[i]);
}

// WORDS-LABEL: @words.group
// WORDS: call {{.*}} @llvm.x86.avx512.permvar.s{{[if]}}.512(
// WORDS-NOT: fcmp
// AVX2-LABEL: @words.group
// AVX2: call <8 x i32> @llvm.x86.avx2.permd(
kernel void words(global const float8* a, global const uint8* m, global float8* out) {
  const size_t i = get_global_id(0);
  out[i] = shuffle2(a[i], out[i], m[i]);
}

// HALVES-LABEL: @halves.group
// HALVES: call <32 x i8> @llvm.x86.avx2.pshuf.b(
kernel void halves(global const short8* a, global const ushort8* m, global short8* out) {
  const size_t i = get_global_id(0);
  out[i] = shuffle(a[i], m[i]);
}

// APART-LABEL: .group
// APART-NOT: call {{.*}} @llvm.x86.avx
// APART: select <{{[0-9]+}} x i1>
kernel void taken(global const float* a, global const uint* m, global float* out) {
  const size_t i = get_global_id(0);
  const float4 x = (float4)(a[i], a[i + 64], a[i + 128], a[i + 192]);
  const uint n = m[i];
  const float4 y = shuffle(x, (uint4)(n, n >> 2, n >> 4, n >> 6));
  out[i] = (y.x + y.y * 2) * y.z - y.w;
}

// CONSTANT-LABEL: spir_kernel void @constant_mask(
// CONSTANT-NOT: __weft_permute_
// CONSTANT-LABEL: spir_kernel void @unrolled(
// CONSTANT-NOT: __weft_permute_
// CONSTANT: ret void
kernel void constant_mask(global float4* a) {
  const size_t i = get_global_id(0);
  a[i] = shuffle(a[i], (uint4)(7, 2, 1, 0));
}
kernel void unrolled(global float4* a) {
  const size_t i = get_global_id(0);
  float4 x = a[i];
  for (uint k = 0; k < 3; ++k) x += shuffle(x, (uint4)(k, k + 1, 3 - k, 0));
  a[i] = x;
}
