// A variable that nothing writes before it is read.
// launch: 33,1,1 groups 2,1,1 coarsen 1
kernel void k(global uint* out) {
  uint v[4];
  if (get_local_id(0) == 1) v[1] = 5u;
  out[get_global_id(0)] = v[get_local_id(0) & 3u];
}
