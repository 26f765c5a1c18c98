// Elements of a private array that the lanes choose: one base, and offsets of 32 bits, so that a gather takes as many lanes
// as a register holds offsets.
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=sapphirerapids --local-size=32,1,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=CODE

// CHECK: %count = alloca
// CHECK: [[OFFSETS:%.*]] = sext <32 x i32> {{.*}} to <32 x i64>
// CHECK: [[PLACES:%.*]] = getelementptr i8, ptr %count, <32 x i64> [[OFFSETS]]
// CHECK: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> [[PLACES]]
// CHECK: [[PLACES:%.*]] = getelementptr i8, ptr %count, <32 x i64>
// CHECK: call void @llvm.masked.scatter.v32i32.v32p0({{.*}}, <32 x ptr> [[PLACES]]
// CODE: vpgatherdd
// CODE: vpscatterdd
kernel void classes(global const uint* in, global uint* out, int length) {
  uint count[16];
  for (int k = 0; k < 16; ++k) count[k] = 0;
  for (int k = 0; k < length; ++k) ++count[in[k * 32 + get_local_id(0)] >> 28];
  uint most = 0;
  for (int k = 0; k < 16; ++k) most = max(most, count[k]);
  out[get_global_id(0)] = most;
}
