#include "compiler/fuzz/check.h"

#include <time.h>

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>

#include "compiler/fuzz/array_kernel.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/linker/kernel_info.h"
#include "compiler/linker/link.h"
#include "compiler/frontend/compile.h"
#include "compiler/fuzz/scalar_run.h"
#include "compiler/fuzz/warp_run.h"
#include "compiler/simt/item/turned_ids.h"
#include "compiler/support/bitcode.h"
#include "device/code.h"
#include "device/counters/counted_kernel.h"
#include "device/worker.h"
#include "device/worker_copies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace weft::fuzz {
namespace {

namespace linker = compiler::linker;
namespace passes = compiler::passes;
namespace pipeline = compiler::pipeline;

double thread_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// A kernel's two forms.
struct Compiled {
  compiler::KernelInfo info;
  compiler::Bytes program;
  bool may_turn = false;  ///< simt::may_turn
  std::unique_ptr<ScalarKernel> oracle;
};

/// What the language leaves open, whether `a * b + c` is rounded once or twice, is settled before the two sides part: one
/// of them may know a and b, and multiply them while it compiles.
void fuse_products(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call && call->getIntrinsicID() == llvm::Intrinsic::fmuladd)
        call->setCalledFunction(llvm::Intrinsic::getDeclaration(&module, llvm::Intrinsic::fma, call->getType()));
    }
  }
}

/// Null, with `outcome` set, when that fails.
std::unique_ptr<Compiled> compile(const std::string& source, const CheckOptions& options, Outcome& outcome) {
  const auto fail = [&](Verdict verdict, const std::string& what) {
    outcome.verdict = verdict;
    outcome.what = one_line(what);
    return nullptr;
  };
  llvm::LLVMContext context;
  std::string log;
  std::vector<compiler::Dependency> dependencies;
  auto parsed = compiler::frontend::parse_compile_options("-w " + build_options(source), log);
  if (!parsed) return fail(Verdict::kRejected, log);
  auto module = compiler::frontend::compile_to_module(source, {}, *parsed, context, log, dependencies);
  if (!module) return fail(Verdict::kRejected, log);

  fuse_products(*module);
  // The first two steps of make_program, for the oracle.
  auto scalar = llvm::CloneModule(*module);
  if (llvm::Error error = linker::link_builtins(*scalar)) return fail(Verdict::kRejected, llvm::toString(std::move(error)));
  linker::retarget(*scalar);

  passes::PassOptions settings;
  settings.verify_each = true;
  // Of larger kernels those of functions that write shared memory, too (simt/item/kept_calls.h), with required passes alone: of half of them.
  if (options.keep_calls) settings.most_inlined = source.size() % 2 ? 50 : 300;
  passes::PassControl control(settings);
  if (llvm::Error error = pipeline::make_program(*module, control)) return fail(Verdict::kBroken, llvm::toString(std::move(error)));
  auto compiled = std::make_unique<Compiled>();
  auto kernels = linker::describe_kernels(*module);
  if (kernels.size() != 1) return fail(Verdict::kRejected, "there must be one kernel");
  compiled->info = std::move(kernels[0]);
  compiled->may_turn = compiler::simt::may_turn(*module->getFunction(compiled->info.name));
  compiled->program = compiler::support::write_bitcode(*module);
  if (options.oracle_of_prepared) scalar = std::move(module);
  auto oracle = ScalarKernel::make(std::move(scalar), compiled->info);
  if (!oracle) return fail(Verdict::kRejected, llvm::toString(oracle.takeError()));
  compiled->oracle = std::move(*oracle);
  return compiled;
}

/// One of the kinds of rules, by a number.
device::counters::Capability capability_of(std::uint64_t number) {
  using namespace device::counters;
  constexpr Capability kOneOfEach[] = {kCc10, kCc13, kCc20, kCc35, kCc50, kCc90};
  return kOneOfEach[number % std::size(kOneOfEach)];
}

