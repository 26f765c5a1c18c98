// How long the rows of a block of groups should be: as the kernel's accesses lie along x.
// RUN: weftc %s --info --emit=scalar -o /dev/null 2>&1 | FileCheck %s

// CHECK: kernel stencil: {{.*}}, rows of 256{{.*}} [
kernel void stencil(global const float* in, global float* out, int pitch) {
  int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  out[at] = in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch];
}

// As CUDA spells a global id; a guard, and a struct of its own for each work-item.
// CHECK: kernel by_groups: {{.*}}, rows of 256{{.*}} [
kernel void by_groups(global float4* out, int pitch, int width) {
  int x = get_group_id(0) * get_local_size(0) + get_local_id(0), y = get_group_id(1) * get_local_size(1) + get_local_id(1);
  if (x < width) out[y * pitch + x].yz = (float2)(x, y);
}

// CHECK: kernel by_required_groups: {{.*}}, rows of 256{{.*}} [
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void by_required_groups(global int* out, int pitch) {
  out[(get_group_id(1) * 16 + get_local_id(1)) * pitch + get_group_id(0) * 16 + get_local_id(0)] = 1;
}

// Places that start anew in each group are no row of a block's.
// CHECK: kernel within_groups: {{.*}}, rows of 32{{.*}} [
kernel void within_groups(global int* out) { out[get_group_id(1) * 16 + get_local_id(0)] = 1; }

// What one row of a block reads in its loop, the next reads again.
// CHECK: kernel product: {{.*}}, rows of 32{{.*}} [
kernel void product(global const float* a, global const float* b, global float* c, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[get_global_id(1) * n + i] * b[i * n + get_global_id(0)];
  c[get_global_id(1) * n + get_global_id(0)] = sum;
}

// CHECK: kernel gathers: {{.*}}, rows of 32{{.*}} [
kernel void gathers(global const int* index, global const float* in, global float* out) {
  out[get_global_id(0)] = in[index[get_global_id(0)]];
}

// CHECK: kernel texels: {{.*}}, rows of 32{{.*}} [
kernel void texels(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, at));
}

// A column of the output is far for each work-item of a row.
// CHECK: kernel transposes: arguments
// CHECK-NOT: rows of
// CHECK-SAME: [
kernel void transposes(global const float* in, global float* out, int height, int width) {
  out[get_global_id(0) * height + get_global_id(1)] = in[get_global_id(1) * width + get_global_id(0)];
}

// CHECK: kernel no_rows: arguments
// CHECK-NOT: rows of
// CHECK-SAME: [
kernel void no_rows(global int* out) { out[get_global_id(1)] = 1; }

// Groups that keep something to themselves are not run as blocks.
// CHECK: kernel waits: arguments
// CHECK-NOT: rows of
// CHECK-SAME: [
kernel void waits(global int* out, local int* t) {
  t[get_local_id(0)] = out[get_global_id(0)] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[31 - get_local_id(0)];
}

// Planes that a work-item goes through and writes.
// CHECK: kernel marches: {{.*}}, rows of 256{{.*}} [
kernel void marches(global const float* in, global float* out, int width, int plane, int depth) {
  int at = get_global_id(1) * width + get_global_id(0);
  float behind = in[at];
  for (int z = 0; z < depth; ++z) {
    at += plane;
    const float here = in[at];
    out[at] = here - behind;
    behind = here;
  }
}

// By strides of the grid. Groups that are a single row have no later rows that read the same again.
// CHECK: kernel strides: {{.*}}, rows of 256 [
kernel void strides(global const float* x, global float* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += 3.0f * x[i];
}

// CHECK: kernel sums: {{.*}}, rows of 32, single rows of 256 [
kernel void sums(global const float* x, global float* y, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i] * x[i];
  y[get_global_id(0)] = sum;
}

// Bytes in threes: LLVM computes 3 * i in the upper half of 64 bits.
// CHECK: kernel threes: {{.*}}, rows of 256 [
kernel void threes(global const uchar* x, global uchar* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = (x[3 * i] + x[3 * i + 1] + x[3 * i + 2]) / 3;
}

// Records of 80 bytes: no row.
// CHECK: kernel records: arguments
// CHECK-NOT: rows of
// CHECK-SAME: [
kernel void records(global const float* x, global float* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[20 * i];
}

// By a table.
// CHECK: kernel gather: {{.*}}, rows of 32, single rows of 128{{[, ]}}
kernel void gather(global const float* x, global const int* at, global float* y) { y[get_global_id(0)] = x[at[get_global_id(0)]]; }

// Sparse rows, which end where they do.
// CHECK: kernel sparse: {{.*}}, rows of 32 [
kernel void sparse(global const float* x, global const int* begin, global const int* at, global float* y) {
  float sum = 0;
  for (int k = begin[get_global_id(0)]; k < begin[get_global_id(0) + 1]; ++k) sum += x[at[k]];
  y[get_global_id(0)] = sum;
}
