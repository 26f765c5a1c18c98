// Text added to the end of a file through a mapping of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weft::runtime {

/// What is added belongs to the system at once, as if it had been written: it is in the file even if the process is killed by the
/// next instruction. It costs a copy instead of a call of the system. Until `finish` the file ends in up to 64 KiB of empty lines.
class MappedEnd {
 public:
  /// Of an open file, `size` bytes long, that this process alone writes to. The mapping needs O_RDWR.
  MappedEnd(int file, std::uint64_t size) noexcept : file_(file), size_(size) {}
  MappedEnd(const MappedEnd&) = delete;
  MappedEnd& operator=(const MappedEnd&) = delete;
  ~MappedEnd() { unmap(); }

  /// False, with nothing added: no mapping of such a file, or no room on the disk.
  bool append(std::string_view text) noexcept;
  /// Cuts off what is empty. More may be added later.
  void finish() noexcept;
  std::uint64_t size() const { return size_; }

 private:
  bool make_room() noexcept;
  void unmap() noexcept;

  const int file_;
  std::uint64_t size_;           ///< of the text
  std::uint64_t room_ = 0;       ///< of the file: blocks of the disk, and mapped
  char* window_ = nullptr;       ///< kWindow bytes of the file, or none
  std::uint64_t window_at_ = 0;  ///< where they begin
};

}  // namespace weft::runtime
