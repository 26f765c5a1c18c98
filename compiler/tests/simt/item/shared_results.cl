// Sine and cosine of one angle reduce it once, also where the program computes the angle for each; of different angles they do not.
// RUN: weftc --emit=scalar --kernel=both --local-size=64,1,1 %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --emit=scalar --kernel=components --local-size=64,1,1 %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --emit=scalar --kernel=different --local-size=64,1,1 %s | FileCheck %s --check-prefix=TWICE
// RUN: weftc --emit=scalar --kernel=read_twice --local-size=64,1,1 %s | FileCheck %s --check-prefix=TWICE
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
kernel void apart(global float* a, global float* b) {
  const size_t i = get_global_id(0);
  const float x = b[i];
  if (a[i] > 1)
    a[i] = cos(x);
  else
    a[i] = sin(x);
}
