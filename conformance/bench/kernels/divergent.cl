// A small machine whose lanes are in different states at each step.
kernel void divergent(global const uint* in, global uint* out, const int steps) {
  const size_t i = get_global_id(0);
  uint s = in[i];
  uint acc = 0;
  for (int j = 0; j < steps; ++j) {
    s = s * 1664525u + 1013904223u;
    switch (s >> 29) {
      case 0: acc += s; break;
      case 1: acc ^= s >> 3; break;
      case 2: acc = acc * 3u + 1u; break;
      case 3: acc -= s >> 5; break;
      case 4: acc = (acc << 5) | (acc >> 27); break;
      case 5: acc = ~acc + s; break;
      case 6: acc ^= acc >> 7; break;
      default: acc += 12345u;
    }
  }
  out[i] = acc;
}
