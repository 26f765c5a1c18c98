// How often each lane runs a loop, where that is known in front of it.
#pragma once

namespace llvm {
class IRBuilderBase;
class Instruction;
class Loop;
class SCEV;
class ScalarEvolution;
class TargetTransformInfo;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// How often `loop`, which has a predecessor, is run again after its first iteration; null where that is not known in front of it, or takes a
/// division that has not been made there, or much else.
const llvm::SCEV* repetitions_in_front(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::TargetTransformInfo& target);

/// Whether it is known so, and for little enough that LLVM's unroller would ask for it.
bool counts_cheaply(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::TargetTransformInfo& target);

/// Computes that in front of `at`, where everything is known that it is made of.
llvm::Value& emit_repetitions(const llvm::SCEV& repetitions, llvm::ScalarEvolution& evolution, llvm::Instruction& at);

/// `repetitions` in 32 bits: those that are more count as the most that a signed number holds but one.
llvm::Value& in_32_bits(llvm::IRBuilderBase& builder, llvm::Value& repetitions);

/// The least of the lanes' `number`, of 32 bits, as an unsigned one; the same for all.
llvm::Value& least_of_lanes(llvm::IRBuilderBase& builder, llvm::Value& number);

}  // namespace weft::compiler::simt
