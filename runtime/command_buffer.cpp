#include "runtime/command_buffer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/context.h"
#include "runtime/launch.h"

using namespace weft::runtime;
namespace api = weft::command_buffer_api;

namespace {

std::vector<std::size_t> sizes(const Sizes& all, std::uint32_t work_dim) { return {all.begin(), all.begin() + work_dim}; }

void copy_work(const Work& from, Work& to) {
  std::visit(
      [&to](const auto& work) {
        using Kind = std::decay_t<decltype(work)>;
        if constexpr (std::is_copy_constructible_v<Kind>) to.emplace<Kind>(work);
      },
      from);
}

template <class T>
void require_list(cl_uint count, const T* list) {
  require((count != 0) == (list != nullptr), CL_INVALID_VALUE);
}

/// With all arguments as they are now.
Ref<Kernel> private_copy(Kernel& kernel) { return make<Kernel>(Kernel::Clone{kernel, /*is_private=*/true}); }

/// The arguments as they are now, or null if some are not set.
SharedArguments complete_arguments(Kernel& kernel) {
  try {
    return kernel.snapshot();
  } catch (const Error& error) {
    if (error.code != CL_INVALID_KERNEL_ARGS) throw;
    return {};
  }
}

}  // namespace

namespace weft::runtime {

BufferedLaunch::BufferedLaunch(Kernel& given, const NDRange& range, bool has_local)
    : handle(&given), kernel(private_copy(given)), arguments(complete_arguments(*kernel)), range(range), has_local(has_local) {
  if (has_local) most_groups = range.num_groups();
}

}  // namespace weft::runtime

_cl_command_buffer_khr::_cl_command_buffer_khr(cl_command_queue queue, cl_bitfield flags, cl_bitfield asserts,
                                               std::vector<cl_properties> properties)
    : queue_(queue), flags_(flags), asserts_(asserts), properties_(std::move(properties)) {}

_cl_command_buffer_khr::~_cl_command_buffer_khr() {
  for (Ref<MutableCommand>& handle : handles_) release(handle.get());
}

_cl_context& _cl_command_buffer_khr::context() const { return queue_->context(); }

// ---- Recording ----

void _cl_command_buffer_khr::require_recording() const {
  std::lock_guard lock(mutex_);
  require(state_ == State::kRecording, CL_INVALID_OPERATION);
}

/// Under the mutex.
void _cl_command_buffer_khr::check(std::span<const SyncPoint> waits) const {
  for (const SyncPoint point : waits) require(point >= 1 && point <= commands_.size(), api::kInvalidSyncPointWaitList);
}

/// Finds what the command that comes next is after, beside its sync points. Under the mutex.
void _cl_command_buffer_khr::follow(BufferedCommand& command) {
  const auto add = [&](std::size_t place) {
    const auto number = static_cast<std::uint32_t>(place);
    if (std::ranges::find(command.after, number) == command.after.end()) command.after.push_back(number);
  };
  if (queue_->is_in_order()) {
    command.after.clear();  // the one before is after them all
    if (!commands_.empty()) add(commands_.size() - 1);
    return;
  }
  const bool is_barrier = command.type == CL_COMMAND_BARRIER;
  if (is_barrier && command.after.empty()) {
    for (std::size_t place = 0; place < commands_.size(); ++place)
      if (!commands_[place]->is_followed) add(place);
  }
  if (barrier_) add(*barrier_);
}

void _cl_command_buffer_khr::record(std::unique_ptr<BufferedCommand> command, std::span<const SyncPoint> waits,
                                    SyncPoint* sync_point, api::MutableHandle* handle) {
  std::lock_guard lock(mutex_);
  require(state_ == State::kRecording, CL_INVALID_OPERATION);
  check(waits);
  for (const SyncPoint point : waits) command->after.push_back(point - 1);
  follow(*command);
  const std::size_t place = commands_.size();
  // Nothing has changed if one of these finds no memory.
  commands_.reserve(place + 1);
  Ref<MutableCommand> mutable_command;
  if (handle) {
    handles_.reserve(handles_.size() + 1);
    mutable_command = make<MutableCommand>(*this, place);
  }
  for (const std::uint32_t before : command->after) commands_[before]->is_followed = true;
  if (command->type == CL_COMMAND_BARRIER) barrier_ = place;
  commands_.push_back(std::move(command));
  if (handle) {
    handles_.push_back(mutable_command);
    *handle = publish(std::move(mutable_command));
  }
  if (sync_point) *sync_point = static_cast<SyncPoint>(place + 1);
}

