// What a byte looks up in a table is permuted out of registers.
// RUN: weftc --cpu=icelake-server --kernel=bytes --local-size=64,1,1 --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=BYTES
// RUN: weftc --cpu=icelake-server --kernel=digits --local-size=64,1,1 --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=DIGITS
// RUN: weftc --cpu=icelake-server --kernel=walk --local-size=64,1,1 --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=WALK
// RUN: weftc --cpu=icelake-server --kernel=rewritten --local-size=64,1,1 --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=REWRITTEN
// RUN: weftc --cpu=icelake-server --kernel=wide --local-size=64,1,1 --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --cpu=skylake-avx512 --kernel=bytes --local-size=64,1,1 --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=GATHER

// All of the table is read if it does not reach into the next page, which nobody may have.
// BYTES-LABEL: @bytes.group(
// BYTES: and i{{32|64}} {{%.*}}, 4095
// BYTES: icmp
// BYTES-COUNT-2: call <64 x i8> @llvm.x86.avx512.vpermi2var.qi.512
// BYTES: select <64 x i1>
// BYTES: masked.gather
// GATHER-LABEL: @bytes.group(
// GATHER-NOT: vpermi2var
// GATHER: load i8
kernel void bytes(global const uchar* a, global const uchar* table, global uchar* o) {
  const size_t i = get_global_id(0);
  o[i] = table[a[i]];
}

// A constant of the program needs no question.
// DIGITS-LABEL: @digits.group(
// DIGITS-NOT: masked.gather
// DIGITS: call <64 x i8> @llvm.x86.avx512.permvar.qi.512(<64 x i8> <i8 48, i8 49
// DIGITS-NOT: masked.gather
// DIGITS: ret i32
constant uchar table16[16] = {48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102};
kernel void digits(global const uchar* a, global uchar* o) {
  const size_t i = get_global_id(0);
  o[i] = table16[a[i] & 15];
}

// Words of a table that the loop does not change: their bytes are taken apart in front of it.
// WALK-LABEL: @walk.group(
// WALK: trunc <64 x i32> {{%.*}} to <64 x i8>
// WALK: call <64 x i8> @llvm.x86.avx512.packuswb.512
// WALK-COUNT-8: call <64 x i8> @llvm.x86.avx512.vpermi2var.qi.512
kernel void walk(global const uchar* a, global const uint* table, global uint* o, int n) {
  const size_t i = get_global_id(0);
  uint c = i;
  int k = 0;
  do c = table[c & 255] ^ c >> 8;
  while (++k < n);
  o[i] = c;
}

// One that it may change is read in each iteration.
// REWRITTEN-LABEL: @rewritten.group(
// REWRITTEN-NOT: packuswb
// REWRITTEN: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512
kernel void rewritten(global const uchar* a, global const uint* table, global uint* o, int n) {
  const size_t i = get_global_id(0);
  uint c = i;
  for (int k = 0; k < n; ++k) {
    c = table[c & 255] ^ c >> 8;
    o[i] = c;
  }
}

// Indices of more than 8 bits are gathered.
// WIDE-LABEL: @wide.group(
// WIDE-NOT: avx512.vpermi2var
// WIDE: masked.gather
kernel void wide(global const ushort* a, global const uchar* table, global uchar* o) {
  const size_t i = get_global_id(0);
  o[i] = table[a[i]];
}
