#include "runtime/executable.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>

#include <new>
#include <optional>

#include "device/worker.h"
#include "runtime/background.h"
#include "runtime/better_code.h"
#include "runtime/cache.h"
#include "runtime/compiler_loader.h"
#include "runtime/context.h"
#include "runtime/counting.h"
#include "runtime/dump.h"
#include "runtime/error.h"
#include "runtime/event.h"
#include "runtime/options.h"
#include "runtime/record.h"
#include "compiler/serialize.h"
#include "compiler/sooner_code.h"

namespace weft::runtime {
namespace {

using compiler::Reader;
using compiler::Writer;

Hash key_of(const Hash& program, const std::string& kernel, const compiler::Specialization& spec) {
  return Hasher().field("code").field(compiler_identity()).field(program).field(kernel).field(spec).finish();
}

std::shared_ptr<const device::Code> load(const compiler::KernelInfo& kernel, const compiler::GenerateResult& generated,
                                         const compiler::Specialization& spec, std::string* error) {
  device::CodeTraits traits{generated.scratch_fixed_bytes, generated.scratch_warp_bytes, generated.private_bytes, generated.stack_bytes,
                            generated.groups, spec.local_size[0], kernel.by_columns ? 1 : generated.run, spec.streams, kernel.by_columns && !spec.required_only};
  if (spec.counted) {
    device::counters::Model model = *counting_model();
    model.traces = spec.traced;
    model.samples = Record::instance() != nullptr;
    traits.counters = std::make_shared<device::counters::CountedKernel>(generated.counters, model);
  }
  traits.updated = generated.updated;
  traits.has_tables = generated.has_tables;
  return device::Code::load(generated.object, generated.symbol, traits, error);
}

void say_remarks(const std::string& kernel, const compiler::GenerateResult& generated) {
  if (options().remarks && !generated.log.empty())
    std::fprintf(stderr, "weft: kernel %s:\n%s", kernel.c_str(), generated.log.c_str());
}

using Clock = std::chrono::steady_clock;

/// What the cache keeps of an attempt, and how long that took.
struct Kept {
  compiler::GenerateResult generated;
  Clock::duration taken{};
};

std::optional<Kept> kept(const Hash& key) {
  const auto data = Cache::instance().get(key);
  if (!data) return std::nullopt;
  Reader in(*data);
  Kept result;
  in.read(result.generated);
  result.taken = std::chrono::microseconds(in.value<std::uint32_t>());
  if (in.done()) return result;
  Cache::instance().remove(key);
  return std::nullopt;
}

/// `taken`: what the code took to make, where it is found.
std::shared_ptr<const device::Code> find_in_cache(const Hash& key, const compiler::KernelInfo& kernel, const compiler::Specialization& spec,
                                                  Clock::duration& taken) {
  const std::optional<Kept> found = kept(key);
  if (!found || !found->generated.ok) return nullptr;
  std::string error;
  auto code = load(kernel, found->generated, spec, &error);
  if (code) {
    taken = found->taken;
    say_remarks(kernel.name, found->generated);
  } else {
    Cache::instance().remove(key);
  }
  return code;
}

void store(const Hash& key, const compiler::GenerateResult& generated, Clock::duration taken) {
  Writer out;
  out.value(generated);
  out.value(static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(taken).count(), 0, UINT32_MAX)));
  Cache::instance().put(key, out.take());
}

}  // namespace

ExecutableKernel::~ExecutableKernel() {
  for (const Entry* entry = entries_.load(std::memory_order_relaxed); entry;) {
    const Entry* next = entry->next;
    delete entry;
    entry = next;
  }
}

ExecutableKernel::Entry* ExecutableKernel::find(const compiler::Specialization& spec) const {
  for (Entry* entry = entries_.load(std::memory_order_acquire); entry; entry = entry->next) {
    if (entry->spec == spec) return entry;
  }
  return nullptr;
}

namespace {

/// All but what arguments are, where stores go and how many groups of a warp or more are one, which is one of few numbers.
compiler::Specialization geometry(compiler::Specialization spec) {
  spec.formats.resize(0);
  spec.streams = spec.soon = false;
  if (lanes(spec) >= spec.groups * std::size_t{abi::kWarpSize}) spec.groups = 1;
  return spec;
}

}  // namespace

