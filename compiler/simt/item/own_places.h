// Whether each work-item accesses memory of its own in a loop.
#pragma once

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
class Loop;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Whether no two work-items of a launch, nor two iterations of `loop`, access a byte by `pointer`, `bytes` at a time, in a group of `specialization`'s size, and
/// work-items that lie beside each other do so there. Of the work-items of a group that is known: their ids by constant factors, and a step that
/// goes beyond them all. Groups lie apart if their numbers, all that the kernel asks for, are factors of what else the address is a sum of:
/// a program whose groups meet all the same has a data race there.
bool has_places_of_its_own(llvm::Value& pointer, std::uint64_t bytes, const llvm::Loop& loop, const llvm::Function& item,
                           const Specialization& specialization, llvm::ScalarEvolution& evolution);

}  // namespace weft::compiler::simt
