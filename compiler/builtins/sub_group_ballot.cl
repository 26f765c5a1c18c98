// Predicates of a sub-group as bits (cl_khr_subgroup_ballot). There are 32 at most: what lies behind the first element is 0.
#include "sub_group.h"

WEFT_BUILTIN __attribute__((convergent)) uint4 sub_group_ballot(int predicate) {
  return (uint4)(__weft_sub_group_ballot(predicate != 0), 0, 0, 0);
}
WEFT_BUILTIN int sub_group_inverse_ballot(uint4 value) { return (value.x >> __weft_sub_group_lane()) & 1; }
WEFT_BUILTIN int sub_group_ballot_bit_extract(uint4 value, uint index) { return (value.x >> (index & 31)) & 1; }

// The bits of all lanes, of those up to this one, and of those before it.
WEFT_HELPER uint every_lane(void) { return 0xffffffffu >> (32 - __weft_sub_group_size()); }
WEFT_HELPER uint up_to(void) { return 0xffffffffu >> (31 - __weft_sub_group_lane()); }
WEFT_HELPER uint before(void) { return ~(0xffffffffu << __weft_sub_group_lane()); }

WEFT_BUILTIN uint sub_group_ballot_bit_count(uint4 value) { return popcount(value.x & every_lane()); }
WEFT_BUILTIN uint sub_group_ballot_inclusive_scan(uint4 value) { return popcount(value.x & up_to()); }
WEFT_BUILTIN uint sub_group_ballot_exclusive_scan(uint4 value) { return popcount(value.x & before()); }
WEFT_BUILTIN uint sub_group_ballot_find_lsb(uint4 value) { return (uint)ctz(value.x & every_lane()); }
WEFT_BUILTIN uint sub_group_ballot_find_msb(uint4 value) { return 31 - (uint)clz(value.x & every_lane()); }

WEFT_BUILTIN uint4 get_sub_group_eq_mask(void) { return (uint4)(1u << __weft_sub_group_lane(), 0, 0, 0); }
WEFT_BUILTIN uint4 get_sub_group_le_mask(void) { return (uint4)(up_to(), 0, 0, 0); }
WEFT_BUILTIN uint4 get_sub_group_lt_mask(void) { return (uint4)(before(), 0, 0, 0); }
WEFT_BUILTIN uint4 get_sub_group_ge_mask(void) { return (uint4)(every_lane() & ~before(), 0, 0, 0); }
WEFT_BUILTIN uint4 get_sub_group_gt_mask(void) { return (uint4)(every_lane() & ~up_to(), 0, 0, 0); }
