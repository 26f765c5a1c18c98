// Several warps search in one body: as many as cost no more than one, whose iterations wait for what they load.
// RUN: weftc --cpu=icelake-server --kernel=find --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=BYTES
// BYTES: icmp eq <{{128|256}} x i8>

// Words fill registers sooner, and those of 256 bits, too.
// RUN: weftc --cpu=icelake-server --kernel=run --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=WORDS
// WORDS: icmp eq <{{64|128}} x i32>
// RUN: weftc --cpu=haswell --kernel=run --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=NARROW
// NARROW: icmp eq <{{32|64}} x i32>

// Lanes that load from anywhere, or write, are a warp's.
// RUN: weftc --cpu=icelake-server --kernel=chains --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=icelake-server --kernel=writes --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// ONE: icmp eq <32 x i8>

kernel void find(global const uchar* text, constant uchar* word, int length, global uchar* found) {
  const size_t i = get_global_id(0);
  int k = 0;
  while (k < length && text[i + k] == word[k]) ++k;
  found[i] = k == length;
}

kernel void run(global const int* in, int most, global int* lengths) {
  const size_t i = get_global_id(0);
  const int first = in[i];
  int k = 1;
  while (k < most && in[i + k] == first) ++k;
  lengths[i] = k;
}

kernel void chains(global const uchar* text, global const int* next, int most, global int* lengths) {
  int i = get_global_id(0), k = 0;
  for (; k < most && text[i] == 'e'; ++k) i = next[i];
  lengths[get_global_id(0)] = k;
}

kernel void writes(global const uchar* text, int most, global uchar* copy, int pitch) {
  const size_t i = get_global_id(0);
  for (int k = 0; k < most && text[i + k] == 'e'; ++k) copy[i + k * pitch] = 1;
}
