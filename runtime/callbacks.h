// Where the application's event callbacks run: a thread of their own, in the order in which they became due; but one that takes
// long does not keep the others from running, for which it may wait.
//
// Not on a worker, which a slow callback would take from the device, nor on the API thread that happens to
// complete a command: that one may hold a lock of the application's which the callback wants.
#pragma once

#include "runtime/event.h"

namespace weft::runtime {

/// Calls `callback(event, status, user_data)` soon. The handle is valid in the callback even if the
/// application has released it. Starts the thread at the first use. Throws std::bad_alloc or
/// std::system_error.
void call_back(Event& event, cl_int status, Event::Callback callback, void* user_data);

/// For the child of a fork: the threads, and what they have to call, are the parent's.
void lose_callbacks() noexcept;

}  // namespace weft::runtime
