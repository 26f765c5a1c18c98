// Quotients of 64 bits: by doubles where the processor converts and multiplies vectors of 64 bits, else a lane after the other.
// RUN: weftc --cpu=icelake-server --kernel=any --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=ANY
// RUN: weftc --cpu=haswell --kernel=any --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=PLAIN
// RUN: weftc --cpu=icelake-server --kernel=signs --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=SIGNS
// RUN: weftc --cpu=icelake-server --kernel=one --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=icelake-server --kernel=short_ones --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=SHORT
// RUN: weftc --cpu=icelake-server --kernel=others --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s --check-prefix=OTHERS

// A division by zero is undefined, not poison for others: it is one by 1.
// ANY: [[ZERO:%[0-9]+]] = icmp eq <32 x i64> {{.*}}, zeroinitializer
// ANY: [[D:%[0-9]+]] = select <32 x i1> [[ZERO]], <32 x i64> {{.*}}
// ANY: [[REAL:%[0-9]+]] = uitofp <32 x i64> [[D]] to <32 x double>
// ANY: [[INVERSE:%[0-9]+]] = fdiv <32 x double> {{.*}}, [[REAL]]
// ANY: fmul <32 x double> {{%[0-9]+}}, [[INVERSE]]
// ANY: [[Q:%[0-9]+]] = fptoui <32 x double>
// ANY: [[P:%[0-9]+]] = mul <32 x i64> [[Q]], [[D]]
// ANY: [[R:%[0-9]+]] = sub <32 x i64> {{.*}}, [[P]]
// ANY: [[RREAL:%[0-9]+]] = uitofp <32 x i64> [[R]] to <32 x double>
// ANY: fmul <32 x double> [[RREAL]], [[INVERSE]]
// ANY: icmp uge <32 x i64> {{%[0-9]+}}, [[D]]
// ANY-NOT: udiv
// ANY: ret
// PLAIN: udiv <32 x i64>
kernel void any(global ulong* a, global const ulong* b) {
  const size_t i = get_global_id(0);
  a[i] = a[i] / b[i];
}

// SIGNS-COUNT-2: call <32 x i64> @llvm.abs.v32i64(<32 x i64> {{.*}}, i1 false)
// SIGNS: call <32 x i64> @llvm.umin.v32i64(
// SIGNS: icmp slt <32 x i64>
// SIGNS-NOT: srem
// SIGNS: ret
kernel void signs(global long* a, global const long* b) {
  const size_t i = get_global_id(0);
  a[i] = a[i] % b[i];
}

// A constant that leaves 49 bits takes one estimate.
// ONE: fptoui <32 x double>
// ONE-NOT: fptoui
// ONE: call <32 x i64> @llvm.umin.v32i64(
// ONE: ret
kernel void one(global ulong* a) {
  const size_t i = get_global_id(0);
  a[i] = a[i] % 1000000007u;
}

// So does a dividend that has no more.
// SHORT: fptoui <32 x double>
// SHORT-NOT: fptoui
// SHORT: ret
kernel void short_ones(global ulong* a, global const ulong* b) {
  const size_t i = get_global_id(0);
  a[i] = (a[i] >> 15) / b[i];
}

// Powers of two are shifts, and small constants products' upper halves.
// OTHERS-NOT: fptoui
// OTHERS: ret
kernel void others(global ulong* a) {
  const size_t i = get_global_id(0);
  a[i] = a[i] / 65536 ^ a[i] / 10;
}
