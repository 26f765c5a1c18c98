// The work-items of a group as fibers: each runs on a stack of its own until it waits at a barrier.
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
  /// False when two waited at different barriers; nobody waits for those whose work is done.
  bool run(std::size_t count, llvm::function_ref<void(std::size_t)> work, llvm::function_ref<void(std::size_t)> resume);

  /// Called by `work`: returns when all whose work is not done have called it.
  void wait(unsigned barrier);

 private:
  struct Fiber {
    void* stack_pointer = nullptr;
    std::byte* stack = nullptr;
    unsigned barrier = 0;
    bool done = false;
  };
  static void enter();

  Fiber* fibers_ = nullptr;
  std::size_t most_ = 0;
  std::byte* stacks_ = nullptr;
  std::size_t current_ = 0;
  void* caller_ = nullptr;
  llvm::function_ref<void(std::size_t)>* work_ = nullptr;
};

}  // namespace weft::fuzz
