// An index behind a private array.
// launch: 33,1,1 groups 2,1,1 coarsen 1
kernel void k(global uint* out) {
  uint p[4] = {1u, 2u, 3u, 4u};
  const uint i = get_global_id(0);
  out[i] = p[i & 7u];
}
