// Half of the last unsigned index and 1 was taken for a negative number.
// launch: 32,16,1 groups 1,1,1 coarsen 0 offset 213,1,0 required-only
typedef struct {
  int f0[4];
  uint f1;
  uint f2;
  uint f3;
} S0;
#define O0(k) out0[(int)gid * 16u + ((k) & (16u - 1u))]
kernel void k(global const uint* in0, constant ushort* in1, uint ua, int ub, ulong uc, S0 us, global uint* out0, global uint* out1, global uint* counts, global ulong* digest, local uint* t2) {
  const size_t wide_gid = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0));
  const uint gid = (uint)wide_gid;
  uint v16 = convert_uint_sat((ushort)((ulong)(uint)((get_local_id(1) * get_local_size(0) + get_local_id(0)) + 4294967273ul) >= (ulong)4294967273ul ? in1[(ulong)(uint)((get_local_id(1) * get_local_size(0) + get_local_id(0)) + 4294967273ul) - (ulong)4294967273ul] : (ushort)(0)));
  vstore8((uint8)(shuffle((uint2)(v16), (uint4)(1)), (uint4)(1)), 0, &O0(4u));
}
