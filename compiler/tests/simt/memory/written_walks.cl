// Lanes that walk along rows of their own and write them read and write pieces of 16 bytes.
// RUN: weftc --cpu=sapphirerapids --kernel=sums --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=SUMS
// RUN: weftc --cpu=sapphirerapids --kernel=before --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --cpu=sapphirerapids --kernel=known --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=KNOWN
// RUN: weftc --cpu=sapphirerapids --kernel=down --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=DOWN
// RUN: weftc --cpu=sapphirerapids --kernel=columns --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=COLUMNS
// RUN: weftc --cpu=sapphirerapids --kernel=crowded --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=CROWDED
// RUN: weftc --cpu=sapphirerapids --kernel=crowded --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=LINES
// RUN: weftc --cpu=haswell --kernel=crowded --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=NARROW
// RUN: weftc --cpu=sapphirerapids --kernel=near --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=one_buffer --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=far_before --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=apart --local-size=64,1,1 --ids-fit-31-bits --disable=common-iterations --stop-after=written-walks %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=listed --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=looks --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks %s | FileCheck %s --check-prefix=WHOLE
// RUN: weftc --cpu=sapphirerapids --kernel=sums --local-size=64,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=WIDE

// The lanes' rows are looked at once: a row of 4 n bytes has to be as far from the next one as a piece is long. Else a loop keeps the order.
// SUMS-LABEL: @sums.region.0(
// SUMS: [[N:%.*]] = sext i32 %n to i64
// SUMS: [[PITCH:%.*]] = mul i64 4, [[N]]
// SUMS: [[FAR:%.*]] = icmp uge i64 {{%.*}}, 31
// SUMS: br i1 {{%.*}}, label %{{.*}}, label %[[IN_ORDER:.*]]
// Rows far apart by a large power of two have a loop of their own.
// SUMS: [[LOOKED:%.*]] = icmp eq i64 {{%.*}}, 0
// SUMS: br i1 [[LOOKED]], label %{{.*}}, label %{{.*}}.pieces
// SUMS: load volatile <16 x i32>
// SUMS: store volatile <16 x i32>
// SUMS: [[IN_ORDER]]:
// SUMS: load volatile float
// SUMS: store volatile float
// SUMS: for.body.pieces:
// SUMS: load volatile <4 x i32>, ptr addrspace(1) {{%.*}}, align 4
// SUMS-NOT: store volatile float
// SUMS: insertelement <4 x i32> {{%.*}}, i32 {{%.*}}, i64 3
// SUMS-NEXT: store volatile <4 x i32> {{%.*}}, ptr addrspace(1) {{%.*}}, align 4
// SUMS-NOT: !weft.walk

// In registers the lanes of a piece are transposed, and each stores its own.
// WIDE: store <4 x i32> {{%.*}}, ptr {{%.*}}, align 4
kernel void sums(global const float* restrict a, global float* restrict y, int n) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k) { s += a[row * n + k]; y[row * n + k] = s; }
}

// What the iteration before has stored stays in a register. Rows have to be further apart.
// BEFORE-LABEL: @before.region.0(
// BEFORE: icmp uge i64 {{%.*}}, 39
// BEFORE: [[FIRST:%.*]] = load volatile float
// BEFORE: phi float [ [[FIRST]], {{%.*}} ], [ [[LAST:%.*]], {{%.*}} ]
// BEFORE: load volatile <16 x i32>
// BEFORE-NOT: load volatile
// BEFORE: [[LAST]] = call float @llvm.fmuladd
// BEFORE: store volatile <16 x i32>
kernel void before(global float* y, int n) {
  const int row = get_global_id(0);
  for (int k = 1; k < n; ++k) y[row * n + k] = 0.5f * y[row * n + k] + y[row * n + k - 1];
}

// Nothing to look at.
// KNOWN-LABEL: @known.region.0(
// KNOWN-NOT: in.order
// KNOWN: load volatile <4 x i32>
// KNOWN: store volatile <4 x i32>
// KNOWN-NOT: in.order
kernel void known(global uchar* y) {
  const int row = get_global_id(0);
  for (int k = 0; k < 512; ++k) y[row * 512 + k] = 255 - y[row * 512 + k];
}

// Pieces begin at their last element.
// DOWN-LABEL: @down.region.0(
// DOWN: getelementptr i8, ptr addrspace(1) {{%.*}}, i64 -12
// DOWN-NEXT: load volatile <4 x i32>
// DOWN: getelementptr i8, ptr addrspace(1) {{%.*}}, i64 -12
// DOWN: store volatile <4 x i32>
kernel void down(global float* y, int n) {
  const int row = get_global_id(0);
  for (int k = 0; k < n - 2; ++k) y[row * n + (n - k - 2)] = 0.5f * y[row * n + (n - k - 2)] + y[row * n + (n - k - 3)];
}

