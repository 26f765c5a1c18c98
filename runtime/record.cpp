#include "runtime/record.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include <nlohmann/json.hpp>

#include "device/counters/counts_names.h"
#include "device/engine.h"
#include "runtime/counting.h"
#include "runtime/device.h"
#include "runtime/machine.h"
#include "runtime/modelled_gpu.h"
#include "runtime/options.h"
#include "runtime/program.h"
#include "runtime/record_text.h"

namespace weft::runtime {

using nlohmann::json;

namespace {

constexpr int kVersion = 4;

constinit OnePerProcess<Record> the_record;
constinit std::atomic<bool> is_made{false};  // in this process
constinit std::atomic<bool> is_made_by_parent{false};
constinit std::atomic<pid_t> writer{0};  // the process that the record is of

bool is_wanted() {
  static const bool wanted = !options().record.empty() && counting_model() != nullptr;
  return wanted;
}

/// Names and sources may hold what is no UTF-8.
std::string line_of(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace) + '\n'; }

const char* name_of(cl_command_type type) {
  switch (type) {
    case CL_COMMAND_NDRANGE_KERNEL: case CL_COMMAND_TASK: return "kernel";
    case CL_COMMAND_READ_BUFFER: return "read_buffer";
    case CL_COMMAND_WRITE_BUFFER: return "write_buffer";
    case CL_COMMAND_COPY_BUFFER: return "copy_buffer";
    case CL_COMMAND_READ_IMAGE: return "read_image";
    case CL_COMMAND_WRITE_IMAGE: return "write_image";
    case CL_COMMAND_COPY_IMAGE: return "copy_image";
    case CL_COMMAND_COPY_IMAGE_TO_BUFFER: return "copy_image_to_buffer";
    case CL_COMMAND_COPY_BUFFER_TO_IMAGE: return "copy_buffer_to_image";
    case CL_COMMAND_MAP_BUFFER: return "map_buffer";
    case CL_COMMAND_MAP_IMAGE: return "map_image";
    case CL_COMMAND_UNMAP_MEM_OBJECT: return "unmap";
    case CL_COMMAND_MARKER: return "marker";
    case CL_COMMAND_BARRIER: return "barrier";
    case CL_COMMAND_MIGRATE_MEM_OBJECTS: return "migrate";
    case CL_COMMAND_READ_BUFFER_RECT: return "read_buffer_rect";
    case CL_COMMAND_WRITE_BUFFER_RECT: return "write_buffer_rect";
    case CL_COMMAND_COPY_BUFFER_RECT: return "copy_buffer_rect";
    case CL_COMMAND_FILL_BUFFER: return "fill_buffer";
    case CL_COMMAND_FILL_IMAGE: return "fill_image";
    default: return "other";
  }
}

bool is_read(cl_command_type type) {
  return type == CL_COMMAND_READ_BUFFER || type == CL_COMMAND_READ_IMAGE || type == CL_COMMAND_READ_BUFFER_RECT;
}
bool is_write(cl_command_type type) {
  return type == CL_COMMAND_WRITE_BUFFER || type == CL_COMMAND_WRITE_IMAGE || type == CL_COMMAND_WRITE_BUFFER_RECT;
}

json start_text(std::uint64_t start_ns) {
  json command = json::array();
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(in, word, '\0');) command.push_back(word);
  const auto& capability = counting_model()->capability;
  return {{"weft_record", kVersion},
          {"process", getpid()},
          {"label", options().record_label},
          {"command_line", std::move(command)},
          {"capability", std::to_string(capability.major) + "." + std::to_string(capability.minor)},
          {"gpu", modelled_gpu() ? modelled_gpu()->name : ""},
          {"workers", Device::num_workers()},
          {"device", machine::processor_name()},
          {"traced", options().profile_trace},
          {"counted_kernels", options().record_kernels},
          {"time", std::time(nullptr)},
          {"start_ns", start_ns},
          {"sums", device::counters::names_of_sums()},
          {"costs", device::counters::names_of_costs()}};
}

