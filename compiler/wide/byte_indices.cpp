#include "compiler/wide/byte_indices.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <tuple>

#include "compiler/simt/ir/hidden_values.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kLanesOfWord = 4;
/// Fewer leave one by one.
constexpr unsigned kFewestOfWord = 3;
/// Instructions from a load to where its bytes are taken.
constexpr unsigned kNear = 400;

/// Elements that are a byte each: byte `byte` of the elements of `source`.
struct Bytes {
  Value* source;
  unsigned byte;
};

unsigned lanes_of(const Value& vector) { return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements(); }

std::optional<Bytes> bytes_of(Value& vector) {
  using namespace llvm::PatternMatch;
  Value* source = nullptr;
  const llvm::APInt* shift = nullptr;
  llvm::Type* element = vector.getType()->getScalarType();
  if (element->isIntegerTy(8)) return Bytes{&vector, 0};
  if (match(&vector, m_ZExt(m_Value(source))) && source->getType()->getScalarType()->isIntegerTy(8)) return Bytes{source, 0};
  if (!element->isIntegerTy(32)) return std::nullopt;
  if (match(&vector, m_LShr(m_Value(source), m_SpecificInt(24)))) return Bytes{source, 3};
  if (!match(&vector, m_And(m_Value(source), m_SpecificInt(255)))) return std::nullopt;
  Value* shifted = nullptr;
  if (match(source, m_Shr(m_Value(shifted), m_APInt(shift))) && shift->ult(32) && shift->urem(8) == 0)
    return Bytes{shifted, static_cast<unsigned>(shift->getZExtValue() / 8)};
  return Bytes{source, 0};
}

/// Whether memory is at `place` as at `load`, which comes before it.
bool is_unwritten(const llvm::LoadInst& load, const Instruction& place) {
  const Instruction* at = &place;
  for (unsigned i = 0; i < kNear; ++i) {
    if (const Instruction* before = at->getPrevNode()) {
      at = before;
    } else {
      const llvm::BasicBlock* block = at->getParent()->getSinglePredecessor();
      if (!block) return false;
      at = block->getTerminator();
    }
    if (at == &load) return true;
    if (at->mayWriteToMemory()) return false;
  }
  return false;
}

unsigned lane_of(const llvm::ExtractElementInst& extract) {
  return static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(extract.getIndexOperand())->getZExtValue());
}

/// Whether `extract` takes a known lane, for an address or what one is made of.
bool is_index(const llvm::ExtractElementInst& extract) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(extract.getVectorOperandType());
  const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand());
  if (!type || !lane || !type->getElementType()->isIntegerTy() || lane->getValue().uge(type->getNumElements())) return false;
  return !extract.use_empty() && llvm::all_of(extract.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::GetElementPtrInst>(user);
  });
}

/// `word`, of which LLVM shall not ask what bits it has: of halves that are equal in all lanes, LLVM 19 takes the upper one for zero and drops the mask
/// of the lower.
Value* hidden(llvm::IRBuilderBase& builder, Value* word) { return simt::hidden(builder, *word); }

/// The bytes of four lanes from `first` on, at the builder's place.
Value* word_of(llvm::IRBuilderBase& builder, const Bytes& bytes, unsigned first) {
  const unsigned size = bytes.source->getType()->getScalarSizeInBits() / 8;
  auto* words = llvm::FixedVectorType::get(builder.getInt32Ty(), kLanesOfWord);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(bytes.source); size == 1 && load && load->isSimple() && is_unwritten(*load, *builder.GetInsertPoint())) {
    Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load->getPointerOperand(), first);
    auto* word = builder.CreateAlignedLoad(builder.getInt32Ty(), address, llvm::commonAlignment(load->getAlign(), first));
    word->copyMetadata(*load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load});
    return word;
  }
  if (size == 1) {
    auto* all = llvm::FixedVectorType::get(builder.getInt32Ty(), lanes_of(*bytes.source) / kLanesOfWord);
    return hidden(builder, builder.CreateExtractElement(builder.CreateBitCast(builder.CreateFreeze(bytes.source), all), first / kLanesOfWord));
  }
  llvm::SmallVector<int, 16> lanes, picked(kLanesOfWord * size, -1);
  for (unsigned i = 0; i < kLanesOfWord; ++i) {
    lanes.push_back(static_cast<int>(first + i));
    picked[i] = static_cast<int>(i * size + bytes.byte);
  }
  // Of lanes that a group does not have, poison would be that of the whole word.
  Value* part = builder.CreateFreeze(builder.CreateShuffleVector(bytes.source, lanes));
  part = builder.CreateBitCast(part, llvm::FixedVectorType::get(builder.getInt8Ty(), kLanesOfWord * size));
  return hidden(builder, builder.CreateExtractElement(builder.CreateBitCast(builder.CreateShuffleVector(part, picked), words), std::uint64_t{0}));
}

