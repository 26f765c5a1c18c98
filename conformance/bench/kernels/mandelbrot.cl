// Iterations until the orbit leaves the circle of radius 2, at most `limit`.
kernel void mandelbrot(global int* out, const float left, const float top, const float step, const int limit) {
  const int px = get_global_id(0);
  const int py = get_global_id(1);
  const float cx = left + px * step;
  const float cy = top + py * step;
  float x = 0.0f;
  float y = 0.0f;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++n;
  }
  out[py * get_global_size(0) + px] = n;
}
