// Rounds of a SHA-256-like compression of one 64-byte block an item: rotations, and an array of 64 words.
#define ROTATE(v, n) rotate(v, (uint)(32 - (n)))

kernel void sha(global const uint* messages, global uint* digests, constant uint* k) {
  const size_t i = get_global_id(0);
  uint w[64];
  for (int t = 0; t < 16; ++t) w[t] = messages[16 * i + t];
  for (int t = 16; t < 64; ++t) {
    const uint s0 = ROTATE(w[t - 15], 7) ^ ROTATE(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const uint s1 = ROTATE(w[t - 2], 17) ^ ROTATE(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
  uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
  for (int t = 0; t < 64; ++t) {
    const uint s1 = ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25);
    const uint t1 = h + s1 + bitselect(g, f, e) + k[t] + w[t];
    const uint s0 = ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22);
    const uint t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  digests[2 * i] = a;
  digests[2 * i + 1] = e;
}

// Points in a quarter circle, from a generator an item (xorshift).
kernel void monte_carlo(global uint* hits, const int steps) {
  uint s = (uint)get_global_id(0) * 747796405u + 2891336453u;
  uint inside = 0;
  for (int k = 0; k < steps; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    const float x = (float)(s & 0xffffu) * 0x1p-16f;
    const float y = (float)(s >> 16) * 0x1p-16f;
    inside += x * x + y * y < 1.0f;
  }
  hits[get_global_id(0)] = inside;
}
