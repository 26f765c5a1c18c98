// A copy between private variables that stay in memory becomes loads and stores, but only after scalar clean-up, which
// handles memcpy better.
// RUN: weftc --emit=scalar --stop-after=simplify %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --emit=scalar %s | FileCheck %s --check-prefix=AFTER
// BEFORE: call void @llvm.memcpy
// AFTER: define {{.*}}@k(
// AFTER-NOT: call void @llvm.memcpy
// AFTER: alloca
// AFTER-NOT: call void @llvm.memcpy
// AFTER: ret void
typedef struct { int n[32]; } Pack;

kernel void k(global int* out, global const int* in) {
  int i = get_global_id(0);
  Pack packs[3];
  for (int p = 0; p < 3; ++p)
    for (int j = 0; j < 32; ++j) packs[in[p] & 1].n[in[j] & 31] = in[j] + i;
  packs[in[0] & 1] = packs[2 - (in[1] & 1)];
  out[i] = packs[in[3] & 1].n[in[4] & 31];
}
