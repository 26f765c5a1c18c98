// An argument that says how many rows each work-item has is known to be 1 where a launch says so: of one row there is no loop. A pitch is no such argument.
// RUN: weftc --emit=scalar --info %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: int rows{{$}}
// ROWS: int pitch{{$}}
// ROWS: int rows_of_item, a stride
// RUN: weftc --local-size=64,4,1 --ids-fit-31-bits --formats=10 --stop-after=simplify-item --verify-each %s | FileCheck %s --check-prefix=ROW
// RUN: weftc --local-size=64,4,1 --ids-fit-31-bits --stop-after=simplify-item %s | FileCheck %s --check-prefix=LOOP
// ROW-LABEL: @rows.item(
// ROW-NOT: phi
// ROW: ret
// LOOP-LABEL: @rows.item(
// LOOP: phi
kernel void rows(global const uchar* in, global uchar* out, int rows, int pitch, int rows_of_item) {
  const int x = get_global_id(0), first = get_global_id(1) * rows_of_item;
  for (int y = first, end = min(rows, first + rows_of_item); y < end; ++y) out[y * pitch + x] = in[y * pitch + x];
}
