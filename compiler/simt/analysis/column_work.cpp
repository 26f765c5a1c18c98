#include "compiler/simt/analysis/column_work.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Operations for a column of a coordinate that a sampler takes, and of a channel that is written.
constexpr unsigned kOfCoordinate = 8, kOfChannel = 4;
/// Operations that are worth taller groups.
constexpr unsigned kManyOperations = 6;
/// Reads of more texels take so long that a column's part is small.
constexpr unsigned kMostReads = 2;

/// What a value follows from, besides what is the same for all work-items.
enum Origin : unsigned { kNothing = 0, kAlongX = 1, kElse = 2 };

/// Origins of values, of vectors by element.
class Origins {
 public:
  unsigned of(const Value& value, unsigned element) {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction) return kNothing;
    const std::pair key(instruction, element);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    known_[key] = kElse;
    const unsigned found = of_instruction(*instruction, element);
    return known_[key] = found;
  }

 private:
  static unsigned elements(const Value& value) {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
    return type ? type->getNumElements() : 1;
  }

  unsigned of_all(const Value& value) {
    unsigned all = kNothing;
    for (unsigned i = 0; i < elements(value); ++i) all |= of(value, i);
    return all;
  }

  unsigned of_instruction(const Instruction& instruction, unsigned element) {
    if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
      const auto* at = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (!at) return kElse;
      return at->getZExtValue() == element ? of(*insert->getOperand(1), 0) : of(*insert->getOperand(0), element);
    }
    if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
      const auto* at = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
      return at ? of(*extract->getVectorOperand(), static_cast<unsigned>(at->getZExtValue())) : kElse;
    }
    if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
      const int from = shuffle->getMaskValue(element);
      const unsigned count = elements(*shuffle->getOperand(0));
      if (from < 0) return kNothing;
      const auto place = static_cast<unsigned>(from);
      return place < count ? of(*shuffle->getOperand(0), place) : of(*shuffle->getOperand(1), place - count);
    }
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->getPointerAddressSpace() == kConstantSpace && of_all(*load->getPointerOperand()) == kNothing ? kNothing : kElse;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return of_call(*call, element);
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction)) return kElse;
    const bool by_element = elements(instruction) > 1 && llvm::all_of(instruction.operand_values(), [&](const Value* operand) {
                              return elements(*operand) == elements(instruction) || elements(*operand) == 1;
                            });
    unsigned all = kNothing;
    for (const Value* operand : instruction.operand_values())
      all |= by_element && elements(*operand) > 1 ? of(*operand, element) : of_all(*operand);
    return all;
  }

  unsigned of_call(const llvm::CallBase& call, unsigned element) {
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee) return kElse;
    const llvm::StringRef name = callee->getName();
    if (name.starts_with(primitive::kGlobalId)) return name.ends_with("x") ? kAlongX : kElse;
    if (call.arg_empty()) return kElse;
    const bool is_plain = callee->isIntrinsic() ? llvm::isTriviallyVectorizable(callee->getIntrinsicID()) : callee->doesNotAccessMemory();
    if (!is_plain) return kElse;
    unsigned all = kNothing;
    for (const Value* operand : call.args())
      all |= callee->isIntrinsic() && elements(*operand) == elements(call) && elements(call) > 1 ? of(*operand, element) : of_all(*operand);
    return all;
  }

  llvm::DenseMap<std::pair<const Instruction*, unsigned>, unsigned> known_;
};

/// Whether it only brings elements to other places.
bool is_moved(const Instruction& instruction) {
  return llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(instruction);
}

}  // namespace

bool columns_serve(const llvm::Function& kernel) {
  Origins origins;
  unsigned operations = 0, reads = 0;
  for (const Instruction& instruction : llvm::instructions(kernel)) {
    if (llvm::isa<llvm::PHINode>(instruction)) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    const llvm::StringRef name = callee ? callee->getName() : "";
    if (name.starts_with("__weft_image_sample")) {
      const Value& at = *call->getArgOperand(call->arg_size() - 1);
      if (++reads > kMostReads) return false;
      if (origins.of(at, 0) == kAlongX && !(origins.of(at, 1) & kAlongX)) operations += kOfCoordinate;
    } else if (name.starts_with("__weft_image_read") && ++reads > kMostReads) {
      return false;
    } else if (name.starts_with("__weft_image_encode")) {
      for (unsigned channel = 0; channel < 4; ++channel)
        if (origins.of(*call->getArgOperand(0), channel) == kAlongX) operations += kOfChannel;
    } else if (instruction.getType()->isFPOrFPVectorTy() && !is_moved(instruction)) {
      const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
      for (unsigned i = 0; i < (type ? type->getNumElements() : 1); ++i) operations += origins.of(instruction, i) == kAlongX;
    }
  }
  return operations >= kManyOperations;
}

}  // namespace weft::compiler::simt
