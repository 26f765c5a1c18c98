// The first iteration of a loop that lanes stay in where numbers are equal stands in front of it.
// RUN: weftc --kernel=find --local-size=64,1,1 --ids-fit-31-bits --disable=walked-rows --stop-after=first-iterations --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @find.region.0(
// CHECK: load volatile i8
// CHECK: [[FIRST:%.*]] = icmp eq i8
// CHECK: br i1 [[FIRST]], label %{{.*}}, label %while.end
// CHECK: land.rhs:
// CHECK-NEXT: phi i32 [ [[SECOND:%.*]], %{{.*}} ], [
// CHECK: load volatile i8
// CHECK: icmp eq i8

// Two places of the same array.
// RUN: weftc --kernel=match --local-size=64,1,1 --ids-fit-31-bits --stop-after=first-iterations --verify-each %s | FileCheck %s --check-prefix=TWO
// TWO-LABEL: define internal i32 @match.region.0(
// TWO-COUNT-4: load volatile i32
// TWO-NOT: load volatile i32

// Lanes that stay until they meet a number, that load from anywhere, that vote, or that write, as well as long loops, begin in the loop.
// RUN: weftc --kernel=until --local-size=64,1,1 --ids-fit-31-bits --scalarize-loops=never --stop-after=first-iterations %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --kernel=chains --local-size=64,1,1 --ids-fit-31-bits --scalarize-loops=never --stop-after=first-iterations %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --kernel=votes --local-size=64,1,1 --ids-fit-31-bits --scalarize-loops=never --stop-after=first-iterations %s | FileCheck %s --check-prefix=ONCE
// ONCE-COUNT-1: load volatile i8
// ONCE-NOT: load volatile i8

// The name is an optimization's.
// RUN: weftc --kernel=find --local-size=64,1,1 --ids-fit-31-bits --disable=first-iterations --stop-after=first-iterations %s | FileCheck %s --check-prefix=OFF
// OFF-COUNT-1: load volatile i8
// OFF-NOT: load volatile i8
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void find(global const uchar* text, constant uchar* word, int length, global uchar* found) {
  const size_t i = get_global_id(0);
  int k = 0;
  while (k < length && text[i + k] == word[k]) ++k;
  found[i] = k == length;
}

kernel void match(global const int* text, int distance, int most, global int* lengths) {
  const int i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] == text[i + k + distance]) ++k;
  lengths[i] = k;
}

kernel void until(global const uchar* text, int most, global int* lengths) {
  const int i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] != 'e') ++k;
  lengths[i] = k;
}

kernel void chains(global const uchar* text, global const int* next, int most, global int* lengths) {
  int i = get_global_id(0), k = 0;
  for (; k < most && text[i] == 'e'; ++k) i = next[i];
  lengths[get_global_id(0)] = k;
}

kernel void votes(global const uchar* text, int most, global int* lengths) {
  const int i = get_global_id(0);
  int k = 0, sum = 0;
  for (; k < most && text[i + k] == 'e'; ++k) sum += sub_group_any(k > sum);
  lengths[i] = sum;
}
