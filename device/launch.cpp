#include "device/launch.h"

#include <xmmintrin.h>

#include <algorithm>
#include <new>

#include "device/waiting.h"

namespace weft::device {
namespace {

void print_service(void* state, const char* format, const void* arguments, std::uint32_t size) {
  if (state) static_cast<PrintSink*>(state)->print(format, arguments, size);
}

void count_access_service(void* counts, std::uint32_t record, std::uint32_t mask, const std::uint64_t* address) {
  static_cast<counters::WorkerCounts*>(counts)->count(record, mask, address);
}

/// Work-items of a launch that has tables, at least: four times as many as a table has results, which each worker computes for itself.
constexpr std::uint64_t kFewestLookUps = 1024;

/// LaunchInfo::tables.
std::atomic<std::uint64_t> next_tables{1};

constexpr abi::Services kServices{.print = print_service, .count_access = count_access_service, .wait = wait_for_others};

}  // namespace

void Launch::prepare(bool prints) {
  info.services = &kServices;
  info.state = prints ? &sink_.emplace() : nullptr;
  const std::uint64_t fused = code->traits().groups;
  row_ = ((along_x ? along_x : info.num_groups[0]) + fused - 1) / fused;
  first_block_ = first_x / fused;
  if (code->traits().counters) counter_ = std::make_shared<counters::LaunchCounter>(code->traits().counters);
  const std::uint64_t work_items = info.global_size[0] * info.global_size[1] * info.global_size[2];
  info.tables = code->traits().has_tables && work_items >= kFewestLookUps ? next_tables.fetch_add(1, std::memory_order_relaxed) : 0;
  scratch_bytes_ = code->scratch_bytes(info.local_size[0] * info.local_size[1] * info.local_size[2]);
}

void Launch::copy_updated(const WorkerCopies::Buffers& buffers, unsigned workers) {
  if (!WorkerCopies::pay(buffers, info.global_size[0] * info.global_size[1] * info.global_size[2], workers)) return;
  copies_ = std::make_unique<WorkerCopies>(buffers, workers);
}

bool Launch::run(Worker& worker, std::uint64_t first, std::uint64_t count) noexcept {
  if (!worker.reserve(scratch_bytes_)) {
    status_.store(LaunchStatus::kOutOfMemory, std::memory_order_relaxed);
    return false;
  }
  abi::GroupInfo group{};
  group.local_memory = worker.local_memory();
  group.scratch = worker.scratch();
  group.scratch_bytes = scratch_bytes_;
  if (info.tables) group.tables = worker.tables();
  if (copies_) group.copies = copies_->of(worker);
  if (!counter_) {
    const bool done = run_blocks(group, first, count);
    if (code->traits().streams) _mm_sfence();
    return done;
  }
  auto counts = counter_->take();
  if (!counts) {
    status_.store(LaunchStatus::kOutOfMemory, std::memory_order_relaxed);
    return false;
  }
  group.count_words = counts->words();
  group.counts = counts.get();
  counters::AccessTrace* const trace = counts->trace();
  const bool done = trace ? run_traced(*trace, group, first, count) : run_blocks(group, first, count);
  counter_->bring_back(std::move(counts));
  return done;
}

bool Launch::run_traced(counters::AccessTrace& trace, abi::GroupInfo& group, std::uint64_t first, std::uint64_t count) noexcept {
  for (; count; ++first, --count) {
    try {
      trace.begin_group(first / wave);
    } catch (const std::bad_alloc&) {
      status_.store(LaunchStatus::kOutOfMemory, std::memory_order_relaxed);
      return false;
    }
    if (!run_blocks(group, first, 1)) return false;
  }
  return true;
}

bool Launch::run_blocks(abi::GroupInfo& group, std::uint64_t first, std::uint64_t count) noexcept {
  const unsigned fast = code->traits().by_columns ? 1 : 0, slow = 1 - fast;
  const std::uint64_t extent[2] = {row_, info.num_groups[1]};
  std::uint64_t place[3];
  place[fast] = first % extent[fast];
  place[slow] = first / extent[fast] % extent[slow];
  place[2] = first / extent[fast] / extent[slow];
  const abi::GroupFunction entry = code->entry();
  const std::uint64_t most = code->traits().run;
  for (;;) {
    const std::uint64_t run = std::min({most, count, extent[fast] - place[fast]});
    // One by one, in general registers: an SSE instruction between calls would wait for the vector registers' upper halves, so for
    // the memory that the code has last asked for (streams of memory took 1.4 times as long).
    static_cast<volatile std::uint64_t&>(group.group_id[0]) = first_block_ + place[0];
    for (unsigned d = 1; d < 3; ++d) static_cast<volatile std::uint64_t&>(group.group_id[d]) = place[d];
    static_cast<volatile std::uint64_t&>(group.run) = run;
    if (const abi::GroupStatus status = entry(&info, &group); status != abi::GroupStatus::kDone) [[unlikely]] {
      if (status == abi::GroupStatus::kDivergentBarrier) {
        status_.store(LaunchStatus::kDivergentBarrier, std::memory_order_relaxed);
        return false;
      }
      if (group.counts) static_cast<counters::WorkerCounts*>(group.counts)->count_group_without_some();
    }
    if ((count -= run) == 0) return true;
    if ((place[fast] += run) < extent[fast]) continue;
    place[fast] = 0;
    if (++place[slow] < extent[slow]) continue;
    place[slow] = 0;
    ++place[2];
  }
}

counters::LaunchSums Launch::counts() {
  counters::LaunchSums result = counter_->finish();
  counter_.reset();
  add_size(result);
  return result;
}

void Launch::add_size(counters::LaunchSums& counts) const {
  const std::uint64_t work_items = info.local_size[0] * info.local_size[1] * info.local_size[2];
  const std::uint64_t groups = info.num_groups[0] * info.num_groups[1] * info.num_groups[2];
  counts.add_size(groups, groups * ((work_items + abi::kWarpSize - 1) / abi::kWarpSize));
}

LaunchStatus Launch::finish(float group_ns) noexcept {
  if (sink_) sink_->flush();
  if (copies_) copies_->add_up();
  // The newest launch says most: arguments change what a group costs.
  const float known = code->group_ns();
  if (group_ns > 0) code->note_group_ns(known > 0 ? (known + group_ns) / 2 : group_ns);
  return status_.load(std::memory_order_relaxed);
}

}  // namespace weft::device
