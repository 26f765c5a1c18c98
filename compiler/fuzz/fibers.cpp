#include "compiler/fuzz/fibers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

// Keeps what the ABI says a call keeps, and changes stacks.
extern "C" void weft_fuzz_switch(void** from, void* to);
asm(R"(
.text
.globl weft_fuzz_switch
.hidden weft_fuzz_switch
.type weft_fuzz_switch, @function
weft_fuzz_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size weft_fuzz_switch, . - weft_fuzz_switch
)");

namespace weft::fuzz {
namespace {

constexpr std::size_t kStackBytes = 128 << 10;
Fibers* running = nullptr;  // one group runs at a time

}  // namespace

Fibers::Fibers(std::size_t most) : fibers_(new Fiber[most]), most_(most) {
  void* memory = mmap(nullptr, most * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  stacks_ = static_cast<std::byte*>(memory);
  for (std::size_t i = 0; i < most; ++i) {
    fibers_[i].stack = stacks_ + i * kStackBytes;
    mprotect(fibers_[i].stack, 4096, PROT_NONE);
  }
}

Fibers::~Fibers() {
  munmap(stacks_, most_ * kStackBytes);
  delete[] fibers_;
}

bool Fibers::on_stack(const void* address) const {
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(stacks_) < most_ * kStackBytes;
}

void Fibers::enter() {
  Fibers& self = *running;
  (*self.work_)(self.current_);
  self.leave(State::kDone);
  __builtin_unreachable();
}

void Fibers::leave(State state) {
  Fiber& fiber = fibers_[current_];
  fiber.state = state;
  weft_fuzz_switch(&fiber.stack_pointer, caller_);
}

void Fibers::wait(unsigned barrier) {
  fibers_[current_].barrier = barrier;
  leave(State::kWaits);
}

void Fibers::stop() { leave(State::kStopped); }

bool Fibers::run(std::size_t count, llvm::function_ref<void(std::size_t)> work, llvm::function_ref<void(std::size_t)> resume,
                 llvm::function_ref<void()> hold) {
  running = this;
  work_ = &work;
  for (std::size_t i = 0; i < count; ++i) {
    Fiber& fiber = fibers_[i];
    fiber.state = State::kReady;
    // As if enter() had been called: six registers and its address, the stack then off by 8.
    auto** top = reinterpret_cast<void**>(fiber.stack + kStackBytes) - 8;
    for (int k = 0; k < 6; ++k) top[k] = nullptr;
    top[6] = reinterpret_cast<void*>(&Fibers::enter);
    top[7] = nullptr;
    fiber.stack_pointer = top;
  }
  for (;;) {
    for (current_ = 0; current_ < count; ++current_) {
      if (fibers_[current_].state != State::kReady) continue;
      resume(current_);
      weft_fuzz_switch(&caller_, fibers_[current_].stack_pointer);
    }
    if (std::any_of(fibers_, fibers_ + count, [](const Fiber& fiber) { return fiber.state == State::kStopped; })) {
      hold();
      continue;
    }
    const Fiber* first = nullptr;
    for (std::size_t i = 0; i < count; ++i) {
      if (fibers_[i].state == State::kDone) continue;
      if (!first) first = &fibers_[i];
      if (fibers_[i].barrier != first->barrier) return false;
    }
    if (!first) return true;
    for (std::size_t i = 0; i < count; ++i)
      if (fibers_[i].state != State::kDone) release(i);
  }
}

}  // namespace weft::fuzz
