// A load or store of one lane's code, as the strategies that widen it see it.
#pragma once

#include <cstdint>
#include <string>

#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/shape.h"

namespace weft::compiler::simt {

class Widening;

struct Access {
  Access(const Widening& w, llvm::LoadInst& load);
  Access(const Widening& w, llvm::StoreInst& store);

  bool is_load() const { return value == nullptr; }
  /// Lanes access memory side by side, the first lane first; or, of single elements, the last lane first.
  bool is_contiguous() const { return shape.stride == static_cast<std::int64_t>(element_bytes * count); }
  bool is_reversed() const { return count == 1 && shape.stride == -static_cast<std::int64_t>(element_bytes); }

  llvm::Instruction& instruction;
  llvm::Value* pointer;
  llvm::Value* value;           ///< what is stored; null for a load
  llvm::Type* type;             ///< of one lane's value, with pointers in address space 0
  llvm::Type* element;          ///< `type`, or of an OpenCL vector its elements' type
  unsigned count;               ///< of components
  unsigned bits;                ///< solid_bits(type)
  std::uint64_t element_bytes;  ///< the store size of `element`
  llvm::Align align;            ///< of one lane's access
  llvm::Align element_align;    ///< of each element
  bool is_volatile;             ///< the program itself asks for it
  bool is_atomic;
  bool is_row;             ///< of the fields of a struct, not of all that lies between them (struct_rows.h)
  Shape shape;             ///< of the addresses; strategies may rely on it unless it is checked
  bool is_seldom = false;  ///< runs only where an index wrapped around: short code is better than fast code

 private:
  Access(const Widening& w, llvm::Instruction& instruction, llvm::Value* value, llvm::Align align);
};

/// The bits of `type`, a number or a vector of numbers, where an array of its elements in memory has no gaps; else 0: aggregates,
/// and elements such as i1 and i24, which instcombine and SROA make.
unsigned solid_bits(llvm::Type* type, const llvm::DataLayout& layout);

/// What is known of `from`'s memory holds for `to`, which accesses no more of it.
void copy_alias_metadata(llvm::Instruction& to, const llvm::Instruction& from);

/// Vector registers that hold the values of all lanes.
unsigned registers_of(const Widening& w, const Access& access);

/// For people: "load of float under a mask: addresses are varying".
std::string describe(const Widening& w, const Access& access);

}  // namespace weft::compiler::simt
