// Reads of a tile that is a copy of global memory become reads of what was copied, and the barrier goes.
// RUN: weftc %s --kernel=grid --local-size=16,16,1 --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=GRID
// RUN: weftc %s --kernel=grid --local-size=16,16,1 --disable=copied-tiles --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=grid --local-size=16,16,1 --required-only --stop-after=simplify-item | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=grid --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=taps --local-size=64,1,1 --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=TAPS
// RUN: weftc %s --kernel=kept_barrier --local-size=64,1,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=BARRIER
// RUN: weftc %s --kernel=any_buffer --local-size=16,16,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=some_cells --local-size=64,1,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=a_lane_stores --local-size=64,1,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=no_barrier --local-size=64,1,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=transposed --local-size=16,16,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=grid --cpu=sapphirerapids --local-size=16,16,1 --ids-fit-31-bits --fuse-groups=2 --verify-each --emit=llvm | FileCheck %s --check-prefix=BLOCKS
// RUN: weftc %s --kernel=grid --cpu=sapphirerapids --local-size=16,16,1 --ids-fit-31-bits --fuse-groups=2 --partial-blocks --emit=llvm | FileCheck %s --check-prefix=GROUPS
// RUN: weftc %s --kernel=grid --cpu=sapphirerapids --local-size=16,16,1 --ids-fit-31-bits --fuse-groups=2 --disable=copied-tiles --emit=llvm | FileCheck %s --check-prefix=GROUPS
// RUN: weftc %s --kernel=transposed --local-size=16,16,1 --fuse-groups=2 --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=bounded --local-size=16,16,1 --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=BOUNDED
// RUN: weftc %s --kernel=wrapped --local-size=32,2,1 --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=WRAPPED
// RUN: weftc %s --kernel=mirrored --local-size=64,1,1 --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=MIRRORED
// RUN: weftc %s --kernel=bounded_rim --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=RIM
// RUN: weftc %s --kernel=zeros --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=ZEROS
// RUN: weftc %s --kernel=two_values --local-size=64,1,1 --ids-fit-31-bits --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=some_tested --local-size=64,1,1 --ids-fit-31-bits --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=down_columns --local-size=16,16,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=down_columns --local-size=32,16,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=DOWN
// RUN: weftc %s --kernel=two_bounds --local-size=64,1,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=turned_bounds --local-size=16,16,1 --stop-after=copied-tiles | FileCheck %s --check-prefix=KEPT
// RUN: weftc %s --kernel=bounded --local-size=16,16,1 --ids-fit-31-bits --fuse-groups=8 --verify-each --stop-after=copied-tiles | FileCheck %s --check-prefix=IDS

// Groups without a tile run as one block of rows of 32; with it, and where a row of the launch has a rest, each by itself.
// BLOCKS: load <32 x float>
// BLOCKS-NOT: <16 x float>
// GROUPS: load <16 x float>

// The sums of the rim's addresses are those of the others, continued.
// GRID-LABEL: @grid.item
// GRID-NOT: addrspace(3)
// GRID-NOT: __weft_barrier
// GRID: load volatile float, ptr addrspace(1) {{.*}}!alias.scope
// GRID: ret i32
// KEPT: store volatile float {{.*}}ptr addrspace(3)
// KEPT: load volatile float, ptr addrspace(3)
kernel void grid(global const float* restrict in, global float* out, int pitch) {
  local float t[18][18];
  const int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  t[y][x] = in[at];
  if (x == 1) t[y][0] = in[at - 1];
  if (x == 16) t[y][17] = in[at + 1];
  if (y == 1) t[0][x] = in[at - pitch];
  if (y == 16) t[17][x] = in[at + pitch];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[y][x - 1] + t[y][x + 1] + t[y - 1][x] + t[y + 1][x];
}

