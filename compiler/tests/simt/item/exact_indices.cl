// An index of 32 bits that is a multiple of an id is computed in 64 bits, where ids fit 31: the program says that it does not overflow, and LLVM, which
// would cut the result to 32 bits, would lose that.
// RUN: weftc --kernel=rows --local-size=64,1,1 --ids-fit-31-bits --stop-after=simplify-item %s | FileCheck %s
// RUN: weftc --kernel=rows --local-size=64,1,1 --stop-after=simplify-item %s | FileCheck %s --check-prefix=ANY
// RUN: weftc --kernel=wraps --local-size=64,1,1 --ids-fit-31-bits --stop-after=simplify-item %s | FileCheck %s --check-prefix=WRAPS
// RUN: weftc --kernel=rows --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --cpu=icelake-server --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARKS --allow-empty
// CHECK: mul nuw nsw i64 {{.*}}, 6
// CHECK-NOT: and i64
// CHECK-NOT: {{= (sext|zext)}}
// CHECK: ret
// Ids may be anything: nothing is known of what is cut off.
// ANY: mul nsw i32 {{.*}}, 6
// ANY: sext i32
// REMARKS-NOT: unless an index wraps around
kernel void rows(global const float* restrict a, global float* restrict o) {
  const int i = get_global_id(0);
  o[i] = a[i * 6] * a[i * 6 + 1] + a[i * 6 + 2] * a[i * 6 + 3] + a[i * 6 + 4] * a[i * 6 + 5];
}

// Numbers without a sign wrap around.
// WRAPS: mul i32 {{.*}}, 5
kernel void wraps(global const float* restrict a, global float* restrict o) {
  const uint i = get_global_id(0);
  o[i] = a[i * 5] * a[i * 5 + 1];
}
