// An index of 32 bits by which a pointer begins that a loop moves on: its first iteration accesses the place in the buffer, so no work-item that gets there
// has an index that wrapped around, and lanes load neighbours. Where the loop may step before it loads, nothing is known of where it began.
// RUN: weftc --kernel=walk --local-size=32,1,1 --ids-fit-31-bits --aligned-offsets --formats=1 --remarks -o /dev/null %s 2>&1 | FileCheck %s --allow-empty
// RUN: weftc --kernel=late --local-size=32,1,1 --ids-fit-31-bits --aligned-offsets --formats=1 --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=LATE

// CHECK-NOT: gather
// CHECK-NOT: lane after
__kernel void walk(__global const uchar* source, int step, __global uchar* to, int columns) {
  const int x = get_global_id(0);
  if (x >= columns) return;
  __global const uchar* at = source + mad24((int)get_global_id(1), step, x);
  int most = 0;
  for (int i = x; i < columns; i += 32, at += 32) most = max(most, (int)*at);
  to[x] = most;
}

// LATE: {{gather|lane after}}
__kernel void late(__global const uchar* source, int step, __global uchar* to, int columns) {
  const int x = get_global_id(0);
  if (x >= columns) return;
  __global const uchar* at = source + mad24((int)get_global_id(1), step, x);
  int most = 0;
  for (int i = x; i < columns; i += 32) {
    at += step;
    most = max(most, (int)*at);
  }
  to[x] = most;
}
