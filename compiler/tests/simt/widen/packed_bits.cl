// Counts of bits of vectors stay whole: components that lie beside each other are not taken apart.
// RUN: weftc --cpu=icelake-server --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=k --local-size=32,1,1 --stop-after=widen --verify-each --emit=llvm %s | FileCheck %s
// CHECK-NOT: shufflevector
// CHECK: [[ZEROS:%[0-9]+]] = call <512 x i8> @llvm.ctlz.v512i8(<512 x i8> {{.*}}, i1 false)
// CHECK: [[ONES:%[0-9]+]] = call <512 x i8> @llvm.ctpop.v512i8(
// CHECK: [[SUM:%.*]] = add {{.*}}<512 x i8> [[ZEROS]], [[ONES]]
// CHECK: store <512 x i8>
kernel void k(global uchar16* a, global const uchar16* b) {
  const size_t i = get_global_id(0);
  a[i] = clz(a[i]) + popcount(b[i]);
}
