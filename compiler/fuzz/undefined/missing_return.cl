// A function that ends without its return statement.
// launch: 33,1,1 groups 2,1,1 coarsen 1
uint f(uint a) {
  if (a > 3u) return a;
}
kernel void k(global uint* out) { out[get_global_id(0)] = f((uint)get_global_id(0)); }
