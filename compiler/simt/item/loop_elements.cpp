#include "compiler/simt/item/loop_elements.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cstdint>
#include <map>
#include <optional>

namespace weft::compiler::simt {
namespace {

/// Elements of one array that a loop may keep: SHA-512's 16 words take 64 vectors of AVX-512 already.
constexpr std::size_t kMostElements = 32;

struct ArrayAccess {
  llvm::Instruction* instruction;
  std::optional<std::uint64_t> offset;  ///< bytes from the array's start; none: somewhere in it
};

/// All that accesses `array`; none if its address serves for anything else.
std::optional<llvm::SmallVector<ArrayAccess, 32>> accesses_of(llvm::AllocaInst& array) {
  const llvm::DataLayout& layout = array.getDataLayout();
  llvm::SmallVector<ArrayAccess, 32> accesses;
  llvm::SmallVector<std::pair<llvm::Instruction*, std::optional<std::uint64_t>>, 32> pointers = {{&array, 0}};
  while (!pointers.empty()) {
    const auto [pointer, offset] = pointers.pop_back_val();
    for (llvm::User* user : pointer->users()) {
      auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
        if (step->getType()->isVectorTy()) return std::nullopt;
        llvm::APInt bytes(layout.getIndexTypeSizeInBits(step->getType()), 0);
        const bool constant = offset && step->accumulateConstantOffset(layout, bytes);
        pointers.push_back({step, constant ? std::optional(*offset + static_cast<std::uint64_t>(bytes.getSExtValue())) : std::nullopt});
      } else if (llvm::isa<llvm::LoadInst>(instruction)) {
        accesses.push_back({instruction, offset});
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction); store && store->getValueOperand() != pointer) {
        accesses.push_back({instruction, offset});
      } else if (llvm::isa<llvm::MemIntrinsic>(instruction) || instruction->isLifetimeStartOrEnd()) {
        accesses.push_back({instruction, std::nullopt});
      } else {
        return std::nullopt;
      }
    }
  }
  return accesses;
}

/// Whether loads and stores of several sizes are among `accesses`, so that lanes' elements will not lie side by side (interleave.h).
bool in_several_sizes(llvm::ArrayRef<ArrayAccess> accesses, const llvm::DataLayout& layout) {
  std::optional<std::uint64_t> size;
  return llvm::any_of(accesses, [&](const ArrayAccess& access) {
    if (llvm::isa<llvm::IntrinsicInst>(access.instruction)) return false;
    const std::uint64_t bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(access.instruction));
    return size.value_or(bytes) != bytes || (size = bytes, false);
  });
}

/// Whether a load or store of an array of `size` bytes is of a number that can be in a register.
bool is_plain(const ArrayAccess& access, std::uint64_t size, const llvm::DataLayout& layout) {
  if (!access.offset || llvm::isa<llvm::IntrinsicInst>(access.instruction) || access.instruction->isAtomic() || access.instruction->isVolatile()) return false;
  llvm::Type* type = llvm::getLoadStoreType(access.instruction);
  const std::uint64_t bytes = layout.getTypeStoreSize(type);
  if (!type->isSingleValueType() || layout.getTypeSizeInBits(type) != 8 * bytes || layout.getTypeAllocSize(type) != bytes) return false;
  return bytes <= size && *access.offset <= size - bytes;
}

struct Element {
  llvm::Type* type;
  bool stored;
};

using Elements = std::map<std::uint64_t, Element>;  ///< by offset

/// The elements that `loop` names, or none if one of its accesses is of another kind.
Elements elements_in(const llvm::Loop& loop, llvm::AllocaInst& array, llvm::ArrayRef<ArrayAccess> accesses) {
  const llvm::DataLayout& layout = array.getDataLayout();
  const auto size = array.getAllocationSize(layout);
  if (!size) return {};
  Elements elements;
  bool any_stored = false;
  for (const ArrayAccess& access : accesses) {
    if (!loop.contains(access.instruction)) continue;
    if (!is_plain(access, size->getFixedValue(), layout)) return {};
    llvm::Type* type = llvm::getLoadStoreType(access.instruction);
    const auto [place, is_new] = elements.try_emplace(*access.offset, Element{type, false});
    if (place->second.type != type || elements.size() > kMostElements) return {};
    const bool stored = llvm::isa<llvm::StoreInst>(access.instruction);
    place->second.stored |= stored;
    any_stored |= stored;
  }
  if (!any_stored) return {};
  for (auto place = elements.begin(); place != elements.end() && std::next(place) != elements.end(); ++place)
    if (place->first + layout.getTypeStoreSize(place->second.type) > std::next(place)->first) return {};
  return elements;
}

/// The elements of an array that a block names by constants, while it runs.
class BlockElements {
 public:
  BlockElements(llvm::AllocaInst& array, llvm::ArrayRef<ArrayAccess> accesses)
      : array_(array), layout_(array.getDataLayout()), size_(array.getAllocationSize(layout_).value_or(llvm::TypeSize::getFixed(0)).getFixedValue()) {
    for (const ArrayAccess& access : accesses) accesses_[access.instruction] = access;
  }

  /// Whether loads get what is in registers, and stores are of none but what the block leaves behind, for half of all accesses or more.
  bool gains(llvm::BasicBlock& block) {
    const unsigned all = go_through(block, nullptr), saved = saved_;
    return all > kLeastAccesses && 2 * saved >= all;
  }
  void keep(llvm::BasicBlock& block) {
    llvm::IRBuilder<> builder(&block);
    go_through(block, &builder);
  }

 private:
  static constexpr unsigned kLeastAccesses = 16;