/// Under the mutex: executable unless a launch lacks arguments.
void _cl_command_buffer_khr::set_state() {
  const bool is_complete =
      std::ranges::all_of(commands_, [](const auto& command) { return !command->launch || command->launch->arguments; });
  state_ = is_complete ? State::kExecutable : State::kFinalized;
}

void _cl_command_buffer_khr::finalize() {
  std::lock_guard lock(mutex_);
  require(state_ == State::kRecording, CL_INVALID_OPERATION);
  set_state();
}

// ---- Running ----

Ref<_cl_event> _cl_command_buffer_khr::enqueue(_cl_command_queue& queue, std::span<const cl_event> waits) {
  const Ref<Event> begin = make<Event>(&queue, CL_COMMAND_MARKER);
  const Ref<Event> end = make<Event>(&queue, api::kCommandBufferCommand);
  end->note_begin(begin);
  std::vector<Ref<Event>> events;
  std::vector<cl_event> edges;  // of all, one command's after the other's
  std::vector<std::size_t> num_edges;
  {
    std::lock_guard lock(mutex_);
    require(state_ == State::kExecutable, CL_INVALID_OPERATION);
    events.reserve(commands_.size());
    num_edges.reserve(commands_.size() + 1);
    for (const auto& command : commands_) {
      const Ref<Event>& event = events.emplace_back(make<Event>(&queue, command->type));
      if (command->launch) {
        set_launch(*event, *command->launch->kernel, command->launch->range);
      } else {
        copy_work(command->work, event->work());
      }
      for (const std::uint32_t before : command->after) edges.push_back(events[before].get());
      if (command->after.empty()) edges.push_back(begin.get());
      num_edges.push_back(std::max<std::size_t>(1, command->after.size()));
    }
    const std::size_t before_end = edges.size();
    for (std::size_t place = 0; place < events.size(); ++place)
      if (!commands_[place]->is_followed) edges.push_back(events[place].get());
    if (events.empty()) edges.push_back(begin.get());
    num_edges.push_back(edges.size() - before_end);
  }
  // Outside of the lock: the caller may run what is ready, and with it functions of the application's.
  std::vector<Queue::Entry> entries;
  entries.reserve(events.size() + 2);
  entries.push_back({begin.get(), waits});
  std::size_t first = 0;
  for (std::size_t place = 0; place <= events.size(); ++place) {
    cl_event const event = place < events.size() ? events[place].get() : end.get();
    entries.push_back({event, {edges.data() + first, num_edges[place]}});
    first += num_edges[place];
  }
  queue.enqueue(entries);
  return end;
}

// ---- Updating ----

