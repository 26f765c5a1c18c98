// Private arrays whose elements a loop or a block names by constants, kept in registers while it runs.
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler::simt {

/// A hash fills its words byte by byte, at places that the message's length says, and then goes through thousands of rounds that name words by
/// constants. The bytes keep the array in memory, lane after lane, where the rounds gather and scatter each word.
///
/// Elements are loaded in front of the outermost loop that accesses an array so, and those that it stores are stored behind it, if
/// - the array's address serves nothing but loads, stores, copies and fills, anywhere in the function, and loads and stores of several sizes:
///   of one size, lanes' elements lie side by side in memory as well (interleave.h);
/// - the loop reads and writes it at constant places, each of one type, that do not overlap, within the array;
/// - they are few, and one of them is stored.
///
/// In a block the same is done between accesses of other kinds, where it saves half of the accesses: a hash whose rounds are unrolled is one, of
/// more accesses than LLVM looks back for what was stored.
struct LoopElementsPass : llvm::PassInfoMixin<LoopElementsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler::simt
