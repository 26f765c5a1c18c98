// Exits that some lanes reach by a back edge: a phi that LLVM takes for uniform.
// launch: 40,2,1 groups 2,2,1 coarsen 1
// linearize: a divergent loop is left before its latch in k.region.0 
kernel void k(constant uint* in0, uint ua, int ub, ulong uc, global uint* out0, global volatile long* out1, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  {
    uint n22 = 0;
    l21a:;
    {
    }
    if (((ua & 8u) != 0u)) goto l21c;
    l21b:;
    {
    }
    if (++n22 < 4u && (int)(0)) goto l21a;
    l21c:;
    {
    }
    if (++n22 < 4u && ((uint)lid > 15u)) goto l21b;
  }
}
