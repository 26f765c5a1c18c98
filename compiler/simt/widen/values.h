// The forms that a value of one lane's code has in wide code.
//
//   uniform    a scalar
//   affine     a scalar for each segment of lanes, its base (shape.h)
//   varying    a vector of W lanes, or one for each component
//   packed     an OpenCL vector lane after lane, each with all its components, as memory holds it (packed.h)
//
// Each value is defined in one form. Others are made of it where an instruction asks for them.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>
#include <utility>

#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

class Widening;
struct Shape;

class WideValues {
 public:
  using Bases = llvm::SmallVector<llvm::Value*, 2>;

  explicit WideValues(Widening& widening) : w_(widening) {}

  // What widening defines.
  void set_bases(const llvm::Value& value, Bases bases) { bases_[&value] = std::move(bases); }
  void set_vector(const llvm::Value& value, Parts parts) { vectors_[&value] = std::move(parts); }
  void set_packed(const llvm::Value& value, llvm::Value* packed) { packed_[&value] = packed; }

  /// Whether `value` is defined in packed form (packed_values.h).
  bool keeps_packed(const llvm::Value& value) const;
  bool has_vector(const llvm::Value& value) const { return vectors_.contains(&value); }
  /// The bases of an affine value, W / S of them.
  llvm::ArrayRef<llvm::Value*> bases(const llvm::Value& value) { return bases_[&value]; }

  /// The value of an affine `value` in lane `lane`, as a scalar or OpenCL vector. Where its shape is checked, that of the
  /// progression, which the lane itself may have left.
  llvm::Value* scalar_at(llvm::Value* value, unsigned lane);
  /// As scalar_at, but what the lane itself has also where its shape is checked.
  llvm::Value* exact_at(llvm::Value* value, unsigned lane);
  /// The value of any `value` in lane `lane`; keeps address arithmetic scalar.
  llvm::Value* value_in_lane(llvm::Value* value, unsigned lane) { return value_in_lane(value, lane, 0); }
  llvm::Value* uniform(llvm::Value* value) { return scalar_at(value, 0); }
  /// The value of the first live lane (`scan` is cttz), or of the last one (ctlz).
  llvm::Value* in_live_lane(llvm::Value* value, llvm::Intrinsic::ID scan);
  Parts vector(llvm::Value* value);
  /// Of a value of one component.
  llvm::Value* vector1(llvm::Value* value) { return vector(value).front(); }
  llvm::Value* packed(llvm::Value* value);
  /// As memory holds all lanes' values: packed if it is an OpenCL vector, else the vector.
  llvm::Value* as_in_memory(llvm::Value* value);

  /// `instruction`, which is affine, for lane `lane` alone. `exact`: from operands by exact_at, not by scalar_at.
  llvm::Value* clone_at(llvm::Instruction& instruction, unsigned lane, bool exact);

 private:
  llvm::Value* value_in_lane(llvm::Value* value, unsigned lane, unsigned depth);
  llvm::Value* clone_variable(const llvm::AllocaInst& variable);
  Parts from_constant(llvm::Constant& constant);
  Parts from_segments(llvm::ArrayRef<llvm::Value*> bases, const Shape& shape, llvm::Type* type);
  llvm::Value* spread(llvm::ArrayRef<llvm::Value*> bases, llvm::Type* type);
  llvm::Value* repeat(llvm::ArrayRef<llvm::Value*> bases, unsigned count);
  /// The vector and its component that all of `value` are, if it is a shuffle of that.
  static std::optional<std::pair<llvm::Value*, unsigned>> repeated_component(const llvm::Value& value);
  bool reads_numbers(const llvm::LoadInst& load) const;
  llvm::Value* load_numbers(const llvm::LoadInst& load, llvm::Value* address);
  Parts unpack(const llvm::Value& instruction, llvm::Value* value);

  Widening& w_;
  llvm::DenseMap<const llvm::Value*, Parts> vectors_;
  llvm::DenseMap<const llvm::Value*, Bases> bases_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> packed_;
};

}  // namespace weft::compiler::simt
