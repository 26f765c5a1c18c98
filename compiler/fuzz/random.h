// The generator's own random numbers: a seed gives the same kernel on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace weft::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// SplitMix64.
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  unsigned below(std::uint64_t limit) { return static_cast<unsigned>(next() % limit); }
  /// In [low, high].
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename T>
  const T& of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }
  template <typename T>
  T of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  std::string word(std::initializer_list<const char*> choices) { return choices.begin()[below(choices.size())]; }

  /// An index, drawn by its weight.
  std::size_t weighted(std::initializer_list<unsigned> weights) {
    unsigned sum = 0;
    for (const unsigned weight : weights) sum += weight;
    unsigned draw = below(sum);
    std::size_t index = 0;
    for (const unsigned weight : weights) {
      if (draw < weight) break;
      draw -= weight;
      ++index;
    }
    return index;
  }

 private:
  std::uint64_t state_;
};

}  // namespace weft::fuzz