BufferedLaunch _cl_command_buffer_khr::updated(const api::DispatchConfig& config, const BufferedLaunch& old) const {
  require_list(config.num_args, config.arg_list);
  require_list(config.num_svm_args, config.arg_svm_list);
  require_list(config.num_exec_infos, config.exec_info_list);
  require(config.work_dim == 0 || config.work_dim == old.range.work_dim, CL_INVALID_VALUE);
  const auto may = [&](bool wanted, api::Field field) { require(!wanted || (old.updatable & field), CL_INVALID_OPERATION); };
  may(config.num_args || config.num_svm_args, api::kArguments);
  may(config.num_exec_infos, api::kExecInfo);
  may(config.global_work_offset, api::kGlobalOffset);
  may(config.global_work_size, api::kGlobalSize);
  may(config.local_work_size, api::kLocalSize);

  BufferedLaunch launch;
  launch.handle = old.handle;
  launch.kernel = private_copy(*old.kernel);
  launch.updatable = old.updatable;
  launch.asserts = old.asserts;
  launch.most_groups = old.most_groups;
  launch.properties = old.properties;
  for (cl_uint i = 0; i < config.num_args; ++i) {
    const api::DispatchArgument& argument = config.arg_list[i];
    launch.kernel->set_argument(argument.index, argument.size, argument.value);
  }
  for (cl_uint i = 0; i < config.num_svm_args; ++i)
    launch.kernel->set_address(config.arg_svm_list[i].index, config.arg_svm_list[i].value);
  for (cl_uint i = 0; i < config.num_exec_infos; ++i) {
    const api::DispatchExecInfo& info = config.exec_info_list[i];
    launch.kernel->set_exec_info(info.name, info.size, info.value);
  }
  launch.arguments = complete_arguments(*launch.kernel);

  launch.has_local = old.has_local || config.local_work_size;
  const std::size_t* const local = config.local_work_size ? config.local_work_size : old.range.local.data();
  launch.range = make_ndrange(launch.kernel->description(), old.range.work_dim,
                              config.global_work_offset ? config.global_work_offset : old.range.offset.data(),
                              config.global_work_size ? config.global_work_size : old.range.global.data(),
                              launch.has_local ? local : nullptr, Device::num_workers());
  const bool is_bound = ((launch.asserts | asserts_) & api::kNoAdditionalWorkGroups) && launch.most_groups;
  require(!is_bound || launch.range.num_groups() <= launch.most_groups, CL_INVALID_VALUE);
  return launch;
}

void _cl_command_buffer_khr::update(std::span<const api::DispatchConfig* const> configs) {
  std::map<std::size_t, BufferedLaunch> launches;  // by place; outlives the lock, and then has the old ones
  std::lock_guard lock(mutex_);
  require(state_ != State::kRecording && (flags_ & api::kMutable), CL_INVALID_OPERATION);
  for (const api::DispatchConfig* const config : configs) {
    const MutableCommand* const command = from_handle(config->command);
    require(command && &command->owner == this, api::kInvalidMutableCommand);
    const auto earlier = launches.find(command->place);
    const BufferedLaunch& old = earlier != launches.end() ? earlier->second : *commands_[command->place]->launch;
    BufferedLaunch launch = updated(*config, old);
    launches.erase(command->place);
    launches.emplace(command->place, std::move(launch));
  }
  for (auto& [place, launch] : launches) std::swap(*commands_[place]->launch, launch);
  set_state();
}

// ---- Queries ----

void _cl_command_buffer_khr::info(cl_uint name, const InfoWriter& out) const {
  switch (name) {
    case api::kQueues:
      return out.value<cl_command_queue>(queue_.get());
    case api::kNumQueues:
      return out.value<cl_uint>(1);
    case api::kReferenceCount:
      return out.value(api_count());
    case api::kState: {
      std::lock_guard lock(mutex_);
      return out.value(static_cast<cl_uint>(state_));
    }
    case api::kPropertiesArray:
      return out.array(properties_);
    case api::kContext:
      return out.value<cl_context>(&context());
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

void _cl_command_buffer_khr::command_info(const _cl_mutable_command_khr& command, cl_uint name, const InfoWriter& out) const {
  std::lock_guard lock(mutex_);
  const BufferedLaunch& launch = *commands_[command.place]->launch;
  const NDRange& range = launch.range;
  switch (name) {
    case api::kCommandQueue:
      return out.value<cl_command_queue>(queue_.get());
    case api::kCommandBuffer:
      return out.value<const void*>(this);
    case api::kCommandType:
      return out.value(commands_[command.place]->type);
    case api::kCommandPropertiesArray:
      return out.array(launch.properties);
    case api::kDispatchKernel:
      return out.value<cl_kernel>(launch.handle.get());
    case api::kDispatchDimensions:
      return out.value<cl_uint>(range.work_dim);
    case api::kDispatchGlobalOffset:
      return out.array(sizes(range.offset, range.work_dim));
    case api::kDispatchGlobalSize:
      return out.array(sizes(range.global, range.work_dim));
    case api::kDispatchLocalSize:
      return out.array(sizes(launch.has_local ? range.local : Sizes{}, range.work_dim));
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
