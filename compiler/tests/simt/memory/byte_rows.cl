// Stores to the bytes of a pixel, one behind the other, become one store of a vector.
// RUN: weftc --kernel=gray_to_bgr --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=PIXELS
// RUN: weftc --kernel=gray_to_bgr --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-rows --disable=byte-rows %s | FileCheck %s --check-prefix=BEFORE
// BEFORE-COUNT-3: store volatile i8
// PIXELS-LABEL: define internal i32 @gray_to_bgr.region.0(
// PIXELS-NOT: store volatile i8
// PIXELS: store volatile <3 x i8> {{.*}}, align 1
// PIXELS-NOT: store
// PIXELS: ret
kernel void gray_to_bgr(global const uchar* a, global uchar* restrict o, int count) {
  const int i = get_global_id(0);
  if (i >= count) return;
  o[3 * i] = a[i];
  o[3 * i + 1] = a[i] + 1;
  o[3 * i + 2] = a[i] + 2;
}

// Widened, they are stored by registers; where not all lanes run, too.
// RUN: weftc --kernel=gray_to_bgr --local-size=256,1,1 --ids-fit-31-bits --cpu=icelake-server --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=WIDE
// WIDE-LABEL: define internal i32 @gray_to_bgr.region.0.warp(
// WIDE: whole:
// WIDE-COUNT-3: store <32 x i8>
// WIDE: some:
// WIDE-COUNT-3: call void @llvm.masked.store.v32i8

// What another pointer may read meanwhile stays where it is, and so do pixels with gaps.
// RUN: weftc --kernel=others --local-size=256,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: x i8>
// OTHERS-NOT: x i16>
kernel void others(global const uchar* a, global uchar* o, global ushort* gaps) {
  const int i = get_global_id(0);
  o[3 * i] = a[i];
  o[3 * i + 1] = a[i] + 1;
  o[3 * i + 2] = a[i] + 2;
  gaps[4 * i] = i;
  gaps[4 * i + 1] = i;
  gaps[4 * i + 3] = i;
}

// Loads of all bytes of a word become one of the word, and so rows of words, or a gather for four.
// RUN: weftc --kernel=hash --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=WORDS
// RUN: weftc --kernel=scattered --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=WORDS
// RUN: weftc --kernel=hash --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows --disable=byte-rows %s | FileCheck %s --check-prefix=BYTES
// WORDS-NOT: load volatile i8
// WORDS-COUNT-2: %joined{{[0-9]*}} = load volatile i32, ptr addrspace(1) {{.*}}, align {{[12]}}
// WORDS-NOT: load volatile i
// WORDS: ret
// BYTES-COUNT-8: load volatile i8
kernel void hash(global const uchar* a, global uint* o) {
  const long i = get_global_id(0);
  uint hash = 0;
  for (int k = 0; k < 8; ++k) hash = hash * 31 + a[8 * i + k];
  o[i] = hash;
}
kernel void scattered(global const ushort* restrict a, global const long* restrict at, global int* restrict o) {
  const long i = get_global_id(0);
  global const ushort* from = a + at[i];
  int sum = from[1] * 3 + from[2];
  o[i] = sum;
  o[i] = sum - from[3] + from[4] * 5;
}

// Not where words are not whole, lanes are neighbours, or what is written between may be theirs; two bytes are loaded together nevertheless.
// RUN: weftc --kernel=three --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows %s | FileCheck %s --check-prefix=NO-WORDS
// RUN: weftc --kernel=neighbours --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows %s | FileCheck %s --check-prefix=NO-WORDS
// RUN: weftc --kernel=written --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows %s | FileCheck %s --check-prefix=NO-WORDS
// NO-WORDS-NOT: load volatile i32, {{.*}} align 1
// NO-WORDS: ret
// RUN: weftc --kernel=three --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows %s | FileCheck %s --check-prefix=HALF
// HALF: %joined = load volatile i16, ptr addrspace(1) {{.*}}, align 1
// HALF-COUNT-2: load volatile i8
// HALF: ret
kernel void three(global const uchar* a, global int* o) {
  const long i = get_global_id(0);
  o[i] = a[8 * i] + a[8 * i + 1] + a[8 * i + 2] + a[8 * i + 4];
}
kernel void neighbours(global const uchar* a, global int* o) {
  const long i = get_global_id(0);
  o[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3];
}
kernel void written(global uchar* a, global int* o) {
  const long i = get_global_id(0);
  const int two = a[8 * i] + a[8 * i + 1];
  a[8 * i + 9] = two;
  o[i] = two + a[8 * i + 2] + a[8 * i + 3];
}

// Rows of more than 8 bytes are stored by pieces of 16, 8 or 4 bytes.
// RUN: weftc --kernel=digest --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=DIGEST
// RUN: weftc --kernel=digest --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --cpu=icelake-server --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ROWS
// DIGEST: store volatile <16 x i8> {{.*}}, align 1
// DIGEST-NOT: store
// DIGEST: store volatile <4 x i8> {{.*}}, align 1
// DIGEST-NOT: store
// DIGEST: ret
// ROWS: store of <16 x i8>: addresses are 20 bytes apart: one lane after the other (32 memory accesses)
// ROWS-NOT: store of i8
kernel void digest(global const uint* restrict a, global uchar* restrict o) {
  const int i = get_global_id(0);
  uint h = a[i];
  for (int k = 0; k < 20; ++k) {
    h = h * 16777619 ^ k;
    o[20 * i + k] = h >> 8;
  }
}

// A table that is copied is loaded so, too.
// RUN: weftc --kernel=counts --local-size=64,1,1 --ids-fit-31-bits --scalarize-loops=always --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: define internal i32 @counts.region.0(
// COUNTS: load <8 x i16>, ptr {{.*}}, align 2
// COUNTS: store volatile <8 x i16>
// COUNTS: load <8 x i16>, ptr {{.*}}, align 2
// COUNTS: store volatile <8 x i16>
// COUNTS-NOT: store volatile i16
// COUNTS: ret
kernel void counts(global const uchar* restrict a, global ushort* restrict o) {
  const int i = get_global_id(0);
  ushort h[16] = {0};
  for (int k = 0; k < 64; ++k) h[a[i * 64 + k] >> 4]++;
  for (int k = 0; k < 16; ++k) o[i * 16 + k] = h[k];
}

// Runs of less than 4 bytes stay, and so does what another pointer may read meanwhile.
// RUN: weftc --kernel=short_runs --local-size=64,1,1 --ids-fit-31-bits --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=SHORT
// SHORT-NOT: store volatile <
kernel void short_runs(global const uchar* a, global uchar* o) {
  const int i = get_global_id(0);
  o[16 * i] = a[i];
  o[16 * i + 1] = a[i] + 1;
  o[16 * i + 2] = a[i] + 2;
  o[16 * i + 3] = a[i] + 3;
}
