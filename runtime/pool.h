// Type-stable storage for OpenCL objects: checking a handle must not read freed memory.
//
// Each type has one big range of addresses, reserved without access and committed in steps. A slot is never
// unmapped and never serves another type, so any address is a handle of the type if it lies in the committed
// range, on a slot's start, and the slot's state is not 0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "device/spin_lock.h"

namespace weft::runtime {

/// The address range behind a pool. Constant-initialized; reserves at first use; never gives back.
class Arena {
 public:
  constexpr explicit Arena(std::size_t bytes) : reserve_bytes_(bytes) {}
  /// Makes at least `bytes` from the start accessible. False if memory or address space is short.
  /// Callers serialize.
  bool commit(std::size_t bytes) noexcept;
  std::byte* base() const noexcept { return base_.load(std::memory_order_acquire); }
  std::size_t committed() const noexcept { return committed_.load(std::memory_order_acquire); }

 private:
  std::size_t reserve_bytes_;
  std::atomic<std::byte*> base_{nullptr};
  std::atomic<std::size_t> committed_{0};
};

template <class T>
class Pool {
 public:
  using State = std::atomic<std::uint64_t>;  ///< the object's counts (object.h); 0: no valid handle

  constexpr Pool() = default;

  /// Uninitialized storage for one T. Throws std::bad_alloc.
  void* allocate() {
    std::lock_guard lock(lock_);
    // Released slots queue before they serve again, so that a stale handle is noticed for a while.
    if (num_free_ > kQuarantine) {
      Slot* slot = oldest_free_;
      oldest_free_ = slot->next_free;
      --num_free_;
      return slot->storage;
    }
    if (!arena_.commit((num_slots_ + 1) * sizeof(Slot))) throw std::bad_alloc();
    Slot* slot = new (arena_.base() + num_slots_ * sizeof(Slot)) Slot;
    ++num_slots_;
    return slot->storage;
  }

  void deallocate(void* storage) noexcept {
    Slot* slot = reinterpret_cast<Slot*>(storage);
    std::lock_guard lock(lock_);
    slot->next_free = nullptr;
    (num_free_ == 0 ? oldest_free_ : newest_free_->next_free) = slot;
    newest_free_ = slot;
    ++num_free_;
    slot->generation.fetch_add(1, std::memory_order_relaxed);
  }

  bool is_live(const void* handle) const noexcept {
    const std::byte* base = arena_.base();
    if (!base) return false;
    const std::size_t offset =
        reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(base);
    if (offset % sizeof(Slot) != 0 || offset + sizeof(Slot) > arena_.committed()) return false;
    return reinterpret_cast<const Slot*>(handle)->state.load(std::memory_order_acquire) != 0;
  }

  static State& state_of(const T* object) noexcept {
    return const_cast<Slot*>(reinterpret_cast<const Slot*>(object))->state;
  }

  // For a fork: nobody is in `allocate` or `deallocate` meanwhile.
  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept { lock_.unlock(); }

  /// Tells the objects that lived in one slot apart. `handle` is or was one of this pool.
  static std::uint32_t generation_of(const T* handle) noexcept {
    return reinterpret_cast<const Slot*>(handle)->generation.load(std::memory_order_relaxed);
  }

 private:
  struct alignas(64) Slot {
    // The members below outlive the T in `storage`; a fresh page's zeros are a slot with no handle.
    Slot() : state(0), generation(0), next_free(nullptr) {}
    alignas(T) std::byte storage[sizeof(T)];
    State state;
    std::atomic<std::uint32_t> generation;
    Slot* next_free;
  };
  static constexpr std::size_t kMaxSlots = std::size_t{1} << 24;
  static constexpr std::size_t kQuarantine = 64;

  device::SpinLock lock_;
  Arena arena_{kMaxSlots * sizeof(Slot)};
  std::size_t num_slots_ = 0;
  std::size_t num_free_ = 0;
  Slot* oldest_free_ = nullptr;
  Slot* newest_free_ = nullptr;
};

/// The pool of T, one in the process.
template <class T>
inline constinit Pool<T> pool{};

}  // namespace weft::runtime
