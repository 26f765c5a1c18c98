// Groups of one work-item, as programs launch them on CPUs, with local memory and barriers as written for larger groups.

kernel void crc(global const uint* words, global const uint* table, global uint* out, uint count) {
  local uint t[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) t[i] = table[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint g = get_global_id(0);
  uint crc = ~0u;
  for (uint i = 0; i < count; ++i) {
    const uint w = words[g * count + i];
    for (uint byte = 0; byte < 4; ++byte) crc = t[(crc ^ (w >> (8 * byte))) & 255] ^ (crc >> 8);
  }
  out[g] = ~crc;
}

kernel void rc4(global const uint* keys, global uint* out, uint count) {
  local uchar s[256];
  const uint g = get_global_id(0);
  for (uint i = 0; i < 256; ++i) s[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint key = keys[g];
  uint j = 0;
  for (uint i = 0; i < 256; ++i) {
    const uchar x = s[i];
    j = (j + x + (key >> (8 * (i & 3)))) & 255;
    s[i] = s[j];
    s[j] = x;
  }
  uint sum = 0, b = 0;
  for (uint n = 1; n <= count; ++n) {
    const uint a = n & 255;
    const uchar x = s[a];
    b = (b + x) & 255;
    const uchar y = s[b];
    s[a] = y;
    s[b] = x;
    sum = sum * 31 + s[(x + y) & 255];
  }
  out[g] = sum;
}
