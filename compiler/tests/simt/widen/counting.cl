// What a warp's run of a probe adds. Progressions that the compiler knows are counted by where they start, all others by the service.
// RUN: weftc --counted --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen --kernel=progression %s | FileCheck %s --check-prefix=PROGRESSION
// RUN: weftc --counted --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen --kernel=varying %s | FileCheck %s --check-prefix=VARYING
// RUN: weftc --counted --local-size=16,16,1 --ids-fit-31-bits --stop-after=widen --kernel=rows %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --counted --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen --kernel=masked %s | FileCheck %s --check-prefix=MASKED

// A uniform load costs the same wherever it is: the block's own runs say how often. The store adds 1 to the word of its start in
// 128 bytes.
// PROGRESSION-LABEL: @progression.region.0.warp(
// PROGRESSION-NOT: count_access
// PROGRESSION: load float
// PROGRESSION: [[START:%.*]] = lshr i64 {{%.*}}, 2
// PROGRESSION-NEXT: [[SLOT:%.*]] = and i64 [[START]], 31
// PROGRESSION-NEXT: [[WORD:%.*]] = getelementptr inbounds i64, ptr {{%.*}}, i64 [[SLOT]]
// PROGRESSION-NEXT: [[COUNT:%.*]] = load i64, ptr [[WORD]]
// PROGRESSION-NEXT: [[MORE:%.*]] = add i64 [[COUNT]], 1
// PROGRESSION-NEXT: store i64 [[MORE]], ptr [[WORD]]
// PROGRESSION: store <32 x float>
// At the end the block's runs, lanes and runs of all lanes.
// PROGRESSION: mul i64 {{%.*}}, 32
// PROGRESSION: ret i32
kernel void progression(global float* a, constant float* c) { a[get_global_id(0)] = *c; }

// VARYING-LABEL: @varying.region.0.warp(
// VARYING: store <32 x i64> {{%.*}}, ptr [[ADDRESSES:%.*]], align 64
// VARYING: call void %count_access(ptr %counts, i32 1, i32 -1, ptr [[ADDRESSES]])
kernel void varying(global float* a, global const int* index) { a[index[get_global_id(0)]] = 1; }

// Two rows of 16: the code compares how far apart they are with what the service has put down.
// ROWS-LABEL: @rows.region.0.warp(
// ROWS: [[KNOWN:%.*]] = load volatile i64
// ROWS: [[AGREE:%.*]] = icmp eq i64 {{%.*}}, [[KNOWN]]
// ROWS: br i1 [[AGREE]], label %count.start, label %count.lanes
// ROWS: count.lanes:
// The service gets the two rows' first addresses.
// ROWS-COUNT-2: store i64
// ROWS: call void %count_access(
kernel void rows(global float* a, int width) { a[get_global_id(1) * width + get_global_id(0)] = 1; }

// Under a mask runs of all lanes are counted as above.
// MASKED-LABEL: @masked.region.0.warp(
// MASKED: [[ALL:%.*]] = icmp eq i32 {{%.*}}, -1
// MASKED: br i1 [[ALL]], label %count.start, label %count.lanes
kernel void masked(global float* a, global const int* flag) {
  const size_t i = get_global_id(0);
  if (flag[i]) a[i] = 1;
}
