// Indices of a byte leave vectors by words of four, where a processor has no gathers worth their time.
// RUN: weftc --cpu=haswell --kernel=masked --local-size=32,1,1 --stop-after=byte-indices --verify-each --emit=llvm %s | FileCheck %s --check-prefix=MASKED
// RUN: weftc --cpu=haswell --kernel=bytes --local-size=32,1,1 --stop-after=byte-indices --verify-each --emit=llvm %s | FileCheck %s --check-prefix=BYTES
// RUN: weftc --cpu=haswell --kernel=words --local-size=32,1,1 --stop-after=byte-indices --verify-each --emit=llvm %s | FileCheck %s --check-prefix=WORDS
// RUN: weftc --cpu=haswell --kernel=numbers --local-size=32,1,1 --stop-after=byte-indices --verify-each --emit=llvm %s | FileCheck %s --check-prefix=SIGNED
// RUN: weftc --cpu=haswell --kernel=masked --local-size=32,1,1 --emit=asm %s | FileCheck %s --check-prefix=CODE
// RUN: weftc --cpu=icelake-server --kernel=masked --local-size=32,1,1 --stop-after=byte-indices --emit=llvm %s | FileCheck %s --check-prefix=GATHER
// RUN: weftc --cpu=haswell --required-only --kernel=masked --local-size=32,1,1 --emit=llvm %s | FileCheck %s --check-prefix=PLAIN

// MASKED-LABEL: @masked.group
// The second byte: no shift and no mask of vectors.
// MASKED-NOT: lshr <
// MASKED-NOT: and <
// MASKED: [[PART:%.*]] = shufflevector <32 x i32> [[X:%.*]], <32 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
// MASKED: [[KNOWN:%.*]] = freeze <4 x i32> [[PART]]
// MASKED: [[ALL:%.*]] = bitcast <4 x i32> [[KNOWN]] to <16 x i8>
// MASKED: [[PICKED:%.*]] = shufflevector <16 x i8> [[ALL]], <16 x i8> poison, <16 x i32> <i32 1, i32 5, i32 9, i32 13, i32 poison
// MASKED: [[AS:%.*]] = bitcast <16 x i8> [[PICKED]] to <4 x i32>
// MASKED: [[TAKEN:%.*]] = extractelement <4 x i32> [[AS]], i64 0
// MASKED: [[WORD:%.*]] = call i32 asm "", "=r,0"(i32 [[TAKEN]])
// MASKED: and i32 [[WORD]], 255
// MASKED: [[UPPER:%.*]] = lshr i32 [[WORD]], 8
// MASKED: and i32 [[UPPER]], 255
// MASKED-NOT: extractelement <32 x i32>
// CODE: vpshufb
// CODE: vmovd %xmm{{[0-9]+}}, [[REGISTER:%e.x]]
// CODE-NOT: vpextrd
// GATHER-NOT: extractelement
// GATHER: call <32 x i32> @llvm.masked.gather
// PLAIN: extractelement <32 x i32>
kernel void masked(global const uint* x, global const uint* t, global uint* out) {
  const size_t i = get_global_id(0);
  out[i] = t[x[i] >> 8 & 255];
}

// Bytes that were loaded come from memory, four at a time.
// BYTES-LABEL: @bytes.group
// BYTES: [[FIRST:%.*]] = load i32, ptr
// BYTES: and i32 [[FIRST]], 255
// BYTES-NOT: extractelement <32 x i8>
kernel void bytes(global const uchar* x, global const uint* t, global uint* out) {
  const size_t i = get_global_id(0);
  out[i] = t[x[i]];
}

// Nine bits: two lanes leave together.
// WORDS-LABEL: @words.group
// WORDS-NOT: <16 x i8>
// WORDS: [[PART:%.*]] = shufflevector <32 x i32> {{%.*}}, <32 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
// WORDS: [[KNOWN:%.*]] = freeze <4 x i32> [[PART]]
// WORDS: [[AS:%.*]] = bitcast <4 x i32> [[KNOWN]] to <2 x i64>
// WORDS: [[TAKEN:%.*]] = extractelement <2 x i64> [[AS]], i64 0
// WORDS: [[PAIR:%.*]] = call i64 asm "", "=r,0"(i64 [[TAKEN]])
// WORDS: and i64 [[PAIR]], 4294967295
// WORDS: lshr i64 [[PAIR]], 32
kernel void words(global const uint* x, global const uint* t, global uint* out) {
  const size_t i = get_global_id(0);
  out[i] = t[x[i] & 511];
}

// With signs.
// SIGNED-LABEL: @numbers.group
// SIGNED: [[TAKEN:%.*]] = extractelement <2 x i64>
// SIGNED: [[PAIR:%.*]] = call i64 asm "", "=r,0"(i64 [[TAKEN]])
// SIGNED: [[LOWER:%.*]] = shl i64 [[PAIR]], 32
// SIGNED: ashr i64 [[LOWER]], 32
// SIGNED: ashr i64 [[PAIR]], 32
kernel void numbers(global const int* x, global const uint* t, global uint* out) {
  const size_t i = get_global_id(0);
  out[i] = t[x[i]];
}
