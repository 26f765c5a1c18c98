// 7x7 filter; the input has a border of 3 on each side.
kernel void convolution(global const float* in, constant float* filter, global float* out, const int pitch) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  float sum = 0.0f;
  for (int j = 0; j < 7; ++j)
    for (int i = 0; i < 7; ++i) sum += filter[j * 7 + i] * in[(y + j) * pitch + x + i];
  out[y * get_global_size(0) + x] = sum;
}
