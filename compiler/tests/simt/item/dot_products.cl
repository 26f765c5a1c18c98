// Products of bytes, or of 16 bits, that lie side by side in words are one primitive a word; widened, the processor's instructions.
// RUN: weftc --cpu=icelake-server --kernel=bytes --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=dot-products %s | FileCheck %s --check-prefix=OTHER
// RUN: weftc --cpu=haswell --scalarize-loops=never --kernel=bytes --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=dot-products %s | FileCheck %s --check-prefix=SAME
// RUN: weftc --cpu=icelake-server --kernel=mixed --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=dot-products %s | FileCheck %s --check-prefix=MIXED
// RUN: weftc --cpu=icelake-server --kernel=shorts --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=dot-products %s | FileCheck %s --check-prefix=SHORTS
// RUN: weftc --cpu=icelake-server --kernel=no --local-size=32,1,1 --ids-fit-31-bits --stop-after=dot-products %s | FileCheck %s --check-prefix=NO
// RUN: weftc --cpu=icelake-server --kernel=mixed --local-size=32,1,1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=VNNI
// RUN: weftc --cpu=haswell --kernel=mixed --local-size=32,1,1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=PAIRS

// Of two numbers with signs the one that fewer lanes differ in is 128 more; what that adds is a sum of its own.
// OTHER-LABEL: @bytes.region.0(
// OTHER: [[CHANGED:%.*]] = xor i32 [[A:%.*]], -2139062144
// OTHER-NEXT: [[SUM:%.*]] = call i32 @__weft_dot_us8(i32 [[CHANGED]], i32 [[B:%.*]], i32 {{%.*}})
// OTHER-NEXT: [[MORE:%.*]] = call i32 @__weft_dot_us8(i32 -2139062144, i32 [[B]], i32 0)
// OTHER: sub i32
// OTHER-NOT: sext <4 x i8>
// SAME-LABEL: @bytes.region.0(
// SAME: call i32 @__weft_dot_ss8(i32
// SAME-NOT: xor
kernel void bytes(global const char4* a, global const char4* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    const int4 p = convert_int4(a[y * n + k]), q = convert_int4(b[x * n + k]);
    s += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  c[y * n + x] = s;
}

// MIXED-LABEL: @mixed.region.0(
// MIXED: [[A:%.*]] = load volatile i32, ptr addrspace(1)
// MIXED: [[B:%.*]] = load volatile i32, ptr addrspace(1)
// MIXED: [[SUM:%.*]] = add i32 {{%.*}}, 7
// MIXED: call i32 @__weft_dot_us8(i32 [[B]], i32 [[A]], i32 [[SUM]])
// MIXED-NOT: mul
// VNNI-COUNT-2: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>
// PAIRS: [[EVEN:%.*]] = and <64 x i16>
// PAIRS-COUNT-8: call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16>
kernel void mixed(global const char4* a, global const uchar4* b, global int* c, int m) {
  const int i = get_global_id(0);
  const char4 x = a[i];
  const uchar4 y = b[i];
  c[i] = y.w * x.w + m + x.y * y.y + 7 + x.x * y.x + x.z * y.z;
}

// SHORTS-LABEL: @shorts.region.0(
// SHORTS: call i32 @__weft_dot_ss16(
kernel void shorts(global const short2* a, global const short2* b, global int* c) {
  const int i = get_global_id(0);
  const short2 x = a[i], y = b[i];
  c[i] = x.x * y.x + x.y * y.y;
}

// Not of all elements, of 16 bits without a sign, or crosswise.
// NO-LABEL: @no.region.0(
// NO-NOT: __weft_dot
kernel void no(global const char4* a, global const ushort2* b, global int* c) {
  const int i = get_global_id(0);
  const char4 x = a[i], y = a[i + 1];
  c[i] = x.x * y.x + x.y * y.y + x.z * y.z;
  c[i + 1000] = x.x * y.w + x.y * y.z + x.z * y.y + x.w * y.x;
  const ushort2 v = b[i], w = b[i + 1];
  c[i + 2000] = v.x * w.x + v.y * w.y;
}

