// Groups of one work-item whose steps wait for each other run two beside each other, as scalar code, and one after the other where they part.
// RUN: weftc --kernel=rounds --local-size=1,1,1 --ids-fit-31-bits --stop-after=group --verify-each %s | FileCheck %s --check-prefix=PAIR
// PAIR: define {{.*}} @rounds.group(
// PAIR: %run = load i64
// PAIR: icmp eq i64 %run, 2
// The next group's table is 4,096 bytes further.
// PAIR: %next.id{{.*}} = add nuw nsw i64
// PAIR: %next.local{{.*}} = getelementptr inbounds i8, ptr %{{.*}}, i64 4096
// Both ask whether they are beyond the range, and go on if they answer alike.
// PAIR: %part{{.*}} = xor i1
// PAIR: br i1 %part
// PAIR: group.of.run:

// Where work-items go different ways behind what they have written, where loops wait for nothing, and where there are several work-items, none.
// RUN: weftc --kernel=own_ways --local-size=1,1,1 --ids-fit-31-bits --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=own_counts --local-size=1,1,1 --ids-fit-31-bits --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=sums --local-size=1,1,1 --ids-fit-31-bits --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=rounds --local-size=1,1,1 --fuse-groups=8 --ids-fit-31-bits --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=rounds --local-size=1,1,1 --ids-fit-31-bits --disable=group-pairs --stop-after=group %s | FileCheck %s --check-prefix=ONE
// ONE: .group(
// ONE-NOT: group.of.run
// RUN: weftc --kernel=sums --local-size=1,1,1 --ids-fit-31-bits --pairs --stop-after=group %s | FileCheck %s --check-prefix=FORCED
// FORCED: group.of.run

#define F(x) (((table[(x) >> 24] + table[256 + (((x) >> 16) & 255)]) ^ table[512 + (((x) >> 8) & 255)]) + table[768 + ((x) & 255)])

kernel void rounds(global const uint* tables, global const uint* keys, ulong count, global uint* out) {
  local uint table[1024];
  const size_t id = get_global_id(0);
  if (id >= count) return;
  for (uint i = 0; i < 1024; ++i) table[i] = tables[1024 * id + i];
  uint left = 0, right = 0;
  for (uint i = 0; i < 512; ++i) {
    for (uint r = 0; r < 16; r += 2) {
      left ^= keys[r];
      right ^= F(left);
      right ^= keys[r + 1];
      left ^= F(right);
    }
    table[2 * i] = left;
    table[2 * i + 1] = right;
  }
  out[id] = left ^ right;
}

kernel void own_ways(global const uint* tables, global uint* out) {
  local uint table[256];
  const size_t id = get_global_id(0);
  for (uint i = 0; i < 256; ++i) table[i] = tables[256 * id + i];
  uint at = id;
  for (uint i = 0; i < 512; ++i) {
    at = table[at & 255];
    if (at & 256) at = table[(at >> 8) & 255] + 1;
    else table[i & 255] = at;
  }
  out[id] = at;
}

kernel void own_counts(global const uint* table, global const uint* counts, global uint* out) {
  const size_t id = get_global_id(0);
  uint at = id;
  for (uint i = 0; i < counts[id]; ++i) at = table[at];
  out[id] = at;
}

kernel void sums(global const uint* in, global uint* out) {
  const size_t id = get_global_id(0);
  for (uint i = 0; i < 64; ++i) out[64 * id + i] = in[64 * id + i] * 3 + 1;
}
