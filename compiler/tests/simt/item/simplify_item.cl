// Once the local size is known, branches on it fold and loops over it unroll; all accesses to shared memory stay.
// RUN: weftc --local-size=4,1,1 --stop-after=lower-args %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --local-size=4,1,1 --stop-after=simplify-item %s | FileCheck %s --check-prefixes=AFTER
// BEFORE: define internal i32 @k.item(
// BEFORE: br i1
// BEFORE: store volatile i32 7
// AFTER: define internal i32 @k.item(
// AFTER-NOT: store volatile i32 7
// AFTER-NOT: br i1
// AFTER-COUNT-8: load volatile i32
// AFTER-NOT: load volatile i32
// AFTER: ret i32 -1
kernel void k(global int* a) {
  if (get_local_size(0) > 8) a[0] = 7;
  int sum = 0;
  for (int k = 0; k < get_local_size(0); ++k) sum += a[0] + a[k];
  a[get_local_id(0)] = sum;
}
