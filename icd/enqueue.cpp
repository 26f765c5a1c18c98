// Commands without work: markers, barriers, migration, unmapping.
#include "icd/enqueue.h"

namespace weft::icd {

Queue& checked_host_queue(cl_command_queue handle) {
  Queue& queue = checked(handle, CL_INVALID_COMMAND_QUEUE);
  require(!queue.is_on_device(), CL_INVALID_COMMAND_QUEUE);
  return queue;
}

std::span<const cl_event> checked_waits(const Queue& queue, cl_uint count, const cl_event* list) {
  require((count == 0) == (list == nullptr), CL_INVALID_EVENT_WAIT_LIST);
  for (cl_uint i = 0; i < count; ++i) {
    const Event& event = checked(list[i], CL_INVALID_EVENT_WAIT_LIST);
    require(&event.context() == &queue.context(), CL_INVALID_CONTEXT);
  }
  return {list, count};
}

Enqueue::Enqueue(cl_command_queue queue, cl_uint num_waits, const cl_event* waits, cl_event* event_ret)
    : queue_(checked_host_queue(queue)),
      waits_(checked_waits(queue_, num_waits, waits)),
      event_ret_(event_ret) {}

void require_host_read(const Memory& memory) {
  require(!(memory.flags() & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION);
}

void require_host_write(const Memory& memory) {
  require(!(memory.flags() & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) && !memory.is_immutable(), CL_INVALID_OPERATION);
}

void check_map_flags(cl_map_flags flags) {
  constexpr cl_map_flags kReadWrite = CL_MAP_READ | CL_MAP_WRITE;
  require((flags & ~(kReadWrite | CL_MAP_WRITE_INVALIDATE_REGION)) == 0, CL_INVALID_VALUE);
  require(!(flags & CL_MAP_WRITE_INVALIDATE_REGION) || !(flags & kReadWrite), CL_INVALID_VALUE);
}

void check_migration_flags(cl_mem_migration_flags flags) {
  constexpr cl_mem_migration_flags kKnown = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  require((flags & ~kKnown) == 0, CL_INVALID_VALUE);
}

void check_map_flags(const Memory& memory, cl_map_flags flags) {
  check_map_flags(flags);
  if (flags & CL_MAP_READ) require_host_read(memory);
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) require_host_write(memory);
}

cl_int Enqueue::submit(Ref<Event> command, bool blocking, Queue::Order order, bool blocks_later) const {
  if (blocking) command->note_blocking();
  if (!event_ret_) command->note_hidden();
  queue_.enqueue(blocking || event_ret_ ? command : std::move(command), waits_, order, blocks_later);
  cl_int result = CL_SUCCESS;
  if (blocking) {
    queue_.flush(Event::Wake::kCaller);
    command->wait();
    result = std::min(command->status(), CL_SUCCESS);
    command->note_told();
    // What it gave is of no use if a command before it has failed, and nobody may know of that yet.
    if (queue_.is_in_order() && queue_.take_failures() && result == CL_SUCCESS) result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  if (event_ret_) *event_ret_ = publish(std::move(command));
  return result;
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                   const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    const auto order = num_events_in_wait_list == 0 ? Queue::Order::kAllBefore : Queue::Order::kNone;
    return call.submit(call.command(CL_COMMAND_MARKER), false, order);
  });
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                    const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    const auto order = num_events_in_wait_list == 0 ? Queue::Order::kAllBefore : Queue::Order::kNone;
    return call.submit(call.command(CL_COMMAND_BARRIER), false, order, /*blocks_later=*/true);
  });
}

cl_int clEnqueueMarker(cl_command_queue command_queue, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, 0, nullptr, event);
    require(event != nullptr, CL_INVALID_VALUE);
    return call.submit(call.command(CL_COMMAND_MARKER), false, Queue::Order::kAllBefore);
  });
}

cl_int clEnqueueBarrier(cl_command_queue command_queue) {
  return icd::clEnqueueBarrierWithWaitList(command_queue, 0, nullptr, nullptr);
}

cl_int clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                              const cl_event* event_list) {
  return guarded([&] {
    checked(command_queue, CL_INVALID_COMMAND_QUEUE);
    require(num_events > 0 && event_list, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_events; ++i) checked(event_list[i], CL_INVALID_EVENT);
    const Enqueue call(command_queue, num_events, event_list, nullptr);
    return call.submit(call.command(CL_COMMAND_BARRIER), false, Queue::Order::kNone, /*blocks_later=*/true);
  });
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects,
                                  const cl_mem* mem_objects, cl_mem_migration_flags flags,
                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                  cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require(num_mem_objects > 0 && mem_objects, CL_INVALID_VALUE);
    check_migration_flags(flags);
    for (cl_uint i = 0; i < num_mem_objects; ++i) call.memory(mem_objects[i]);
    return call.submit(call.command(CL_COMMAND_MIGRATE_MEM_OBJECTS));
  });
}

cl_int clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void* mapped_ptr,
                               cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                               cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.memory(memobj);
    require(!memory.pipe(), CL_INVALID_MEM_OBJECT);
    Ref<Event> command = call.command(CL_COMMAND_UNMAP_MEM_OBJECT);
    require(memory.unmap(mapped_ptr), CL_INVALID_VALUE);
    return call.submit(std::move(command));
  });
}

}  // namespace weft::icd
