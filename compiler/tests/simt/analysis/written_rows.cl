// What a launch writes in rows, and the order of its groups.
// RUN: weftc %s --info --emit=scalar -o /dev/null 2>&1 | FileCheck %s

// CHECK: kernel transposed: {{.*}}, streams of 4 bytes out of 4, groups by columns [
kernel void transposed(global const float* in, global float* out, int width, int height) {
  out[get_global_id(0) * height + get_global_id(1)] = in[get_global_id(1) * width + get_global_id(0)];
}

// Within a group along x, and from group to group along y.
// CHECK: kernel by_tiles: {{.*}}, streams of 4 bytes out of 4, groups by columns [
kernel void by_tiles(global const float* in, global float* out, int width, int height) {
  local float tile[16][17];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_group_id(0) * 16, y = get_group_id(1) * 16;
  tile[ly][lx] = in[(y + ly) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(x + ly) * height + y + lx] = tile[lx][ly];
}

// Two of a work-item beside each other; loops of local memory alone.
// CHECK: kernel sums: {{.*}}, streams of 8 bytes out of 8 [
kernel void sums(global const int* in, global int* out, local int* t) {
  const int l = get_local_id(0), n = 2 * get_local_size(0);
  const size_t first = get_group_id(0) * (size_t)n;
  t[2 * l] = in[first + 2 * l];
  t[2 * l + 1] = in[first + 2 * l + 1];
  for (int s = 1; s < n; s *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % s == 0) t[l] += t[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + 2 * l] = t[2 * l];
  out[first + 2 * l + 1] = t[2 * l + 1];
}

// More than once through an array; what is read; a work-item's own row; atomics.
// CHECK: kernel again: arguments
// CHECK-NOT: streams
// CHECK-SAME: [
kernel void again(global const float* in, global float* out, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[k];
  out[get_global_id(0)] = sum;
}
// CHECK: kernel in_place: arguments
// CHECK-NOT: streams
// CHECK-SAME: [
kernel void in_place(global float* a, local float* t) {
  t[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
// CHECK: kernel own_row: arguments
// CHECK-NOT: streams
// CHECK-SAME: [
kernel void own_row(global const float* in, global float* out, int n) { out[get_global_id(0) * n] = in[get_global_id(0)]; }
// CHECK: kernel counts: arguments
// CHECK-NOT: streams
// CHECK-SAME: [
kernel void counts(global const int* in, global int* out, global int* count) {
  if (in[get_global_id(0)]) atomic_inc(count);
  out[get_global_id(0)] = 1;
}

// Two structs of a work-item, rows apart, each by its fields.
// CHECK: kernel two_rows: {{.*}}, streams of 32 bytes out of 16 [
typedef struct { float2 first, second; } Pair;
kernel void two_rows(global const Pair* in, global Pair* out, int pitch) {
  const int at = (int)get_global_id(1) * pitch + (int)get_global_id(0);
  const Pair pair = in[at];
  for (int i = 0; i < 2; ++i) {
    out[2 * (int)get_global_id(1) * pitch + i * pitch + (int)get_global_id(0)].first = pair.second * 2;
    out[2 * (int)get_global_id(1) * pitch + i * pitch + (int)get_global_id(0)].second = pair.first * i;
  }
}
