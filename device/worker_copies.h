// The workers' own copies of buffers that a launch's kernel does nothing but update (abi::UpdatedBuffer).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/kernel_abi.h"

namespace weft::device {

class Worker;

class WorkerCopies {
 public:
  /// A buffer as this launch has it.
  struct Buffer {
    std::byte* data = nullptr;  ///< aligned to a word
    std::size_t bytes = 0;      ///< what is behind the last whole word is not copied
    abi::UpdateKind kind = abi::UpdateKind::kNone;
    std::uint8_t word_bytes = 4;
    std::uint16_t updates = 1;  ///< that a work-item makes
  };

  /// Those of a launch.
  struct Buffers {
    static constexpr std::size_t kMost = abi::kMostUpdatedBuffers;
    std::array<Buffer, kMost> buffer;
    std::size_t count = 0;  ///< 0: there are no copies
    const Buffer* begin() const { return buffer.data(); }
    const Buffer* end() const { return buffer.data() + count; }
  };

  /// Whether copies take less time than they save, in a launch of so many work-items on so many workers, if one in some dozens makes
  /// the updates that it may make.
  static bool pay(const Buffers& buffers, std::uint64_t work_items, unsigned workers);

  /// In the order of GroupInfo::copies. Threads that find no place later, being more than `workers` (API threads may come and go),
  /// update the buffers themselves. Throws std::bad_alloc.
  WorkerCopies(const Buffers& buffers, unsigned workers);
  WorkerCopies(const WorkerCopies&) = delete;
  WorkerCopies& operator=(const WorkerCopies&) = delete;
  ~WorkerCopies();

  /// GroupInfo::copies for `worker`, whose copies are made when it asks for the first time; null if there is no place or memory.
  const std::uint64_t* of(const Worker& worker) noexcept;

  /// After the last group: updates the buffers with all copies, atomically, since other launches may update them now.
  void add_up() const noexcept;

 private:
  /// One worker's, apart from the others'.
  struct alignas(64) Place {
    std::atomic<const Worker*> owner{nullptr};
    std::byte* memory = nullptr;  ///< the copies, one behind the other, each aligned to 64
    std::uint64_t distances[Buffers::kMost];
  };
  template <typename T, typename Operation>
  void add_up(std::size_t buffer, Operation operation) const noexcept;
  template <typename T>
  void add_up(std::size_t buffer) const noexcept;
  bool make(Place& place) noexcept;

  const Buffers buffers_;
  std::size_t bytes_ = 0;  ///< of a worker
  const std::size_t num_places_;
  const std::unique_ptr<Place[]> places_;
};

}  // namespace weft::device
