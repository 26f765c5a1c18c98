// A join of a divergent branch that LLVM's uniformity analysis misses, in a loop that turns cut.
// launch: 16,2,4 groups 2,4,1 coarsen 1
#pragma OPENCL FP_CONTRACT OFF
constant uchar table[256] = {13, 180, 91, 2, 169, 80, 247, 158, 69, 236, 147, 58, 225, 136, 47, 214, 125, 36, 203, 114, 25, 192, 103, 14, 181, 92, 3, 170, 81, 248, 159, 70, 237, 148, 59, 226, 137, 48, 215, 126, 37, 204, 115, 26, 193, 104, 15, 182, 93, 4, 171, 82, 249, 160, 71, 238, 149, 60, 227, 138, 49, 216, 127, 38, 205, 116, 27, 194, 105, 16, 183, 94, 5, 172, 83, 250, 161, 72, 239, 150, 61, 228, 139, 50, 217, 128, 39, 206, 117, 28, 195, 106, 17, 184, 95, 6, 173, 84, 251, 162, 73, 240, 151, 62, 229, 140, 51, 218, 129, 40, 207, 118, 29, 196, 107, 18, 185, 96, 7, 174, 85, 252, 163, 74, 241, 152, 63, 230, 141, 52, 219, 130, 41, 208, 119, 30, 197, 108, 19, 186, 97, 8, 175, 86, 253, 164, 75, 242, 153, 64, 231, 142, 53, 220, 131, 42, 209, 120, 31, 198, 109, 20, 187, 98, 9, 176, 87, 254, 165, 76, 243, 154, 65, 232, 143, 54, 221, 132, 43, 210, 121, 32, 199, 110, 21, 188, 99, 10, 177, 88, 255, 166, 77, 244, 155, 66, 233, 144, 55, 222, 133, 44, 211, 122, 33, 200, 111, 22, 189, 100, 11, 178, 89, 0, 167, 78, 245, 156, 67, 234, 145, 56, 223, 134, 45, 212, 123, 34, 201, 112, 23, 190, 101, 12, 179, 90, 1, 168, 79, 246, 157, 68, 235, 146, 57, 224, 135, 46, 213, 124, 35, 202, 113, 24, 191, 102};
uint float_bits(float x) { return isnan(x) ? 1u : as_uint(x); }
ulong double_bits(double x) { return isnan(x) ? 1ul : as_ulong(x); }
typedef struct {
  ulong f0;
  uint f1;
  uint f2;
} S0;
typedef struct {
  uint f0;
  int f1;
} S1;
int f2(ulong a3, uint a4, uint a5) {
  uint v6 = as_uint((int)((uint)((int)a3) - (uint)(convert_int(a5))));
  uint v7 = add_sat((1422239508u * 33u), (uint)(int)65535ul);
  uint p8[8];
  for (uint i = 0; i < 8u; ++i) p8[i] = (i * 7u + 3u);
  S1 s9[4];
  for (uint i = 0; i < 4u; ++i) {
    s9[i].f0 = (uint)(73);
    s9[i].f1 = (int)(16);
  }
  v6 |= (~(a5 ^ v6));
  return (int)(((int)(a5 & 15u) * (int)(v7 & 15u)) / ((int)((int)255ul & (int)(63)) + (int)(1)));
}
uint f10(uint a11, uint a12, int a13) {
  uint v14 = bitselect((~a11), (uint)(int)(3305055529u & 255u), (a11 - a12));
  uint v15 = v14;
  long v16 = (long)((ulong)(convert_long(v14)) << (uint)(uint)(((v15 & 2u) != 0u) ? a12 : v14));
  uint p17[16];
  for (uint i = 0; i < 16u; ++i) p17[i] = (i * 7u + 3u);
  uint p18[4];
  for (uint i = 0; i < 4u; ++i) p18[i] = (a11 + v14);
  S1 s19;
  s19.f0 = (uint)(28);
  s19.f1 = (int)(65);
  S0 s20;
  s20.f0 = (ulong)(69);
  s20.f1 = (uint)(86);
  s20.f2 = (uint)(47);
  switch ((ulong)8067296308679409804ul & 3u) {
    case 1:
    case 2:
    {
      v16 = v16;
      a11 -= (uint)((((v14 | v14) > 2147483648u) && (((a12 - v14) & 4u) != 0u)) ? (a11 >> (uint)100u) : (3u | (uint)(as_uint((a11 != a11)) % (uint)((uint)a13 | (uint)(1)))));
    }
    break;
    default:
    case 3:
    {
      v14 ^= p18[255u & 3u];
      a12 = 32u;
    }
    ;
  }
  return ((uint)(a11 != (uint)0 ? (4u ^ 800496394u) / a11 : (uint)(v16 <= (long)64ul)) ^ ((a12 * v14) >> (uint)15u));
}
#define O0(k) out0[(size_t)gid + ((k) & (16u - 1u)) * N]
#define O1(k) out1[(size_t)gid + ((k) & (16u - 1u)) * N]
kernel void k(global const ulong* in0, global const uint* in1, global const uint* in2, uint ua, int ub, ulong uc, global uint* out0, global uint* out1, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  volatile local int t0[1024];
  local uint t1[512];
  local uint c0[8], c1[8];
  t0[0u * n + lid] = (int)(lid & 63u);
  t0[1u * n + lid] = (int)(lid & 63u);
  t1[n - 1u - lid] = (uint)(lid & 63u);
  uint u21 = f10(ua, ua, (int)wg);
  ulong u22 = uc;
  int u23 = add_sat((int)((uint)((int)2418333878ul) + (uint)((int)get_group_id(0))), ub);
  uint v24 = (f10(u21, 962627377u, u23) - abs_diff((uint)lx, u21));
  uint v25 = v24;
  uint v26 = (uint)(1u / (uint)(16));
  uint p27[4];
  for (uint i = 0; i < 4u; ++i) p27[i] = (i * 7u + 3u);
  uint p28[2];
  for (uint i = 0; i < 2u; ++i) p28[i] = (i * 7u + 3u);
  S0 s29;
  s29.f0 = (ulong)(18);
  s29.f1 = (uint)(48);
  s29.f2 = (uint)(14);
  S0 s30;
  s30.f0 = (ulong)(3);
  s30.f1 = (uint)(33);
  s30.f2 = (uint)(99);
  {
    uint n31 = 0;
    do {
      if ((((uint)gid & 4u) != 0u)) {
        {
          uint n33 = 0;
          l32:;
          {
            s30.f1 = t1[n - 1u - lid];
            v26 = convert_uint((v25 <= v26));
          }
          if (++n33 < 5u && (((uint)lz % 3u == 0u) || (in1[(N - 1u - gid)] > (uint)(v24 != (uint)0 ? v24 / v24 : v26)))) goto l32;
        }
        s30.f0 = convert_ulong_sat(O1(p27[v24 & 3u]));
      } else {
        {
          uint j34 = (uint)((ly + ((u21 & u21) | (uint)(((long)get_num_groups(0) < convert_long_sat(u22)) ? in1[(1057734430u % (N * 16u))] : in2[(ulong)(ua % (N * 16u))]))) * 16u + lx);
          if (j34 < N * 8u) v24 = (uint)in0[j34];
        }
        p27[63u & 3u] -= (uint)(((uint)lid % 5u == 0u) ? ((uint)lx | (33u << (uint)v26)) : ((u21 ^ (uint)lx) ^ v24));
        s30 = s29;
      }
    } while (++n31 < 7u && ((int)((uint)((int)((int)lid % (int)(-8))) & (uint)((int)((uint)(ub) * (uint)(u23)))) <= as_int(65535u)));
  }
  ulong h = (ulong)s30.f2;
  digest[gid] = h;
}
