// Groups one below the other that read the same columns run by turns.
// RUN: WEFT_CPU=icelake-server weftc --kernel=tiles --local-size=16,16,1 --ids-fit-31-bits --stack-groups=8 --stop-after=cover-group %s | FileCheck %s --check-prefix=BEFORE
// RUN: WEFT_CPU=icelake-server weftc --kernel=tiles --local-size=16,16,1 --ids-fit-31-bits --stack-groups=8 --verify-each --stop-after=stack-groups %s | FileCheck %s --check-prefix=CUT
// RUN: WEFT_CPU=icelake-server weftc --kernel=tiles --local-size=16,16,1 --ids-fit-31-bits --stack-groups=8 --verify-each --stop-after=group %s | FileCheck %s --check-prefix=GROUP
// RUN: WEFT_CPU=icelake-server weftc --kernel=tiles --local-size=16,16,1 --ids-fit-31-bits --stop-after=group %s | FileCheck %s --check-prefix=ALONE
// RUN: WEFT_CPU=icelake-server weftc --kernel=steps --local-size=16,2,1 --ids-fit-31-bits --stack-groups=4 --stop-after=stack-groups %s | FileCheck %s --check-prefix=STEPS
// RUN: weftc --kernel=lanes --local-size=16,2,1 --stack-groups=4 --stop-after=stack-groups %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --kernel=brief --local-size=16,2,1 --stack-groups=4 --stop-after=stack-groups %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --kernel=here --local-size=16,2,1 --stack-groups=4 --stop-after=stack-groups %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --kernel=split --local-size=16,16,1 --stack-groups=4 --stop-after=stack-groups %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --kernel=split --local-size=16,16,1 --stack-groups=4 --stop-after=group %s | FileCheck %s --check-prefix=ALONE
#define TILE 16

// The loop becomes one of a few rounds within one of turns, each of which begins with a barrier.
// BEFORE-NOT: call {{.*}}__weft_barrier
// CUT: turn: {{.*}} preds = %round, %[[ENTER:.*]]
// CUT-NEXT: [[SUM:%.*]] = phi float [ 0.000000e+00, %[[ENTER]] ], [ {{%.*}}, %round ]
// CUT-NEXT: [[T:%.*]] = phi i32 [ 0, %[[ENTER]] ], [ {{%.*}}, %round ]
// CUT-NEXT: call void @__weft_barrier(i32 0)
// CUT-NEXT: br label %[[LOOP:.*]]
// CUT: [[LOOP]]:
// CUT-NEXT: [[LEFT:%.*]] = phi i32 [ 16, %turn ], [ [[FEWER:%.*]], %round ]
// CUT-NEXT: phi i32 [ [[T]], %turn ]
// CUT-NEXT: phi float [ [[SUM]], %turn ]
// CUT: br i1 %{{.*}}, label %round, label
// CUT: round:
// CUT-NEXT: [[FEWER]] = sub nuw i32 [[LEFT]], 1
// CUT-NEXT: [[OVER:%.*]] = icmp eq i32 [[FEWER]], 0
// CUT-NEXT: br i1 [[OVER]], label %turn, label %[[LOOP]]

// As many groups as there are, at most 8, until none goes on.
// GROUP: define i32 @tiles.group(
// GROUP: %groups = trunc i64 {{.*}} to i32
// GROUP: %count = mul i32 %groups, 1
// GROUP: turn:
// GROUP: %index = phi i32
// GROUP: mul i64 {{.*}}, 40
// GROUP: %frames = load ptr
// GROUP: [[STATE:%.*]] = getelementptr inbounds i32, ptr %states, i32 %index
// GROUP: switch i32 {{.*}}, label %divergent [
// GROUP-NEXT: i32 -1, label %turn.over
// GROUP-NEXT: i32 0, label %
// GROUP-NEXT: i32 1, label %
// GROUP-NEXT: ]
// GROUP: turn.over:
// GROUP: icmp ult i32 {{.*}}, %count
// GROUP: store i32 {{.*}}, ptr [[STATE]]
// GROUP: call {{.*}}@llvm.fmuladd.v256f32(
// GROUP: store i32 {{.*}}, ptr [[STATE]]
// ALONE-NOT: %states
kernel void tiles(global const float* a, global const float* b, global float* c, int n) {
  local float ta[TILE][TILE], tb[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += ta[y][i] * tb[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}

// A pointer that walks goes over the turn's end as the offset that all lanes share.
// STEPS: turn:
// STEPS-NEXT: phi i64 [ 0, {{.*}} ], [ %offset, %round ]
// STEPS-NOT: phi ptr
// STEPS: call void @__weft_barrier(i32 0)
kernel void steps(global const float* a, global float* c, local float* s, int n) {
  int x = get_local_id(0);
  global const float* p = a + get_global_id(0);
  float sum = 0;
  for (int t = 0; t < n; ++t, p += n) {
    s[x] = *p;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += s[x ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[get_global_id(0)] = sum;
}

// WHOLE-NOT: rounds.left
// A loop that lanes leave apart.
kernel void lanes(global const float* a, global float* c, local float* s, int n) {
  int x = get_local_id(0);
  s[x] = a[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = s[x ^ 1];
  for (int t = x; t < n; ++t) sum += a[t * n];
  c[get_global_id(0)] = sum;
}
// Over before a turn is.
kernel void brief(global const float* a, global float* c, local float* s, int n) {
  int x = get_local_id(0);
  s[x] = a[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = s[x ^ 1];
#pragma unroll 1
  for (int t = 0; t < 40; ++t) sum += a[t * n + x];
  c[get_global_id(0)] = sum;
}
// Nothing that other groups read, too.
kernel void here(global float* c, local float* s, int n) {
  int x = get_local_id(0);
  float sum = x;
  for (int t = 0; t < n; ++t) {
    s[x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += s[x ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[get_global_id(0)] = sum;
}
// One body does not run the whole group: turns would end at each of its own barriers.
kernel void split(global const float* a, global float* c, local float* s, int n) {
  int x = get_local_id(0);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (a[t] > 0) {
      s[x] = a[t * n + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (x > n) sum += s[x ^ 1];
    }
  }
  c[get_global_id(0)] = sum;
}
