#include "runtime/executable.h"

#include <cstring>

#include "device/code.h"
#include "runtime/cache.h"
#include "runtime/compiler_loader.h"
#include "runtime/context.h"
#include "runtime/dump.h"
#include "runtime/error.h"
#include "runtime/serialize.h"

namespace weft::runtime {
namespace {

Hash key_of(const Hash& program, const std::string& kernel, const compiler::Specialization& spec) {
  Hasher key;
  key.field("code").field(compiler_identity()).field(program).field(kernel);
  for (const auto size : spec.local_size) key.field(size);
  return key.field(spec.ids_fit_31_bits).field(spec.groups).field(spec.whole_blocks).finish();
}

std::shared_ptr<const device::Code> load(const compiler::GenerateResult& generated, const compiler::Specialization& spec,
                                         std::string* error) {
  const device::CodeTraits traits{generated.scratch_fixed_bytes, generated.scratch_warp_bytes,
                                  generated.private_bytes, spec.groups};
  return device::Code::load(generated.object, generated.symbol, traits, error);
}

std::shared_ptr<const device::Code> find_in_cache(const Hash& key, const compiler::Specialization& spec) {
  const auto data = Cache::instance().get(key);
  if (!data) return nullptr;
  Reader in(*data);
  compiler::GenerateResult generated;
  generated.symbol = in.text();
  generated.scratch_fixed_bytes = in.number<std::uint32_t>();
  generated.scratch_warp_bytes = in.number<std::uint32_t>();
  generated.private_bytes = in.number<std::uint32_t>();
  generated.object = in.bytes();
  std::string error;
  auto code = in.done() ? load(generated, spec, &error) : nullptr;
  if (!code) Cache::instance().remove(key);
  return code;
}

void store(const Hash& key, const compiler::GenerateResult& generated) {
  Writer out;
  out.text(generated.symbol);
  out.number(generated.scratch_fixed_bytes);
  out.number(generated.scratch_warp_bytes);
  out.number(generated.private_bytes);
  out.bytes(generated.object);
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

const ExecutableKernel::Entry* ExecutableKernel::find(const compiler::Specialization& spec) const {
  for (const Entry* entry = entries_.load(std::memory_order_acquire); entry; entry = entry->next) {
    if (entry->spec == spec) return entry;
  }
  return nullptr;
}

const std::shared_ptr<const device::Code>& ExecutableKernel::code(const compiler::Specialization& wanted,
                                                                  const Context& context) {
  if (const Entry* entry = find(wanted)) return entry->code;

  std::lock_guard lock(mutex_);
  compiler::Specialization spec = wanted;
  // A program that tries every local size would compile for ever.
  if (num_specialized_ >= kMaxLocalSizes) spec = {.ids_fit_31_bits = spec.ids_fit_31_bits};
  if (const Entry* entry = find(spec)) return entry->code;
  auto entry = std::make_unique<Entry>();
  entry->spec = spec;
  entry->code = generate(spec, context);
  entry->next = entries_.load(std::memory_order_relaxed);
  const Entry* added = entry.release();
  entries_.store(added, std::memory_order_release);
  if (spec.local_size[0] != 0) ++num_specialized_;
  return added->code;
}

std::shared_ptr<const device::Code> ExecutableKernel::generate(const compiler::Specialization& spec,
                                                               const Context& context) const {
  const Hash key = key_of(owner_.program_hash(), info_.name, spec);
  dump_kernel(owner_.program_hash(), owner_.program(), info_.name, spec);
  if (auto code = find_in_cache(key, spec)) return code;
  const auto generated = compiler_api().generate(owner_.program(), info_.name, spec);
  std::string error = generated.log;
  auto code = generated.ok ? load(generated, spec, &error) : nullptr;
  if (!code) {
    context.report(("weft: kernel " + info_.name + ": " + error).c_str());
    throw Error{CL_OUT_OF_RESOURCES};
  }
  store(key, generated);
  return code;
}

Executable::Executable(compiler::Bytes program, std::vector<compiler::KernelInfo> kernels)
    : program_(std::move(program)), hash_(Hasher().field(program_).finish()) {
  for (auto& kernel : kernels)
    kernels_.push_back(std::make_unique<ExecutableKernel>(*this, std::move(kernel)));
}

ExecutableKernel* Executable::find(std::string_view name) const {
  for (const auto& kernel : kernels_) {
    if (kernel->info().name == name) return kernel.get();
  }
  return nullptr;
}

}  // namespace weft::runtime
