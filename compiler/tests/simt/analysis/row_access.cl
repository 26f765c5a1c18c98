// How long rows of work-items should be: what is known of an access in a loop that moves on by the same for all, and of loops that end apart.
// RUN: weftc --info --emit=scalar -o /dev/null %s 2>&1 | FileCheck %s

// By strides of the grid.
// CHECK-DAG: kernel strides: {{.*}}fusible, rows of 128, single rows of 256 []
kernel void strides(global const float* x, global float* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += 3.0f * x[i];
}

// CHECK-DAG: kernel sums: {{.*}}fusible, rows of 32, single rows of 256 []
kernel void sums(global const float* x, global float* y, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i] * x[i];
  y[get_global_id(0)] = sum;
}

// Bytes in threes: LLVM computes 3 * i in the upper half of 64 bits.
// CHECK-DAG: kernel threes: {{.*}}fusible, rows of 128, single rows of 256 []
kernel void threes(global const uchar* x, global uchar* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = (x[3 * i] + x[3 * i + 1] + x[3 * i + 2]) / 3;
}

// Records of 80 bytes: no row.
// CHECK-DAG: kernel records: {{.*}}fusible []
kernel void records(global const float* x, global float* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[20 * i];
}

// By a table.
// CHECK-DAG: kernel gather: {{.*}}fusible, rows of 32, single rows of 128{{[, ]}}
kernel void gather(global const float* x, global const int* at, global float* y) { y[get_global_id(0)] = x[at[get_global_id(0)]]; }

// Sparse rows, which end where they do.
// CHECK-DAG: kernel sparse: {{.*}}fusible, rows of 32 []
kernel void sparse(global const float* x, global const int* begin, global const int* at, global float* y) {
  float sum = 0;
  for (int k = begin[get_global_id(0)]; k < begin[get_global_id(0) + 1]; ++k) sum += x[at[k]];
  y[get_global_id(0)] = sum;
}
