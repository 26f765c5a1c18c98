// Behind a bound of the range that guards a loop over memory the code is there twice, first without masks for bodies that have all lanes inside.
// Several warps share a body then.
// RUN: weftc --kernel=march --local-size=32,8,1 --ids-fit-31-bits --stop-after=full-guards --verify-each %s | FileCheck %s
// RUN: weftc --kernel=march --local-size=32,8,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=WIDE
// CHECK-LABEL: define internal i32 @march.region.0(
// CHECK: [[ALL:%.*]] = call i1 @weft.all(
// CHECK-NEXT: br i1 [[ALL]], label %for.body.full, label %rest, !prof
// CHECK: for.body.full:
// CHECK: load volatile float
// CHECK: rest:
// CHECK-NEXT: br i1 %{{.*}}, label %for.body, label %for.end
// CHECK: for.body:
// CHECK: load volatile float
// WIDE-LABEL: @march.group(
// WIDE-COUNT-8: call <32 x float> @llvm.masked.load
// WIDE-COUNT-8: load <32 x float>
// WIDE-NOT: masked
// WIDE: store <32 x float>
//
// Not where nothing repeats, where it is one item that works, where data decide, or without the pass.
// RUN: weftc --kernel=once --local-size=32,8,1 --ids-fit-31-bits --stop-after=full-guards %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --kernel=one_item --local-size=32,8,1 --ids-fit-31-bits --stop-after=full-guards %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --kernel=by_data --local-size=32,8,1 --ids-fit-31-bits --stop-after=full-guards %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --kernel=march --local-size=32,8,1 --ids-fit-31-bits --disable=full-guards --stop-after=full-guards %s | FileCheck %s --check-prefix=ONCE
//
// Nor where a loop divides long integers, a lane after the other, beside which masks cost nothing; by what all lanes share it does not matter.
// RUN: weftc --kernel=digits --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-guards %s | FileCheck %s --check-prefix=ONCE
// RUN: weftc --kernel=shared_digits --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-guards %s | FileCheck %s --check-prefix=SHARED
// SHARED: weft.all(
// ONCE-NOT: weft.all(
kernel void march(global const float* in, global float* out, int width, int height, int depth) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
  float sum = 0;
  for (int z = 0; z < depth; ++z) {
    const int at = (z * height + y) * width + x;
    sum += in[at];
    out[at] = sum;
  }
}

kernel void once(global const float* in, global float* out, int width) {
  const int x = get_global_id(0);
  if (x == 0 || x == width - 1) return;
  out[x] = in[x - 1] + in[x + 1];
}

kernel void one_item(global const float* in, global float* out, int n) {
  if (get_global_id(0) != 0) return;
  for (int i = 0; i < n; ++i) out[get_global_id(0) + i] = in[get_global_id(0) + i] + 1;
}

kernel void digits(global const ulong* in, global ulong* out, ulong base, int width, int n) {
  const int x = get_global_id(0);
  if (x == 0 || x == width - 1) return;
  ulong rest = in[x];
  for (int i = 0; i < n; ++i) {
    out[i * width + x] = rest % base;
    rest /= base;
  }
}

kernel void shared_digits(global const ulong* in, global ulong* out, ulong base, int width, int n) {
  const int x = get_global_id(0);
  if (x == 0 || x == width - 1) return;
  for (int i = 0; i < n; ++i) {
    out[i * width + x] = in[i * width + x] + base % (ulong)(n + i);
    base += n / (i + 1);
  }
}

kernel void by_data(global const float* in, global float* out, int width, int n) {
  const int x = get_global_id(0);
  if (in[x] == 0) return;
  for (int i = 0; i < n; ++i) out[i * width + x] = in[i * width + x] + 1;
}

// Loops along rows read and write pieces in the copy; the others stay as they are.
// RUN: weftc --cpu=sapphirerapids --kernel=along --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks --verify-each %s | FileCheck %s --check-prefix=ALONG
// ALONG-LABEL: define internal i32 @along.region.0(
// ALONG: {{^}}for.body:
// ALONG-NEXT: phi
// ALONG-NOT: <4 x i32>
// ALONG: store volatile float
// ALONG-NOT: <4 x i32>
// ALONG: br i1 {{%.*}}, label %for.body,
// RUN: weftc --cpu=sapphirerapids --kernel=along --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks %s | FileCheck %s --check-prefix=COPY
// COPY: {{^}}for.body.full:
// COPY: load volatile <4 x i32>
// COPY: store volatile <4 x i32>
kernel void along(global const float* restrict a, global float* restrict sums, int height, int n) {
  const int row = get_global_id(0);
  if (row >= height) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += a[row * n + k];
    sums[row * n + k] = sum;
  }
}

// So where small groups run side by side and the last block of a row may lack some: what all blocks but those run has no masks, and reads pieces.
// RUN: weftc --kernel=small_groups --local-size=8,1,1 --ids-fit-31-bits --fuse-groups=4 --partial-blocks --stop-after=full-guards --verify-each %s | FileCheck %s --check-prefix=BLOCK
// BLOCK-LABEL: define internal i32 @small_groups.region.0(
// BLOCK: [[INSIDE:%.*]] = icmp ult i64 %group_id, %num_groups_x
// BLOCK: [[ALL:%.*]] = call i1 @weft.all(i1 [[INSIDE]])
// BLOCK-NEXT: br i1 [[ALL]], label %{{.*}}.full, label %rest, !prof
// RUN: weftc --cpu=sapphirerapids --kernel=small_groups --local-size=8,1,1 --ids-fit-31-bits --fuse-groups=4 --partial-blocks --stop-after=walked-rows %s | FileCheck %s --check-prefix=PIECES
// PIECES: load volatile <4 x i32>
// Not where blocks are whole, which have no bound.
// RUN: weftc --kernel=small_groups --local-size=8,1,1 --ids-fit-31-bits --fuse-groups=4 --stop-after=full-guards %s | FileCheck %s --check-prefix=ONCE
kernel void small_groups(global const float* restrict a, global float* restrict sums, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[get_group_id(0) * 8 * n + get_local_id(0) * n + k];
  sums[get_global_id(0)] = sum;
}
