#include "runtime/counting.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <optional>
#include <string>

#include "device/counters/occupancy.h"
#include "device/counters/partitions.h"
#include "runtime/modelled_gpu.h"
#include "runtime/options.h"
#include "runtime/record.h"

namespace weft::runtime {

using device::counters::Model;

namespace {

std::optional<Model> read_model() {
  const device::counters::Gpu* const gpu = modelled_gpu();
  const auto capability = gpu ? std::optional(gpu->capability) : device::counters::parse_capability(options().compute_capability);
  if (capability) return Model{*capability, options().join_reductions && *capability >= device::counters::kCc90};
  std::string known;
  for (const auto& one : device::counters::known_capabilities()) {
    known += (known.empty() ? "" : ", ") + std::to_string(one.major) + "." + std::to_string(one.minor);
  }
  std::fprintf(stderr, "weft: WEFT_COMPUTE_CAPABILITY: no model of %s; nothing is counted. Known: %s\n",
               options().compute_capability.c_str(), known.c_str());
  return std::nullopt;
}

}  // namespace

const Model* counting_model() {
  static const std::optional<Model> model = read_model();  // trivially destroyed
  return model ? &*model : nullptr;
}

bool counts_by_environment() { return Profile::instance() || Record::instance() || modelled_gpu(); }

CountingMode counting_mode(const QueueCounters& queue, const std::string& kernel) {
  const Profile* const profile = Profile::instance();
  Record* const record = Record::instance();
  CountingMode mode;
  mode.for_profile = profile != nullptr;
  mode.for_queue = queue.any();
  mode.for_record = record && record->counts_launch(kernel);
  mode.traced = (profile && profile->wants_traces()) || queue.any_traced() || (mode.for_record && options().profile_trace);
  return mode;
}

Counting::Counting(const Kernel& kernel, const NDRange& range, std::uint64_t local_bytes, const CountingMode& mode)
    : report_(std::make_shared<LaunchReport>()) {
  LaunchReport& report = *report_;
  const compiler::KernelInfo& info = kernel.description();
  report.kernel = info.name;
  report.work_dim = range.work_dim;
  for (unsigned d = 0; d < 3; ++d) {
    report.global_size[d] = range.global[d];
    report.local_size[d] = range.local[d];
  }
  report.capability = counting_model()->capability;
  report.is_traced = mode.traced;
  report.resources.group_items = static_cast<unsigned>(range.local[0] * range.local[1] * range.local[2]);
  report.resources.item_registers = info.registers;
  report.resources.local_bytes = static_cast<unsigned>(local_bytes);
  report.resources.argument_bytes = info.argument_bytes;
  if (!mode.for_profile) return;
  report.enqueued_ns = device::now_ns();
  place_ = ProfilePlace(*Profile::instance());
}

std::uint64_t Counting::wave() const {
  const unsigned groups = device::counters::occupancy(report_->capability, report_->resources).groups;
  const device::counters::Gpu* const gpu = modelled_gpu();
  return std::uint64_t{std::max(1u, groups)} * (gpu ? gpu->multiprocessors : device::counters::multiprocessors_1x(report_->capability));
}

std::shared_ptr<const LaunchReport> Counting::end(device::Launch& launch, std::span<const device::Launch> others) noexcept {
  if (!launch.code->traits().counters) return nullptr;
  try {
    if (report_->enqueued_ns) report_->ended_ns = device::now_ns();
    report_->counts = launch.counts();
    for (const device::Launch& other : others) other.add_size(report_->counts);
    place_.fill(report_);
    return report_;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace weft::runtime
