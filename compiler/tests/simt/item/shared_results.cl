// Sine and cosine of one angle reduce it once, also where the program computes the angle for each; of different angles they do not.
// RUN: weftc --emit=scalar --kernel=both --local-size=64,1,1 %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --emit=scalar --kernel=components --local-size=64,1,1 %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --emit=scalar --kernel=read_for_each --local-size=64,1,1 %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --emit=scalar --kernel=different --local-size=64,1,1 %s | FileCheck %s --check-prefix=TWICE
// RUN: weftc --emit=scalar --kernel=read_twice --local-size=64,1,1 %s | FileCheck %s --check-prefix=TWICE
// RUN: weftc --emit=scalar --kernel=synchronized --local-size=64,1,1 %s | FileCheck %s --check-prefix=TWICE
// RUN: weftc --emit=scalar --kernel=told --local-size=64,1,1 %s | FileCheck %s --check-prefix=TWICE
// RUN: weftc --emit=scalar --kernel=apart --local-size=64,1,1 %s | FileCheck %s --check-prefix=TWICE
// RUN: weftc --emit=obj --local-size=64,1,1 --kernel=both --verify-each -o /dev/null %s

// The search for pieces of 2/pi, of the largest angles.
// ONCE-LABEL: define {{.*}}spir_kernel void
// ONCE: getelementptr {{.*}} @weft_two_over_pi
// ONCE-NOT: getelementptr {{.*}} @weft_two_over_pi
// ONCE: ret void
// ONCE-NOT: call {{.*}}@__weft_shared_

// TWICE-LABEL: define {{.*}}spir_kernel void
// TWICE: getelementptr {{.*}} @weft_two_over_pi
// TWICE: getelementptr {{.*}} @weft_two_over_pi
// TWICE: ret void

kernel void both(global float* a, int n) {
  const size_t i = get_global_id(0);
  const float k = a[i];
  a[i] = sin(6.2831853f * k / n) * cos(6.2831853f * k / n);
}
kernel void components(global float* a, global float2* b) {
  const size_t i = get_global_id(0);
  const float2 z = b[i];
  a[i] = z.x * cos(z.y) + sin(z.y);
}
// Nothing writes between the loads.
kernel void read_for_each(global float* a, global float* b, int n) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += 3 * sin(i * b[k]) + cos(i * b[k]);
  a[i] = sum;
}
kernel void different(global float* a, global float2* b) {
  const size_t i = get_global_id(0);
  const float2 z = b[i];
  a[i] = cos(z.x) + sin(z.y);
}
// Another work-item may write in between.
kernel void read_twice(global float* a, global float* b) {
  const size_t i = get_global_id(0);
  const float c = cos(b[i]);
  a[i] = c;
  a[i] = c + sin(b[i]);
}
kernel void synchronized(global float* a, local float* b) {
  const size_t i = get_local_id(0);
  b[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float c = cos(b[63 - i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = c + sin(b[63 - i]);
}
kernel void told(global float* a, volatile global float* b) {
  const size_t i = get_global_id(0);
  a[i] = cos(b[i]) + sin(b[i]);
}
kernel void apart(global float* a, global float* b) {
  const size_t i = get_global_id(0);
  const float x = b[i];
  if (a[i] > 1)
    a[i] = cos(x);
  else
    a[i] = sin(x);
}
