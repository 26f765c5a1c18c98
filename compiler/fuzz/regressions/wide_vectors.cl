// Vectors that fill the registers: what wide/register_blocking.h runs for a part of the lanes at a time, in loops and without.
// launch: 32,1,1 groups 2,1,1 coarsen 1
// launch: 50,1,1 groups 2,1,1 coarsen 2
// launch: 8,4,8 groups 1,1,1 coarsen 0 any-size
kernel void k(constant uint4* in0, uint ua, int ub, ulong uc, global uint* out0, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  const uint4 seed = in0[gid] & 1023u;
  const uint rounds = (ua & 7u) + 3u;
  float16 x = convert_float16((uint16)(seed, seed.yzwx, seed.zwxy, seed.wxyz)), y = (float16)(1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f, 8.5f, 9.5f, 10.5f, 11.5f, 12.5f, 13.5f, 14.5f, 15.5f, 16.5f);
  for (uint i = 0; i < rounds; ++i) {
    x = fma(x, (float16)(0.25f), y); y = fma(y, (float16)(0.5f), x);
    x = fma(y, (float16)(0.125f), x * 0.5f); y = fma(x, (float16)(0.25f), y * 0.25f);
  }
  double8 d = convert_double8(x.lo), e = convert_double8(y.hi);
  for (uint i = 0; i < rounds; ++i) {
    d = fma(d, (double8)(0.25), e * (double)i); e = fma(e, (double8)(0.5), d);
    e = select(e, d * 0.5, d > e); d = d - e * 0.125;
  }
  int16 m = (int16)(ub) + convert_int16(as_uint16(x) >> 3u), n = convert_int16(as_uint16(y) >> 5u);
  for (uint i = 0; i < rounds * 2u; ++i) {
    m = mad24(m, n, m ^ (int)i); n = max(n + m, n - m); m = rotate(m, 7) - n; n ^= m >> 3;
  }
  ulong16 p = convert_ulong16(as_uint16(m)) * uc + (ulong)gid, q = p;
  for (uint i = 0; i < rounds; ++i) { q += p * 3ul ^ (p >> 7ul); p = (q << 1ul) ^ (p + (ulong)i); q -= p & 0x55ul; p ^= q; }
  // Without a loop, with conversions between sizes.
  uchar16 c = convert_uchar16_sat(m & 255) + convert_uchar16(as_uint16(n) & 127u);
  uint16 w = convert_uint16(c) * as_uint16(m) + as_uint16(n), v = w ^ as_uint16(n);
  w += v * 5u; v ^= w >> 2u; w -= v << 3u; v += w * 7u; w ^= v >> 1u; v -= w; w += v * 9u; v ^= w >> 4u; w -= v;
  c = convert_uchar16(w & 255u) ^ c;
  ulong h = 5ul;
  float f[16]; double g[8]; uint u[16]; ulong l[16]; uchar b[16];
  vstore16(x + y, 0, f); vstore8(d + e, 0, g); vstore16(w ^ v ^ as_uint16(m ^ n), 0, u); vstore16(p ^ q, 0, l); vstore16(c, 0, b);
  for (uint i = 0; i < 16u; ++i) h = (h * 31ul + as_uint(f[i])) * 31ul + as_ulong(g[i & 7u]) + u[i] + l[i] * 3ul + b[i];
  digest[gid] = h;
}