/// Extracts by vector, block and group of so many lanes.
using Place = std::tuple<Value*, llvm::BasicBlock*, unsigned>;
using Groups = llvm::MapVector<Place, llvm::SmallVector<llvm::ExtractElementInst*, kLanesOfWord>>;

Groups groups_of(llvm::Function& function, unsigned lanes, llvm::function_ref<bool(llvm::ExtractElementInst&)> is_of_group) {
  Groups groups;
  for (Instruction& instruction : llvm::instructions(function)) {
    auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
    if (!extract || !is_index(*extract) || llvm::isa<llvm::Constant>(extract->getVectorOperand())) continue;
    if (is_of_group(*extract)) groups[{extract->getVectorOperand(), extract->getParent(), lane_of(*extract) / lanes}].push_back(extract);
  }
  return groups;
}

void take_bytes(llvm::Function& function) {
  const Groups groups = groups_of(function, kLanesOfWord, [](llvm::ExtractElementInst& extract) {
    const auto bytes = bytes_of(*extract.getVectorOperand());
    return bytes && lanes_of(*bytes->source) % kLanesOfWord == 0;
  });
  llvm::SmallVector<llvm::WeakTrackingVH, 64> left;
  for (const auto& [place, extracts] : groups) {
    if (extracts.size() < kFewestOfWord) continue;
    const auto [vector, block, group] = place;
    left.emplace_back(vector);
    llvm::IRBuilder<> builder(extracts.front());
    Value* word = word_of(builder, *bytes_of(*vector), group * kLanesOfWord);
    for (llvm::ExtractElementInst* extract : extracts) {
      builder.SetInsertPoint(extract);
      const unsigned byte = lane_of(*extract) % kLanesOfWord;
      Value* index = builder.CreateAnd(byte ? builder.CreateLShr(word, 8 * byte) : word, 255);
      extract->replaceAllUsesWith(builder.CreateZExtOrTrunc(index, extract->getType()));
      extract->eraseFromParent();
    }
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(left);
}

/// A pair is a word of 64 bits.
void take_pairs(llvm::Function& function) {
  const Groups groups = groups_of(function, 2, [](llvm::ExtractElementInst& extract) {
    return extract.getType()->isIntegerTy(32) && lanes_of(*extract.getVectorOperand()) % kLanesOfWord == 0 &&
           llvm::all_of(extract.users(), [](const llvm::User* user) {
             return llvm::isa<llvm::ZExtInst, llvm::SExtInst>(user) && user->getType()->isIntegerTy(64);
           });
  });
  for (const auto& [place, extracts] : groups) {
    if (extracts.size() != 2 || lane_of(*extracts[0]) == lane_of(*extracts[1])) continue;
    const auto [vector, block, pair] = place;
    llvm::IRBuilder<> builder(extracts.front());
    const int first = static_cast<int>(pair / 2 * kLanesOfWord);
    Value* part = builder.CreateFreeze(builder.CreateShuffleVector(vector, {first, first + 1, first + 2, first + 3}));
    part = builder.CreateBitCast(part, llvm::FixedVectorType::get(builder.getInt64Ty(), 2));
    Value* word = hidden(builder, builder.CreateExtractElement(part, std::uint64_t{pair % 2}));
    for (llvm::ExtractElementInst* extract : extracts) {
      const bool is_upper = lane_of(*extract) % 2 != 0;
      for (llvm::User* user : llvm::make_early_inc_range(extract->users())) {
        auto* wider = llvm::cast<llvm::CastInst>(user);
        builder.SetInsertPoint(wider);
        Value* index = nullptr;
        if (llvm::isa<llvm::SExtInst>(wider)) index = builder.CreateAShr(is_upper ? word : builder.CreateShl(word, 32), 32);
        else index = is_upper ? builder.CreateLShr(word, 32) : builder.CreateAnd(word, 0xffffffffU);
        wider->replaceAllUsesWith(index);
        wider->eraseFromParent();
      }
      extract->eraseFromParent();
    }
  }
}

}  // namespace

void take_byte_indices(llvm::Function& function, const VectorTraits& vectors) {
  if (vectors.register_bits != 256) return;
  take_bytes(function);
  take_pairs(function);
}

}  // namespace weft::compiler::wide
