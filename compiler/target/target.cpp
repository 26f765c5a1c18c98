#include "compiler/target/target.h"

#include <exception>
#include <mutex>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

namespace weft::compiler::target {
namespace {

constexpr char kTriple[] = "x86_64-unknown-linux-gnu";

/// Sets one of LLVM's options that has no other door. Nothing is parsed, and the option is our own copy's.
template <typename Value>
void set_llvm_option(llvm::StringRef name, Value value) {
  auto& options = llvm::cl::getRegisteredOptions();
  if (const auto option = options.find(name); option != options.end())
    static_cast<llvm::cl::opt<Value>*>(option->second)->setValue(value);
}

struct Host {
  const llvm::Target* target = nullptr;
  std::string cpu;
  std::string features;
  std::string description;
  std::string layout;
  VectorTraits vectors;
};

/// Set once, before host() is first called.
std::string& asked_cpu() {
  static std::string cpu;
  return cpu;
}

const Host& host() {
  static const Host instance = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    // Scheduling after register allocation is quadratic in the length of a block, and a block of widened code
    // may have thousands of accesses; the processor reorders what it would.
    set_llvm_option<bool>("disable-post-ra", true);
    // The scheduler before it sums up a region's memory accesses from this many on (default 1000).
    set_llvm_option<unsigned>("dag-maps-huge-region", 200);
    // The allocator tries for each register how far it could reach; in functions of thousands of blocks that is most of
    // the time of making code (default 10000), and its result there no better.
    set_llvm_option<unsigned long>("grow-region-complexity-budget", 500);
    // Coalescing registers that have many values (default 100) is given up after so many joins (default 256), and copies of what is
    // made anew in more places than this (default 100) are updated together: functions of 10,000 blocks spend half their time there.
    set_llvm_option<unsigned>("large-interval-size-threshold", 50);
    set_llvm_option<unsigned>("large-interval-freq-threshold", 16);
    set_llvm_option<unsigned>("late-remat-update-threshold", 20);
    // What is done before instructions are chosen begins with the whole function again after each change of its control flow, but in functions of more
    // blocks than this (default 10000), in which it goes on with the blocks that changed: scrypt's, of 40 blocks and 7,400 instructions, was gone
    // through 187 times, a fifth of its time.
    set_llvm_option<unsigned>("cgpp-huge-func", 0);
    // The reader would verify every module that has line tables, print what it finds to stderr, and end the process. What is read
    // is of this LLVM's version or an error, and what comes from outside is verified where it is linked.
    set_llvm_option<bool>("disable-auto-upgrade-debug-info", true);
    Host result;
    std::string error;
    result.target = llvm::TargetRegistry::lookupTarget(kTriple, error);
    if (result.target == nullptr) llvm::report_fatal_error(llvm::StringRef(error));
    llvm::StringMap<bool> map;
    llvm::SmallVector<llvm::StringRef, 128> usual;
    if (!asked_cpu().empty()) {
      result.cpu = asked_cpu();
    } else {
      result.cpu = llvm::sys::getHostCPUName().str();
      map = llvm::sys::getHostCPUFeatures();
    }
    llvm::X86::getFeaturesForCPU(result.cpu, usual);
    const llvm::StringSet<> of_cpu = [&] {
      llvm::StringSet<> set;
      for (const llvm::StringRef feature : usual) set.insert(feature);
      return set;
    }();
    // Only what differs from the processor's name: reading a list of every feature takes as long as a small pass, and
    // each function's code begins with it.
    std::vector<std::string> names;
    for (const auto& feature : map)
      if (feature.second != of_cpu.contains(feature.first()))
        names.push_back((llvm::Twine(feature.second ? "+" : "-") + feature.first()).str());
    llvm::sort(names);  // a map's order is no identity
    if (map.empty())
      for (const llvm::StringRef feature : usual) map[feature] = true;
    // SSE4a has no VEX encoding: LLVM makes byte shuffles of `insertq`, which costs hundreds of cycles
    // between AVX instructions (measured on Zen: 60 % of a Sobel filter's time).
    names.push_back("-sse4a");
    const auto has = [&](llvm::StringRef feature) { return map.lookup(feature); };
    // Even where the processor's gather takes its time, it beats loads that each look at a lane's bit, which LLVM
    // makes branches of; it is asked for in no other place.
    if (has("avx2")) names.push_back("+fast-gather");
    result.features = llvm::join(names, ",");
    result.description = result.cpu + " " + result.features;
    VectorTraits& vectors = result.vectors;
    if (has("avx2")) vectors.register_bits = 256;
    // With VBMI2 came the processors that keep their clock under 512-bit work (Ice Lake, Zen 4).
    if (has("avx512f") && has("avx512bw") && has("avx512vl") && has("avx512vbmi2")) vectors.register_bits = 512;
    const unsigned bits = vectors.register_bits;
    vectors.mask_registers = bits >= 512;
    vectors.registers = bits >= 512 ? 32 : 16;
    vectors.native_gather = vectors.native_scatter = bits >= 512;
    vectors.masked_gather = bits >= 256;
    const llvm::StringRef cpu = result.cpu;
    // Measured: 5.9 cycles on Zen 4, which multiplies 512 bits once in a cycle; 13.3 on Emerald Rapids, which does so twice, and 5.2 for 256 bits.
    vectors.division = cpu.starts_with("znver") ? 6 : bits >= 512 ? 24 : 10;
    // Measured on Zen 4: sums and products with a sum in turn are 1.6 times as many as either; with 16 registers of 256 bits nothing was gained.
    if (bits >= 512 && cpu.starts_with("znver")) vectors.apart_sums = cpu == "znver4" ? 1 : 2;
    vectors.slow_gather = cpu.starts_with("znver") && cpu <= "znver4";
    vectors.fused_products = has("fma");
    vectors.half_arithmetic = has("avx512fp16") && has("avx512vl");
    vectors.half_conversions = has("f16c");
    vectors.byte_permutes = bits >= 512 && has("avx512vbmi");
    vectors.byte_dots = bits >= 512 ? has("avx512vnni") : has("avxvnni") || (has("avx512vnni") && has("avx512vl"));
    vectors.masked_bytes = bits >= 512 ? 1 : bits >= 256 ? 4 : 16;
    // Where the estimate has 12 bits, to make it good takes as much work as a root and a division.
    vectors.estimate_bits = has("avx512f") && has("avx512vl") && bits >= 256 ? bits : 0;
    return result;
  }();
  return instance;
}

}  // namespace

