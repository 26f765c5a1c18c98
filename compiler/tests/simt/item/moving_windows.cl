// A private array whose elements all move by one place in each iteration is a window on one of twice the length, which moves.
// RUN: weftc --kernel=up --local-size=1,1,1 --stop-after=moving-windows --verify-each %s | FileCheck %s --check-prefix=UP
// UP-LABEL: @up.item(
// UP: alloca [600 x i32]
// UP: %[[WINDOW:.*]] = phi i32 [ %[[AFTER:.*]], %{{.*}} ], [ 300, %{{.*}} ]
// UP: %[[LAST:.*]] = icmp eq i32 %[[WINDOW]], 0
// UP-NEXT: br i1 %[[LAST]],
// UP: window.next:
// UP: %[[BEFORE:.*]] = phi i32 [ %[[WINDOW]], %{{.*}} ], [ 300, %{{.*}} ]
// UP: %[[AFTER]] = add i32 %[[BEFORE]], -1

// RUN: weftc --kernel=down --local-size=64,1,1 --stop-after=moving-windows --verify-each %s | FileCheck %s --check-prefix=DOWN
// DOWN-LABEL: @down.item(
// DOWN: alloca [6000 x i8]
// DOWN: phi i32 [ 0, %{{.*}} ], [ %{{.*}}, %window.next ]
// DOWN: icmp eq i32 %{{.*}}, 3000
// DOWN: window.next:
// DOWN: add i32 %{{.*}}, 1

// It is read behind the loop, moves in part, or only under a condition.
// RUN: weftc --kernel=behind --local-size=1,1,1 --stop-after=moving-windows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=part --local-size=1,1,1 --stop-after=moving-windows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=sometimes --local-size=1,1,1 --stop-after=moving-windows %s | FileCheck %s --check-prefix=STAYS
// STAYS: alloca [300 x i32]
// STAYS-NOT: window.next
#define ZEROED(n) for (int i = 0; i < n; ++i) r[i] = 0;

kernel void up(global const int* x, global int* y, int n) {
  int r[300];
  ZEROED(300)
  for (int t = 0; t < n; ++t) {
    for (int i = 299; i > 0; --i) r[i] = r[i - 1];
    r[0] = x[t];
    y[t] = r[0] + r[299];
  }
}

kernel void down(global const uchar* x, global uchar* y, int n) {
  uchar r[3000];
  ZEROED(3000)
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 2999; ++i) r[i] = r[i + 1];
    r[2999] = x[t * 64 + get_local_id(0)];
    y[t * 64 + get_local_id(0)] = r[0] + r[200];
  }
}

kernel void behind(global const int* x, global int* y, int n) {
  int r[300];
  ZEROED(300)
  for (int t = 0; t < n; ++t) {
    for (int i = 299; i > 0; --i) r[i] = r[i - 1];
    r[0] = x[t];
  }
  for (int t = 0; t < 300; ++t) y[t] = r[t];
}

kernel void part(global const int* x, global int* y, int n) {
  int r[300];
  ZEROED(300)
  for (int t = 0; t < n; ++t) {
    for (int i = 299; i > 1; --i) r[i] = r[i - 1];
    r[1] = x[t];
    y[t] = r[0]++ + r[299];
  }
}

kernel void sometimes(global const int* x, global int* y, int n) {
  int r[300];
  ZEROED(300)
  for (int t = 0; t < n; ++t) {
    if (x[t] > 0)
      for (int i = 299; i > 0; --i) r[i] = r[i - 1];
    r[0] = x[t];
    y[t] = r[0] + r[299];
  }
}
