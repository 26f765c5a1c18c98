// Stores under a mask to addresses that vary: a loop over the lanes that are on, which finds address and value in memory, or, where all are on (with
// mask registers most), one store after the other out of registers. A value that all lanes have alike stays in one. What lies in a known order has forms of its own.
// RUN: weftc --cpu=haswell --kernel=mark --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=MARK
// RUN: weftc --cpu=haswell --kernel=put --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PUT
// RUN: weftc --cpu=haswell --kernel=even --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=EVEN
// RUN: weftc --cpu=znver4 --kernel=mark --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=MOST

kernel void mark(global const uchar* restrict on, global const int* restrict to, global uchar* restrict out) {
  int i = get_global_id(0);
  if (on[i]) out[to[i]] = 1;
}
// MARK:      store <32 x ptr> %{{.*}}, ptr %pointers
// MARK-NOT:  store <32 x i8>
// MARK:      [[ALL:%.*]] = icmp eq i32 [[BITS:%.*]], -1
// MARK:      br i1 [[ALL]], label %lanes.all, label %lanes.some
// MARK:      [[LEFT:%left.*]] = phi i32
// MARK:      call i32 @llvm.cttz.i32(i32 [[LEFT]], i1 true)
// MARK:      [[POINTER:%.*]] = load ptr, ptr
// MARK-NEXT: store i8 1, ptr [[POINTER]]
// MOST:      [[COUNT:%.*]] = call i32 @llvm.ctpop.i32(i32 [[BITS:%.*]])
// MOST:      [[MOST:%.*]] = icmp ugt i32 [[COUNT]], 24
// MOST:      br i1 [[MOST]], label %lanes.all, label %lanes.some
// MOST:      lanes.all:
// MOST-NOT:  icmp ugt
// MOST:      call i32 @llvm.cttz.i32(

kernel void put(global const uchar* restrict on, global const int* restrict to, global ushort* restrict out) {
  int i = get_global_id(0);
  if (on[i]) out[to[i]] = on[i] * 5;
}
// PUT: store <32 x i16> %{{.*}}, ptr %packed
// PUT: phi i32
// PUT: call i32 @llvm.cttz.i32
// PUT: [[VALUE:%.*]] = load i16, ptr
// PUT: store i16 [[VALUE]], ptr

kernel void even(global const uchar* restrict on, global const int* restrict to, global uchar* restrict out) {
  int i = get_global_id(0);
  out[to[i]] = on[i];
}
// EVEN-NOT: llvm.cttz

// Vectors side by side are stored by the lanes that are on, as they lie in memory, where not all are.
// RUN: weftc --cpu=haswell --kernel=beside --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=BESIDE
// BESIDE-LABEL: define internal i32 @beside.region.0.warp(
// BESIDE: whole:
// BESIDE: store <128 x float>
// BESIDE: lanes:
// BESIDE: store <128 x float> {{.*}}, ptr %packed
// BESIDE: %left = phi i32
// BESIDE: [[ONE:%.*]] = load <4 x float>
// BESIDE: store <4 x float> [[ONE]]
// BESIDE-NOT: llvm.masked.store
// BESIDE: ret
kernel void beside(global const int* set, global const float4* in, global float4* out) {
  const int i = get_global_id(0);
  if (set[i]) out[i] = in[i] * 2;
}

// Bytes of lanes that lie evenly: the loop counts each address from the first lane's, for all but most lanes with mask registers.
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --kernel=evenly --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=EVENLY
// EVENLY: icmp ugt i32 %{{.*}}, 26
// EVENLY: lanes.all:
// EVENLY: lanes.some:
// EVENLY: lane:
// EVENLY: call i32 @llvm.cttz.i32(
// EVENLY: mul i64 %lane{{.*}}, 5
// EVENLY: store i8
// Elsewhere a selected address serves.
// RUN: weftc --cpu=haswell --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --kernel=evenly --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=SELECTED
// SELECTED-NOT: lanes.some:
kernel void evenly(global const uchar* mask, global const int* from, global uchar* out) {
  const size_t i = get_global_id(0);
  if (mask[i]) out[5 * i] = from[i];
}
