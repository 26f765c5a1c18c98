// What each lane computes on its way out of a loop was computed once, by all that had left it.
// options: -cl-std=CL3.0
// launch: 64,1,1 groups 1,1,1 coarsen 0
// launch: 64,1,1 groups 1,1,1 coarsen 0 dispatch
// launch: 64,1,1 groups 1,1,1 coarsen 0 required-only
kernel void k(global const uint* in, global uint* out, global ulong* digest) {
  uint g = get_global_id(0);
  uint v = in[g] % 5, h = 0;
  while (1) {
    uint first = sub_group_broadcast_first(v);
    if (v == first) { h = sub_group_ballot(1).x; break; }
  }
  out[g] = h;
}