/// `wanted`, without those parts of which there are too many variants: a program that tries every local size, or makes images of
/// every format, would compile for ever.
compiler::Specialization ExecutableKernel::bounded(const compiler::Specialization& wanted) const {
  bool knows_geometry = false, knows_formats = false;
  for (const Entry* entry = entries_.load(std::memory_order_relaxed); entry; entry = entry->next) {
    knows_geometry |= geometry(entry->spec) == geometry(wanted);
    knows_formats |= entry->spec.formats == wanted.formats;
  }
  compiler::Specialization spec = wanted;
  if (!knows_geometry && num_local_sizes_[wanted.counted] >= kMaxLocalSizes) {
    spec = compiler::Specialization();
    spec.ids_fit_31_bits = wanted.ids_fit_31_bits;
    spec.aligned_offsets = wanted.aligned_offsets;
    spec.is_part = wanted.is_part;
    spec.turned = wanted.turned;
    spec.required_only = wanted.required_only;
    spec.counted = wanted.counted;
    spec.traced = wanted.traced;
    spec.formats = wanted.formats;
  }
  if (!knows_formats && num_formats_ >= kMaxFormats) spec.formats.resize(0);
  return spec;
}

namespace {

/// How many times as large one of two blocks is as the other.
std::size_t ratio(std::size_t lanes, std::size_t others) { return std::max(lanes, others) / std::max<std::size_t>(1, std::min(lanes, others)); }

}  // namespace

/// The code that a launch can start with while that for `wanted` is made: of blocks as large, or nearly. Null if there is none.
const ExecutableKernel::Entry* ExecutableKernel::next_best(const compiler::Specialization& wanted, std::size_t any_groups_of) const {
  const Entry* best = nullptr;
  const std::size_t images = images_and_samplers(info_);
  const auto is_better = [&](const Entry& entry) {
    if (!best) return true;
    const int known = std::popcount(entry.spec.formats.at(images)), most = std::popcount(best->spec.formats.at(images));
    if (known != most) return known > most;
    const std::size_t own = ratio(lanes(entry.spec), lanes(wanted)), least = ratio(lanes(best->spec), lanes(wanted));
    if (own != least) return own < least;
    if (entry.spec.soon != best->spec.soon) return best->spec.soon;
    return lanes(entry.spec) < lanes(best->spec);
  };
  for (const Entry* entry = entries_.load(std::memory_order_acquire); entry; entry = entry->next)
    if (entry->code.load(std::memory_order_acquire) && serves(info_, entry->spec, wanted, any_groups_of) && is_better(*entry)) best = entry;
  return best;
}

/// A new entry in the list. Under the mutex.
ExecutableKernel::Entry& ExecutableKernel::add(const compiler::Specialization& spec) {
  auto added = std::make_unique<Entry>();
  added->spec = spec;
  Entry& entry = *added.release();
  bool new_geometry = spec.local_size[0] != 0, new_formats = spec.formats.size() != 0;
  entry.next = entries_.load(std::memory_order_relaxed);
  for (const Entry* other = entry.next; other; other = other->next) {
    if (geometry(other->spec) == geometry(spec)) new_geometry = false;
    if (other->spec.formats == spec.formats) new_formats = false;
  }
  num_local_sizes_[spec.counted] += new_geometry;
  num_formats_ += new_formats;
  entries_.store(&entry, std::memory_order_release);
  return entry;
}

/// Takes the entry's code from the cache; false if it is not there. Under the mutex.
bool ExecutableKernel::find_on_disk(Entry& entry) {
  dump_kernel(owner_.program_hash(), owner_.program(), info_.name, entry.spec);
  if (entry.spec.soon) {  // what left nothing out is there as the best
    compiler::Specialization best = entry.spec;
    best.soon = false;
    entry.owner = find_in_cache(key_of(owner_.program_hash(), info_.name, best), info_, best, entry.time_to_make);
    entry.code.store(entry.owner.get(), std::memory_order_release);
    if (entry.owner) begin_better(entry, /*leaves_out=*/false);
    if (entry.owner) return true;
  }
  entry.owner = find_in_cache(key_of(owner_.program_hash(), info_.name, entry.spec), info_, entry.spec, entry.time_to_make);
  entry.code.store(entry.owner.get(), std::memory_order_release);
  return entry.owner != nullptr;
}

