// A vector that a loop of one lane carries, put together and taken apart each time around: its elements go around.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=rounds --scalarize-loops=always --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: define internal <4 x i32> @by_lane
// ROUNDS-NOT: phi <4 x i32>
// ROUNDS-COUNT-4: phi i32 [ %{{[^,]*}}, %lane.entry ]
// ROUNDS-NOT: insertelement
// ROUNDS: lane.done:
// ROUNDS-COUNT-4: insertelement
// ROUNDS: ret <4 x i32>
kernel void rounds(global const uint* table, global uint4* state) {
  uint4 s = state[get_global_id(0)];
  for (int round = 0; round < 9; ++round)
    s = (uint4)(table[s.x & 255] ^ table[256 + (s.y >> 24)] ^ table[512 + (s.z >> 8 & 255)], table[s.y & 255] ^ table[256 + (s.z >> 24)] ^ table[512 + (s.w >> 8 & 255)],
                table[s.z & 255] ^ table[256 + (s.w >> 24)] ^ table[512 + (s.x >> 8 & 255)], table[s.w & 255] ^ table[256 + (s.x >> 24)] ^ table[512 + (s.y >> 8 & 255)]);
  state[get_global_id(0)] = s;
}

// Rotated by shuffles only, with one element changed.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=turned --scalarize-loops=always --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=TURNED
// TURNED: define {{.*}}@by_lane
// TURNED-NOT: phi <4 x i32>
// TURNED: ret
kernel void turned(global const uint* table, global uint4* state, int rounds) {
  uint4 s = state[get_global_id(0)];
  for (int round = 0; round < rounds; ++round) {
    s.x = table[s.x & 255];
    s = s.yzwx;
  }
  state[get_global_id(0)] = s;
}

// A vector that is added to stays one.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=sums --scalarize-loops=always --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=SUMS
// SUMS: define {{.*}}@by_lane
// SUMS: phi <4 x i32>
kernel void sums(global const uint* table, global uint4* state, int rounds) {
  uint4 s = state[get_global_id(0)];
  for (int round = 0; round < rounds; ++round) s += table[s.x & 255];
  state[get_global_id(0)] = s;
}
