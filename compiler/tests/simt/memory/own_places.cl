// A loop whose stores go to places that an atomic sum has told their lane runs for one lane after the other as loops without stores do, and what comes out of
// it may be several vectors.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=finds %s | FileCheck %s --check-prefix=FINDS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=lines %s | FileCheck %s --check-prefix=LINES
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=waits %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=steps %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=reads %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=anywhere %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=may_be_read %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=sums %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=remembers %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --kernel=lines --emit=obj -o %t.o %s

// BESIDE: define internal i32 @{{.*}}.region.0
// BESIDE-NOT: by_lane

// FINDS: call void @by_lane
// FINDS-LABEL: define internal void @by_lane
// FINDS: [[PLACE:%.*]] = atomicrmw add
// FINDS: icmp slt i32 [[PLACE]]
// FINDS: store i32
kernel void finds(global const uchar* restrict text, global const int* restrict starts, global int* restrict out, global int* restrict count, int n, int limit) {
  for (int at = starts[get_global_id(0)]; at < n && text[at] != 0; at += starts[get_global_id(0) + 1]) {
    if (text[at] != 7) continue;
    const int place = atomic_inc(count);
    if (place < limit) out[place] = at;
  }
}

// LINES: call { float, float, float, float, i{{[18]}} } @by_lane
kernel void lines(global const uchar* restrict image, global const float2* restrict starts, global int2* restrict out, global int* restrict count, int pitch, int n) {
  float2 at = starts[2 * get_global_id(0)], step = starts[2 * get_global_id(0) + 1], first = at;
  bool is_inside = false;
  for (; at.x >= 0 && at.x < pitch && at.y >= 0 && at.y < n; at += step) {
    const bool now = image[(int)at.y * pitch + (int)at.x] != 0;
    if (now && !is_inside) first = at;
    if (is_inside && !now) out[atomic_inc(count)] = convert_int2(first);
    is_inside = now;
  }
  if (is_inside) out[atomic_inc(count)] = convert_int2(first + at);
}

// Until another lane has come.
kernel void waits(global const int* restrict turns, global int* restrict out, global int* restrict count) {
  const int turn = turns[get_global_id(0)];
  int place = 0;
  do {
    place = atomic_inc(count);
    out[place] = turn;
  } while (place < turn);
}
// By what the sum has told.
kernel void steps(global const int* restrict turns, global int* restrict out, global int* restrict count, int n) {
  for (int k = turns[get_global_id(0)]; k < n;) {
    const int place = atomic_inc(count);
    out[place] = k;
    k += place & 7;
  }
}
kernel void reads(global int* restrict out, global int* restrict count, int n) {
  for (int k = get_global_id(0); k < n; k += out[k]) out[atomic_inc(count)] = k;
}
kernel void anywhere(global const int* restrict turns, global int* restrict out, global int* restrict count, int n) {
  for (int k = turns[get_global_id(0)]; k < n; ++k) out[turns[k]] = atomic_inc(count);
}
kernel void may_be_read(global const int* turns, global int* out, global int* count, int n) {
  for (int k = get_global_id(0); k < n; k += turns[k]) out[atomic_inc(count)] = k;
}
// Its turn, in an array of its own.
kernel void remembers(global const int* restrict turns, global int* restrict out, global int* restrict count, int n) {
  int seen[8] = {0};
  for (int k = turns[get_global_id(0)]; !seen[k & 7]; k += n) {
    const int place = atomic_add(count, n);
    if (place == k) seen[k >> 3 & 7] = 1;
    out[place] = k;
  }
}
// For worker-copies.
kernel void sums(global const int* restrict turns, global int* restrict count, int n) {
  for (int k = turns[get_global_id(0)]; k < n; k += turns[k]) atomic_inc(count + turns[k]);
}
