// Kernels whose work-items go through chunks of their own: launches of a few spread them over all workers, and let each run alone where its iterations become
// vectors, or where rows within the chunk end at loaded numbers.
// RUN: weftc %s --cpu=sapphirerapids --info --emit=scalar -o /dev/null 2>&1 | FileCheck %s

// CHECK: kernel chosen: {{.*}}, chunks alone [
kernel void chosen(global const float* a, global float* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i)
    if (a[i] > 0.5f) b[i] = b[i] * 0.5f + a[i];
}

// CHECK: kernel decays: {{.*}}, chunks alone [
kernel void decays(global const float* a, global float* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) b[i] = exp(-a[i]) * sqrt(a[i]);
}

// CHECK: kernel shares: {{.*}}, chunks alone [
kernel void shares(global const float* a, global float* b, long n) {
  const long size = get_global_size(0), id = get_global_id(0);
  for (long i = id * n / size; i < (id + 1) * n / size; ++i) b[i] += a[i];
}

// CHECK: kernel downwards: {{.*}}, chunks alone [
kernel void downwards(global const float* a, global float* b, uint n, uint chunk) {
  const int begin = get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = end - 1; i >= begin; --i) b[i] += a[i];
}

// CHECK: kernel of_constant_length: {{.*}}, chunks alone [
kernel void of_constant_length(global int* b, int n) {
  for (int i = get_global_id(0) * 4096; i < min((int)get_global_id(0) * 4096 + 4096, n); ++i) b[i] *= 3;
}

// CHECK: kernel rows: {{.*}}, chunks alone [
kernel void rows(global const float* a, global float* b, int height, int width, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, height);
  for (int y = begin; y < end; ++y)
    for (int x = 1; x < width - 1; ++x) b[y * width + x] = a[y * width + x - 1] + a[y * width + x + 1];
}

// The order of the sums is the program's.
// CHECK: kernel sums: {{.*}}, chunks [
kernel void sums(global const float* a, global float* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  float s = 0;
  for (int i = begin; i < end; ++i) s += a[i];
  b[get_global_id(0)] = s;
}

// CHECK: kernel sums_of_ints: {{.*}}, chunks alone [
kernel void sums_of_ints(global const int* a, global int* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  int s = 0;
  for (int i = begin; i < end; ++i) s += a[i];
  b[get_global_id(0)] = s;
}

// CHECK: kernel sparse: {{.*}}, chunks alone [
kernel void sparse(global const int* row, global const int* column, global const float* value, global const float* x, global float* y, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) {
    float s = 0;
    for (int k = row[i]; k < row[i + 1]; ++k) s += value[k] * x[column[k]];
    y[i] = s;
  }
}

// CHECK: kernel histogram: {{.*}}, chunks alone [
kernel void histogram(global const uchar* a, global int* counts, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) ++counts[get_global_id(0) * 256 + a[i]];
}

// Neighbours' elements lie side by side.
// CHECK: kernel strides:
// CHECK-NOT: chunks
kernel void strides(global const float* a, global float* b, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) b[i] += a[i];
}
// A few elements each.
// CHECK: kernel fours:
// CHECK-NOT: chunks
kernel void fours(global float* b) {
  for (int i = get_global_id(0) * 4; i < get_global_id(0) * 4 + 4; ++i) b[i] *= 3;
}
// Rows of a matrix, one a work-item: of these there may be many.
// CHECK: kernel row:
// CHECK-NOT: chunks
kernel void row(global float* b, int n) {
  for (int i = 0; i < n; ++i) b[get_global_id(0) * n + i] *= 3;
}
