// Private integers that a program calls volatile become registers; floating-point numbers stay in memory, as does what other work-items see.
// RUN: weftc --local-size=32,1,1 --emit=scalar %s | FileCheck %s
// CHECK-LABEL: @places(
// CHECK-NOT: alloca i32
// CHECK: store volatile float {{.*}}, ptr %
// CHECK: ret void
kernel void places(global const float* in, global float* out) {
  volatile int place = get_local_id(0);
  volatile float value = in[place];
  out[place] = value + 1;
}