/// The place of the first sum that differs, all being numbers of 64 bits.
std::string first_difference(const device::counters::Counts& a, const device::counters::Counts& b) {
  constexpr std::size_t kSums = sizeof a / sizeof(std::uint64_t);
  const auto as = std::bit_cast<std::array<std::uint64_t, kSums>>(a), bs = std::bit_cast<std::array<std::uint64_t, kSums>>(b);
  std::size_t i = 0;
  while (i + 1 < kSums && as[i] == bs[i]) ++i;
  return "number " + std::to_string(i) + ", " + std::to_string(as[i]) + " and " + std::to_string(bs[i]);
}

/// What a launch must leave behind, by its sizes.
class Expectations {
 public:
  Expectations(const Compiled& compiled, std::uint64_t data_seed) : compiled_(compiled), data_seed_(data_seed) {}

  struct Launch {
    std::unique_ptr<Memory> memory;
    std::vector<std::byte> wanted;
    bool fair = true;
  };
  Launch& of(const Variant& variant) {
    Variant key = variant.of_program();
    key.coarsening = 0;
    key.any_size = false;
    key.ids_fit_31_bits = true;
    key.fuse = 1;
    key.dispatch = false;
    key.required_only = false;
    key.counted = false;
    const Variant of_program = variant.of_program();
    auto [entry, fresh] = launches_.try_emplace(key.text());
    Launch& launch = entry->second;
    if (fresh) {
      launch.memory = std::make_unique<Memory>(compiled_.info, of_program, data_seed_);
      launch.memory->reset();
      launch.fair = compiled_.oracle->run(*launch.memory, of_program);
      launch.wanted = launch.memory->contents();
    }
    return launch;
  }

 private:
  const Compiled& compiled_;
  std::uint64_t data_seed_;
  std::map<std::string, Launch> launches_;
};

device::WorkerCopies::Buffers updated_buffers(const std::vector<abi::UpdatedBuffer>& updated, const Memory& memory) {
  device::WorkerCopies::Buffers buffers;
  for (const abi::UpdatedBuffer& one : updated) {
    const std::span<std::byte> buffer = memory.buffer_at(one.argument_offset);
    buffers.buffer.at(buffers.count++) = {buffer.data(), buffer.size(), one.kind, one.word_bytes};
  }
  return buffers;
}

/// Buffers of a launch are apart, which code may know (KernelArg::has_fact), but for one with two names; that for any size does not.
compiler::Specialization specialization_for(const compiler::KernelInfo& kernel, const Variant& variant) {
  compiler::Specialization result = variant.specialization();
  std::uint32_t facts = 0, bounds = 0;
  const auto has_other_name = [&](const compiler::KernelArg& arg) {
    return llvm::any_of(kernel.args, [&](const auto& other) { return other.name == kSameAs + arg.name || arg.name == kSameAs + other.name; });
  };
  for (std::size_t i = 0; i < std::min(kernel.args.size(), result.formats.kMostFacts) && !variant.any_size; ++i) {
    const compiler::KernelArg& arg = kernel.args[i];
    if (!arg.has_fact || arg.kind != compiler::ArgKind::kGlobalPointer || has_other_name(arg)) continue;
    facts |= std::uint32_t{1} << i;
    bounds |= std::uint32_t{arg.is_bound} << i;
  }
  result.formats.push_facts(facts, bounds);
  return result;
}

}  // namespace

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text.substr(0, 400);
}

std::string build_options(const std::string& source) {
  constexpr std::string_view kLine = "// options:";
  const std::size_t begin = source.find(kLine);
  if (begin == std::string::npos) return {};
  return source.substr(begin + kLine.size(), source.find('\n', begin) - begin - kLine.size());
}

