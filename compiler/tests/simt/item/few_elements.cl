// Private arrays of a few elements are so many values, whatever their indices.
// RUN: weftc --cpu=haswell --kernel=exchanged --local-size=32,8,1 --ids-fit-31-bits --stop-after=few-elements --verify-each %s | FileCheck %s
// CHECK-LABEL: define {{.*}}@exchanged.item(
// CHECK-NOT: alloca
// CHECK: select i1
// CHECK-NOT: alloca
// CHECK: ret

// Not those of many, nor what is taken as a whole.
// RUN: weftc --cpu=haswell --kernel=many --local-size=64,1,1 --ids-fit-31-bits --stop-after=few-elements --verify-each %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=as_bytes --local-size=64,1,1 --ids-fit-31-bits --stop-after=few-elements --verify-each %s | FileCheck %s --check-prefix=STAYS
// STAYS: alloca
kernel void exchanged(global const float* in, global float* out, const int first, const int second, const int width, const int height) {
  const int order[] = {first, second};
  int at[2] = {0};
  for (int y = get_global_id(1); y < height; y += get_global_size(1)) {
    at[order[1]] = y;
    for (int x = get_global_id(0); x < width; x += get_global_size(0)) {
      at[order[0]] = x;
      out[y * width + x] = in[at[1] * height + at[0]];
    }
  }
}

kernel void many(global const int* in, global int* out) {
  const int i = get_global_id(0);
  int counts[16] = {0};
  for (int k = 0; k < 9; ++k) counts[in[i + k] & 15] += k;
  out[i] = counts[in[i + 9] & 15];
}

kernel void as_bytes(global const uchar* in, global uint* out) {
  const int i = get_global_id(0);
  uint word[2] = {i, 2 * i};
  uchar* bytes = (uchar*)word;
  for (int k = 0; k < 9; ++k) bytes[in[i + k] & 7] = k;
  out[i] = word[in[i + 9] & 1];
}
