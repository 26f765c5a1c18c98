// rsqrt: an estimate and Newton's steps where the processor estimates well, the same in all lanes and for a uniform value.
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=FULL
// RUN: weftc --cpu=skylake-avx512 --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=HALF
// RUN: weftc --cpu=haswell --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=PLAIN

// FULL-COUNT-2: call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(
// FULL: [[ROOT:%.*]] = fmul <32 x float> {{%.*}}, [[Y:%.*]]
// FULL: [[MINUS:%.*]] = fneg <32 x float> [[ROOT]]
// FULL: [[ERROR:%.*]] = call <32 x float> @llvm.fma.v32f32(<32 x float> [[MINUS]], <32 x float> [[Y]],
// FULL: [[SMALL:%.*]] = fcmp olt <32 x float> [[ERROR]]
// FULL: [[STEP:%.*]] = select <32 x i1> [[SMALL]], <32 x float> [[ERROR]]
// FULL: [[BOTH:%.*]] = fmul <32 x float> [[Y]]
// FULL: call <32 x float> @llvm.fma.v32f32(<32 x float> [[BOTH]], <32 x float> [[STEP]], <32 x float> [[Y]])
// FULL: call <4 x float> @llvm.x86.avx512.rsqrt14.ss(
// FULL: call float @llvm.fma.f32(
// FULL-NOT: fdiv
// FULL-COUNT-4: call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(
// FULL-COUNT-4: call <32 x double> @llvm.fma.v32f64(
// FULL-NOT: fdiv

// HALF-COUNT-4: call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(
// HALF-COUNT-8: call <4 x double> @llvm.x86.avx512.rsqrt14.pd.256(

// PLAIN-NOT: call {{.*}}rsqrt
// PLAIN: [[ROOT:%.*]] = call <32 x float> @llvm.sqrt.v32f32(
// PLAIN: fdiv <32 x float> {{.*}}, [[ROOT]]
// PLAIN: fdiv <32 x double>
kernel void k(global float* a, global double* b, float c) {
  int i = get_global_id(0);
  a[i] = rsqrt(a[i]) + rsqrt(c);
  b[i] = rsqrt(b[i]);
}

// Where denormals need not be right: 12 bits and three terms.
// RUN: weftc --cpu=haswell --kernel=natively --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=TWELVE
// RUN: weftc --cpu=haswell --options=-cl-fast-relaxed-math --kernel=relaxed --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=TWELVE
// RUN: weftc --cpu=nehalem --kernel=natively --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=PLAIN1
// TWELVE-COUNT-4: call <8 x float> @llvm.x86.avx.rsqrt.ps.256(
// TWELVE-NOT: fdiv
// TWELVE: ret i32
// PLAIN1: fdiv <32 x float>
kernel void natively(global float* a) { a[get_global_id(0)] = native_rsqrt(a[get_global_id(0)]); }
kernel void relaxed(global float* a) { a[get_global_id(0)] = rsqrt(a[get_global_id(0)]); }
