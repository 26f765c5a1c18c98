// The half next to 2^31 towards zero is 65504. InstCombine left half out on the way from an integer with one significant bit to float.
// launch: 64,1,1 groups 5,1,1 coarsen 0
// launch: 64,1,1 groups 5,1,1 coarsen 0 required-only
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global uint* in0, uint ua, int ub, ulong uc, global uint* out0, global uint* counts, global ulong* digest) {
  const uint gid = get_global_id(0);
  const uint bit = in0[gid] << 31;
  out0[gid * 16u] = as_ushort(convert_half_rtz(convert_float(bit)));
  out0[gid * 16u + 1u] = as_uint((float)(half)(int)(in0[gid] << 28));
}
