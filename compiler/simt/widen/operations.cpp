#include "compiler/simt/widen/operations.h"

#include <llvm/IR/Instructions.h>

#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Where the member that `indices` names begins among the components of `type`, and how many components it has.
std::pair<unsigned, unsigned> flattened(llvm::Type* type, llvm::ArrayRef<unsigned> indices,
                                        llvm::function_ref<unsigned(llvm::Type*)> count) {
  unsigned first = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i < index; ++i) first += count(llvm::ExtractValueInst::getIndexedType(type, i));
    type = llvm::ExtractValueInst::getIndexedType(type, index);
  }
  return {first, count(type)};
}

Parts widen_gep(Widening& w, llvm::GetElementPtrInst& gep) {
  auto operand = [&](Value* value) { return w.is_uniform(value) ? w.values.uniform(value) : w.values.vector1(value); };
  Value* base = operand(gep.getPointerOperand());
  llvm::SmallVector<Value*, 4> indices;
  bool any_vector = base->getType()->isVectorTy();
  for (Value* index : gep.indices()) {
    indices.push_back(operand(index));
    any_vector |= indices.back()->getType()->isVectorTy();
  }
  Value* result = w.builder.CreateGEP(gep.getSourceElementType(), base, indices, gep.getName());
  return {any_vector ? result : w.builder.CreateVectorSplat(w.lanes, result)};
}

/// Reinterprets the bits of each lane's value, between scalars and OpenCL vectors with components of any size.
Parts widen_bitcast(Widening& w, llvm::Instruction& instruction) {
  if (!instruction.getType()->isVectorTy() && w.values.keeps_packed(*instruction.getOperand(0)))
    return {w.builder.CreateBitCast(w.values.packed(instruction.getOperand(0)), w.wide(instruction.getType()))};
  const Parts from = w.values.vector(instruction.getOperand(0));
  const auto types = w.components(instruction.getType());
  Parts parts;
  if (from.size() == types.size()) {
    for (unsigned i = 0; i < types.size(); ++i) parts.push_back(w.builder.CreateBitCast(from[i], w.wide(types[i])));
    return parts;
  }
  auto* from_scalar = from.front()->getType()->getScalarType();
  const unsigned from_bits = static_cast<unsigned>(w.layout.getTypeSizeInBits(from_scalar));
  const unsigned to_bits = static_cast<unsigned>(w.layout.getTypeSizeInBits(types.front()));
  auto* from_integer = w.wide(w.builder.getIntNTy(from_bits));
  auto* to_integer = w.wide(w.builder.getIntNTy(to_bits));
  if (from_bits < to_bits) {  // little-endian: the first component is the low one
    const unsigned ratio = to_bits / from_bits;
    for (unsigned i = 0; i < types.size(); ++i) {
      Value* bits = nullptr;
      for (unsigned j = 0; j < ratio; ++j) {
        Value* piece = w.builder.CreateZExt(w.builder.CreateBitCast(from[i * ratio + j], from_integer), to_integer);
        if (j) piece = w.builder.CreateShl(piece, std::uint64_t{j} * from_bits);
        bits = bits ? w.builder.CreateOr(bits, piece) : piece;
      }
      parts.push_back(w.builder.CreateBitCast(bits, w.wide(types[i])));
    }
    return parts;
  }
  const unsigned ratio = from_bits / to_bits;
  for (unsigned i = 0; i < types.size(); ++i) {
    Value* bits = w.builder.CreateBitCast(from[i / ratio], from_integer);
    if (i % ratio) bits = w.builder.CreateLShr(bits, std::uint64_t{i % ratio} * to_bits);
    parts.push_back(w.builder.CreateBitCast(w.builder.CreateTrunc(bits, to_integer), w.wide(types[i])));
  }
  return parts;
}

Parts widen_extract(Widening& w, llvm::Instruction& instruction) {
  const Parts from = w.values.vector(instruction.getOperand(0));
  auto count = [&](llvm::Type* type) { return static_cast<unsigned>(w.components(type).size()); };
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const auto [first, size] = flattened(extract->getAggregateOperand()->getType(), extract->getIndices(), count);
    return Parts(from.begin() + first, from.begin() + first + size);
  }
  Value* index = instruction.getOperand(1);
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
    return {constant->getZExtValue() < from.size() ? from[constant->getZExtValue()]
                                                   : llvm::PoisonValue::get(from.front()->getType())};
  Value* chosen = from.front();
  Value* which = w.is_uniform(index) ? w.values.uniform(index) : w.values.vector1(index);
  for (unsigned i = 1; i < from.size(); ++i)
    chosen = w.builder.CreateSelect(w.builder.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), i)), from[i], chosen);
  return {chosen};
}

Parts widen_insert(Widening& w, llvm::Instruction& instruction) {
  Parts into = w.values.vector(instruction.getOperand(0));
  const Parts value = w.values.vector(instruction.getOperand(1));
  auto count = [&](llvm::Type* type) { return static_cast<unsigned>(w.components(type).size()); };
  if (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    const auto [first, size] = flattened(insert->getAggregateOperand()->getType(), insert->getIndices(), count);
    std::copy(value.begin(), value.end(), into.begin() + first);
    return into;
  }
  Value* index = instruction.getOperand(2);
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    if (constant->getZExtValue() < into.size()) into[constant->getZExtValue()] = value.front();
    return into;
  }
  Value* which = w.is_uniform(index) ? w.values.uniform(index) : w.values.vector1(index);
  for (unsigned i = 0; i < into.size(); ++i)
    into[i] = w.builder.CreateSelect(w.builder.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), i)), value.front(),
                                     into[i]);
  return into;
}

Parts widen_shuffle(Widening& w, llvm::ShuffleVectorInst& shuffle) {
  const Parts a = w.values.vector(shuffle.getOperand(0)), b = w.values.vector(shuffle.getOperand(1));
  Parts parts;
  for (int source : shuffle.getShuffleMask()) {
    if (source < 0)
      parts.push_back(llvm::PoisonValue::get(a.front()->getType()));
    else
      parts.push_back(static_cast<unsigned>(source) < a.size() ? a[source] : b[source - a.size()]);
  }
  return parts;
}

}  // namespace

Parts widen_operation(Widening& w, llvm::Instruction& instruction) {
  using llvm::Instruction;
  switch (instruction.getOpcode()) {
    case Instruction::Call: return widen_call(w, llvm::cast<llvm::CallBase>(instruction));
    case Instruction::GetElementPtr: return widen_gep(w, llvm::cast<llvm::GetElementPtrInst>(instruction));
    case Instruction::BitCast: return widen_bitcast(w, instruction);
    case Instruction::ExtractElement:
    case Instruction::ExtractValue: return widen_extract(w, instruction);
    case Instruction::InsertElement:
    case Instruction::InsertValue: return widen_insert(w, instruction);
    case Instruction::ShuffleVector: return widen_shuffle(w, llvm::cast<llvm::ShuffleVectorInst>(instruction));
    default: return widen_arithmetic(w, instruction);
  }
}

}  // namespace weft::compiler::simt
