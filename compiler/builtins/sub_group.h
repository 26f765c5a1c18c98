// The primitives of a sub-group (../simt/ir/sub_groups.h) that more than one file needs, and types that they know.
#pragma once
#include "builtins.h"

WEFT_PRIMITIVE uint __weft_sub_group_size(void);
WEFT_PRIMITIVE uint __weft_sub_group_lane(void);
WEFT_PRIMITIVE uint __weft_sub_group_id(void);
WEFT_LANES uint __weft_sub_group_ballot(bool);
WEFT_LANES uchar __weft_sub_group_first_i8(uchar);
WEFT_LANES ushort __weft_sub_group_first_i16(ushort);
WEFT_LANES uint __weft_sub_group_first_i32(uint);
WEFT_LANES ulong __weft_sub_group_first_i64(ulong);

WEFT_HELPER uint group_size(void) { return __weft_local_size_x() * __weft_local_size_y() * __weft_local_size_z(); }
/// The work-items of this sub-group.
WEFT_HELPER uint sub_group_items(void) {
  const uint left = group_size() - __weft_sub_group_size() * __weft_sub_group_id();
  return left < __weft_sub_group_size() ? left : __weft_sub_group_size();
}

/// Bits of the work-items that execute the call.
#define WEFT_PARTICIPANTS __weft_sub_group_ballot(true)

// M(type, type of primitives, their suffix, prefix of minimum and maximum)
#define WEFT_SUB_GROUP_INTEGERS(M)                                                                     \
  M(char, uchar, i8, ) M(uchar, uchar, i8, u) M(short, ushort, i16, ) M(ushort, ushort, i16, u)        \
  M(int, uint, i32, ) M(uint, uint, i32, u) M(long, ulong, i64, ) M(ulong, ulong, i64, u)
#define WEFT_SUB_GROUP_FLOATS(M) M(half, half, f16, ) M(float, float, f32, ) M(double, double, f64, )
#define WEFT_SUB_GROUP_TYPES(M) WEFT_SUB_GROUP_INTEGERS(M) WEFT_SUB_GROUP_FLOATS(M)
