// Logic of three values in the forms that programs have, of numbers of each width (compiler/wide/ternary_logic.h).
// launch: 24,4,1 groups 2,2,1 coarsen 2
#define ALL(T, x, y, z)                                                                                                        \
  ({                                                                                                                           \
    const T a = x, b = y, c = z, both = (T)(a & b), odd = (T)(a ^ b ^ c);                                                      \
    const T one = (T)(both | (c & (a ^ b))), two = (T)(both | (a & c) | (b & c)), three = bitselect(a, b, (T)(a ^ c));          \
    const T four = (T)((a | b) & (c | both)), five = (T)(~(~(a | c) & b) ^ (c & 85)), six = (T)(((a ^ b) & (b ^ c)) | (odd & ~a)); \
    (T)(one + two * 3 + three * 5 + four * 7 + five * 11 + six * 13 + (odd & 7 ? one ^ three : two));                           \
  })
kernel void k(global const uint* restrict in0, global const long* in1, uint ua, int ub, ulong uc, global uchar* out0, global uint* out1, global uint* counts, global ulong* digest) {
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  const uint u = in0[gid] * 2654435761u, v = u ^ rotate(u, ua & 31u), w = v * 40503u + gid;
  const ulong x = (ulong)u << 32 | v, y = (ulong)in1[gid] * 0x9e3779b97f4a7c15ul, z = x * y + uc;
  ulong sum = ALL(uint, u, v, w) + ALL(ulong, x, y, z) + ALL(uchar, (uchar)u, (uchar)v, (uchar)w) + ALL(ushort, (ushort)u, (ushort)w, (ushort)v);
  for (uint i = 0; i < (u & 7u); ++i) sum += ALL(uint, w + i, (uint)sum, v);
  if (gid & 1u) sum ^= ALL(ulong, sum, z, y);
  out0[gid] = (uchar)sum;
  digest[gid] = sum;
}
