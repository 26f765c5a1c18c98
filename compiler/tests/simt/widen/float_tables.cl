// Functions of the library that look up tables of two registers where the processor permutes these.
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=FULL
// RUN: weftc --cpu=skylake-avx512 --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=icelake-server --kernel=uniform --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=UNIFORM
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=3,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=FEW

// The index is what rounding leaves in the lowest bits; the power's exponent is cut to an integer by the instruction that scales.
// FULL: [[SUM:%[0-9]+]] = call <32 x double> @llvm.fma.v32f64({{.*}}0x42F8000000000000
// FULL-COUNT-4: call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(<8 x double> <double 1.000000e+00, {{.*}}>, <8 x i64> {{%[0-9]+}}, <8 x double> <double 0x3FF6A09E667F3BCD,
// FULL-COUNT-4: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(
// A logarithm's inverse and its two parts.
// FULL-COUNT-6: call <16 x float> @llvm.x86.avx512.vpermi2var.ps.512(
// FULL-NOT: vpermi2var.ps
// FULL: ret

// NONE-NOT: vpermi2var
// NONE-NOT: __weft_has_tables
// NONE: ret
kernel void k(global double* a, global float* b) {
  const size_t i = get_global_id(0);
  a[i] = exp(a[i]);
  b[i] = powr(b[i], 1.3f);
}

// FEW: call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(
// FEW: ret

// What all lanes share is loaded.
// UNIFORM: @{{.*}} = private unnamed_addr addrspace(2) constant [16 x double] [double 1.000000e+00, double 0x3FF0B5586CF9890F,
// UNIFORM-NOT: vpermi2var
// UNIFORM: load double, ptr addrspace(2)
// UNIFORM-NOT: vpermi2var
// UNIFORM: ret
kernel void uniform(global double* a, double x) { a[get_global_id(0)] = exp(x); }
