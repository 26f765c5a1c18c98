#include "device/thread_limit.h"

#include <memory>
#include <mutex>

#include <oneapi/tbb/global_control.h>

namespace weft::device {

void allow_threads(unsigned count) {
  struct Limit {
    std::mutex mutex;
    unsigned threads = 1;  // oneTBB counts the API's thread in; ours is not always there to help
    std::unique_ptr<tbb::global_control> control;
  };
  static Limit& limit = *new Limit;  // never destroyed: jobs may run while a program exits
  std::lock_guard guard(limit.mutex);
  limit.threads += count;
  // The least of those that live holds: the one before goes when the new one is there.
  limit.control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, limit.threads);
}

}  // namespace weft::device
