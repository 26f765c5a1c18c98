// Cases of a few operations are computed by all lanes, which select.
// RUN: weftc --kernel=steps --local-size=64,1,1 --ids-fit-31-bits --stop-after=select-cases --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @steps.region.0(
// CHECK-NOT: switch
// CHECK: [[ZERO:%.*]] = icmp eq i32 [[WAY:%.*]], 0
// CHECK: [[LATER:%.*]] = or i1
// CHECK: [[SUM:%.*]] = add nsw i32
// CHECK: select i1 [[ZERO]], i32 [[SUM]], i32
// CHECK: select i1 [[LATER]], i32
// CHECK-NOT: switch

// What is slow, what loads, and what is the same for all lanes stays a switch.
// RUN: weftc --kernel=divides --local-size=64,1,1 --ids-fit-31-bits --stop-after=select-cases %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=loads --local-size=64,1,1 --ids-fit-31-bits --stop-after=select-cases %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=uniform --local-size=64,1,1 --ids-fit-31-bits --stop-after=select-cases %s | FileCheck %s --check-prefix=STAYS
// STAYS: switch i32

// The name is an optimization's.
// RUN: weftc --kernel=steps --local-size=64,1,1 --ids-fit-31-bits --disable=select-cases --stop-after=select-cases %s | FileCheck %s --check-prefix=STAYS
kernel void steps(global const int* ways, global int* out, int n) {
  int a = out[get_global_id(0)];
  switch (ways[get_global_id(0)]) {
    case 0: a += n; break;
    case 1: a ^= n; break;
    case 7: case 9: a = a * 3 - n; break;
    case 11: break;
    default: a = ~a;
  }
  out[get_global_id(0)] = a;
}

kernel void divides(global const int* ways, global int* out, int n) {
  int a = out[get_global_id(0)];
  switch (ways[get_global_id(0)]) {
    case 0: a += n; break;
    case 1: a ^= n; break;
    case 7: a /= 7; break;
    default: a = ~a;
  }
  out[get_global_id(0)] = a;
}

kernel void loads(global const int* ways, global const int* in, global int* out, int n) {
  int a = out[get_global_id(0)];
  switch (ways[get_global_id(0)]) {
    case 0: a += n; break;
    case 1: a ^= in[a]; break;
    case 7: a = a * 3 - n; break;
    default: a = ~a;
  }
  out[get_global_id(0)] = a;
}

kernel void uniform(int way, global int* out, int n) {
  int a = out[get_global_id(0)];
  switch (way) {
    case 0: a += n; break;
    case 1: a ^= n; break;
    case 7: a = a * 3 - n; break;
    default: a = ~a;
  }
  out[get_global_id(0)] = a;
}
