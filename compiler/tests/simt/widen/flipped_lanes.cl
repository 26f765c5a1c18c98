// Lanes that flip bits of their number, which the compiler does not know: a vector, permuted.
// RUN: weftc --cpu=sapphirerapids --kernel=step --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=step --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=nehalem --kernel=step --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=step --local-size=64 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=in_place --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=MASK
// RUN: weftc --cpu=sapphirerapids --kernel=doubles --local-size=64 --verify-each --coarsen=1 --stop-after=widen %s | FileCheck %s --check-prefix=DOUBLES
// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=own_bits --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NONE

// CHECK: [[LOW:%.*]] = and i32 {{.*}}, 15
// CHECK: xor <16 x i32> <i32 0, i32 1,
// CHECK: load <16 x i32>
// CHECK: call <16 x i32> @llvm.x86.avx512.permvar.si.512(
// AVX2: and i32 {{.*}}, 7
// AVX2: call <8 x i32> @llvm.x86.avx2.permd(
// NONE-NOT: x86.avx
kernel void step(global const float* in, global float* out, uint bit) {
  const uint i = get_global_id(0);
  out[i] = in[i ^ bit];
}

// What is off in a lane is off where that lane's element lies.
// MASK: [[LIVE:%.*]] = sext <16 x i1> {{.*}} to <16 x i32>
// MASK: [[PLACES:%.*]] = call <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32> [[LIVE]]
// MASK: icmp slt <16 x i32> [[PLACES]], zeroinitializer
// MASK: call {{.*}} @llvm.masked.load.v16i32
// MASK: call void @llvm.masked.store.v16i32
kernel void in_place(global int* a, uint bit) {
  const uint i = get_global_id(0), other = i ^ bit;
  if (other > i && a[i] > a[other]) {
    const int t = a[i];
    a[i] = a[other];
    a[other] = t;
  }
}

// Behind a sum with what all lanes share, in 64 bits; of a number in local memory.
// DOUBLES: call <8 x i64> @llvm.x86.avx512.permvar.di.512(
kernel void doubles(global const double* in, global double* out, ulong begin, uint bit) {
  local double t[64];
  const uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[begin + (l ^ bit)] = t[l ^ bit];
}

// A sum of 32 bits may wrap around within a register; and bits of each lane's own are no permutation.
kernel void wraps(global const float* in, global float* out, uint begin, uint bit) {
  const uint i = get_global_id(0);
  out[i] = in[begin + (i ^ bit)];
}
kernel void own_bits(global const float* in, global float* out, global const uint* bits) {
  const uint i = get_global_id(0);
  out[i] = in[i ^ bits[i]];
}
