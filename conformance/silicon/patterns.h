// The index that lane 0 to 31 uses in pattern p of the third and the fourth set; negative: the lane is inactive.
#pragma once

/// The (lane + 1)-th number below range of a generator that `seed` starts.
inline int pattern_random(int seed, int lane, int range) {
  unsigned s = 977u * (unsigned)seed + 1;
  for (int i = 0; i <= lane; i++) s = s * 1664525u + 1013904223u;
  return (int)((s >> 8) % (unsigned)range);
}

/// The third set: patterns 0 to 111.
inline int pattern_index(int p, int lane) {
  static const int ands[4] = {31, 7, 3, 1}, strides[2] = {1, 4}, ranges[8] = {2, 4, 8, 16, 32, 64, 128, 512};
  if (p < 40) return ((lane >> (p / 8)) & ands[p / 2 % 4]) * strides[p % 2];
  const int value = pattern_random(p, lane, ranges[p % 8]);
  if (p < 72) return value;
  if (p < 80) return value + lane / 16 * 16;
  unsigned s = 977u * (unsigned)p + 1;
  for (int i = 0; i <= lane; i++) s = s * 1664525u + 1013904223u;
  if (p < 96) return (s >> 28) < 8 ? value : -1;
  return (lane ^ (p & 15)) < 8 + (p & 8) ? (lane >> (p & 1)) * 2 : -1;
}

/// The fourth set. Patterns 0 to 83: three lanes, two in one sector, one in another line with the second's bank.
/// 84 to 199: eight lines at random. 200 to 299: 8-byte words at random.
inline int spread_index(int p, int lane) {
  if (p < 84) return lane == 0 ? 0 : lane == 2 ? 1 : lane == 1 ? ((1 << (p / 4 + 1)) ^ (p % 4)) * 32 + 1 : -1;
  if (p < 200) {
    const int line = pattern_random(900 + p, pattern_random(p, lane, 8), 1 << 21);
    return line * 32 + pattern_random(p + 300, lane, 32);
  }
  return pattern_random(p, lane, p < 220 ? 16 : p < 240 ? 64 : p < 260 ? 128 : 256);
}
