// A division by zero.
// launch: 33,1,1 groups 2,1,1 coarsen 1
kernel void k(global uint* out) {
  const uint i = get_global_id(0);
  out[i] = 100u / (i & 7u);
}