// TAPS-LABEL: @taps.item
// TAPS-NOT: addrspace(3)
// TAPS: ret i32
kernel void taps(global const float* restrict in, global float* out, local float* t) {
  const int l = get_local_id(0), at = get_global_id(0);
  t[l + 4] = in[at + 4];
  if (l < 4) t[l] = in[at];
  if (l >= 60) t[l + 8] = in[at + 8];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += t[l + k] * (k + 1);
  out[at] = sum;
}

// What other work-items wrote is read behind the barrier.
// BARRIER-LABEL: @kept_barrier.item
// BARRIER-NOT: addrspace(3)
// BARRIER: store volatile float
// BARRIER: __weft_barrier
// BARRIER: load volatile float
kernel void kept_barrier(global const float* restrict in, global float* out) {
  local float t[64];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = in[at];
  out[at] = 2;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[at + 4096] = t[63 - l] + out[at ^ 1];
}

kernel void any_buffer(global const float* in, global float* out, int pitch) {
  local float t[16][16];
  const int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * pitch + get_global_id(0);
  t[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[y ^ 1][x];
}

// A cell that nobody may have stored: its place in memory may be none.
kernel void some_cells(global const float* restrict in, global float* out, int n) {
  local float t[64];
  const int l = get_local_id(0), at = get_global_id(0);
  if (at < n) t[l] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[63 - l];
}

kernel void a_lane_stores(global const float* restrict in, global float* out) {
  local float t[64];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 7) t[l] = in[at + 1];
  out[at] = t[63 - l];
}

