// What a program asks of a counter behind a loop that lanes leave one by one, asked where they leave.
// Lanes that meet an unequal byte have not come to the end of the word; the others have.
// RUN: weftc --kernel=find --local-size=64,1,1 --ids-fit-31-bits --disable=walked-rows --stop-after=exit-values --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @find.region.0(
// CHECK: while.body:
// CHECK: [[WHOLE_WORD:%.*]] = icmp eq i32 %{{.*}}, %length
// CHECK: while.end:
// CHECK-NEXT: [[FOUND:%.*]] = phi i1 [ %{{.*}}, %item.entry ], [ false, %{{.*}} ], [ [[WHOLE_WORD]], %while.body ]
// CHECK-NEXT: zext i1 [[FOUND]] to i8

// Where one lane comes to the end, all that are left do: nothing is held.
// RUN: weftc --kernel=find --local-size=64,1,1 --ids-fit-31-bits --disable=walked-rows,first-iterations --stop-after=linearize --verify-each %s | FileCheck %s --check-prefix=LAST
// LAST: phi i1 {{.*}} [ true,
// LAST-NOT: held
// LAST: ret i32

// Else the loop holds bits, which lanes that leave join.
// RUN: weftc --kernel=both --local-size=64,1,1 --ids-fit-31-bits --stop-after=linearize --verify-each %s | FileCheck %s --check-prefix=HELD
// HELD: [[BITS:%.*]] = phi i1 [ [[NEXT:%.*]], %{{.*}} ], [ false, %{{.*}} ]
// HELD: %leaving = select i1 %live
// HELD: [[NEXT]] = or i1 [[BITS]]

// A truncation is of a scalar, too; both are smaller than the counter together.
// RUN: weftc --kernel=both --local-size=64,1,1 --ids-fit-31-bits --stop-after=exit-values --verify-each %s | FileCheck %s --check-prefix=BOTH
// BOTH-LABEL: define internal i32 @both.region.0(
// BOTH: while.body:
// BOTH-DAG: trunc i32 %{{.*}} to i8
// BOTH-DAG: icmp {{.*}} i32 %{{.*}}, 3
// BOTH: br i1
// BOTH-DAG: phi i8
// BOTH-DAG: phi i1
// BOTH-NOT: phi i32

// A counter that is stored as it is, or compared with a number of each lane's own, is held.
// RUN: weftc --kernel=whole --local-size=64,1,1 --ids-fit-31-bits --stop-after=exit-values %s | FileCheck %s --check-prefix=WHOLE
// WHOLE: while.end:
// WHOLE-NEXT: phi i32
// RUN: weftc --kernel=own --local-size=64,1,1 --ids-fit-31-bits --stop-after=exit-values %s | FileCheck %s --check-prefix=OWN
// OWN: phi i32 {{.*}}%while.body
// OWN: icmp eq i32

kernel void find(global const uchar* text, constant uchar* word, int length, global uchar* found) {
  const size_t i = get_global_id(0);
  int k = 0;
  while (k < length && text[i + k] == word[k]) ++k;
  found[i] = k == length;
}

kernel void both(global const uchar* text, int most, global uchar* lengths, global uchar* is_long) {
  const size_t i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] != 'e') ++k;
  lengths[i] = k;
  is_long[i] = k > 3;
}

kernel void whole(global const uchar* text, int most, global int* lengths) {
  const size_t i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] != 'e') ++k;
  lengths[i] = k;
}

kernel void own(global const uchar* text, global const int* expected, int most, global uchar* same) {
  const size_t i = get_global_id(0);
  const int own = expected[i];
  int k = 0;
  while (k < most && text[i + k] != 'e') ++k;
  same[i] = k == own;
}