/// All but the times and the counts.
LineText command_text(const CommandFields& fields) {
  LineText text;
  text.word("command", name_of(static_cast<cl_command_type>(fields.type))).number("queue", fields.queue);
  if (fields.kernel) {
    text.number("kernel", fields.kernel);
    text.numbers("global_size", {fields.global_size.data(), fields.work_dim}).numbers("local_size", {fields.local_size.data(), fields.work_dim});
    if (fields.memory_bytes) text.number("memory_bytes", fields.memory_bytes);
  }
  if (fields.bytes) text.number("bytes", fields.bytes);
  if (fields.is_pinned) text.truth("pinned", true);
  if (fields.is_blocking) text.truth("blocking", true);
  if (fields.status != CL_COMPLETE) text.json("status", std::to_string(fields.status));
  return text;
}

}  // namespace

Record* Record::instance() {
  if (!is_wanted()) return nullptr;
  Record& record = the_record.get();
  return record.file_.is_open() ? &record : nullptr;
}

Record::Record()
    : start_ns_(device::now_ns()),
      file_("WEFT_RECORD", options().record, {line_of(start_text(start_ns_)), "", nullptr}, is_made_by_parent),
      kernels_to_count_(options().record_kernels) {
  is_made = true;
  writer = getpid();
  std::atexit(finish_at_exit);
}

/// Threads may still run commands: what comes later is added all the same.
void Record::finish_at_exit() noexcept {
  if (writer != getpid()) return;  // the child of a fork that has no record of its own
  Record& record = the_record.get();
  std::lock_guard guard(record.mutex_);
  record.file_.finish();
}

void Record::lose_in_child() noexcept {
  if (is_made) is_made_by_parent = true;
  the_record.lose();
}

bool Record::counts_launch(const std::string& kernel) {
  if (kernels_to_count_.takes_all()) return true;
  std::lock_guard guard(mutex_);
  return kernels_to_count_.take(kernel);
}

std::uint64_t Record::add_queue(bool is_in_order, bool is_profiled) {
  std::lock_guard guard(mutex_);
  file_.append_text(line_of({{"queue", ++queues_}, {"in_order", is_in_order}, {"profiled", is_profiled}}));
  return queues_;
}

std::uint64_t Record::add_kernel(const _cl_program& program, const compiler::KernelInfo& kernel) {
  const std::string source = program.has_source() ? program.source() : "";
  const std::string build_options = program.build_options();
  const auto files = program.source_files();
  Hasher of_text;
  of_text.field(source).field(build_options);
  for (const auto& file : files) of_text.field(file.name).field(*file.text);
  const Hash text = of_text.finish();
  std::lock_guard guard(mutex_);
  auto [of_program, is_new_program] = programs_.try_emplace(text, programs_.size() + 1);
  if (is_new_program) {
    json texts = json::array();
    for (const auto& file : files) texts.push_back({{"name", file.name}, {"text", *file.text}});
    file_.append_text(line_of({{"program", of_program->second}, {"source", source}, {"has_source", program.has_source()},
                               {"options", build_options}, {"files", std::move(texts)}}));
  }
  const Hash name = Hasher().field(of_program->second).field(kernel.name).finish();
  auto [number, is_new] = kernels_.try_emplace(name, kernels_.size() + 1);
  if (is_new) {
    file_.append_text(line_of({{"kernel", number->second}, {"name", kernel.name}, {"program", of_program->second},
                               {"registers", kernel.registers}, {"local_bytes", kernel.local_bytes},
                               {"private_bytes", kernel.private_bytes}, {"argument_bytes", kernel.argument_bytes},
                               {"arguments", kernel.args.size()}, {"uses_barrier", kernel.uses_barrier}}));
  }
  return number->second;
}