Outcome check(const std::string& source, const std::vector<Variant>& variants, const CheckOptions& options) {
  Outcome outcome;
  const std::unique_ptr<Compiled> compiled = compile(source, options, outcome);
  if (!compiled) return outcome;
  Expectations expectations(*compiled, options.data_seed);
  for (outcome.variant = 0; outcome.variant < variants.size(); ++outcome.variant) {
    Variant variant = variants[outcome.variant];
    const bool may_lose_tiles = compiled->info.may_lose_tiles && variant.group_items() > 1 && variant.groups[0] % variant.fuse == 0;
    if (!compiler::may_fuse(compiled->info.fusion, variant.group_items()) && !may_lose_tiles) variant.fuse = 1;
    if (!compiled->may_turn) variant.turned = 0;
    if (options.entering) options.entering(outcome.variant);
    const auto end = [&](Verdict verdict, const std::string& what) {
      outcome.verdict = verdict;
      outcome.what = one_line(what);
      return outcome;
    };
    Expectations::Launch& launch = expectations.of(variant);
    if (!launch.fair) return end(Verdict::kRejected, "work-items wait at different barriers");

    passes::PassOptions settings;
    settings.verify_each = true;
    settings.coarsening = variant.coarsening;
    if (variant.scalarize) settings.scalarize_loops = passes::ScalarizeLoops::kAlways;
    settings.stack_rows = settings.byte_tables = settings.pairs = settings.wide_calls = variant.scalarize;
    if (variant.dispatch) settings.dispatch = passes::Dispatch::kAlways;
    settings.required_only = variant.required_only;
    settings.disable = options.disable;
    std::optional<device::counters::Counts> counted;
    for (const bool lane_by_lane : {false, true}) {
      if (lane_by_lane && !variant.counted) break;
      settings.count_lanes = lane_by_lane;
      passes::PassControl control(settings);
      const double begin = thread_ms();
      auto generated = pipeline::generate(compiled->program, compiled->info.name, specialization_for(compiled->info, variant), control);
      outcome.slowest_ms = std::max(outcome.slowest_ms, thread_ms() - begin);
      if (!generated.ok) return end(Verdict::kBroken, generated.log);
      variant.fuse = generated.groups;
      std::string error;
      device::CodeTraits traits{generated.scratch_fixed_bytes, generated.scratch_warp_bytes, generated.private_bytes, generated.stack_bytes,
                                variant.fuse, generated.run};
      traits.has_tables = generated.has_tables && outcome.variant % 2 == 0;  // else it computes
      const auto code = device::Code::load(generated.object, generated.symbol, traits, &error);
      if (!code) return end(Verdict::kBroken, error);
      const device::counters::CountedKernel counter(std::move(generated.counters), {capability_of(source.size() + outcome.variant)});
      std::vector<std::unique_ptr<device::counters::WorkerCounts>> counts;
      counts.push_back(counter.take());
      launch.memory->reset();
      // Every other variant updates copies of what it only updates.
      std::optional<device::WorkerCopies> copies;
      if (outcome.variant % 2 == 0 && !generated.updated.empty()) copies.emplace(updated_buffers(generated.updated, *launch.memory), 1);
      const device::Worker worker;
      const char* trouble = run_warps(*code, launch.memory->arguments(), launch.memory->local_bytes(), variant,
                                      variant.counted ? counts.front().get() : nullptr, copies ? copies->of(worker) : nullptr);
      if (copies) copies->add_up();
      if (trouble) return end(Verdict::kDiffer, trouble);
      const std::string difference = launch.memory->difference(launch.wanted, launch.memory->contents());
      if (!difference.empty()) return end(Verdict::kDiffer, difference);
      const device::counters::Counts total = counter.sum(counts).total();
      if (counted && *counted != total) return end(Verdict::kDiffer, "counts by progressions are not those by lanes: " + first_difference(*counted, total));
      counted = total;
    }
  }
  outcome.variant = 0;
  return outcome;
}

}  // namespace weft::fuzz