const std::string& host_cpu() { return host().description; }

const VectorTraits& vectors() { return host().vectors; }

llvm::Error choose_cpu(llvm::StringRef cpu, bool must_run_here) {
  if (cpu.empty()) return llvm::Error::success();
  if (llvm::X86::parseArchX86(cpu, /*Only64Bit=*/true) == llvm::X86::CK_None)
    return llvm::createStringError("no processor is called '" + cpu + "'");
  if (must_run_here) {
    const llvm::StringMap<bool> here = llvm::sys::getHostCPUFeatures();
    llvm::SmallVector<llvm::StringRef, 128> wanted;
    llvm::X86::getFeaturesForCPU(cpu, wanted);
    std::string missing;
    for (const llvm::StringRef feature : wanted)
      // Some of LLVM's names say nothing of instructions that code could use, or the host's list has no entry for them.
      if (const auto found = here.find(feature); found != here.end() && !found->second) missing += (missing.empty() ? "" : ", ") + feature.str();
    if (!missing.empty())
      return llvm::createStringError("this processor cannot run code for '" + cpu + "': it lacks " + missing);
  }
  asked_cpu() = cpu.str();
  return llvm::Error::success();
}

void set_host_layout(llvm::Module& module) {
  static const std::string layout = take_target_machine()->createDataLayout().getStringRepresentation();
  module.setTargetTriple(kTriple);
  module.setDataLayout(layout);
}

namespace {

constexpr auto kLevel = llvm::CodeGenOptLevel::Default;

struct IdleMachines {
  std::mutex mutex;
  std::vector<std::unique_ptr<llvm::TargetMachine>> machines;
};

IdleMachines& idle() {
  static IdleMachines instance;
  return instance;
}

std::unique_ptr<llvm::TargetMachine> make_target_machine() {
  llvm::TargetOptions options;
  options.LoopAlignment = 32;  // a loop of a few instructions lies within a line of 64 bytes, and each of its turns is fetched from one
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // what the flags on instructions allow
  options.NoTrappingFPMath = true;
  options.ExceptionModel = llvm::ExceptionHandling::None;
  return std::unique_ptr<llvm::TargetMachine>(
      host().target->createTargetMachine(kTriple, host().cpu, host().features, options, llvm::Reloc::PIC_,
                                         llvm::CodeModel::Small, kLevel));
}

}  // namespace

void KeepMachine::operator()(llvm::TargetMachine* machine) const {
  std::unique_ptr<llvm::TargetMachine> kept(machine);
  // Of code at another level more than the level stays behind (Options.EnableFastISel), and memory that ran out may leave it half changed.
  if (kept->getOptLevel() != kLevel || std::uncaught_exceptions() > 0) return;
  const std::lock_guard lock(idle().mutex);
  idle().machines.push_back(std::move(kept));
}

Machine take_target_machine() {
  std::unique_ptr<llvm::TargetMachine> machine;
  {
    const std::lock_guard lock(idle().mutex);
    if (!idle().machines.empty()) {
      machine = std::move(idle().machines.back());
      idle().machines.pop_back();
    }
  }
  if (machine == nullptr) machine = make_target_machine();
  return Machine(machine.release());
}

}  // namespace weft::compiler::target
