#include "runtime/mapped_end.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace weft::runtime {
namespace {

/// What the file grows by: a multiple of every page's size.
constexpr std::size_t kStep = std::size_t{1} << 16;
/// What is mapped at once, mostly behind the file's end: to unmap it stops all threads of the process for a while.
constexpr std::size_t kWindow = std::size_t{1} << 24;

}  // namespace

/// Behind `size_`, up to the end of its step, on blocks of the disk that are there: a page without one would be a SIGBUS.
bool MappedEnd::make_room() noexcept {
  const std::uint64_t at = size_ / kStep * kStep, window_at = size_ / kWindow * kWindow;
  if (posix_fallocate(file_, static_cast<off_t>(at), kStep) != 0) return false;
  if (!window_ || window_at != window_at_) {
    unmap();
    void* const window = mmap(nullptr, kWindow, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(window_at));
    if (window == MAP_FAILED) return false;
    window_ = static_cast<char*>(window);
    window_at_ = window_at;
  }
  room_ = at + kStep;
  std::memset(window_ + (size_ - window_at), '\n', room_ - size_);
  return true;
}

void MappedEnd::unmap() noexcept {
  if (window_) munmap(std::exchange(window_, nullptr), kWindow);
}

bool MappedEnd::append(std::string_view text) noexcept {
  const std::uint64_t before = size_;
  while (!text.empty()) {
    if (size_ >= room_ && !make_room()) {
      size_ = before;  // a part of it may stand there: who writes it otherwise writes over it
      return false;
    }
    const std::size_t count = std::min<std::size_t>(text.size(), room_ - size_);
    std::memcpy(window_ + (size_ - window_at_), text.data(), count);
    size_ += count;
    text.remove_prefix(count);
  }
  return true;
}

void MappedEnd::finish() noexcept {
  unmap();
  room_ = 0;
  if (ftruncate(file_, static_cast<off_t>(size_)) != 0) return;  // empty lines stay
}

}  // namespace weft::runtime
