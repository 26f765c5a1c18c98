// A loop in which each lane reads consecutive elements runs for eight lanes at a time, with a load of four elements a lane.
// RUN: weftc --cpu=icelake-server --kernel=rows --local-size=64,1,1 --ids-fit-31-bits --verify-each --emit=llvm %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --cpu=icelake-server --kernel=writes --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=icelake-server --kernel=anywhere --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=icelake-server --kernel=anywhere --local-size=64,1,1 --ids-fit-31-bits --scalarize-loops=never --all-streams --verify-each --emit=llvm %s | FileCheck %s --check-prefix=ALL
// RUN: weftc --cpu=znver3 --kernel=rows --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE

// Only if some lane has more than six rounds left.
// ROWS-LABEL: @rows.group(
// ROWS: stream.choice:
// ROWS: add <32 x i32> %{{.*}}, <i32 6,
// ROWS: br i1 %any{{.*}}, label %stream.entry, label %[[WIDE:.+]]
// ROWS: stream.lanes:
// Lanes that are not live read where another lane does.
// ROWS: call i32 @llvm.cttz.i32(
// ROWS: stream.rounds:
// Both loads of each lane lie within a page, or the round runs alone.
// ROWS: %at = select <8 x i1> %live{{.*}}, <8 x i32> %k{{.*}}, <8 x i32> %last
// ROWS: call <8 x i32> @llvm.umax.v8i32(
// ROWS: icmp ugt <8 x i32> %{{.*}}, <i32 4080,
// ROWS: br i1 %any{{.*}}, label %stream.alone, label %stream.together
// ROWS: stream.alone:
// ROWS-COUNT-3: call <8 x {{float|i32}}> @llvm.masked.gather
// ROWS: stream.together:
// ROWS-COUNT-16: load <4 x {{float|i32}}>, ptr %{{.*}}, align 4
// ROWS-COUNT-4: call <8 x float> @llvm.masked.gather
// ROWS-NOT: masked.gather
// ROWS: stream.lanes.end:
kernel void rows(global const int* start, global const int* column, global const float* value, global const float* x,
                 global float* y) {
  int row = get_global_id(0);
  float sum = 0;
  const int end = start[row + 1];
  for (int k = start[row]; k < end; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// A lane may read in the next round what another has written.
// NONE-NOT: stream.
kernel void writes(global const int* start, global int* value) {
  int row = get_global_id(0);
  const int end = start[row + 1];
  for (int k = start[row]; k < end; ++k) value[2 * k] = value[k];
}

// No read is next to the one before.
// ALL: stream.alone:
// ALL: stream.together:
// ALL-NOT: load <4 x
kernel void anywhere(global const int* start, global const int* table, global int* y, int n) {
  int row = get_global_id(0);
  int at = start[row], sum = 0;
  for (int k = start[row + 1]; k < n; ++k) sum += at = table[7 * k] ^ at;
  y[row] = sum;
}