/// Whether the code might need more scratch than a worker has, which is an error of the call that enqueues it. Only
/// private arrays can take so much.
bool ExecutableKernel::may_be_refused(const compiler::Specialization& spec) const {
  std::uint64_t work_items = spec.groups;
  for (const std::uint32_t size : spec.local_size) work_items *= size;
  if (work_items == 0) work_items = abi::kMaxWorkGroupSize;
  return info_.private_bytes > device::kMaxScratchBytes / 4 / work_items;
}

const device::Code* ExecutableKernel::make(const LaunchCode& wanted, Context& context, std::shared_ptr<const Generation>& pending) {
  std::unique_lock lock(mutex_);
  compiler::Specialization spec = bounded(wanted.best);
  const Entry* const other = next_best(spec, wanted.any_groups_of);
  const device::Code* const meanwhile = other ? other->code.load(std::memory_order_acquire) : nullptr;
  Entry* entry = find(spec);
  if (!meanwhile && !(entry && entry->generation)) {
    // What an earlier run came to is better than what it began with. A launch that comes while the first code is made, or has failed, has that, too.
    const compiler::Specialization first = bounded(wanted.first());
    if (!(first == spec)) {
      if (!entry) {
        Entry& best = add(spec);
        if (find_on_disk(best)) return best.owner.get();
      }
      spec = first;
      entry = find(spec);
    }
  } else if (meanwhile && lanes(other->spec) < lanes(spec) && spec.groups < wanted.first_groups) {
    // Launches that grow would ask for one number of groups after the other.
    spec = bounded(wanted.first());
    entry = find(spec);
  }
  const bool is_known = entry != nullptr;
  if (!entry) entry = &add(spec);
  if (const device::Code* code = entry->code.load(std::memory_order_relaxed)) return code;
  if (!is_known && find_on_disk(*entry)) return entry->owner.get();
  const bool has_failed = entry->has_failed;
  if (meanwhile && (has_failed || entry->generation)) return meanwhile;
  if (meanwhile) {
    const auto now = Clock::now();
    if (entry->launches++ == 0) entry->first_launch = now;
    if (!is_worth_making(spec, other->spec, wanted.first(), entry->launches, now - entry->first_launch, other->time_to_make)) return meanwhile;
  }
  std::shared_ptr<Generation> generation = entry->generation;
  const bool is_new = !generation;
  const bool is_pressing = !meanwhile || !fills_warps(other->spec) || !(other->spec.formats == spec.formats);
  if (!is_new && !meanwhile) generation->is_awaited = true;
  if (is_new) {
    try {
      // Without a compiler the call fails. Better code does not ask here: the launch would wait for the compiler's process to start.
      if (!meanwhile) compiler_api();
    } catch (const NoCompiler& problem) {
      context.report(("weft: kernel " + info_.name + ": " + problem.text).c_str());
      throw Error{CL_OUT_OF_RESOURCES};  // one of its own
    }
    generation = std::make_shared<Generation>();
    generation->over = runtime::make<Event>(&context);
    generation->is_awaited = is_pressing;
    generation->has_other = meanwhile != nullptr;
    entry->generation = generation;
  }
  lock.unlock();

  // What failed once is made here, so that the call says so.
  const bool at_once = !meanwhile && !wanted.in_background && (has_failed || may_be_refused(spec));
  if (is_new && at_once) {
    generate(*entry, generation, context);
  } else if (is_new) {
    const auto work = [this, entry, generation, is_pressing, kept = owner_.shared_from_this(), context = Ref<Context>(&context)] {
      generate(*entry, generation, *context, /*ahead=*/!is_pressing);
      context->code_ahead().processor_is_free(*context);
    };
    try {
      run_in_background(work, nullptr, AtExit::kRun, meanwhile ? Urgency::kBetter : Urgency::kWaitedFor);
    } catch (const std::bad_alloc&) {
      work();
    }
  }
  if (at_once) {
    generation->over->wait();
    require(generation->code != nullptr, generation->status);
    return generation->code;
  }
  if (meanwhile) return meanwhile;
  pending = std::move(generation);
  return nullptr;
}

