#include "device/launch.h"

namespace weft::device {
namespace {

void print_service(void* state, const char* format, const void* arguments, std::uint32_t size) {
  if (state) static_cast<PrintSink*>(state)->print(format, arguments, size);
}

constexpr abi::Services kServices{print_service};

}  // namespace

void Launch::prepare(bool prints, bool squares, std::size_t local_bytes) {
  info.services = &kServices;
  info.state = prints ? &sink_.emplace() : nullptr;
  const std::uint64_t fused = code->traits().groups;
  const std::uint64_t stack = code->traits().stack;
  // A stack is a square's column already, and meets its row's data in the next stack of the row.
  order_ = GroupOrder({(info.num_groups[0] + fused - 1) / fused, (info.num_groups[1] + stack - 1) / stack, info.num_groups[2]},
                      squares && stack == 1);
  const std::size_t work_items = info.local_size[0] * info.local_size[1] * info.local_size[2];
  scratch_bytes_ = code->scratch_bytes(work_items);
  scratch_step_ = code->scratch_step(work_items);
  local_step_ = (local_bytes + abi::kLocalMemoryAlign - 1) / abi::kLocalMemoryAlign * abi::kLocalMemoryAlign;
}

bool Launch::run(Worker& worker, std::uint64_t first, std::uint64_t count) noexcept {
  if (!worker.reserve(scratch_bytes_)) {
    status_.store(LaunchStatus::kOutOfMemory, std::memory_order_relaxed);
    return false;
  }
  const std::uint32_t stack = code->traits().stack;
  abi::GroupInfo groups[abi::kMaxStack];
  for (std::uint32_t g = 0; g < stack; ++g) {
    groups[g].local_memory = worker.local_memory() + g * local_step_;
    groups[g].scratch = worker.scratch() + g * scratch_step_;
  }
  std::uint64_t place[3];
  order_.start(first, place);
  const abi::GroupFunction entry = code->entry();
  for (;;) {
    for (std::uint32_t g = 0; g < stack; ++g) {
      groups[g].group_id[0] = place[0];
      groups[g].group_id[1] = place[1] * stack + g;
      groups[g].group_id[2] = place[2];
    }
    if (entry(&info, groups) != abi::GroupStatus::kDone) {
      status_.store(LaunchStatus::kDivergentBarrier, std::memory_order_relaxed);
      return false;
    }
    if (--count == 0) return true;
    order_.next(place);
  }
}

LaunchStatus Launch::finish(float group_ns) noexcept {
  if (sink_) sink_->flush();
  // The newest launch says most: arguments change what a group costs.
  const float known = code->group_ns();
  if (group_ns > 0) code->note_group_ns(known > 0 ? (known + group_ns) / 2 : group_ns);
  return status_.load(std::memory_order_relaxed);
}

}  // namespace weft::device
