// What each lane computes in a loop under a condition was computed once, by all that had left it, where a branch behind it was seen to leave.
// options: -cl-std=CL3.0
// launch: 64,1,1 groups 1,1,1 coarsen 0
// launch: 64,1,1 groups 1,1,1 coarsen 0 dispatch
// launch: 64,1,1 groups 1,1,1 coarsen 0 required-only
uint search(uint v) {
  for (uint i = 0;; ++i) {
    if (v == i) {
      const uint bits = sub_group_ballot(1).x;
      if (v < 5u) return bits;
    }
  }
}
kernel void k(global const uint* in, global uint* out, global ulong* digest) {
  uint g = get_global_id(0);
  uint v = in[g] % 5, h = 0;
  for (uint i = 0; i < 8; ++i) {
    if (v == i) {
      h = sub_group_ballot(1).x;
      if ((g & 7u) < 8u) break;
    }
  }
  out[g] = h + 3u * search(in[g] % 5);
}
