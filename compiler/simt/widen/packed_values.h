// Which OpenCL vectors stay packed (packed.h) in a kernel's regions, and in the slots between these.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseSet.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/barriers/frame.h"
#include "compiler/target/vectors.h"

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

struct PackedValues {
  llvm::DenseSet<const llvm::Value*> values;
  llvm::BitVector slots;  ///< by number; none: no slot is

  bool has_slot(unsigned slot) const { return slot < slots.size() && slots[slot]; }
};

/// The values of `regions` that are worth keeping packed. Those of all regions are chosen together, since a slot has one form: sums that
/// barriers part from the loop that adds to them are taken apart in no region or in all. `lanes` is W.
PackedValues choose_packed_values(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization, unsigned lanes,
                                  const VectorTraits& traits, const WarpFrame& frame);

}  // namespace weft::compiler::simt
