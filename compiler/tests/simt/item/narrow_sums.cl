// Sums of bytes that loops of known counts add up have 16 bits, and so has what is done with the bytes.
// RUN: weftc --local-size=16,16,1 --ids-fit-31-bits --kernel=differences --stop-after=narrow-sums --verify-each %s | FileCheck %s --check-prefix=NARROW
// RUN: weftc --local-size=16,16,1 --ids-fit-31-bits --kernel=differences --cpu=znver4 --emit=asm %s | FileCheck %s --check-prefix=CODE
// NARROW-LABEL: define internal i32 @differences.region.
// NARROW: phi i16
// NARROW: add nuw i16
// NARROW: zext i16
// CODE: vpsubb
// CODE: vpmovzxbw
// CODE: vpaddw
// CODE-NOT: vpabs
kernel void differences(global const uchar* a, global const uchar* b, global int* out, int w) {
  local uchar block[16][16];
  const int x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * 16, top = get_group_id(1) * 16;
  block[y][x] = a[(top + y) * w + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 16; ++i) sum += abs_diff(block[j][i], b[(top + y + j) * w + left + x + i]);
  out[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 256 + y * 16 + x] = sum;
}

// One more row may be too many; so may shorts, and a count that a program is given.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=more --stop-after=narrow-sums %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=shorts --stop-after=narrow-sums %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=given --stop-after=narrow-sums %s | FileCheck %s --check-prefix=WIDE
// WIDE: phi i32
// WIDE-NOT: phi i16
kernel void more(global const uchar* a, global int* out) {
  int sum = 0;
  for (int j = 0; j < 258; ++j) sum += a[j * 1024 + get_global_id(0)];
  out[get_global_id(0)] = sum;
}
kernel void shorts(global const ushort* a, global int* out) {
  int sum = 0;
  for (int j = 0; j < 100; ++j) sum += a[j * 1024 + get_global_id(0)];
  out[get_global_id(0)] = sum;
}
kernel void given(global const uchar* a, global int* out, int n) {
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j * 1024 + get_global_id(0)];
  out[get_global_id(0)] = sum;
}

// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=fits --stop-after=narrow-sums %s | FileCheck %s --check-prefix=FITS
// FITS: phi i16
kernel void fits(global const uchar* a, global int* out) {
  int sum = 0;
  for (int j = 0; j < 257; ++j) sum += a[j * 1024 + get_global_id(0)];
  out[get_global_id(0)] = sum;
}

// A sum that a later loop goes on from is a sum of its own and a part of that one's: both are narrowed, once.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=goes_on --stop-after=narrow-sums --verify-each %s | FileCheck %s --check-prefix=GOES-ON
// GOES-ON-LABEL: define internal i32 @goes_on.region.
// GOES-ON-COUNT-2: phi i16
// GOES-ON-NOT: phi i16
kernel void goes_on(global const uchar* a, global int* out) {
  int sum = 0, first = 0;
  for (int j = 0; j < 120; ++j) sum += a[j * 1024 + get_global_id(0)];
  first = sum;
  for (int j = 120; j < 250; ++j) sum += a[j * 2048 + get_global_id(0)];
  out[2 * get_global_id(0)] = first;
  out[2 * get_global_id(0) + 1] = sum;
}

// So where it would be too large with what the later loop adds: the first has 16 bits all the same.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=goes_too_far --stop-after=narrow-sums --verify-each %s | FileCheck %s --check-prefix=TOO-FAR
// TOO-FAR-LABEL: define internal i32 @goes_too_far.region.
// TOO-FAR: phi i16
// TOO-FAR: zext i16
// TOO-FAR: phi i32
kernel void goes_too_far(global const uchar* a, global int* out) {
  int sum = 0, first = 0;
  for (int j = 0; j < 200; ++j) sum += a[j * 1024 + get_global_id(0)];
  first = sum;
  for (int j = 200; j < 300; ++j) sum += a[j * 2048 + get_global_id(0)];
  out[2 * get_global_id(0)] = first;
  out[2 * get_global_id(0) + 1] = sum;
}
