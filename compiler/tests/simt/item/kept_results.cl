// What a loop computes for a sum and a later loop for what it writes is kept where that writes it.
// RUN: weftc %s --kernel=softmax --local-size=256,1,1 --verify-each --stop-after=kept-results | FileCheck %s --check-prefix=SOFTMAX
// RUN: weftc %s --kernel=rows_of_ints --local-size=64,2,1 --verify-each --stop-after=kept-results | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=vectors --local-size=64,1,1 --verify-each --stop-after=kept-results | FileCheck %s --check-prefix=VECTORS
// RUN: weftc %s --kernel=components --local-size=64,1,1 --verify-each --stop-after=kept-results | FileCheck %s --check-prefix=VECTORS
// RUN: weftc %s --kernel=by_rows --local-size=64,1,1 --verify-each --stop-after=kept-results | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=one_guard --local-size=32,1,1 --verify-each --stop-after=kept-results | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=softmax --local-size=256,1,1 --disable=kept-results --stop-after=near-loads | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=softmax --local-size=256,1,1 --streams --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=softmax --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=softmax --local-size=64,2,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=any_buffer --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=read_before --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=written_twice --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=last_row --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=half_of_groups --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=overlapping --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=same_place --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=longer --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=on_demand --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=of_the_programs --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=other_values --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=local_values --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=halves --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN
// RUN: weftc %s --kernel=cheap --local-size=64,1,1 --stop-after=kept-results | FileCheck %s --check-prefix=AGAIN

#define SUM t[l] = sum; barrier(CLK_LOCAL_MEM_FENCE); for (int k = 0; k < 32; ++k) sum += t[k]; const float f = 1.0f / sum;

// SOFTMAX-LABEL: @softmax.item
// SOFTMAX: %[[VALUE:.*]] = call float @__weft_float_scale
// SOFTMAX: store volatile float %[[VALUE]], ptr addrspace(1) {{.*}}!alias.scope
// SOFTMAX: fadd float {{.*}}%[[VALUE]]
// SOFTMAX: call void @__weft_barrier
// SOFTMAX-NOT: __weft_float_scale
// SOFTMAX: %[[GOT:.*]] = load volatile float, ptr addrspace(1) %[[PLACE:[^,]*]], {{.*}}!weft.nonvolatile
// SOFTMAX-NEXT: %[[SCALED:.*]] = fmul float %[[GOT]]
// SOFTMAX-NEXT: store volatile float %[[SCALED]], ptr addrspace(1) %[[PLACE]],
// SOFTMAX: ret i32
// AGAIN-NOT: %kept
kernel void softmax(global const float* restrict in, global float* restrict out, int n, float top, local float* t) {
  const int l = get_local_id(0);
  global const float* row = in + get_group_id(0) * n;
  float sum = 0;
  for (int i = l; i < n; i += get_local_size(0)) sum += exp(row[i] - top);
  SUM
  for (int i = l; i < n; i += get_local_size(0)) out[get_group_id(0) * n + i] = exp(row[i] - top) * f;
}

// Addresses of 32 bits, and rows of a group.
// KEPT: store volatile float %{{[^,]*}}, ptr addrspace(1)
// KEPT: call void @__weft_barrier
// KEPT: %kept = load volatile float, ptr addrspace(1)
kernel void rows_of_ints(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0) + get_local_id(1) * 64, g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 128) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 128) out[g * n + i] = exp(in[g * n + i]) * f;
}

// VECTORS: store volatile <4 x float> %{{[^,]*}}, ptr addrspace(1)
// VECTORS: call void @__weft_barrier
// VECTORS: %kept = load volatile <4 x float>, ptr addrspace(1)
kernel void vectors(global const float4* restrict in, global float4* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float4 sums = 0;
  for (int i = l; i < n; i += 64) sums += exp(in[g * n + i]);
  float sum = sums.x + sums.y + sums.z + sums.w;
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

// The sum asks for components, and nothing for the vector of them.
kernel void components(global const float4* restrict in, global float4* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) {
    const float4 x = exp(in[g * n + i]);
    sum += x.x + x.y + x.z + x.w;
  }
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

// A group does several rows, one after the other.
kernel void by_rows(global const float* restrict in, global float* restrict out, int n, int rows, local float* t) {
  const int l = get_local_id(0);
  for (int k = 0; k < rows; ++k) {
    const int row = (get_group_id(0) + k * get_num_groups(0)) * n;
    float sum = 0;
    for (int i = l; i < n; i += 64) sum += exp(in[row + i]);
    SUM
    for (int i = l; i < n; i += 64) out[row + i] = exp(in[row + i]) * f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Both loops run where there are so many columns.
kernel void one_guard(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  if (n < 32) return;
  float sum = 0;
  int i = l, j = l;
  do { sum += exp(in[g * n + i]); i += 32; } while (i < n);
  SUM
  do { out[g * n + j] = exp(in[g * n + j]) * f; j += 32; } while (j < n);
}

// It may be the buffer that is read.
kernel void any_buffer(global const float* in, global float* out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

kernel void read_before(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  sum += out[g];
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

kernel void written_twice(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
  if (l == 0) out[g * n] = 0;
}

// All groups behind the last row write that, the same numbers.
kernel void last_row(global const float* restrict in, global float* restrict out, int n, int rows, local float* t) {
  const int l = get_local_id(0), g = min((int)get_group_id(0), rows - 1);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

// So do groups along y.
kernel void half_of_groups(global const float* restrict in, global float* restrict out, global float* restrict sums, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
  if (l == 0) sums[get_group_id(1)] = sum;
}

// Each work-item writes what the next ones do.
kernel void overlapping(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 32) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 32) out[g * n + i] = exp(in[g * n + i]) * f;
}

kernel void same_place(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += exp(in[g * n + i]);
  SUM
  for (int i = 0; i < n; ++i) out[g * n + i] = exp(in[g * n + i]) * f;
}

kernel void longer(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i <= n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

// The second loop need not run.
kernel void on_demand(global const float* restrict in, global float* restrict out, global float* restrict sums, int n, int wanted, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  sums[g] = f;
  if (sum < wanted) return;
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

kernel void of_the_programs(global const float* restrict in, volatile global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i]) * f;
}

kernel void other_values(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i] - f);
}

// Of local memory, which is another in the meantime.
kernel void local_values(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  t[l] = l;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i] - t[l]);
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = exp(in[g * n + i] - t[l]) * f;
}

// A float has more digits than what is stored.
kernel void halves(global const float* restrict in, global half* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += exp(in[g * n + i]);
  SUM
  for (int i = l; i < n; i += 64) vstore_half(exp(in[g * n + i]) * f, g * n + i, out);
}

kernel void cheap(global const float* restrict in, global float* restrict out, int n, local float* t) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += in[g * n + i] * in[g * n + i] + 1.0f;
  SUM
  for (int i = l; i < n; i += 64) out[g * n + i] = (in[g * n + i] * in[g * n + i] + 1.0f) * f;
}
