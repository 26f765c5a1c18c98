// Global atomics: a count of 4,096 keys, and the place of each key among its equals.
kernel void count(global const uint* keys, global uint* counts) {
  atomic_inc(&counts[keys[get_global_id(0)] & 4095u]);
}

// Compaction: those above the limit, in no order; one global atomic a group. `out` is a ring of a power of two.
kernel void compact(global const uint* in, global uint* out, global uint* taken, const uint limit,
                    const uint mask) {
  local uint count;
  local uint base;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint v = in[get_global_id(0)];
  uint mine = 0;
  if (v > limit) mine = atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) base = atomic_add(taken, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (v > limit) out[(base + mine) & mask] = v;
}
