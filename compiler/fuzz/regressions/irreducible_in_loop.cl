// launch: 31,2,1 groups 2,2,1 coarsen 1
kernel void k(constant uint* in0, global const uint* in1, uint ua, int ub, ulong uc, global volatile uint* out0, global uint2* out1, global uint* counts, global ulong* digest, local uint4* t0) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  local uint4 t2[512];
  t2[lid] = (uint4)(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    {
      for (int n16 = 4; n16 > 0 && (int)(1); --n16) {
        {
          uint n19 = 0;
          l18a:;
          {
            if (((uint)lx > 3u)) continue;
          }
          if (ub) goto l18c;
          l18b:;
          {
          }
          if (++n19 < 4u && (int)(1)) goto l18a;
          l18c:;
          {
          }
          if (++n19 < 4u && (int)(1)) goto l18b;
        }
      }
      out17:;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
