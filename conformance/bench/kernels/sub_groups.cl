// What GPU programs do with warps, in terms of sub-groups: right for sub-groups of any size.

// One sum a group of 256 work-items, each of which adds eight elements: shuffles within a sub-group, local memory between them.
kernel void shuffled_sum(global const float* in, global float* out) {
  local float parts[256];
  const size_t first = get_group_id(0) * 2048 + get_local_id(0);
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += in[first + i * 256];
  for (uint step = get_max_sub_group_size() / 2; step > 0; step /= 2) sum += sub_group_shuffle_xor(sum, step);
  if (get_sub_group_local_id() == 0) parts[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    for (uint i = 1; i < get_num_sub_groups(); ++i) sum += parts[i];
    out[get_group_id(0)] = sum;
  }
}

// The sums before each element of a group's 256.
kernel void sub_group_scan(global const int* in, global int* out) {
  local int parts[256];
  const size_t i = get_global_id(0);
  const int x = in[i];
  int before = sub_group_scan_exclusive_add(x);
  if (get_sub_group_local_id() == get_sub_group_size() - 1) parts[get_sub_group_id()] = before + x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < get_sub_group_id(); ++k) before += parts[k];
  out[i] = before;
}

// The elements of a group's 256 that are larger than `limit`, in their order, at the start of the group's part of `out`.
kernel void compaction(global const int* in, global int* out, int limit) {
  local uint parts[256];
  const size_t i = get_global_id(0);
  const int x = in[i];
  const uint4 chosen = sub_group_ballot(x > limit);
  if (get_sub_group_local_id() == 0) parts[get_sub_group_id()] = sub_group_ballot_bit_count(chosen);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint place = sub_group_ballot_exclusive_scan(chosen);
  for (uint k = 0; k < get_sub_group_id(); ++k) place += parts[k];
  if (x > limit) out[get_group_id(0) * 256 + place] = x;
}

// Eight rows of a product: the elements of `a` go round by broadcasts, where a tile in local memory would hold them.
kernel void broadcast_matmul(global const float* a, global const float* b, global float* c, int n) {
  const int column = get_global_id(0), row = get_global_id(1) * 8, lane = get_sub_group_local_id(), lanes = get_max_sub_group_size();
  float sums[8] = {0};
  for (int first = 0; first < n; first += lanes) {
    float mine[8];
    for (int r = 0; r < 8; ++r) mine[r] = a[(row + r) * n + first + lane];
    for (int k = 0; k < lanes; ++k) {
      const float factor = b[(first + k) * n + column];
      for (int r = 0; r < 8; ++r) sums[r] += sub_group_broadcast(mine[r], k) * factor;
    }
  }
  for (int r = 0; r < 8; ++r) c[(row + r) * n + column] = sums[r];
}