void ExecutableKernel::make_ahead(const LaunchCode& wanted, Context& context) {
  Entry* entry = nullptr;
  std::shared_ptr<Generation> generation;
  try {
    std::lock_guard lock(mutex_);
    const compiler::Specialization spec = wanted.first();
    if (has_entries() || may_be_refused(spec)) return;
    generation = std::make_shared<Generation>();
    generation->over = runtime::make<Event>(&context);
    generation->is_awaited = false;
    entry = &add(spec);
    if (find_on_disk(*entry)) return;
    entry->generation = generation;
  } catch (const std::bad_alloc&) {
    return;
  }
  generate(*entry, generation, context, /*ahead=*/true);
}

/// `entry`'s code was made as that which is sooner there. Where it leaves nothing out, it is the best, too, and not made a second time; else launches
/// begin now that ask for better. Under the mutex.
void ExecutableKernel::begin_better(const Entry& entry, bool leaves_out) {
  compiler::Specialization spec = entry.spec;
  spec.soon = false;
  Entry* best = find(spec);
  try {
    if (!best) best = &add(spec);
  } catch (const std::bad_alloc&) {
    return;
  }
  if (best->generation || best->owner) return;
  if (leaves_out) {
    best->launches = 1;
    best->first_launch = Clock::now();
    return;
  }
  best->owner = entry.owner;
  best->code.store(best->owner.get(), std::memory_order_release);
}

/// Ends an attempt, whether or not it gives code. `ahead`: one that fails, as at the program's end, is made again for a launch that has come
/// to wait for it, and otherwise has not been.
void ExecutableKernel::generate(Entry& entry, const std::shared_ptr<Generation>& generation, const Context& context, bool ahead) {
  std::shared_ptr<const device::Code> code;
  bool is_hopeless = false, leaves_out = false;
  const auto start = Clock::now();
  const auto attempt = [&](bool for_nobody) {
    try {
      code = compile(entry.spec, context, for_nobody, generation->has_other, leaves_out);
    } catch (const NoCompiler&) {
      generation->status = CL_OUT_OF_RESOURCES;
      is_hopeless = true;
    } catch (const Error& error) {
      generation->status = error.code;
    } catch (const std::bad_alloc&) {
      generation->status = CL_OUT_OF_HOST_MEMORY;
    } catch (...) {
      generation->status = CL_OUT_OF_RESOURCES;
    }
  };
  attempt(ahead);
  {
    std::unique_lock lock(mutex_);
    if (ahead && !code && generation->is_awaited) {
      lock.unlock();
      attempt(false);
      lock.lock();
    }
    generation->code = code.get();
    entry.owner = std::move(code);
    entry.code.store(entry.owner.get(), std::memory_order_release);
    entry.time_to_make = Clock::now() - start;
    entry.generation = nullptr;
    if (entry.spec.soon && entry.owner) begin_better(entry, leaves_out);
    entry.has_failed = entry.owner == nullptr && (generation->is_awaited || is_hopeless);
  }
  generation->over->set_user_status(CL_COMPLETE);
}

namespace {

/// What launches run where code for `spec` cannot be made: code that does not count, or of required passes alone and a group a call. None where there is
/// nothing simpler.
std::optional<compiler::Specialization> simpler(const compiler::Specialization& spec) {
  compiler::Specialization result = spec;
  if (spec.counted) {
    result.counted = result.traced = false;
    return result;
  }
  if (spec.required_only) return std::nullopt;
  result.required_only = true;
  result.groups = 1;
  result.whole_blocks = true;
  result.streams = result.soon = false;
  return result;
}

/// What took longer than this to fail is kept in the cache as having failed: each run would wait for it again.
constexpr std::chrono::seconds kLongFailure{10};

/// The log of an earlier run's failure; none if there was none, or nothing is known of it.
std::optional<std::string> failure_before(const Hash& key) {
  std::optional<Kept> found = kept(key);
  if (!found || found->generated.ok) return std::nullopt;
  return std::move(found->generated.log);
}

}  // namespace