kernel void no_barrier(global const float* restrict in, global float* out) {
  local float t[64];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = in[at];
  out[at] = t[l ^ 1];
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void transposed(global const float* restrict in, global float* out, int pitch) {
  local float t[16][17];
  const int x = get_local_id(0), y = get_local_id(1);
  t[y][x] = in[get_global_id(1) * pitch + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * pitch + get_global_id(0)] = t[x][y];
}

// Bounded addresses are what they were, of other ids: four bounds of columns and rows of a tile of 18 x 18, three of each behind it.
// BOUNDED-LABEL: @bounded.item
// BOUNDED-NOT: addrspace(3)
// BOUNDED-NOT: __weft_barrier
// BOUNDED: call i32 @llvm.smin.i32
// BOUNDED-COUNT-9: load volatile float, ptr addrspace(1)
// BOUNDED-NOT: load volatile
// Of a block, groups and local ids go where they are a global id without its offset.
// IDS-LABEL: @bounded.item
// IDS: call {{.*}}range(i32 0, 128) i32 @__weft_local_id_x()
// IDS-NOT: and i32
// IDS-NOT: udiv
// IDS: ret i32
kernel void bounded(global const float* restrict in, global float* out, int n, local float* t) {
  const int size = get_local_size(0), pitch = size + 2, x = get_local_id(0), y = get_local_id(1);
  const int left = get_group_id(0) * size, top = get_group_id(1) * size;
  for (int j = y; j < pitch; j += size)
    for (int i = x; i < pitch; i += size) t[j * pitch + i] = in[clamp(top + j - 1, 0, n - 1) * n + clamp(left + i - 1, 0, n - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += t[(y + j) * pitch + x + i];
  out[(top + y) * n + left + x] = sum;
}

// WRAPPED-LABEL: @wrapped.item
// WRAPPED-NOT: addrspace(3)
// WRAPPED: urem
// WRAPPED: ret i32
kernel void wrapped(global const float* restrict in, global float* out, uint width) {
  local float t[2][34];
  const uint x = get_local_id(0), y = get_local_id(1), at = get_global_id(0) + width;
  global const float* row = in + get_global_id(1) * width;
  t[y][x + 1] = row[at % width];
  if (x == 0) t[y][0] = row[(at - 1) % width];
  if (x == 31) t[y][33] = row[(at + 1) % width];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * width + get_global_id(0)] = t[y][x] + t[y][x + 1] + t[y][x + 2];
}

// MIRRORED-LABEL: @mirrored.item
// MIRRORED-NOT: addrspace(3)
// MIRRORED: select
// MIRRORED: ret i32
kernel void mirrored(global const float* restrict in, global float* out, int n) {
  local float t[66];
  const int l = get_local_id(0), at = get_global_id(0);
  for (int i = l; i < 66; i += 64) {
    const int from = get_group_id(0) * 64 + i;
    t[i] = in[from < n ? from : 2 * n - 2 - from];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[l] + t[l + 1] + t[l + 2];
}

// What some cells are bounded by and others are not is no sum of ids.
kernel void two_bounds(global const float* restrict in, global float* out, int n, int m) {
  local float t[65];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = in[min(at, n)];
  if (l == 63) t[64] = in[min(at + 1, m)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[l] + t[l + 1];
}

// Neighbours in the tile are rows apart behind their bounds.
kernel void turned_bounds(global const float* restrict in, global float* out, int n) {
  local float t[16][17];
  const int x = get_local_id(0), y = get_local_id(1), row = get_global_id(1), column = get_global_id(0);
  t[y][x] = in[min(row, n) * n + min(column, n)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[row * n + column] = t[x][y];
}

// Some of the bounds are known to be met by none: columns of a group's own work-items are not negative.
// RIM-LABEL: @bounded_rim.item
// RIM-NOT: addrspace(3)
// RIM: ret i32
kernel void bounded_rim(global const float* restrict in, global float* out, int w, int h) {
  local float t[18][18];
  const int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
#define AT(dx, dy) in[clamp(row + dy, 0, h - 1) * w + clamp(column + dx, 0, w - 1)]
  t[y + 1][x + 1] = AT(0, 0);
  if (x == 0) t[y + 1][0] = AT(-1, 0);
  if (x == 15) t[y + 1][17] = AT(1, 0);
  if (y == 0) t[0][x + 1] = AT(0, -1);
  if (y == 15) t[17][x + 1] = AT(0, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[row * w + column] = t[y + 1][x] + t[y + 1][x + 2] + t[y][x + 1] + t[y + 2][x + 1];
}

// A body that has all of a tile in registers reads columns as they are there; a larger group's tile would be memory.
// DOWN-LABEL: @down_columns.item
// DOWN-NOT: addrspace(3)
// DOWN: ret i32
kernel void down_columns(global const float* restrict in, global float* out, int w, int h) {
  local float t[24][32];
  const int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), top = get_group_id(1) * 16;
  for (int j = y; j < 24; j += 16) t[j][x] = in[clamp(top + j - 4, 0, h - 1) * w + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 9; ++j) sum += t[y + j][x];
  out[(top + y) * w + column] = sum;
}

// Nothing from beyond the border: each read is behind the tests that its cell's was, but for those that hold in every group, which only some stores have.
// ZEROS-LABEL: @zeros.item
// ZEROS-NOT: addrspace(3)
// ZEROS-NOT: __weft_barrier
// ZEROS-COUNT-9: phi float [
// ZEROS-NOT: phi float
// ZEROS: ret i32
kernel void zeros(global const float* restrict in, global float* out, int w, int h) {
  local float t[18][18];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  for (int j = ly; j < 18; j += 16)
    for (int i = lx; i < 18; i += 16) {
      const int row = y - ly + j - 1, column = x - lx + i - 1;
      t[j][i] = row >= 0 && row < h && column >= 0 && column < w ? in[row * w + column] : 0;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += t[ly + j][lx + i];
  out[y * w + x] = sum;
}

// What is beyond is not the same for all cells that a read may be of.
kernel void two_values(global const float* restrict in, global float* out, int n) {
  local float t[65];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = at < n ? in[at] : 0;
  if (l == 63) t[64] = at + 1 < n ? in[at + 1] : 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[l] + t[l + 1];
}

// Some cells are loaded whatever is asked of others.
kernel void some_tested(global const float* restrict in, global float* out, int n) {
  local float t[65];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = in[at];
  if (l == 63) t[64] = at + 1 < n ? in[at + 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[l] + t[l + 1];
}
