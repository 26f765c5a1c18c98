// exp and log: exponents and mantissas by the processor's instructions where it has them, else by integers.
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=FULL
// RUN: weftc --cpu=skylake-avx512 --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=HALF
// RUN: weftc --cpu=haswell --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=PLAIN
// RUN: weftc --cpu=icelake-server --kernel=uniform --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=UNIFORM
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=8,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=FEW
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=3,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=FEW

// FULL-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(
// FULL-NOT: shl <
// FULL-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(
// FULL-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.getmant.ps.512(<16 x float> {{.*}}, i32 12,
// FULL-NOT: lshr <
// Ends need nothing more.
// FULL-NOT: fcmp oeq
// FULL-DAG: call <8 x double> @llvm.x86.avx512.mask.getexp.pd.512(
// FULL-DAG: call <8 x double> @llvm.x86.avx512.mask.getmant.pd.512(
// FULL: ret

// HALF: call <8 x float> @llvm.x86.avx512.mask.scalef.ps.256(
// HALF: call <8 x float> @llvm.x86.avx512.mask.getexp.ps.256(
// HALF: call <8 x float> @llvm.x86.avx512.mask.getmant.ps.256(
// HALF: call <4 x double> @llvm.x86.avx512.mask.getexp.pd.256(

// Fewer lanes than a register has.
// FEW: [[SCALED:%[0-9]+]] = call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(
// FEW: shufflevector <16 x float> [[SCALED]]
// FEW: ret

// PLAIN-NOT: x86.avx512
// PLAIN: [[FIRST:%[0-9]+]] = lshr <32 x i32> [[U:%[0-9]+]], {{.*}}1
// PLAIN: shl <32 x i32> [[FIRST]], {{.*}}23
// PLAIN: [[REST:%[0-9]+]] = sub <32 x i32> [[U]], [[FIRST]]
// PLAIN: shl <32 x i32> [[REST]], {{.*}}23
// PLAIN: lshr <32 x i32> {{.*}}23
// PLAIN: fcmp oeq <32 x float>
// PLAIN-NOT: x86.avx512
kernel void k(global float* a, global double* b) {
  int i = get_global_id(0);
  a[i] = exp(a[i]);
  a[i] = log(a[i]);
  b[i] = log(b[i]);
}

// What all lanes share is one number's work.
// UNIFORM-NOT: <32 x float> @
// UNIFORM: lshr i32
// UNIFORM-NOT: <32 x float> @
// UNIFORM: ret
kernel void uniform(global float* a, float x) { a[get_global_id(0)] = exp(x) + log(x); }

// native_exp: what is behind the point, and the power of two.
// RUN: weftc --cpu=icelake-server --kernel=native --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=NATIVE
// RUN: weftc --cpu=haswell --kernel=native --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=NATIVE-PLAIN
// NATIVE-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.reduce.ps.512(<16 x float> {{.*}}, i32 1,
// NATIVE-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(
// A conversion that holds for NaN would be code for each lane.
// NATIVE-PLAIN-NOT: fptosi
// NATIVE-PLAIN: call <32 x float> @llvm.floor.v32f32
// NATIVE-PLAIN: [[SUM:%[0-9]+]] = fadd <32 x float> {{.*}}0x4168000FE0000000
// NATIVE-PLAIN: [[BITS:%[0-9]+]] = bitcast <32 x float> [[SUM]] to <32 x i32>
// NATIVE-PLAIN: shl <32 x i32> [[BITS]], {{.*}}23
// NATIVE-PLAIN: fmul <32 x float>
// NATIVE-PLAIN-NOT: fptosi
kernel void native(global float* a) {
  int i = get_global_id(0);
  a[i] = native_exp(a[i]);
}
