// Places that follow from ranks: where the lanes that run lie in their order, a row; else a scatter, or a gather.
// RUN: weftc --cpu=sapphirerapids --kernel=keep --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=sapphirerapids --kernel=spread --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SPREAD
// RUN: weftc --cpu=sapphirerapids --kernel=pick --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PICK
// RUN: weftc --cpu=sapphirerapids --kernel=keep --local-size=32,1,1 --disable=ranked --stop-after=widen %s | FileCheck %s --check-prefix=OFF
// RUN: weftc --cpu=haswell --kernel=keep --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=haswell --kernel=spread --local-size=32,1,1 --stop-after=widen %s | FileCheck %s --check-prefix=OFF
// RUN: weftc --cpu=haswell --kernel=doubles --local-size=32,1,1 --stop-after=widen %s | FileCheck %s --check-prefix=OFF
// RUN: weftc --cpu=nehalem --kernel=keep --local-size=32,1,1 --stop-after=widen %s | FileCheck %s --check-prefix=OFF
// RUN: weftc --cpu=sapphirerapids --kernel=keep --local-size=32,1,1 --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: call <32 x i32> @llvm.ctpop.v32i32
// CHECK: icmp ne <32 x i32>
// CHECK: icmp ugt i32 {{%.*}}, -33
// CHECK: {{^}}in_order:
// CHECK: call <16 x float> @llvm.x86.avx512.mask.compress.v16f32
// CHECK: call void @llvm.masked.store.v16f32
// CHECK: call <16 x float> @llvm.x86.avx512.mask.compress.v16f32
// CHECK: call void @llvm.masked.store.v16f32
// CHECK: {{^}}anywhere:
// CHECK: call void @llvm.masked.scatter.v32f32
// OFF-NOT: in_order:

// Registers of eight, whose lanes a table says; the row's last eight are a register of their own.
// AVX2-COUNT-2: call <32 x i32> @llvm.ctpop.v32i32(
// AVX2: call i32 @llvm.vector.reduce.or.v32i32
// AVX2: {{^}}in_order:
// AVX2: [[LANES:%.*]] = load <8 x i8>, ptr {{%.*}}, align 8
// AVX2: call <8 x i32> @llvm.x86.avx2.permd(
// AVX2: icmp uge i32 {{%.*}}, 8
// AVX2: {{^}}registers:
// AVX2-COUNT-5: store <8 x float>
// AVX2: {{^}}shorter:
// AVX2: call void @llvm.masked.store.v8f32
// REMARK: a row where the lanes lie in their order, else scatter
kernel void keep(global const float* in, global float* out, float limit) {
  const float x = in[get_global_id(0)];
  const uint4 chosen = sub_group_ballot(x > limit);
  if (x > limit) out[sub_group_ballot_exclusive_scan(chosen)] = x;
}

// SPREAD: {{^}}in_order:
// SPREAD: call <8 x i64> @llvm.masked.load.v8i64
// SPREAD: call <8 x i64> @llvm.x86.avx512.mask.expand.v8i64
kernel void spread(global const int* flags, global const ulong* in, global ulong* out) {
  const int one = flags[get_global_id(0)] > 3;
  const int rank = sub_group_scan_exclusive_add(one);
  out[get_global_id(0)] = one ? in[rank] : 0;
}

// Words of 64 bits, which AVX2 would move by fours.
kernel void doubles(global const double* in, global double* out, double limit) {
  const double x = in[get_global_id(0)];
  const uint4 chosen = sub_group_ballot(x > limit);
  if (x > limit) out[sub_group_ballot_exclusive_scan(chosen)] = x;
}

// A list says nothing of order: no look.
// PICK-NOT: in_order:
kernel void pick(global const int* list, global float* out, float limit) {
  const int i = list[get_global_id(0)];
  if (i > 0) out[i] = limit;
}
