// What is read behind a private array is 0, and all else is as it would be; LLVM would leave the stores out.
// RUN: weftc --emit=scalar --verify-each %s | FileCheck %s

// CHECK-LABEL: @behind(
// CHECK-NOT: alloca
// CHECK: fmul float %{{.*}}, 0.0
// CHECK-NEXT: fadd
// CHECK: store volatile float %
kernel void behind(global const float* in, global float* out) {
#pragma clang fp contract(off)
  const float weights[3] = {in[0], in[1], in[2]};
  const int i = get_global_id(0);
  float sum = 1;
  for (int k = 0; k <= 3; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

// CHECK-LABEL: @in_front(
// CHECK: store volatile i32 0,
// CHECK: store volatile i32 %
kernel void in_front(global const int* in, global int* out) {
  const int two[2] = {in[0], in[1]};
  for (int k = -1; k < 1; ++k) out[k + 1] = two[k];
}

// Rows of an array follow each other.
// CHECK-LABEL: @next_row(
// CHECK: store volatile i32 %
// CHECK: ret void
kernel void next_row(global const int* in, global int* out) {
  const int rows[2][2] = {{in[0], in[1]}, {in[2], in[3]}};
  out[get_global_id(0)] = rows[0][2];
}

// Not unrolled, the array stays, and so does what is read.
// CHECK-LABEL: @chosen(
// CHECK: alloca
// CHECK: store volatile i32 %
kernel void chosen(global const int* in, global int* out, const int place) {
  const int four[4] = {in[0], in[1], in[2], in[3]};
  out[get_global_id(0)] = four[place];
}

// A table of constants is as long as what loops read of it.
// CHECK-LABEL: @table(
// CHECK: store volatile i32 %
// CHECK: store volatile i32 0,
// CHECK: ret void
kernel void table(global const int* in, global int* out) {
  const int weights[3] = {1, 2, 1};
  for (int k = 0; k <= 3; ++k) out[k] = weights[k] * in[k];
}

constant int of_program[3] = {1, 2, 1};

// CHECK-LABEL: @programs(
// CHECK: store volatile i32 %
// CHECK: store volatile i32 0,
// CHECK: ret void
kernel void programs(global const int* in, global int* out) {
  for (int k = 0; k <= 3; ++k) out[k] = of_program[k] * in[k];
}

// Not where little is known of the place.
// CHECK-LABEL: @anywhere(
// CHECK: getelementptr inbounds [3 x i32], ptr addrspace(2) @
kernel void anywhere(global const int* in, global int* out) {
  const int weights[3] = {1, 2, 1};
  for (int k = 0; k < 1000; ++k) out[k] = weights[in[k]];
}
