// The work-items of a group as fibers: each runs on a stack of its own until it waits at a barrier, or stops to meet others.
#pragma once

#include <cstddef>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft::fuzz {

class Fibers {
 public:
  explicit Fibers(std::size_t most);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Runs `work(i)` for each i below `count`, in order, from barrier to barrier; `resume(i)` comes before each stretch.
  /// Where some have stopped and all others wait or are done, `hold()` is to release one or more.
  /// False when two waited at different barriers; nobody waits for those whose work is done.
  bool run(std::size_t count, llvm::function_ref<void(std::size_t)> work, llvm::function_ref<void(std::size_t)> resume,
           llvm::function_ref<void()> hold);

  /// Called by `work`: returns when all whose work is not done have called it.
  void wait(unsigned barrier);

  /// Called by `work`: returns when it has been released.
  void stop();
  void release(std::size_t fiber) { fibers_[fiber].state = State::kReady; }
  /// Of the fiber that runs.
  std::size_t current() const { return current_; }
  /// Whether a fiber's stack holds this address.
  bool on_stack(const void* address) const;

 private:
  enum class State { kReady, kWaits, kStopped, kDone };
  struct Fiber {
    void* stack_pointer = nullptr;
    std::byte* stack = nullptr;
    unsigned barrier = 0;
    State state = State::kReady;
  };
  static void enter();
  void leave(State state);

  Fiber* fibers_ = nullptr;
  std::size_t most_ = 0;
  std::byte* stacks_ = nullptr;
  std::size_t current_ = 0;
  void* caller_ = nullptr;
  llvm::function_ref<void(std::size_t)>* work_ = nullptr;
};

}  // namespace weft::fuzz
