// Each lane reads the clock, in a loop over those that are live.
// RUN: weftc --local-size=32,1,1 --stop-after=widen --verify-each %s | FileCheck %s

// CHECK: define {{.*}}i32 @k
// CHECK: call i64 @llvm.readcyclecounter()
// CHECK: call i64 @llvm.readcyclecounter()
// CHECK: ret i32
kernel void k(global ulong* times, global float* a) {
  ulong before = clock_read_device();
  a[get_global_id(0)] *= 2;
  times[get_global_id(0)] = clock_read_sub_group() - before;
}
