// Local memory that nobody wrote.
// launch: 33,1,1 groups 2,1,1 coarsen 1
kernel void k(global uint* out) {
  local uint t[64];
  t[get_local_id(0)] = 1u;
  out[get_global_id(0)] = t[63];
}
