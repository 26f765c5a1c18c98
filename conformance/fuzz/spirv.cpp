// SPIR-V modules, translated by the compiler's process: this one must live, and a failure must say why. The mutations are of instructions,
// so that many modules stay valid and get beyond the validator: operands change to other ids and numbers of the module, instructions
// change places, go, come twice, or from elsewhere in the module.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

#include "compiler/spirv_words.h"
#include "fuzz/built.h"
#include "runtime/build.h"

using namespace weft;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Words = std::vector<std::uint32_t>;

/// A module as its header and its instructions, each a first word with its length and operation and then its operands.
struct Module {
  Words header;
  std::vector<Words> instructions;

  static Module read(const Words& words) {
    Module module;
    module.header.assign(words.begin(), words.begin() + compiler::kSpirvHeaderWords);
    for (std::size_t at = compiler::kSpirvHeaderWords; at < words.size();) {
      const std::size_t length = std::clamp<std::size_t>(words[at] >> 16, 1, words.size() - at);
      module.instructions.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at), words.begin() + static_cast<std::ptrdiff_t>(at + length));
      at += length;
    }
    return module;
  }

  Words words() const {
    Words all = header;
    for (const Words& instruction : instructions) all.insert(all.end(), instruction.begin(), instruction.end());
    return all;
  }
};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  void mutate(Module& module) {
    if (module.instructions.empty()) return;
    std::vector<Words>& all = module.instructions;
    const std::size_t at = below(all.size());
    Words& one = all[at];
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        change_operand(module, one);
        break;
      case 4:
        // Another operation with operands of the same kinds is a neighbour, as a rule: OpIAdd, OpFAdd, OpISub.
        one[0] = (one[0] & 0xffff0000u) | ((one[0] + static_cast<std::uint32_t>(below(9)) - 4) & 0xffffu);
        break;
      case 5:
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 6:
        if (at + 1 < all.size()) std::swap(one, all[at + 1]);
        break;
      case 7: {
        Words copy = one;
        // With a result of its own, at the next id.
        if (copy.size() > 2 && below(4) != 0) copy[below(2) + 1] = module.header[3]++;
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(below(all.size() + 1)), std::move(copy));
        break;
      }
      case 8:
        // One operand more or less.
        if (below(2) != 0 || one.size() == 1)
          one.push_back(number(module));
        else
          one.pop_back();
        one[0] = (one[0] & 0xffffu) | static_cast<std::uint32_t>(one.size()) << 16;
        break;
      default: {
        Words& other = all[below(all.size())];
        if (one.size() > 1 && other.size() > 1) one[1 + below(one.size() - 1)] = other[1 + below(other.size() - 1)];
        break;
      }
    }
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::uint32_t number(const Module& module) {
    static constexpr std::uint32_t kNumbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 0x7fffffff, 0x80000000, 0xffffffff};
    if (below(3) != 0 && module.header[3] > 1) return 1 + static_cast<std::uint32_t>(below(std::min(module.header[3] - 1, 1u << 20)));
    return kNumbers[below(std::size(kNumbers))];
  }

  void change_operand(const Module& module, Words& one) {
    if (one.size() < 2) return;
    std::uint32_t& operand = one[1 + below(one.size() - 1)];
    switch (below(4)) {
      case 0: operand = number(module); break;
      case 1: operand += static_cast<std::uint32_t>(below(5)) - 2; break;
      case 2: operand ^= 1u << below(32); break;
      default: operand = 1 + static_cast<std::uint32_t>(below(std::max(module.header[3], 2u) - 1)); break;
    }
  }

  std::minstd_rand random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  const Words words = compiler::spirv_words({data, size});
  // Seldom any bytes at all: what the reader of words must bear.
  if (words.empty() || seed % 64 == 0) return LLVMFuzzerMutate(data, size, max_size);
  Module module = Module::read(words);
  Mutator mutator(seed);
  for (unsigned i = 0; i < 1 + seed / 64 % 4; ++i) mutator.mutate(module);
  const Words mutated = module.words();
  const std::size_t bytes = std::min(mutated.size() * sizeof mutated[0], max_size / sizeof mutated[0] * sizeof mutated[0]);
  std::memcpy(data, mutated.data(), bytes);
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const runtime::BuildResult built = runtime::translate_and_link({data, data + size}, {}, "");
  fuzz::is_sound(built);
  return 0;
}
