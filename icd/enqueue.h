// What all clEnqueue functions share: queue, wait list, and the event handed out.
#pragma once

#include <span>

#include "icd/entry.h"
#include "icd/transfers.h"
#include "runtime/memory.h"
#include "runtime/queue.h"

namespace weft::icd {

using runtime::Event;
using runtime::Memory;
using runtime::Queue;
using runtime::Ref;

/// A queue that takes the host's commands: CL_INVALID_COMMAND_QUEUE.
Queue& checked_host_queue(cl_command_queue queue);

/// The events of a wait list, checked: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
std::span<const cl_event> checked_waits(const Queue& queue, cl_uint count, const cl_event* list);

/// Host access that a memory object's flags exclude (CL_MEM_HOST_*): CL_INVALID_OPERATION.
void require_host_read(const Memory& memory);
void require_host_write(const Memory& memory);

/// The flags of a mapping: CL_INVALID_VALUE.
void check_map_flags(cl_map_flags flags);
/// Those of clEnqueueMigrateMemObjects and clEnqueueSVMMigrateMem: CL_INVALID_VALUE.
void check_migration_flags(cl_mem_migration_flags flags);

/// The flags of a mapping: CL_INVALID_VALUE; CL_INVALID_OPERATION where the memory object's flags exclude them.
void check_map_flags(const Memory& memory, cl_map_flags flags);

/// One call of a clEnqueue function. Its construction checks the queue and the wait list.
class Enqueue {
 public:
  Enqueue(cl_command_queue queue, cl_uint num_waits, const cl_event* waits, cl_event* event_ret);

  Queue& queue() const { return queue_; }
  runtime::Context& context() const { return queue_.context(); }
  std::span<const cl_event> waits() const { return waits_; }

  /// A memory object of the queue's context: CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
  Memory& memory(cl_mem handle) const { return checked_memory(context(), handle); }
  /// The same, a buffer or an image alone.
  Memory& buffer(cl_mem handle) const { return checked_buffer(context(), handle); }
  Memory& image(cl_mem handle) const { return checked_image(context(), handle); }

  /// A command of the queue, to be filled in.
  Ref<Event> command(cl_command_type type) const { return runtime::make<Event>(&queue_, type); }

  /// Enqueues it, waits for its end if `blocking`, and hands its event out. Returns CL_SUCCESS or, of a
  /// blocking command that failed, why.
  cl_int submit(Ref<Event> command, bool blocking = false, Queue::Order order = Queue::Order::kNone,
                bool blocks_later = false) const;

 private:
  Queue& queue_;
  std::span<const cl_event> waits_;
  cl_event* event_ret_;
};

}  // namespace weft::icd
