// Functions of one byte that cost more than looking their 256 results up.
//
// Gamma curves, colour tables that are filtered, tones and contrasts computed in floating point: programs work such functions out for
// each pixel, though a byte has 256 values. What they compute of a byte and of what is the same for the whole launch (arguments, images that are
// read at places that depend on the byte alone) is computed for all of them before a worker's first group of a launch, by warps, with the
// same operations on the same numbers, so that no bit differs. Each work-item then loads its result. Launches of few work-items have no
// tables (LaunchInfo::tables is 0): they compute as before.
#pragma once

#include <cstdint>

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
class TargetMachine;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Work-items of the function that fills the tables: a group of as many as a byte has values.
inline constexpr std::uint32_t kByteValues = 256;

/// Whether `pointer`, of an item function or a region, leads into the tables: what lanes look up lies anywhere in them. Loads bear no mark: LLVM gives them
/// another type, and leaves marks behind.
bool leads_to_tables(const llvm::Value& pointer);

/// Rewrites `item`, a simplified item function, to look up what
///  - depends on one value of at most 8 bits, or one element of a vector of such, that becomes a floating-point number,
///  - on numbers and pointers that are loaded from the launch alone, and on texels of images that are only read,
///  - has 8, 16 or 32 bits,
///  - takes no loop, division of integers or other memory, and no branch that depends on anything else,
///  - costs kGain times what the look-up does, by target/costs.h, unless `always`.
/// Returns the item function, for one group of kByteValues along x, that fills the tables; null if there are none.
llvm::Function* make_byte_tables(llvm::Function& item, const llvm::TargetMachine& machine, const VectorTraits& traits, bool always, Analyses& analyses);

/// At the beginning of `group`, a group function, calls `fill`, another, unless there are no tables, or they are this launch's already.
void fill_tables_first(llvm::Function& group, llvm::Function& fill);

}  // namespace weft::compiler::simt
