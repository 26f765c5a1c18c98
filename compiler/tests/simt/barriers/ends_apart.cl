// Work-items that return before a barrier which others reach: which have not is kept in a slot, regions behind barriers have copies that do
// nothing for those that have, and only two different barriers are an error.
// RUN: weftc --kernel=bound --coarsen=1 --local-size=64,1,1 --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=SPLIT
// RUN: weftc --kernel=bound --coarsen=1 --local-size=64,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --kernel=bound --coarsen=1 --local-size=50,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=RAGGED
// RUN: weftc --kernel=bound --coarsen=1 --local-size=64,1,1 --verify-each --stop-after=group %s | FileCheck %s --check-prefix=GROUP
// RUN: weftc --kernel=warps --local-size=64,1,1 --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=WARPS
// RUN: weftc --kernel=together --local-size=64,1,1 --required-only --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=SAME
// RUN: weftc --kernel=groups --local-size=64,1,1 --required-only --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=SAME
// RUN: weftc --kernel=different --local-size=64,1,1 --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=SAME

// SPLIT: define internal i32 @bound.region.0(
// SPLIT: region.next:
// SPLIT-NEXT: [[NEXT:%.*]] = phi i32 [ 1, {{.*}} ], [ -1, {{.*}} ]
// SPLIT-NEXT: [[ALIVE:%.*]] = icmp sge i32 [[NEXT]], 0
// SPLIT-NEXT: call void @weft.slot.store.i1(i32 [[SLOT:[0-9]+]], i1 [[ALIVE]]){{$}}
// SPLIT-NEXT: ret i32 [[NEXT]]
// Where nobody has ended, nobody asks. Behind the last barrier nothing is stored.
// SPLIT: define internal i32 @bound.region.1(
// SPLIT-NOT: weft.slot
// SPLIT: ret i32 -1
// The copy; what a region brings in stands behind the question.
// SPLIT: define internal i32 @bound.region.2(
// SPLIT-NEXT: region.alive:
// SPLIT-NEXT: [[HERE:%.*]] = call i1 @weft.slot.load.i1(i32 [[SLOT]]){{$}}
// SPLIT-NEXT: br i1 [[HERE]], label %region.entry, label %region.ended
// SPLIT: region.entry:
// SPLIT: getelementptr inbounds i8, ptr %launch
// SPLIT-NOT: weft.slot.store
// SPLIT: region.ended:
// SPLIT-NEXT: ret i32 -1
// SPLIT: attributes {{.*}}"weft-ends-apart"="2"

// Of the lanes that wait, all must name one region; 2^30 says that some have ended.
// WIDE: define internal i32 @bound.region.0.warp(
// WIDE: store <32 x i8>
// WIDE: icmp sge <32 x i32> [[EACH:%.*]], zeroinitializer
// WIDE: [[REGION:%.*]] = call i32 @llvm.vector.reduce.smax.v32i32(
// WIDE: icmp ne <32 x i32> [[EACH]],
// WIDE: select i1 {{%.*}}, i32 1073741824, i32 0
// WIDE: or i32 [[REGION]],
// WIDE: select i1 {{%.*}}, i32 -2, i32
// A warp of which all lanes have ended skips the region.
// WIDE: define internal i32 @bound.region.2.warp(
// WIDE: load <32 x i8>
// WIDE: [[MASK:%.*]] = trunc <32 x i8> {{%.*}} to <32 x i1>
// WIDE: [[BITS:%.*]] = bitcast <32 x i1> [[MASK]] to i32
// WIDE: [[ANY:%.*]] = icmp ne i32 [[BITS]], 0
// WIDE: br i1 [[ANY]], label %region.entry, label

// Lanes without a work-item have not ended.
// RAGGED: define internal i32 @bound.region.0.warp(
// RAGGED: store <32 x i8>
// RAGGED: [[WAIT:%.*]] = icmp sge <32 x i32>
// RAGGED: [[END:%.*]] = xor <32 x i1> [[WAIT]],
// RAGGED: and <32 x i1> [[WAIT]], [[LIVE:%.*]]
// RAGGED: and <32 x i1> [[END]], [[LIVE]]

// GROUP: define i32 @bound.group(
// GROUP: dispatch:
// GROUP-NEXT: %region = phi i32 [ 0, %entry ]
// GROUP-NEXT: [[STATUS:%.*]] = phi i32 [ 0, %entry ]
// GROUP: ret i32 1
// GROUP: ret i32 [[STATUS]]
// Once some have ended, copies follow: of two regions one has a copy.
// GROUP: [[NEW:%.*]] = select i1 {{%.*}}, i32 2, i32 [[STATUS]]
// GROUP: icmp eq i32 [[NEW]], 2
// GROUP: [[COPY:%.*]] = add i32 [[NEXT:%.*]], 1
// GROUP-NEXT: select i1 {{%.*}}, i32 [[COPY]], i32 [[NEXT]]

// Required passes alone make no copies: each region behind a barrier asks.
// RUN: weftc --kernel=bound --local-size=64,1,1 --required-only --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=REQUIRED
// REQUIRED: define internal i32 @bound.region.1(
// REQUIRED-NEXT: region.alive:
// REQUIRED-NOT: @bound.region.2

// Warps that end each for themselves: one scalar a warp.
// WARPS: call void @weft.slot.store.i1(i32 [[SLOT:[0-9]+]], i1 {{%.*}}), !weft.uniform
// WARPS: call i1 @weft.slot.load.i1(i32 [[SLOT]]), !weft.uniform

// Where all go together, or nobody can end while another waits, nothing is kept.
// SAME-NOT: weft.slot.store.i1
// SAME-NOT: weft-ends-apart

kernel void bound(global int* a, int n) {
  local int t[64];
  const int i = get_global_id(0), l = get_local_id(0);
  if (i >= n) return;
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[l ^ 1];
}

kernel void warps(global int* a) {
  local int t[64];
  const int i = get_global_id(0), l = get_local_id(0);
  if (get_sub_group_id() == 1) return;
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[l ^ 1];
}

kernel void together(global int* a, int n) {
  local int t[64];
  const int i = get_global_id(0), l = get_local_id(0);
  for (int k = 0; k < n; ++k) {
    t[l] = a[i] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l & 1) a[i] = t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void groups(global int* a, int n) {
  local int t[64];
  const int i = get_global_id(0), l = get_local_id(0);
  if (get_group_id(0) >= n) return;
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[l ^ 1];
}

kernel void different(global int* a) {
  const int l = get_local_id(0);
  if (l & 1) barrier(CLK_LOCAL_MEM_FENCE);
  else barrier(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = l;
}
