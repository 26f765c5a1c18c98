// The host as LLVM's target.
#pragma once

#include <memory>
#include <string>

#include "compiler/target/vectors.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::target {

/// "name features", as LLVM calls the host's processor: part of the compiler's identity.
const std::string& host_cpu();

const VectorTraits& vectors();

/// Makes `cpu`, by LLVM's name, the processor that code is made for; empty: this one. Once a process, before anything else
/// here. Fails, and changes nothing, if LLVM does not know it or, with `must_run_here`, if this processor lacks
/// instructions that it has.
llvm::Error choose_cpu(llvm::StringRef cpu, bool must_run_here);

/// Sets the host's triple and data layout.
void set_host_layout(llvm::Module& module);

/// Keeps a machine for the next compilation.
struct KeepMachine {
  void operator()(llvm::TargetMachine* machine) const;
};
using Machine = std::unique_ptr<llvm::TargetMachine, KeepMachine>;

/// A target machine for the host: position independent, small code model, of the usual level of optimization. One a compilation (not
/// thread-safe), by turns: to make one, with LLVM's tables of the processor and of what is legal on it, takes as long as many a pass.
Machine take_target_machine();

}  // namespace weft::compiler::target
