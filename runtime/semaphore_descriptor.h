// What a semaphore is to other contexts and processes: a file descriptor (cl_khr_external_semaphore_opaque_fd).
#pragma once

#include <memory>

#include "runtime/event.h"

namespace weft::runtime {

/// The payload of a semaphore as the count of an eventfd, which whoever has the descriptor, or one made of it, may signal and take.
class SemaphoreDescriptor {
 public:
  /// Not signaled. Throws Error{CL_OUT_OF_RESOURCES}.
  SemaphoreDescriptor();
  /// One that was exported: `descriptor` belongs to this object from now on. Throws Error{CL_INVALID_VALUE}, and leaves it, if it is none.
  explicit SemaphoreDescriptor(int descriptor);
  ~SemaphoreDescriptor();
  SemaphoreDescriptor(const SemaphoreDescriptor&) = delete;
  SemaphoreDescriptor& operator=(const SemaphoreDescriptor&) = delete;

  void signal() const noexcept;
  /// Whether it was signaled; it no longer is.
  bool take() const noexcept;
  bool is_signaled() const noexcept;
  int get() const { return descriptor_; }
  /// Another one for the application. Throws Error{CL_OUT_OF_RESOURCES}.
  int duplicate() const;

 private:
  int descriptor_;
};

/// Completes `event`, a user event, once `semaphore` has been signaled, by whomever, and takes it. Of one semaphore the first that waits in
/// this process is the first that goes on. Starts a thread at the first use. Throws std::bad_alloc or std::system_error.
void await_signal(std::shared_ptr<const SemaphoreDescriptor> semaphore, const Ref<Event>& event);

/// For the child of a fork: the thread, and what waits, are the parent's.
void lose_awaited_signals() noexcept;

}  // namespace weft::runtime
