// Unsigned indices of places in small buffers are signed ones: taps beside each other are known to be, and lanes' elements lie side by side.
// RUN: weftc %s --kernel=taps --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --verify-each --stop-after=near-indices | FileCheck %s --check-prefix=TAPS
// RUN: weftc %s --kernel=taps --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --print-shapes 2>&1 | FileCheck %s --check-prefix=SHAPES
// Not of buffers of which launches say less, or that the program computes with.
// RUN: weftc %s --kernel=taps --local-size=64,1,1 --ids-fit-31-bits --formats=1,0 --stop-after=near-indices | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=computed --local-size=64,1,1 --ids-fit-31-bits --formats=1,1 --stop-after=near-indices | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=taps --info -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO

// TAPS-LABEL: define {{.*}} @taps.item(
// TAPS: [[INDEX:%.*]] = sext i32
// TAPS: getelementptr inbounds float, ptr addrspace(1) %in, i64 [[INDEX]]
// TAPS-NOT: {{[sz]}}ext i32
// TAPS: ret i32
// SHAPES: getelementptr inbounds float, ptr addrspace(1) %in, i64 {{.*}} ; stride 4
// SAME: zext i32
// SAME-NOT: sext i32
// INFO: float* in{{.*}}a bound
kernel void taps(global const float* in, global float* out, uint pitch) {
  const uint x = get_global_id(0), y = get_global_id(1);
  out[get_global_id(0)] = in[(y + 1) * pitch + x] + in[(y + 1) * pitch + x + 1] + in[(y + 1) * pitch + x + 2];
}
kernel void computed(global const float* in, global float* out, uint pitch) {
  const uint i = get_global_id(0) * pitch;
  out[get_global_id(0)] = (float)((ulong)in + (ulong)i) + in[i];
}
