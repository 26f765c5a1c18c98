// Kernels whose warps had better lie along y: launches exchange x and y (turned_ids.h), or, where groups keep something to themselves, have groups of one
// column if they leave the local size to the platform.
// RUN: weftc %s --info --emit=scalar -o /dev/null 2>&1 | FileCheck %s

// x counts the rows of a matrix. What all columns of a row share is beside nothing.
// CHECK: kernel eliminate: {{.*}}, turned to y [
kernel void eliminate(global const float* factors, global float* a, int size, int t) {
  int row = get_global_id(0), column = get_global_id(1);
  if (row < size - 1 - t && column < size - t) a[size * (row + 1 + t) + column + t] -= factors[size * (row + 1 + t) + t] * a[size * t + column + t];
}

// CHECK: kernel of_constant_pitch: {{.*}}, turned to y [
kernel void of_constant_pitch(global float* a) { a[get_global_id(0) * 1024 + get_global_id(1)] *= 2; }

// CHECK: kernel in_steps: {{.*}}, along y [
kernel void in_steps(global float* a, int pitch) {
  global float* place = a + get_global_id(0) * pitch + get_global_id(1);
  const float before = *place;
  barrier(CLK_GLOBAL_MEM_FENCE);
  *place = before * 2;
}

// CHECK: kernel along_x: arguments
// CHECK-NOT: along y
// CHECK-SAME: [
kernel void along_x(global float* a, int pitch) { a[get_global_id(1) * pitch + get_global_id(0)] *= 2; }

// As many one way as the other.
// CHECK: kernel transposes: arguments
// CHECK-NOT: along y
// CHECK-SAME: [
kernel void transposes(global const float* in, global float* out, int height, int width) {
  out[get_global_id(0) * height + get_global_id(1)] = in[get_global_id(1) * width + get_global_id(0)];
}

// Far along x, and beside nothing along y.
// CHECK: kernel rows: arguments
// CHECK-NOT: along y
// CHECK-SAME: [
kernel void rows(global float* a, int pitch) { a[get_global_id(0) * pitch] = get_global_id(1); }
