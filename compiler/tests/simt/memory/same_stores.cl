// A loop whose stores write one value for all, where nothing reads, runs for one lane after the other as loops without stores do.
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=marks %s | FileCheck %s --check-prefix=MARKS
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=fills %s | FileCheck %s --check-prefix=FILLS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=two_values %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=own_value %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=next_value %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=reads %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=reads_other %s | FileCheck %s --check-prefix=APART
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=across %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=asked %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=search %s | FileCheck %s --check-prefix=SEARCH
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=looks_on %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=looks_elsewhere %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=marks_own %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=relaxes %s | FileCheck %s --check-prefix=RELAXES
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=asks %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=two_kinds %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=own_distances %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=last_mark %s | FileCheck %s --check-prefix=BESIDE

// BESIDE: define internal i32 @{{.*}}.region.0
// BESIDE-NOT: by_lane

// MARKS-LABEL: define internal i32 @marks.region.0
// MARKS: call void @by_lane
// MARKS-LABEL: define internal void @by_lane
// MARKS: store i8 1, ptr %
kernel void marks(global uchar* set, global const int* step, const int n) {
  const int p = step[get_global_id(0)];
  for (int k = p; k < n; k += p) set[k] = 1;
}

// FILLS: call void @by_lane
kernel void fills(global float* row, const int n, const float value) {
  for (int k = 0; k < n; ++k) row[get_global_id(0) * n + k] = value;
}

// The last one's stays.
kernel void two_values(global uchar* set, const int n, const int m) {
  for (int k = 0; k < n; ++k) {
    set[k * get_global_id(0)] = 1;
    if (k > m) set[k + get_global_id(0)] = 2;
  }
}
kernel void own_value(global int* set, const int n) {
  for (int k = 0; k < n; ++k) set[k * get_global_id(0)] = get_global_id(0);
}
kernel void next_value(global int* set, const int n) {
  for (int k = 0; k < n; ++k) set[k * get_global_id(0)] = k;
}

// What others have marked.
kernel void reads(global int* set, global int* out, const int n) {
  int seen = 0;
  for (int k = 0; k < n; ++k) {
    seen += set[k];
    set[k * get_global_id(0)] = 1;
  }
  out[get_global_id(0)] = seen;
}
// APART: call i32 @by_lane
kernel void reads_other(global int* restrict set, global const int* restrict to, global int* restrict out, const int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    const int place = to[k * get_global_id(0)];
    set[place] = 1;
    sum += place;
  }
  out[get_global_id(0)] = sum;
}

// Two that lie across each other.
typedef int unaligned __attribute__((aligned(1)));
kernel void across(global uchar* set, const int n) {
  for (int k = 0; k < n; ++k) *(global unaligned*)(set + k * get_global_id(0)) = 1;
}

kernel void asked(global volatile int* set, const int n) {
  for (int k = 0; k < n; ++k) set[k * get_global_id(0)] = 1;
}

// A load that only finds out whether there is still something to store there. That few lanes have a row to go through is what makes turns worth it.
// SEARCH: call void @by_lane(
kernel void search(global const int* restrict begins, global const int* restrict to, global int* restrict level, global int* restrict more, int now) {
  const int v = get_global_id(0);
  if (level[v] != now) return;
  for (int e = begins[v]; e < begins[v + 1]; ++e) {
    const int u = to[e];
    if (level[u] == -1) {
      level[u] = now + 1;
      *more = 1;
    }
  }
}
// What it finds goes on.
kernel void looks_on(global const int* restrict to, global int* restrict level, global int* restrict out, int n) {
  int found = 0;
  for (int e = 0; e < n; ++e) {
    const int u = to[e * get_global_id(0)];
    if (level[u] == -1) {
      level[u] = 1;
      ++found;
    }
  }
  out[get_global_id(0)] = found;
}
kernel void looks_elsewhere(global const int* restrict to, global int* restrict level, int n) {
  for (int e = 0; e < n; ++e) {
    const int u = to[e * get_global_id(0)];
    if (level[u + 1] == -1) level[u] = 1;
  }
}
// Who comes later leaves no mark of its own.
kernel void marks_own(global const int* restrict to, global int* restrict level, global int* restrict marks, int n) {
  for (int e = 0; e < n; ++e) {
    const int u = to[e * get_global_id(0)];
    if (level[u] == -1) {
      level[u] = 1;
      marks[e] = 1;
    }
  }
}

// In any order the least is the same. It is exchanged only where it changes what is there.
// RELAXES: define internal void @by_lane(
// RELAXES: [[THERE:%.*]] = load atomic i32, ptr [[AT:%.*]] monotonic, align 4
// RELAXES: icmp sgt i32 [[THERE]],
// RELAXES: atomicrmw min ptr [[AT]],
kernel void relaxes(global const int* restrict begins, global const int* restrict to, global const int* restrict weights,
                    global const int* restrict distances, global int* restrict next) {
  const int v = get_global_id(0), own = distances[v];
  if (own > 1000) return;
  for (int e = begins[v]; e < begins[v + 1]; ++e) atomic_min(&next[to[e]], own + weights[e]);
}
kernel void asks(global const int* restrict to, global int* restrict next, global int* restrict out, int n) {
  int sum = 0;
  for (int e = 0; e < n; ++e) sum += atomic_min(&next[to[e * get_global_id(0)]], e);
  out[get_global_id(0)] = sum;
}
kernel void two_kinds(global const int* restrict to, global int* restrict next, int n) {
  for (int e = 0; e < n; ++e) {
    atomic_min(&next[to[e * get_global_id(0)]], e);
    atomic_max(&next[to[e * get_global_id(0)] + 1], e);
  }
}
kernel void own_distances(global const int* restrict to, global int* restrict distances, int n) {
  for (int e = 0; e < n; ++e) atomic_min(&distances[to[e * get_global_id(0)]], distances[e * get_global_id(0)] + 1);
}

// What lanes store where they leave the loop is not the one value.
kernel void last_mark(global int* restrict set, global const int* restrict step, const int n) {
  const int own = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    if (step[k * own] == 7) {
      set[k] = own;
      break;
    }
    set[k * own] = 1;
  }
}