// Of what lanes store side by side only the loads are pieces.
// COLUMNS-LABEL: @columns.region.0(
// COLUMNS: load volatile <4 x i32>
// COLUMNS: store volatile float
// COLUMNS: store volatile float
// COLUMNS: store volatile float
// COLUMNS: store volatile float
kernel void columns(global const float* restrict a, global float* restrict y, int n) {
  const size_t row = get_global_id(0), rows = get_global_size(0);
  for (int k = 0; k < n; ++k) y[k * rows + row] = a[row * n + k];
}

// Rows a large power of two of bytes apart share a few places of the cache: lanes read and write whole lines.
// CROWDED-LABEL: @crowded.region.0(
// CROWDED: load volatile <16 x i32>
// CROWDED: extractelement <16 x i32> {{%.*}}, i64 15
// CROWDED-NOT: store volatile <4 x i32>
// CROWDED: store volatile <16 x i32>
// LINES: load <16 x i32>, ptr {{%.*}}, align 4
// LINES: store <16 x i32> {{%.*}}, ptr {{%.*}}, align 4
// NARROW-LABEL: @crowded.region.0(
// NARROW-NOT: <16 x i32>
// NARROW: store volatile <4 x i32>
// NARROW-NOT: <16 x i32>
kernel void crowded(global float* y, int n) {
  const int row = get_global_id(0);
  for (int k = 0; k < n; ++k) y[row * 1024 + k] += 1;
}

// Of bytes and words, the bytes' piece is as many elements as the words' line.
// RUN: weftc --cpu=sapphirerapids --kernel=mixed --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=MIXED
// MIXED-LABEL: @mixed.region.0(
// MIXED: load volatile <4 x i32>
// MIXED-NOT: store volatile <4 x i32>
// MIXED: store volatile <16 x i32>
kernel void mixed(global const uchar* restrict x, global uint* restrict y, int n) {
  const int row = get_global_id(0);
  uint s = 0;
  for (int k = 0; k < n; ++k) y[row * 1024 + k] = s += x[row * 1024 + k];
}

// Vectors of a piece's size are pieces already: of rows that crowd each other lines are made, of others and on processors with narrower registers nothing.
// RUN: weftc --cpu=sapphirerapids --kernel=vectors --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=VECTORS
// RUN: weftc --cpu=haswell --kernel=vectors --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=PIECES
// VECTORS-LABEL: @vectors.region.0(
// VECTORS: load volatile <16 x i32>
// VECTORS: store volatile <16 x i32>
// VECTORS: for.body.pieces:
// VECTORS: load volatile <4 x float>
// VECTORS: store volatile <4 x float>
// PIECES-LABEL: @vectors.region.0(
// PIECES-NOT: <16 x i32>
// PIECES-NOT: for.body.pieces:
kernel void vectors(global const float4* restrict x, global float4* restrict y, float a, int n) {
  const int row = get_global_id(0);
  float4 s = 0;
  for (int k = 0; k < n; ++k) y[row * n + k] = s = a * s + x[row * n + k];
}

// Bytes make a piece of four elements, whose vectors are a line.
// RUN: weftc --cpu=sapphirerapids --kernel=widened --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=written-walks %s | FileCheck %s --check-prefix=WIDENED
// WIDENED-LABEL: @widened.region.0(
// WIDENED: load volatile <4 x i32>
// WIDENED-NOT: store volatile <4 x i32>
// WIDENED: store volatile <16 x i32>
kernel void widened(global const uchar4* restrict x, global uint4* restrict y, int n) {
  const int row = get_global_id(0);
  uint4 s = 0;
  for (int k = 0; k < n; ++k) y[row * 512 + k] = s += convert_uint4(x[row * 512 + k]);
}

// WHOLE-LABEL: .region.0(
// WHOLE-NOT: <4 x i32>

// Lanes write neighbours, and each over what another one has written.
kernel void near(global float* y, int n) {
  for (int k = 0; k < n; ++k) y[get_global_id(0) + k] = k;
}

// What is written may be another lane's row.
kernel void one_buffer(global float* y, global const float* x, int n) {
  const int row = get_global_id(0);
  for (int k = 0; k < n; ++k) y[row * n + k] = x[row * n + k];
}

// The second iteration needs what was there before the first, which does not load it.
kernel void far_before(global float* y, int n) {
  const int row = get_global_id(0);
  for (int k = 2; k < n; ++k) y[row * n + k] += y[row * n + k - 2];
}

// Lanes leave one by one.
kernel void apart(global float* y, global const int* restrict ends, int n) {
  const int row = get_global_id(0), end = ends[row];
  for (int k = 0; k < end; ++k) y[row * n + k] = k;
}

// Rows anywhere.
kernel void listed(global float* y, global const int* restrict rows, int n) {
  global float* row = y + rows[get_global_id(0)];
  for (int k = 0; k < n; ++k) row[k] = k;
}

// Others may look.
kernel void looks(global volatile float* y, int n) {
  const int row = get_global_id(0);
  for (int k = 0; k < n; ++k) y[row * n + k] = k;
}
