// Lanes that a condition of their own leaves are counted in front of a scatter: few store one after the other.
// RUN: weftc --cpu=znver4 --kernel=marked --local-size=64,1,1 --coarsen=1 --ids-fit-31-bits --stop-after=widen --verify-each %s | FileCheck %s
// RUN: weftc --cpu=znver4 --kernel=marked --local-size=64,1,1 --coarsen=1 --ids-fit-31-bits --stop-after=widen --disable=few-lanes %s | FileCheck %s --check-prefix=ALL
// RUN: weftc --cpu=znver4 --kernel=all --local-size=64,1,1 --coarsen=1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ALL

// CHECK: [[LIVE:%.*]] = call {{.*}}i32 @llvm.ctpop.i32
// CHECK: [[MANY:%.*]] = icmp ugt i32 [[LIVE]], 8
// CHECK: br i1 [[MANY]], label %[[SCATTER:.*]], label %[[FEW:.*]]
// CHECK: [[SCATTER]]:
// CHECK: call void @llvm.masked.scatter.v32f32
// CHECK: [[FEW]]:
// CHECK: lane:
// CHECK: store float
// ALL-NOT: ctpop
// ALL: call void @llvm.masked.scatter.v32f32
// ALL-NOT: ctpop
kernel void marked(global const float* m, global const int* c, global float* o) {
  int i = get_global_id(0);
  if (m[i] < 0.1f) o[c[i]] = m[i] * 2;
}

kernel void all(global const float* m, global const int* c, global float* o) {
  int i = get_global_id(0);
  o[c[i]] = m[i] * 2;
}

// Of a structure's words the first 16: more such branches take longer to compile than they save.
// RUN: weftc --cpu=znver4 --kernel=words --local-size=64,1,1 --coarsen=1 --ids-fit-31-bits --stop-after=widen %s | grep -c llvm.ctpop.i32 | FileCheck %s --check-prefix=COUNTED
// COUNTED: 17
struct words {
  float word[24];
};
kernel void words(global const float* m, global struct words* o) {
  int i = get_global_id(0);
  struct words own;
  for (int k = 0; k < 24; k++) own.word[k] = m[i + k];
  if (m[i] < 0.1f) o[i] = own;
}
