#include "device/waiting.h"

#include <sched.h>

#include <atomic>

namespace weft::device {
namespace {

std::atomic<unsigned> threads_beside{0};
/// Iterations between two times that the system is asked who else wants the processor.
constexpr unsigned kPatience = 256;

}  // namespace

Crowd::Crowd() { threads_beside.fetch_add(1, std::memory_order_relaxed); }
Crowd::~Crowd() { threads_beside.fetch_sub(1, std::memory_order_relaxed); }

void wait_for_others() {
  static constinit thread_local unsigned waits = 0;
  if (threads_beside.load(std::memory_order_relaxed) != 0 || ++waits % kPatience == 0) sched_yield();
}

}  // namespace weft::device
