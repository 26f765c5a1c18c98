// An argument that a work-item's place is multiplied by is known to be 1 where a launch says so: its lanes' elements are neighbours.
//
// RUN: weftc --kernel=strided --local-size=64 --formats=4 --stop-after=unit-strides %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=strided --local-size=64 --stop-after=unit-strides %s | FileCheck %s --check-prefix=ANY
// RUN: weftc --kernel=strided --local-size=64 --formats=14 --remarks --emit=obj -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: weftc --kernel=strided --local-size=64 --formats=4 --disable=unit-strides --remarks --emit=obj -o /dev/null %s 2>&1 | \
// RUN:   FileCheck %s --check-prefix=GATHER
// RUN: weftc --emit=scalar --info %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO

// ONE: define {{.*}} @strided(
// ONE-NOT: mul {{.*}} %x_step
// ONE: mul {{.*}} %y_step
// ANY: define {{.*}} @strided(
// ANY: mul {{.*}} %x_step
// ANY: mul {{.*}} %y_step
// SILENT-NOT: gather
// GATHER: gather
// INFO: int x_step, a stride
// INFO: int count{{$}}
// INFO: int y_step, a stride
kernel void strided(global const float* x, global float* y, int x_step, int count, int y_step) {
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) y[i * y_step] = x[i * x_step];
}

// Where each lane has a row of its own, a loop's steps through it, too: multiples of its counter, and what it goes on by. Not those from a row to the next.
// RUN: weftc --kernel=rows --emit=scalar --info %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: weftc --kernel=rows --local-size=64 --formats=30 --stop-after=unit-strides %s | FileCheck %s --check-prefix=ALONG
// ROWS: int count{{$}}
// ROWS: int row, a stride
// ROWS: int column, a stride
// ROWS: int step, a stride
// ROWS: int next_row{{$}}
// ALONG: define {{.*}} @rows(
// ALONG-NOT: mul {{.*}} %column
// ALONG-NOT: add {{.*}} %step
// ALONG: add {{.*}} %next_row
kernel void rows(global const float* a, global float* out, int count, int row, int column, int step, int next_row) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += a[i * row + k * column];
  int place = i * row;
  for (int k = 0; k < count; ++k, place += step) sum *= a[place];
  place = i;
  for (int k = 0; k < count; ++k, place += next_row) sum += a[place] + a[k * next_row + i];
  out[i] = sum;
}

// A field of a struct that is handed over by value: of those the one that a place along x is multiplied by. Ids that are turned would choose another.
// RUN: weftc --kernel=shaped --emit=scalar --info %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: weftc --kernel=shaped --local-size=64 --formats=2 --stop-after=unit-strides %s | FileCheck %s --check-prefix=SHAPED
// RUN: weftc --kernel=shaped --local-size=64 --formats=2 --turned=1 --stop-after=unit-strides %s | FileCheck %s --check-prefix=TURNED
// FIELD: Strides strides, a stride
// FIELD: Strides limits{{$}}
// SHAPED: define {{.*}} @shaped(
// SHAPED: mul i64 %{{[^,]*}}, %
// SHAPED: mul i64 %{{[^,]*}}, 1
// TURNED: define {{.*}} @shaped(
// TURNED-COUNT-2: mul i64 %{{[^,]*}}, %
typedef struct { ulong of[2]; } Strides;
kernel void shaped(global float* x, Strides strides, Strides limits) {
  const ulong row = get_global_id(1), column = get_global_id(0);
  if (row < limits.of[0] && column < limits.of[1]) x[row * strides.of[0] + column * strides.of[1]] = 1;
}
