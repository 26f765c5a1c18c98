// A kernel whose x counts a matrix's rows has x exchanged with the dimension that memory lies along, and launches of it have, too.
//
// RUN: weftc --emit=scalar --info %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO
// RUN: weftc --kernel=rows --local-size=32,4 --turned=1 --stop-after=turned-ids %s | FileCheck %s --check-prefix=TURNED
// RUN: weftc --kernel=rows --local-size=32,4 --stop-after=turned-ids %s | FileCheck %s --check-prefix=PLAIN
// RUN: weftc --kernel=rows --local-size=32,4 --turned=1 --ids-fit-31-bits --remarks --emit=obj -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty

// INFO: kernel rows:{{.*}}turned to y
// TURNED: define {{.*}} @rows(
// TURNED: call i64 @__weft_global_id_y()
// TURNED: call i64 @__weft_global_id_x()
// PLAIN: define {{.*}} @rows(
// PLAIN: call i64 @__weft_global_id_x()
// PLAIN: call i64 @__weft_global_id_y()
// SILENT-NOT: {{gather|scatter}}
kernel void rows(global const float* a, global float* b, int n, int m) {
  int row = get_global_id(0), column = get_global_id(1);
  if (row < n && column < m) b[row * m + column] = 2 * a[row * m + column] + a[row * m];
}

// Planes of rows, z being what lies side by side.
// INFO: kernel planes:{{.*}}turned to z
kernel void planes(global const float* a, global float* b, int n) {
  int p = (get_global_id(0) * n + get_global_id(1)) * n + get_global_id(2);
  b[p] = a[p] + a[p + n] + a[p + n * n];
}

// INFO: kernel bounded:{{.*}}turned to y
kernel void bounded(global const uchar* a, global uchar* b, int n, int m) {
  int row = get_global_id(0), column = get_global_id(1), sum = 0;
  for (int i = -1; i <= 1; i++) sum += a[clamp(row + i, 0, n - 1) * m + clamp(column + i, 0, m - 1)];
  b[row * m + column] = sum / 3;
}

// What is along x is side by side already; or one way as far as the other.
// INFO: kernel columns:
// INFO-NOT: turned
kernel void columns(global const float* a, global float* b, int m) { b[get_global_id(1) * m + get_global_id(0)] = a[get_global_id(1) * m + get_global_id(0)]; }
// INFO: kernel transposed:
// INFO-NOT: turned
kernel void transposed(global const float* a, global float* b, int m) { b[get_global_id(1) * m + get_global_id(0)] = a[get_global_id(0) * m + get_global_id(1)]; }

// Work-items that can tell which others are in their warp or group.
// INFO: kernel with_barrier:
// INFO-NOT: turned
kernel void with_barrier(global const float* a, global float* b, int m) {
  int i = get_global_id(0) * m + get_global_id(1);
  float x = a[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  b[i] = x;
}
// INFO: kernel with_votes:
// INFO-NOT: turned
kernel void with_votes(global const float* a, global float* b, int m) {
  int i = get_global_id(0) * m + get_global_id(1);
  b[i] = sub_group_reduce_add(a[i]);
}
// INFO: kernel with_local:
// INFO-NOT: turned
kernel void with_local(global const float* a, global float* b, local float* c, int m) {
  int i = get_global_id(0) * m + get_global_id(1);
  c[get_local_id(0)] = a[i];
  b[i] = c[0];
}
// INFO: kernel required:
// INFO-NOT: turned
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void required(global const float* a, global float* b, int m) {
  int i = get_global_id(0) * m + get_global_id(1);
  b[i] = a[i];
}
// A launch may wait for the group in front.
// INFO: kernel waiting:
// INFO-NOT: turned
kernel void waiting(global const float* a, global float* b, volatile global int* turn, int m) {
  int i = get_global_id(0) * m + get_global_id(1);
  while (atomic_or(turn, 0) < (int)get_group_id(0)) {}
  b[i] = a[i];
}