std::uint64_t Record::command_number(const RecordedCommand& command) {
  CommandFields fields;
  fields.queue = command.queue;
  fields.type = command.type;
  fields.bytes = command.bytes;
  fields.status = command.status;
  fields.is_pinned = command.is_pinned;
  fields.is_blocking = command.is_blocking;
  if (const auto* copy = std::get_if<CopyWork>(command.work)) {
    fields.bytes = copy->region[0] * copy->region[1] * copy->region[2];
    if (is_read(command.type)) fields.is_pinned = is_pinned(copy->to);
    if (is_write(command.type)) fields.is_pinned = is_pinned(copy->from);
  } else if (const auto* fill = std::get_if<FillWork>(command.work)) {
    fields.bytes = fill->size;
  } else if (const auto* box = std::get_if<FillBoxWork>(command.work)) {
    fields.bytes = box->region[0] * box->region[1] * box->region[2];
  } else if (const auto* kernel = std::get_if<KernelWork>(command.work)) {
    const abi::LaunchInfo& info = kernel->launch.info;
    fields.kernel = kernel->kernel->record_number();
    fields.work_dim = info.work_dim;
    for (unsigned d = 0; d < info.work_dim; ++d) {
      const unsigned from = d == 0 ? kernel->turned : d == kernel->turned ? 0 : d;
      fields.global_size[d] = info.global_size[from];
      fields.local_size[d] = info.whole.local_size[from] ? info.whole.local_size[from] : info.local_size[from];
    }
    for (const auto& memory : kernel->arguments->memory) fields.memory_bytes += memory->size();
  }
  auto [number, is_new] = commands_.try_emplace(fields, commands_.size() + 1);
  if (is_new) text_ += command_text(fields).number("number", number->second).line();
  return number->second;
}

void Record::add(const RecordedCommand& command) noexcept {
  std::lock_guard guard(mutex_);
  try {
    text_.clear();
    const std::uint64_t number = command_number(command);
    std::uint64_t counts = 0;
    if (const auto* kernel = std::get_if<KernelWork>(command.work); kernel && command.counts) {
      counts = counts_.number(kernel->kernel->record_number(), *command.counts, text_);
    }
    std::array<std::uint64_t, 6> line = {number};
    std::ranges::transform(command.times_ns, line.begin() + 1, [&](std::uint64_t ns) { return ns > start_ns_ ? ns - start_ns_ : 0; });
    line.back() = counts;
    add_list(text_, std::span(line).first(counts ? 6 : 5));
    file_.append_text(text_);
  } catch (const std::exception&) {  // no memory
  }
}

void Record::pin(const std::byte* start, std::size_t size) {
  std::lock_guard guard(mutex_);
  pinned_[start].insert(size);
}

void Record::unpin(const std::byte* start) noexcept {
  std::lock_guard guard(mutex_);
  const auto found = pinned_.find(start);
  if (found == pinned_.end()) return;
  found->second.erase(std::prev(found->second.end()));
  if (found->second.empty()) pinned_.erase(found);
}

bool Record::is_pinned(const std::byte* address) const {
  auto found = pinned_.upper_bound(address);
  if (found == pinned_.begin()) return false;
  --found;
  return address < found->first + *found->second.rbegin();
}

RecordedPinned::RecordedPinned(const std::byte* start, std::size_t size) noexcept : start_(start) {
  Record* const record = Record::instance();
  if (!record) return;
  try {
    record->pin(start, size);
    is_kept_ = true;
  } catch (const std::bad_alloc&) {
  }
}

RecordedPinned::~RecordedPinned() {
  if (!is_kept_) return;
  if (Record* const record = Record::instance()) record->unpin(start_);
}

std::uint64_t record_queue(bool is_in_order, bool is_profiled) {
  Record* const record = Record::instance();
  return record ? record->add_queue(is_in_order, is_profiled) : 0;
}

std::uint64_t record_kernel(const _cl_program& program, const compiler::KernelInfo& kernel) {
  Record* const record = Record::instance();
  return record ? record->add_kernel(program, kernel) : 0;
}

}  // namespace weft::runtime
