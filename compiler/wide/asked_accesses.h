// Accesses of widened code whose lines are worth asking for early (prefetch.h, group_prefetch.h).
#pragma once

namespace llvm {
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::wide {

/// Of a load, or of a store, which waits for its line as well; but not of one that goes past the caches, nor of one that loads what another has left open:
/// of two rows that lanes have parts of (two_rows.cpp), mostly the next line is the other's. Else null.
llvm::Value* accessed_pointer(llvm::Instruction& instruction);

/// Private and local memory, which is near: variables in `function`, and what the group (its second argument) points to.
bool is_of_worker(const llvm::Value& pointer, const llvm::Function& function);

}  // namespace weft::compiler::wide
