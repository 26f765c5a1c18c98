// Behind a call under a condition, an exit of the loop has a way back that nobody takes, so that the call stays in the loop.
// RUN: weftc --options="-cl-std=CL3.0" --local-size=64,1,1 --kernel=under_if --stop-after=divergent-exits %s -o - | FileCheck %s --check-prefix=IF
// RUN: weftc --options="-cl-std=CL3.0" --local-size=64,1,1 --kernel=under_if --verify-each --stop-after=linearize %s -o - | FileCheck %s --check-prefix=MASKS
// RUN: weftc --options="-cl-std=CL3.0" --local-size=64,1,1 --kernel=of_a_function --stop-after=inline %s -o - | FileCheck %s --check-prefix=FUNCTION
// RUN: weftc --options="-cl-std=CL3.0" --counted --local-size=64,1,1 --kernel=under_if --stop-after=probes %s -o - | FileCheck %s --check-prefix=COUNTED
// RUN: weftc --options="-cl-std=CL3.0" --emit=scalar %s -o - | FileCheck %s --check-prefix=NONE

// IF: call i32 @__weft_sub_group_ballot
// IF: br i1 %{{[^,]+}}, label %[[WAY:[0-9]+]], label
// IF: [[WAY]]:
// IF-NEXT: [[LEAVES:%.*]] = call i1 @__weft_leaves()
// IF-NEXT: br i1 [[LEAVES]], label %{{[^,]+}}, label %for.cond
// Ways back are no branches of the program's.
// COUNTED: [[LEAVES:%.*]] = call i1 @__weft_leaves()
// COUNTED-NEXT: br i1 [[LEAVES]]
// The branch is known to leave by now.
// MASKS: [[LOOP:for.body]]:
// MASKS: call i32 @__weft_sub_group_ballot
// MASKS: br i1 %{{[^,]+}}, label %[[LOOP]],
// MASKS-NOT: __weft_sub_group_ballot
// MASKS: ret i32
kernel void under_if(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)];
  uint bits = 0;
  for (uint i = 0; i < 64; ++i) {
    if (key == i) {
      bits = sub_group_ballot(1).x;
      if (i < 64) break;
    }
  }
  out[get_global_id(0)] = bits;
}
// Inlining would see that the branch leaves.
// FUNCTION: urem i32 %{{.*}}, 5
// FUNCTION: call i32 @__weft_sub_group_ballot
// FUNCTION: call i1 @__weft_leaves()
uint search(uint key) {
  for (uint i = 0;; ++i) {
    if (key == i) {
      const uint bits = sub_group_ballot(1).x;
      if (key < 5) return bits;
    }
  }
}
kernel void of_a_function(global const uint* in, global uint* out) { out[get_global_id(0)] = search(in[get_global_id(0)] % 5); }
// In all iterations.
// NONE-LABEL: @in_all(
// NONE-NOT: __weft_leaves
// NONE: ret void
kernel void in_all(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)];
  uint bits = 0, i = 0;
  do bits += sub_group_ballot(key == i).x;
  while (++i < key);
  out[get_global_id(0)] = bits;
}
// All leave together.
// NONE-LABEL: @counted(
// NONE-NOT: __weft_leaves
// NONE: ret void
kernel void counted(global const uint* in, global uint* out, uint n) {
  const uint key = in[get_global_id(0)];
  uint bits = 0;
  for (uint i = 0; i < n; ++i)
    if (key == i) bits += sub_group_ballot(key & 1).x;
  out[get_global_id(0)] = bits;
}
