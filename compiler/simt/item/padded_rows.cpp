#include "compiler/simt/item/padded_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/sub_groups.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Pieces of a row that some vector holds, the narrowest first.
constexpr std::uint32_t kPieces[] = {8, 16, 32};
/// What there has to be gained.
constexpr double kPaddedGain = 0.8;

bool is_id_along_x(const Instruction& instruction, llvm::StringRef prefix) {
  const llvm::StringRef name = called_name(instruction);
  return name.size() == prefix.size() + 1 && name.starts_with(prefix) && name.back() == 'x';
}

/// Whether lanes may speak to each other through local memory between two barriers: it is read behind a write, or written behind a read.
bool may_speak(const llvm::Function& item) {
  enum : unsigned { kReads = 1, kWrites = 2 };
  const auto touches = [](const Instruction& instruction) -> unsigned {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->getPointerAddressSpace() == kLocalSpace ? unsigned{kReads} : 0;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->getPointerAddressSpace() == kLocalSpace ? unsigned{kWrites} : 0;
    // Atomics, copies: of any memory, but for what names another.
    const bool is_local = llvm::any_of(instruction.operands(), [](const llvm::Use& operand) {
      return operand->getType()->isPointerTy() && (operand->getType()->getPointerAddressSpace() == kLocalSpace ||
                                                   operand->getType()->getPointerAddressSpace() == kGenericSpace);
    });
    return instruction.mayReadOrWriteMemory() && is_local ? kReads | kWrites : 0;
  };
  llvm::DenseMap<const BasicBlock*, unsigned> at_end;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock* block : llvm::ReversePostOrderTraversal(&item)) {
      unsigned seen = 0;
      for (const BasicBlock* before : llvm::predecessors(block)) seen |= at_end.lookup(before);
      for (const Instruction& instruction : *block) {
        if (is_barrier(instruction)) seen = 0;
        else seen |= touches(instruction);
        if (seen == (kReads | kWrites)) return true;
      }
      unsigned& end = at_end[block];
      changed |= end != seen;
      end = seen;
    }
  }
  return false;
}

bool is_generic(const Instruction& instruction) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && pointer->getType()->getPointerAddressSpace() == kGenericSpace;
}

/// Whether warps may be others, for all that the program can see.
bool may_pad(const llvm::Function& item) {
  bool has_id = false;
  for (const Instruction& instruction : llvm::instructions(item)) {
    has_id |= is_id_along_x(instruction, primitive::kLocalId) || is_id_along_x(instruction, primitive::kGlobalId);
    // Private memory takes room by the lane, which a worker may not have for more of them.
    if (llvm::isa<llvm::AllocaInst>(instruction) || is_generic(instruction) || sub_group_call(instruction)) return false;
    if (instruction.isVolatile() && !instruction.hasMetadata(primitive::kNonVolatileMetadata)) return false;
  }
  return has_id && !may_speak(item);
}

/// About how long a group takes whose rows have so many lanes, in vectors.
double estimate(llvm::Function& item, Specialization specialization, std::uint32_t lanes_of_row, const llvm::LoopInfo& loops) {
  constexpr std::int64_t kLine = 64;
  constexpr double kVectorsOfWarp = 2, kGather = 40;
  specialization.local_size[0] = lanes_of_row;
  const auto& size = specialization.local_size;
  const Shapes shapes(item, specialization, abi::kWarpSize, [](unsigned) { return 0u; });
  double warp = 0;
  for (const BasicBlock& block : item) {
    double vectors = 0;
    for (const Instruction& instruction : block.instructionsWithoutDebug()) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      const Shape shape = pointer ? shapes[*pointer] : shapes[instruction];
      const double pieces = shape.is_affine() ? static_cast<double>(abi::kWarpSize / shape.segment) : abi::kWarpSize;
      if (shape.is_uniform(abi::kWarpSize)) vectors += pointer ? 1 : 0;
      else if (pointer) vectors += shape.is_affine() && std::abs(shape.stride) <= kLine ? std::min(kGather, std::max(kVectorsOfWarp, 2 * pieces)) : kGather;
      else vectors += shape.is_affine() ? std::min(kVectorsOfWarp, pieces / 2) : kVectorsOfWarp;
    }
    warp += vectors * std::pow(8.0, std::min(loops.getLoopDepth(&block), 3u));
  }
  return warp * static_cast<double>(llvm::divideCeil(size[0] * size[1] * size[2], abi::kWarpSize));
}

