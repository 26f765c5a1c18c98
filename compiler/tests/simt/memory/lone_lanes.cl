// A loop behind a condition that lanes meet each for themselves runs as one lane's code where one lane alone meets it, whatever it stores.
//
// RUN: weftc --cpu=znver4 --kernel=frontier --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=ALONE
// RUN: weftc --cpu=znver4 --kernel=segments --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=ALONE
// RUN: weftc --cpu=znver4 --kernel=bounded --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=NEVER
// RUN: weftc --cpu=znver4 --kernel=counted --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=NEVER
// RUN: weftc --cpu=znver4 --kernel=spins --local-size=64 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=NEVER
// RUN: weftc --cpu=znver4 --kernel=frontier --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=NEVER

// ALONE: %is.alone = call i1 @weft.all(
// ALONE: br i1 %is.alone
// ALONE: so.several:
// ALONE: call void @{{.*}}by_lane
// NEVER-NOT: is.alone
kernel void frontier(global const int* rows, global const int* edges, global char* is_next, global const char* is_now, global int* costs) {
  int v = get_global_id(0);
  if (!is_now[v]) return;
  for (int i = rows[v]; i < rows[v + 1]; i++) {
    costs[edges[i]] = costs[v] + 1;
    is_next[edges[i]] = 1;
  }
}

// Where either of two conditions leads to the loop.
kernel void segments(global const int* starts, global int* mask, global int* values, int n) {
  int at = starts[get_global_id(0)];
  if (at <= 0 || mask[at - 1] == 0) {
    while (at < n && mask[at] != 0) {
      values[at] = at - starts[get_global_id(0)];
      mask[at] = -1;
      at++;
    }
  }
}

// All but few lanes are within a bound of the range.
kernel void bounded(global const int* rows, global const int* edges, global int* costs, int n) {
  int v = get_global_id(0);
  if (v >= n) return;
  for (int i = rows[v]; i < rows[v + 1]; i++) costs[edges[i]] = costs[v] + 1;
}

// Atomics and what the program made volatile stay where others see them.
kernel void counted(global const int* rows, global const int* edges, global const char* is_now, global int* counts, global int* places) {
  int v = get_global_id(0);
  if (!is_now[v]) return;
  for (int i = rows[v]; i < rows[v + 1]; i++) places[edges[i]] = atomic_inc(counts + edges[i]);
}
kernel void spins(global const int* rows, global const int* edges, global const char* is_now, volatile global int* costs) {
  int v = get_global_id(0);
  if (!is_now[v]) return;
  for (int i = rows[v]; i < rows[v + 1]; i++) costs[edges[i]] = costs[v] + 1;
}
