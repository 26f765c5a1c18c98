// First code with fewer versions: what a launch waits for.
//
// Many passes have code twice, so that one of the two runs without masks, with neighbours in place of gathers, or a row at a time; of
// what one leaves, the next has two again. A kernel that is large has thousands of instructions that way before LLVM makes machine code of
// them, which takes most of the time of a first launch. Where that is so, the first code (Specialization::soon) is without such
// passes, and the launches that follow get the other as they get any better code.
#pragma once

#include <memory>

#include "compiler/compiler_api.h"
#include "compiler/passes/pass_control.h"
#include "compiler/pipeline/compilation.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace weft::compiler::pipeline {

struct FewerVersions {
  explicit FewerVersions(passes::PassOptions options) : control(std::move(options)) {}
  passes::PassControl control;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<Compilation> compilation;  ///< after the kernel passes, as `whole`
};

/// `whole`, which has been through the kernel passes, once more without versions; null if it is no first code, short enough, or no such passes made it
/// long. `program` is what its kernel is from, `specialization` what it was asked for, with fused groups; both outlive the result.
llvm::Expected<std::unique_ptr<FewerVersions>> with_fewer_versions(const Compilation& whole, const Bytes& program, const Specialization& specialization);

}  // namespace weft::compiler::pipeline
