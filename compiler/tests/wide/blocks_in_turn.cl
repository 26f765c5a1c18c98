// RUN: weftc --cpu=haswell --local-size=256,1,1 --kernel=steps --ids-fit-31-bits --stop-after=register-blocking %s | FileCheck %s --check-prefix=STEPS
// RUN: weftc --cpu=haswell --local-size=256,1,1 --kernel=sums --ids-fit-31-bits --stop-after=register-blocking %s | FileCheck %s --check-prefix=SUMS

// Iterations carry two values, which the registers hold for all lanes, and wait for each other: the pieces of an iteration one after the other wait
// side by side, where a loop for each would wait for itself.
kernel void steps(global const uint* in, global uint* out, int n) {
  uint s = in[get_global_id(0)], sum = 0;
  for (int j = 0; j < n; ++j) {
    s = s * 1664525u + 1013904223u;
    switch (s >> 29) {
      case 0: sum += s; break;
      case 1: sum ^= s >> 3; break;
      case 2: sum = sum * 3u + 1u; break;
      case 3: sum -= s >> 5; break;
      case 4: sum = (sum << 5) | (sum >> 27); break;
      case 5: sum = ~sum + s; break;
      default: sum += 12345u;
    }
  }
  out[get_global_id(0)] = sum;
}
// STEPS-LABEL: @steps.group(
// STEPS-NOT: register_block

// What iterations carry is more than the registers hold: each register block's loop has its own part of it.
kernel void sums(global const float* in, global float* out, constant float* factors, int n) {
  const int i = get_global_id(0);
  float s[8] = {0};
  const float x = in[i];
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 8; ++j) s[j] += x * factors[k * 8 + j];
  float all = 0;
  for (int j = 0; j < 8; ++j) all = all * x + s[j];
  out[i] = all;
}
// SUMS-LABEL: @sums.group(
// SUMS: register_block
