// Code between two branches on one condition is not threaded into the branches: all lanes run it together. Threaded,
// half of the lanes would store before the other half has loaded.
// RUN: weftc --emit=scalar %s | FileCheck %s

__kernel void k(__global int* out, __local int* data) {
  int t = get_local_id(0);
  int low;
  if (t < 16) {
    out[t] = 1;
    low = 1;
  } else if (t & 1) {
    out[t + 100] = 3;
    low = 1;
  } else {
    out[t + 150] = 3;
    low = 0;
  }
  data[t] = data[t + 1];
  if (low)
    out[t + 200] = 5;
  else
    out[t + 300] = 7;
}

// CHECK-COUNT-1: load volatile i32, ptr addrspace(3)
// CHECK-NOT: load volatile i32, ptr addrspace(3)
// CHECK: ret void
