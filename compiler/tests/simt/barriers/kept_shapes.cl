// A branch that LLVM moves out of a loop over barriers looks at the local id, which is never undefined: it is not frozen, so that what
// addresses are made of it still count over the lanes.
// RUN: weftc --cpu=skylake-avx512 --local-size=256,1,1 --stop-after=unroll-barriers %s | FileCheck %s --check-prefix=ITEM
// RUN: weftc --cpu=skylake-avx512 --local-size=256,1,1 --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARKS --allow-empty
// ITEM-LABEL: define internal i32 @lattice.item(
// ITEM-NOT: freeze
// REMARKS-NOT: gather
kernel void lattice(global const float* in, global float* out, int steps) {
  local float v[256];
  const int l = get_local_id(0);
  v[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = steps; k > 0; --k) {
    float t = 0;
    if (l < k) t = 0.5f * (v[l] + v[l + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < k) v[l] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = v[0];
}
