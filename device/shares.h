// A job's parts as shares, one for each processor.
//
// What a launch leaves in a processor's caches is there for the next one over the same memory, if that processor runs the
// same groups again. From one counter of parts, groups go to whoever comes first, and on many processors nearly all memory
// then comes out of another one's cache. So each processor begins with a share of its own, the same for each job of so
// many parts, and goes on with what others have left.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>

namespace weft::device {

class Shares {
 public:
  struct Range {
    std::uint64_t first = 0, count = 0;  ///< of parts; count 0: none are left
  };

  /// Null if there is no memory.
  static std::unique_ptr<Shares> make(unsigned count) noexcept {
    std::unique_ptr<Shares> shares(new (std::nothrow) Shares(count));
    if (shares && !shares->shares_) shares.reset();
    return shares;
  }

  /// Before a job of so many parts, at least one for each share, begins.
  void deal(std::uint64_t parts) noexcept {
    for (unsigned i = 0; i < count_; ++i) {
      shares_[i].next.store(parts / count_ * i + std::min<std::uint64_t>(parts % count_, i), std::memory_order_relaxed);
      shares_[i].end = parts / count_ * (i + 1) + std::min<std::uint64_t>(parts % count_, i + 1);
    }
    open_.store(count_, std::memory_order_seq_cst);
  }

  /// Takes parts of share `place` (modulo their number), or, where none are left, of the next that has some, which `place` becomes. `size(left)`
  /// says how many, at least one, of those that are left of a share.
  template <class Size>
  Range take(unsigned& place, Size size) noexcept {
    for (unsigned tried = 0; tried < count_; ++tried, ++place) {
      Share& share = shares_[place % count_];
      const std::uint64_t next = share.next.load(std::memory_order_relaxed);
      if (next >= share.end) continue;
      const std::uint64_t count = size(share.end - next);
      const std::uint64_t first = share.next.fetch_add(count, std::memory_order_seq_cst);
      if (first >= share.end) continue;
      if (first + count >= share.end) open_.fetch_sub(1, std::memory_order_seq_cst);
      return {first, std::min(count, share.end - first)};
    }
    return {};
  }

  /// What nobody has begun is left out.
  void abandon() noexcept {
    for (unsigned i = 0; i < count_; ++i)
      if (shares_[i].next.exchange(shares_[i].end, std::memory_order_seq_cst) < shares_[i].end) open_.fetch_sub(1, std::memory_order_seq_cst);
  }

  bool exhausted() const noexcept { return open_.load(std::memory_order_seq_cst) == 0; }

  std::unique_ptr<Shares> next_free;  ///< the engine's, in a list of those that no job has

 private:
  struct alignas(64) Share {
    std::atomic<std::uint64_t> next{0};
    std::uint64_t end = 0;
  };

  explicit Shares(unsigned count) noexcept : count_(count), shares_(new (std::nothrow) Share[count]) {}

  const unsigned count_;
  const std::unique_ptr<Share[]> shares_;
  alignas(64) std::atomic<unsigned> open_{0};  ///< shares that have parts left
};

}  // namespace weft::device
