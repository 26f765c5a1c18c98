// A sum of ints that overflows.
// launch: 33,1,1 groups 2,1,1 coarsen 1
kernel void k(global int* out) {
  const int i = (int)get_global_id(0);
  out[i] = 2147483640 + i;
}
