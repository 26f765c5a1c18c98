// Who stays in a loop is one comparison for all lanes where they compare the same, and no vector is negated.
// RUN: weftc --kernel=ends --local-size=64,1,1 --ids-fit-31-bits --stop-after=linearize --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @ends.region.0(
// CHECK: [[STAYS:%.*]] = icmp slt i32 {{%.*}}, %most
// CHECK: select i1 {{%.*}}, i1 [[STAYS]], i1 false
// CHECK-NOT: xor i1
// CHECK: call i1 @weft.any(

// Of floats, too: as the program compares them, also where one is no number.
// RUN: weftc --kernel=climbs --local-size=64,1,1 --ids-fit-31-bits --stop-after=linearize --verify-each %s | FileCheck %s --check-prefix=FLOATS
// FLOATS-LABEL: define internal i32 @climbs.region.0(
// FLOATS: [[CLIMBS:%.*]] = fcmp olt float
// FLOATS: select i1 {{%.*}}, i1 [[CLIMBS]], i1 false
// FLOATS-NOT: xor i1
// FLOATS: call i1 @weft.any(
kernel void ends(global const uchar* text, int most, global uchar* lengths) {
  const int i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] != 'e') ++k;
  lengths[i] = k;
}

kernel void climbs(global const float* heights, float slope, global int* hit) {
  const int i = get_global_id(0);
  float height = 1.0f;
  int k = 0;
  do {
    if (heights[i + ++k] == 0.0f) break;
    height += slope;
  } while (height < heights[i + k]);
  hit[i] = k;
}