/// Lanes of a row that are best; the local size along x if that is.
std::uint32_t best_row(llvm::Function& item, const Specialization& specialization) {
  const std::uint32_t items = specialization.local_size[0];
  const llvm::DominatorTree dominators(item);
  const llvm::LoopInfo loops(dominators);
  std::uint32_t best = items;
  double least = kPaddedGain * estimate(item, specialization, items, loops);
  for (const std::uint32_t piece : kPieces) {
    const auto row = static_cast<std::uint32_t>(llvm::alignTo(items, piece));
    if (row == items || row == best || row * specialization.local_size[1] * specialization.local_size[2] > abi::kMaxWorkGroupSize) continue;
    const double time = estimate(item, specialization, row, loops);
    if (time >= least) continue;
    best = row;
    least = time;
  }
  return best;
}

/// The first instruction of the entry block that lanes without a work-item must not run.
BasicBlock::iterator first_of_items(BasicBlock& entry, llvm::UniformityInfo& uniformity) {
  return llvm::find_if(entry, [&](Instruction& instruction) {
    if (instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction)) return true;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return !load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || uniformity.isDivergent(load->getPointerOperand());
    return instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction);
  });
}

class Padding {
 public:
  Padding(llvm::Function& item, const Specialization& specialization, std::uint32_t lanes)
      : item_(item), items_(specialization.local_size[0]), lanes_(lanes), fits_(specialization.ids_fit_31_bits), builder_(item.getContext()) {}

  void run(BasicBlock::iterator first) {
    BasicBlock* entry = &item_.getEntryBlock();
    BasicBlock* body = llvm::SplitBlock(entry, first);
    BasicBlock* idle = BasicBlock::Create(item_.getContext(), "idle", &item_, body);
    llvm::ReturnInst::Create(item_.getContext(), llvm::ConstantInt::getSigned(builder_.getInt32Ty(), -1), idle);
    builder_.SetInsertPoint(entry, entry->getFirstInsertionPt());
    local_id_ = local_id();
    builder_.SetInsertPoint(entry->getTerminator());
    Value* is_item = builder_.CreateICmpULT(local_id_, builder_.getInt32(items_), "is.item");
    builder_.CreateCondBr(is_item, body, idle);
    entry->getTerminator()->eraseFromParent();
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item_))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call) continue;
      if (is_id_along_x(*call, primitive::kLocalId)) {
        call->removeRetAttr(llvm::Attribute::Range);
        call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, lanes_)));
      } else if (is_id_along_x(*call, primitive::kGlobalId)) {
        builder_.SetInsertPoint(call);
        call->replaceAllUsesWith(global_id(*call->getType()));
        call->eraseFromParent();
      }
    }
  }

 private:
  llvm::CallInst* local_id() {
    auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), false);
    llvm::FunctionCallee callee = item_.getParent()->getOrInsertFunction((primitive::kLocalId + "x").str(), type);
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setCallingConv(llvm::CallingConv::C);
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return builder_.CreateCall(callee, {}, "local_id");
  }

  llvm::LoadInst* field(unsigned argument, std::size_t offset, const char* name) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), item_.getArg(argument), offset);
    llvm::LoadInst* load = builder_.CreateAlignedLoad(builder_.getInt64Ty(), address, llvm::Align(8), name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
    return load;
  }

  /// Of which the widener would take the padded size for that of the group.
  Value* global_id(llvm::Type& type) {
    Value* group = field(1, offsetof(abi::GroupInfo, group_id), "group_id");
    Value* offset = field(0, offsetof(abi::LaunchInfo, global_offset), "global_offset");
    Value* base = builder_.CreateAdd(builder_.CreateMul(group, builder_.getInt64(items_), "", fits_, fits_), offset, "group_base", fits_, fits_);
    return builder_.CreateZExtOrTrunc(builder_.CreateAdd(base, builder_.CreateZExt(local_id_, builder_.getInt64Ty()), "global_id", fits_, fits_), &type);
  }

  llvm::Function& item_;
  const std::uint32_t items_, lanes_;
  const bool fits_;
  llvm::IRBuilder<> builder_;
  Value* local_id_ = nullptr;
};

}  // namespace

std::uint32_t pad_rows(llvm::Function& item, const Specialization& specialization, Analyses& analyses) {
  const auto& size = specialization.local_size;
  // One row ends with idle lanes as it is, and groups smaller than a warp have narrow bodies.
  if (!size[0] || size[0] % abi::kWarpSize == 0 || size[1] * size[2] == 1 || size[0] * size[1] * size[2] < abi::kWarpSize) return 0;
  if (!may_pad(item)) return 0;
  const std::uint32_t row = best_row(item, specialization);
  if (row == size[0]) return 0;
  const BasicBlock::iterator first = first_of_items(item.getEntryBlock(), analyses.uniformity(item));
  Padding(item, specialization, row).run(first);
  analyses.invalidate(item);
  return row;
}

}  // namespace weft::compiler::simt
