// The host as LLVM's target.
#pragma once

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

/// "name features", as LLVM calls the host's processor: part of the compiler's identity.
const std::string& host_cpu();

/// Bits of the widest vector registers that code should use: 512 where they cost no clock speed, else 256 or
/// 128.
unsigned preferred_vector_bits();

/// The same where the processor estimates 1/sqrt(x) to 14 bits (AVX-512), or else 0: 12 bits take as much work to make
/// good as a root and a division.
unsigned estimate_vector_bits();

/// Sets the host's triple and data layout.
void set_host_layout(llvm::Module& module);

/// A target machine for the host: position independent, small code model. One a compilation (not
/// thread-safe).
std::unique_ptr<llvm::TargetMachine> make_target_machine();

}  // namespace weft::compiler::codegen
