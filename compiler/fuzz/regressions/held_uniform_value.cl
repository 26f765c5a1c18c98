// What a loop holds for lanes that have left it has the shape of the value that it holds.
// launch: 8,4,8 groups 1,1,1 coarsen 1
// widen: no scalar form:   %mask5 = select i1 %live, i1 %7, i1 false widen: no scalar form:   %5 = phi i32 [ %n6.0.moved.lcssa, %l5a ] widen: no scalar form:   %5 = phi i32 [ %n6.0.moved.lcssa, %l5a ] 
kernel void k(global const ulong* in0, global const uint* in1, uint ua, int ub, ulong uc, global uint* out0, global uint* out1, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  {
    uint n6 = 0;
    if ((int)ly) goto l5b;
    l5a:;
    {
    }
    l5b:;
    {
    }
    if (++n6 < 4u && (int)(1)) goto l5a;
  }
}
