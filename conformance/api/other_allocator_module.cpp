// A module as Python's are that bring an allocator of their own: what it depends on, the C++ library too, allocates by its operator new,
// but nothing that is loaded later does.
#include <cstdlib>
#include <new>
#include <string>

namespace {
// Blocks begin behind their size: another allocator's free ends the program.
constexpr std::size_t kHeader = 16;
}  // namespace

void* operator new(std::size_t size) {
  char* block = static_cast<char*>(std::malloc(size + kHeader));
  if (!block) throw std::bad_alloc();
  return block + kHeader;
}
void operator delete(void* block) noexcept {
  if (block) std::free(static_cast<char*>(block) - kHeader);
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }

/// Depends on the C++ library.
extern "C" std::size_t module_text_length(const char* text) { return std::string(text).append(64, '.').size(); }
