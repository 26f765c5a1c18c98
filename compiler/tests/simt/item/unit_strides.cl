// An argument that a work-item's place is multiplied by is known to be 1 where a launch says so: its lanes' elements are neighbours.
//
// RUN: weftc --local-size=64 --formats=4 --stop-after=unit-strides %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --local-size=64 --stop-after=unit-strides %s | FileCheck %s --check-prefix=ANY
// RUN: weftc --local-size=64 --formats=14 --remarks --emit=obj -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: weftc --local-size=64 --formats=4 --disable=unit-strides --remarks --emit=obj -o /dev/null %s 2>&1 | \
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
