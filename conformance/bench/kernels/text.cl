// Bytes of text.

// How often each of 16 classes of characters occurs in a block of `length` bytes: counted in a private array.
kernel void classes(global const uchar* text, global uint* counts, const int length) {
  uint mine[16];
  for (int k = 0; k < 16; ++k) mine[k] = 0;
  global const uchar* block = text + get_global_id(0) * length;
  for (int k = 0; k < length; ++k) ++mine[block[k] >> 4];
  for (int k = 0; k < 16; ++k) counts[16 * get_global_id(0) + k] = mine[k];
}

// Whether the word begins at a place: most comparisons end at the first letter.
kernel void find(global const uchar* text, constant uchar* word, const int word_length, global uchar* found) {
  const size_t i = get_global_id(0);
  int k = 0;
  while (k < word_length && text[i + k] == word[k]) ++k;
  found[i] = k == word_length;
}
