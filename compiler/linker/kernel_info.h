// What the runtime must know of each kernel, read from its IR and Clang's metadata.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler_api.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::linker {

/// What -cl-nv-verbose adds to the log, in the words of NVIDIA's compiler, which programs look for: registers of a work-item,
/// private ("lmem") bytes of one and local ("smem") bytes of a work-group.
std::string report_resources(const KernelInfo& kernel);

/// All kernels of `module`, in source order, as make_program() leaves them.
std::vector<KernelInfo> describe_kernels(llvm::Module& module);
/// The same of a module that nobody needs any more: without copies of kernels, so sooner.
std::vector<KernelInfo> describe_kernels(std::unique_ptr<llvm::Module> module);

}  // namespace weft::compiler::linker
