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

/// A target machine for the host: position independent, small code model. One a compilation (not
/// thread-safe).
std::unique_ptr<llvm::TargetMachine> make_target_machine();

}  // namespace weft::compiler::target