/// `leaves_out`: set where it is other code than without Specialization::soon. `ahead`: nothing is said of a failure. `has_other`: launches have other code; none is made that would be slower.
std::shared_ptr<const device::Code> ExecutableKernel::compile(const compiler::Specialization& spec, const Context& context, bool ahead,
                                                              bool has_other, bool& leaves_out) const {
  require(!is_background_late(), CL_OUT_OF_RESOURCES);
  const Hash key = key_of(owner_.program_hash(), info_.name, spec);
  const auto start = Clock::now();
  compiler::GenerateResult generated;
  if (auto failure = failure_before(key))
    generated.log = *std::move(failure);
  else
    generated = (ahead ? compiler_api().generate_ahead : compiler_api().generate)(owner_.program(), info_.name, spec);
  std::string error = generated.log;
  auto code = generated.ok ? load(info_, generated, spec, &error) : nullptr;
  if (code) {
    say_remarks(info_.name, generated);
    leaves_out = compiler::leaves_out(generated);
    compiler::Specialization kept = spec;
    kept.soon = leaves_out;
    store(kept.soon == spec.soon ? key : key_of(owner_.program_hash(), info_.name, kept), generated, Clock::now() - start);
    return code;
  }
  if (!ahead && !generated.ok && Clock::now() - start > kLongFailure) store(key, generated, Clock::now() - start);
  const auto other = (ahead || has_other) && !spec.counted ? std::nullopt : simpler(spec);
  if (!other) {
    if (!ahead) context.report(("weft: kernel " + info_.name + ": " + error).c_str());
    throw Error{CL_OUT_OF_RESOURCES};
  }
  // The program goes on; its launches have no counters, or take longer.
  Clock::duration taken{};
  code = find_in_cache(key_of(owner_.program_hash(), info_.name, *other), info_, *other, taken);
  if (!code) code = compile(*other, context, ahead, has_other, leaves_out);
  const std::string text = "weft: kernel " + info_.name + (spec.counted ? " is not counted: " : " is made of required passes alone: ") + error;
  std::fprintf(stderr, "%s\n", text.c_str());
  context.report(text.c_str());
  return code;
}

namespace {

constexpr std::align_val_t kProgramMemoryAlign{128};

}  // namespace

void Executable::Free::operator()(std::byte* memory) const noexcept { ::operator delete(memory, kProgramMemoryAlign); }

Executable::Executable(compiler::Bytes program, std::vector<compiler::KernelInfo> kernels, const compiler::ProgramMemory& memory)
    : program_(std::move(program)), hash_(Hasher().field(program_).finish()), memory_bytes_(memory.image.size()) {
  if (memory_bytes_ > 0) {
    memory_.reset(static_cast<std::byte*>(::operator new(memory_bytes_, kProgramMemoryAlign)));
    std::memcpy(memory_.get(), memory.image.data(), memory_bytes_);
    for (const std::uint64_t at : memory.pointers) {
      std::uint64_t address = 0;
      if (memory_bytes_ < sizeof address || at > memory_bytes_ - sizeof address) continue;  // of a forged entry of the cache
      std::memcpy(&address, memory_.get() + at, sizeof address);
      address += reinterpret_cast<std::uintptr_t>(memory_.get());
      std::memcpy(memory_.get() + at, &address, sizeof address);
    }
  }
  for (auto& kernel : kernels) {
    const bool is_block = kernel.is_block;
    const std::uint32_t number = kernel.block_number;
    auto made = std::make_unique<ExecutableKernel>(*this, std::move(kernel));
    if (!is_block) {
      kernels_.push_back(std::move(made));
    } else if (number < kernels.size()) {  // but in a forged entry of the cache
      blocks_.resize(std::max<std::size_t>(blocks_.size(), number + 1));
      blocks_[number] = std::move(made);
    }
  }
}

ExecutableKernel* Executable::block(std::uint32_t number) const { return number < blocks_.size() ? blocks_[number].get() : nullptr; }

ExecutableKernel* Executable::find(std::string_view name) const {
  for (const auto& kernel : kernels_) {
    if (kernel->info().name == name) return kernel.get();
  }
  return nullptr;
}

}  // namespace weft::runtime
