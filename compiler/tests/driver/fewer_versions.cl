// First code (--soon) of kernels that versions make long is without them; of those that are short, or long without, it is what it would be.
// RUN: weftc --cpu=haswell --kernel=states --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --soon --emit=asm %s -o %t.soon
// RUN: FileCheck %s < %t.soon
// CHECK-LABEL: states.group.soon:
// RUN: weftc --cpu=haswell --kernel=states --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --emit=asm %s -o %t.whole
// RUN: test $(wc -l < %t.soon) -lt $(($(wc -l < %t.whole) * 6 / 10))

// RUN: weftc --cpu=haswell --kernel=once --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --soon --emit=asm %s -o %t.soon
// RUN: weftc --cpu=haswell --kernel=once --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --emit=asm %s -o %t.whole
// RUN: diff %t.soon %t.whole
// RUN: weftc --cpu=haswell --kernel=straight --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --soon --emit=asm %s -o %t.soon
// RUN: weftc --cpu=haswell --kernel=straight --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --emit=asm %s -o %t.whole
// RUN: diff %t.soon %t.whole

// Each work-item follows an automaton's states along its own text: where all lanes have the same number of characters, as they have, or not.
kernel void states(global const uchar* text, int n, global const int* next, global const int* found, global int* counts, int chunk, int more) {
  int g = get_global_id(0), from = g * chunk, to = min(from + chunk + more, n), state = 0, count = 0;
  for (int i = from; i < to; i++) {
    state = next[state * 256 + text[i]];
    if (found[state] && i >= from + (from ? more : 0)) count += found[state];
  }
  counts[g] = count;
}

kernel void once(global const uchar* text, int n, global int* sums, int chunk) {
  int g = get_global_id(0), to = min((g + 1) * chunk, n), sum = 0;
  for (int i = g * chunk; i < to; i++) sum += text[i];
  sums[g] = sum;
}

#define STEP(s) a = rotate(a, s) ^ (b + c); b = rotate(b, s + 3u) + (c ^ d); c = (c & d) | (~c & a); d = rotate(d ^ a, s + 7u) * 3u + s;
#define STEPS(s) STEP(s) STEP(s + 1) STEP(s + 2) STEP(s + 3) STEP(s + 4) STEP(s + 5) STEP(s + 6) STEP(s + 7)
#define MANY(s) STEPS(s) STEPS(s + 8) STEPS(s + 16) STEPS(s + 24) STEPS(s + 32) STEPS(s + 40) STEPS(s + 48) STEPS(s + 56)
kernel void straight(global const uint* in, global uint* out) {
  uint i = get_global_id(0), a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3];
  MANY(0u) MANY(64u) MANY(128u)
  out[i] = a ^ b ^ c ^ d;
}