// What is made of each byte of a word and added up: conditions, the bytes themselves, and distances. A loop carries such sums in 32 bits.
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=counts --stop-after=dot-products --verify-each %s | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: define internal i32 @counts.region.0
// COUNTS: phi i32 {{.*}}%dot
// COUNTS: and <4 x i8>
// COUNTS: [[NOT:%.*]] = icmp ne <4 x i8>
// COUNTS: select <4 x i1> [[NOT]]
// COUNTS: call i32 @__weft_dot_us8(
kernel void counts(global const uchar* text, global int* out) {
  const int i = get_global_id(0);
  int count = 0;
  for (int k = 0; k < 128; ++k) count += (text[i * 128 + k] & 0xc0) != 0x80;
  out[i] = count;
}
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=letters --stop-after=dot-products --verify-each %s | FileCheck %s --check-prefix=LETTERS
// LETTERS-LABEL: define internal i32 @letters.region.0
// LETTERS: icmp {{.*}} <4 x i8>
// LETTERS: call i32 @__weft_dot_us8(
kernel void letters(global const uchar* text, global int* out) {
  const int i = get_global_id(0);
  int count = 0;
  for (int k = 0; k < 128; ++k) {
    const uchar c = text[i * 128 + k];
    count += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  out[i] = count;
}
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=distance --stop-after=dot-products --verify-each %s | FileCheck %s --check-prefix=DISTANCE
// DISTANCE-LABEL: define internal i32 @distance.region.0
// DISTANCE: phi i32 {{.*}}%dot
// DISTANCE: call <4 x i8> @llvm.umax.v4i8(
// DISTANCE: call i32 @__weft_dot_us8(
// DISTANCE: ret i32
kernel void distance(global const uchar* a, global const uchar* b, global int* out) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += abs(a[i * 64 + k] - b[i * 64 + k]);
  out[i] = sum;
}
// The distance may be chosen, by a comparison of the bytes or of what they are in 32 bits.
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=chosen_distance --stop-after=dot-products --verify-each %s | FileCheck %s --check-prefix=CHOSEN
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=no_distance --stop-after=dot-products --verify-each %s | FileCheck %s --check-prefix=NONE
// CHOSEN-LABEL: define internal i32 @chosen_distance.region.0
// CHOSEN: call <4 x i8> @llvm.umax.v4i8(
// CHOSEN: call i32 @__weft_dot_us8(
// CHOSEN: ret i32
// NONE-LABEL: define internal i32 @no_distance.region.0
// NONE-NOT: @llvm.umax.v4i8(
kernel void chosen_distance(global const uchar* a, global const uchar* b, global int* out) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 64; ++k) {
    const uchar x = a[i * 64 + k], y = b[i * 64 + k];
    sum += x < y ? y - x : x - y;
  }
  out[i] = sum;
}
// By bytes with a sign, or of the other order.
kernel void no_distance(global const uchar* a, global const uchar* b, global int* out) {
  const int i = get_global_id(0);
  int sum = 0, other = 0;
  for (int k = 0; k < 64; ++k) {
    const uchar x = a[i * 64 + k], y = b[i * 64 + k];
    sum += as_char(x) < as_char(y) ? y - x : x - y;
    other += x < y ? x - y : y - x;
  }
  out[i] = sum + 3 * other;
}
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=signs --stop-after=dot-products --verify-each %s | FileCheck %s --check-prefix=SIGNS
// SIGNS-LABEL: define internal i32 @signs.region.0
// SIGNS: call i32 @__weft_dot_us8(i32 16843009,
kernel void signs(global const char* a, global int* out) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += a[i * 64 + k];
  out[i] = sum;
}
// Neighbours that are compared with different things are not alike.
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=differ --stop-after=dot-products --verify-each %s | FileCheck %s --check-prefix=DIFFER
// DIFFER-LABEL: define internal i32 @differ.region.0
// DIFFER-NOT: dot
// DIFFER: ret i32
kernel void differ(global const uchar4* a, global const uchar* b, global int* out) {
  const int i = get_global_id(0);
  const uchar4 p = a[i];
  out[i] = (p.x == b[3 * i]) + (p.y == b[3 * i + 1]) + (p.z < b[3 * i + 2]) + (p.w == b[5 * i]);
}
