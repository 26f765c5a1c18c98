// What is done on the way out of a loop concerns those that leave in one iteration: the block stays in the loop until masks are made, and
// then has one way to go.
// RUN: weftc --options="-cl-std=CL3.0" --emit=frontend %s -o - | FileCheck %s --check-prefix=FRONT
// RUN: weftc --options="-cl-std=CL3.0" --local-size=64,1,1 --kernel=keys --stop-after=linearize %s -o - | FileCheck %s --check-prefix=MASKS
// FRONT-LABEL: @keys(
// FRONT: call spir_func i32 @_Z25sub_group_broadcast_first
// FRONT: call spir_func i32 @_Z20sub_group_reduce_addj
// FRONT: br label %[[WAY:[0-9a-z.]+]]
// FRONT: [[WAY]]:
// FRONT-NEXT: [[LEAVES:%.*]] = call i1 @__weft_leaves()
// FRONT-NEXT: br i1 [[LEAVES]], label
// MASKS-NOT: __weft_leaves
// MASKS: call i32 @__weft_sub_group_reduce_add_i32
kernel void keys(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)];
  uint sum = 0;
  for (;;) {
    const uint first = sub_group_broadcast_first(key);
    if (key == first) {
      sum = sub_group_reduce_add(key);
      break;
    }
  }
  out[get_global_id(0)] = sum;
}
// By a function, a `return` and a `goto`, out of two loops.
// FRONT-LABEL: @nested(
// FRONT-COUNT-2: call i1 @__weft_leaves()
// FRONT-NOT: __weft_leaves
// FRONT: ret void
uint votes(uint x) { return sub_group_ballot(x & 1).x; }
kernel void nested(global const uint* in, global uint* out) {
  const uint x = in[get_global_id(0)];
  for (uint i = 0; i < 4; ++i) {
    for (uint k = 0; k < 4; ++k) {
      if (x == i + k) {
        out[get_global_id(0)] = votes(x);
        return;
      }
      if (x == i * k) {
        out[get_global_id(0)] = votes(x >> 1);
        goto behind;
      }
    }
  }
behind:;
}
// The way back stands further up.
// FRONT-LABEL: @ends_with_break(
// FRONT: call spir_func i32 @_Z20sub_group_reduce_addj
// FRONT: call i1 @__weft_leaves()
// FRONT: call spir_func <4 x i32> @_Z16sub_group_balloti
// FRONT-NOT: __weft_leaves
// FRONT: ret void
kernel void ends_with_break(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)];
  uint sum;
  while (1) {
    if (key != sub_group_broadcast_first(key)) continue;
    sum = sub_group_reduce_add(key);
    break;
  }
  out[get_global_id(0)] = sum + sub_group_ballot(sum & 1).x;
}
// Nobody asks who leaves together.
// FRONT-LABEL: @plain(
// FRONT-NOT: __weft_leaves
// FRONT: ret void
kernel void plain(global uint* out) {
  for (uint i = 0;; ++i) {
    if (out[i] == get_sub_group_local_id()) {
      out[get_global_id(0)] = i;
      break;
    }
  }
}