  struct Held {
    llvm::Value* value;
    llvm::Type* type;
    bool is_stored;  ///< memory has it, too
  };

  /// The accesses of the block; changes it if there is a builder.
  unsigned go_through(llvm::BasicBlock& block, llvm::IRBuilder<>* builder) {
    unsigned all = 0;
    saved_ = 0;
    held_.clear();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      const auto access = accesses_.find(&instruction);
      if (access == accesses_.end()) continue;
      ++all;
      if (!is_plain(access->second, size_, layout_)) {
        store_all(instruction, builder);
        if (!llvm::isa<llvm::LoadInst>(instruction)) held_.clear();
        continue;
      }
      const std::uint64_t offset = *access->second.offset;
      llvm::Type* type = llvm::getLoadStoreType(&instruction);
      auto held = held_.find(offset);
      const bool is_same = held != held_.end() && held->second.type == type;
      if (!is_same && (overlaps(offset, layout_.getTypeStoreSize(type)) || held_.size() >= kMostElements)) {
        store_all(instruction, builder);
        held_.clear();
      }
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (is_same && !held->second.is_stored) ++saved_;
        held_[offset] = {store->getValueOperand(), type, false};
        if (builder) store->eraseFromParent();
      } else if (is_same) {
        ++saved_;
        if (builder) {
          instruction.replaceAllUsesWith(held->second.value);
          instruction.eraseFromParent();
        }
      } else {
        held_[offset] = {&instruction, type, true};
      }
    }
    store_all(*block.getTerminator(), builder);
    return all;
  }

  bool overlaps(std::uint64_t offset, std::uint64_t bytes) const {
    return llvm::any_of(held_, [&](const auto& held) {
      return held.first < offset + bytes && offset < held.first + layout_.getTypeStoreSize(held.second.type);
    });
  }

  /// Stores in front of `instruction` what memory does not have.
  void store_all(llvm::Instruction& instruction, llvm::IRBuilder<>* builder) {
    for (auto& [offset, held] : held_) {
      if (!held.is_stored && builder) {
        builder->SetInsertPoint(&instruction);
        llvm::Value* place = builder->CreateConstInBoundsGEP1_64(builder->getInt8Ty(), &array_, offset);
        builder->CreateAlignedStore(held.value, place, llvm::commonAlignment(array_.getAlign(), offset));
      }
      held.is_stored = true;
    }
  }

  llvm::AllocaInst& array_;
  const llvm::DataLayout& layout_;
  std::uint64_t size_;
  llvm::DenseMap<llvm::Instruction*, ArrayAccess> accesses_;
  std::map<std::uint64_t, Held> held_;
  unsigned saved_ = 0;
};

/// Makes variables of their own, which become registers, of `elements` while `loop` runs.
void keep(llvm::Loop& loop, llvm::AllocaInst& array, const Elements& elements, llvm::ArrayRef<ArrayAccess> accesses,
          llvm::SmallVectorImpl<llvm::AllocaInst*>& kept) {
  llvm::IRBuilder<> builder(&array);
  std::map<std::uint64_t, llvm::AllocaInst*> variables;
  for (const auto& [offset, element] : elements) {
    auto* variable = builder.CreateAlloca(element.type, array.getAddressSpace(), nullptr, array.getName() + ".element");
    variables[offset] = variable;
    kept.push_back(variable);
  }
  const auto place = [&](std::uint64_t offset) { return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &array, offset); };
  builder.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
  for (const auto& [offset, element] : elements)
    builder.CreateStore(builder.CreateAlignedLoad(element.type, place(offset), llvm::commonAlignment(array.getAlign(), offset)), variables[offset]);
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (llvm::BasicBlock* exit : exits) {
    builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
    for (const auto& [offset, element] : elements)
      if (element.stored) builder.CreateAlignedStore(builder.CreateLoad(element.type, variables[offset]), place(offset), llvm::commonAlignment(array.getAlign(), offset));
  }
  for (const ArrayAccess& access : accesses) {
    if (!loop.contains(access.instruction)) continue;
    llvm::AllocaInst* variable = variables.at(*access.offset);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access.instruction))
      load->setOperand(llvm::LoadInst::getPointerOperandIndex(), variable);
    else
      access.instruction->setOperand(llvm::StoreInst::getPointerOperandIndex(), variable);
  }
}

}  // namespace

llvm::PreservedAnalyses LoopElementsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  llvm::SmallVector<llvm::AllocaInst*, 8> arrays;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction); array && array->isStaticAlloca()) arrays.push_back(array);
  llvm::SmallVector<llvm::AllocaInst*, 32> kept;
  bool changed = false;
  for (llvm::AllocaInst* array : arrays) {
    auto accesses = accesses_of(*array);
    if (!accesses || !in_several_sizes(*accesses, function.getDataLayout())) continue;
    llvm::SmallVector<llvm::Loop*, 8> pending(loops.begin(), loops.end());
    while (!pending.empty()) {
      llvm::Loop* loop = pending.pop_back_val();
      const Elements elements = elements_in(*loop, *array, *accesses);
      if (elements.empty() || !loop->getLoopPreheader() || !loop->hasDedicatedExits())
        pending.append(loop->begin(), loop->end());
      else
        keep(*loop, *array, elements, *accesses, kept);
    }
    accesses = accesses_of(*array);
    BlockElements elements(*array, *accesses);
    for (llvm::BasicBlock& block : function)
      if (elements.gains(block)) {
        elements.keep(block);
        changed = true;
      }
  }
  if (!kept.empty()) llvm::PromoteMemToReg(kept, dominators);
  return changed || !kept.empty() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace weft::compiler::simt
