// What becomes of this library in the child of a fork.
//
// The child has the forking thread only. Objects whose commands were over before can be used there; its commands run on
// the thread that waits for them. A command that was under way may never end there, nor does what other threads of the
// application had begun. That a compiler of the parent's was at work makes no difference unless it was inside LLVM.
#pragma once

#include <atomic>

namespace weft::runtime {

/// Whether this process is such a child.
bool is_forked() noexcept;

/// A T that has threads: made at its first use in each process, never destroyed. Constant-initialized.
template <class T>
class OnePerProcess {
 public:
  T& get() {
    if (T* known = one_.load(std::memory_order_acquire)) return *known;
    T* const made = new T;
    T* known = nullptr;
    if (one_.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return *made;
    delete made;
    return *known;
  }
  /// For the child: its parent's may be locked.
  void lose() noexcept { one_.store(nullptr, std::memory_order_relaxed); }

 private:
  std::atomic<T*> one_{nullptr};
};

}  // namespace weft::runtime
