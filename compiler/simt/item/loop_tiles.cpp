#include "compiler/simt/item/loop_tiles.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueMap.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/analysis/item_steps.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitive_calls.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/group_bounds.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Iterations of a piece, at most: what is brought together is in the nearest cache beside what the rows read for themselves.
constexpr unsigned kMostTileIterations = 128;
constexpr std::uint64_t kMostTileBytes = 16 << 10;
/// A loop of fewer iterations is over before that pays.
constexpr unsigned kFewestIterations = 32;
/// Steps from iteration to iteration of fewer bytes are no pitch: hardware follows them, and lines are used whole.
constexpr std::int64_t kPitch = 1024;
constexpr std::uint64_t kTileAlign = 64;
/// Instructions of a kernel that is there twice, for groups that a bound of the range parts.
constexpr unsigned kMostCopied = 1000;
/// With more vector registers, rows share enough of what they read without.
constexpr unsigned kMostRegisters = 16;

/// The step of a loop's counter or moving pointer: what each iteration adds.
struct Induction {
  Value* step = nullptr;  ///< an integer of the counter's type, or a pointer's index
  llvm::GetElementPtrInst* address = nullptr;  ///< of a pointer: how it moves

  explicit operator bool() const { return step != nullptr; }
};

Induction induction_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  Value* next = phi.getIncomingValueForBlock(loop.getLoopLatch());
  if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(next); sum && sum->getOpcode() == Instruction::Add) {
    for (unsigned i = 0; i < 2; ++i)
      if (sum->getOperand(i) == &phi && loop.isLoopInvariant(sum->getOperand(1 - i))) return {sum->getOperand(1 - i)};
  } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(next)) {
    if (address->getPointerOperand() == &phi && address->getNumIndices() == 1 && address->getOperand(1)->getType()->isIntegerTy(64) &&
        loop.isLoopInvariant(address->getOperand(1)))
      return {address->getOperand(1), address};
  }
  return {};
}

/// What `value` is computed from within `loop`, in the order of computation, if that is arithmetic on what does not change and on its
/// inductions alone.
bool computed_from_inductions(Value& value, const llvm::Loop& loop, llvm::SmallVectorImpl<Instruction*>& order) {
  auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !loop.contains(instruction) || llvm::is_contained(order, instruction)) return true;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return static_cast<bool>(induction_of(*phi, loop));
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst>(instruction)) return false;
  for (Value* operand : instruction->operands())
    if (!computed_from_inductions(*operand, loop, order)) return false;
  order.push_back(instruction);
  return true;
}

bool is_volatile(const llvm::LoadInst& load) { return load.isVolatile() && !load.hasMetadata(primitive::kNonVolatileMetadata); }

/// Nothing in the kernel makes its work-items wait for each other or see what others do.
bool is_plain(const llvm::Function& kernel) {
  return !has_group_state(kernel) && llvm::none_of(llvm::instructions(kernel), [](const Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return instruction.isAtomic() || (load && is_volatile(*load));
  });
}

struct TiledLoop {
  llvm::Loop* loop;
  llvm::SmallVector<llvm::LoadInst*, 2> loads;
  GroupBounds bounds;  ///< of the range, that part the work-items in front of it
};

class LoopFinder {
 public:
  LoopFinder(llvm::Function& kernel, Analyses& analyses)
      : kernel_(kernel), analyses_(analyses), layout_(kernel.getDataLayout()),
        loops_(analyses.functions().getResult<llvm::LoopAnalysis>(kernel)),
        evolution_(analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(kernel)),
        along_x_(kernel, 0, StepScope::kWithinGroup), along_y_(kernel, 1, StepScope::kWithinGroup) {}

  std::vector<TiledLoop> find() {
    std::vector<TiledLoop> found;
    if (!is_plain(kernel_)) return found;
    for (llvm::Loop* loop : loops_)
      if (has_right_form(*loop))
        if (auto bounds = group_bounds(kernel_, *loop->getHeader(), analyses_); bounds && (!bounds->first || kernel_.getInstructionCount() <= kMostCopied))
          if (TiledLoop tiled{loop, loads_of(*loop), std::move(*bounds)}; !tiled.loads.empty()) found.push_back(std::move(tiled));
    return found;
  }

 private:
  /// One block, which writes nothing.
  bool has_right_form(const llvm::Loop& loop) {
    const llvm::BasicBlock* body = loop.getHeader();
    if (loop.getNumBlocks() != 1 || !loop.getLoopPredecessor() || !loop.getExitBlock() || loop.getExitingBlock() != body) return false;
    const unsigned most = evolution_.getSmallConstantMaxTripCount(&loop);
    if (most && most < kFewestIterations) return false;
    if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop))) return false;
    return llvm::none_of(*body, [](const Instruction& instruction) {
      if (llvm::isa<llvm::LoadInst, llvm::DbgInfoIntrinsic>(instruction)) return false;
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return !call->doesNotAccessMemory() || call->isConvergent();
      return instruction.mayReadOrWriteMemory();
    });
  }

  llvm::SmallVector<llvm::LoadInst*, 2> loads_of(llvm::Loop& loop) {
    llvm::SmallVector<llvm::LoadInst*, 2> loads;
    for (Instruction& instruction : *loop.getHeader()) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      // Where a work-item has vectors, it has several sums, and uses what it reads for all of them.
      if (!load || load->getPointerAddressSpace() == kPrivateSpace || load->getType()->isVectorTy()) continue;
      const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(load->getType()).getFixedValue());
      if (layout_.getTypeStoreSize(load->getType()) != layout_.getTypeAllocSize(load->getType()) || !std::has_single_bit(std::uint64_t(bytes)))
        continue;
      const Step beside = along_x_.of(load->getPointerOperand());
      if (beside.kind != Step::kBy || beside.local != bytes || along_y_.of(load->getPointerOperand()).kind != Step::kSame) continue;
      llvm::SmallVector<Instruction*, 16> order;
      if (steps_far(*load->getPointerOperand(), loop) && computed_from_inductions(*load->getPointerOperand(), loop, order)) loads.push_back(load);
    }
    return loads;
  }

  bool steps_far(Value& pointer, const llvm::Loop& loop) {
    bool is_far = false;
    llvm::SCEVExprContains(evolution_.getSCEV(&pointer), [&](const llvm::SCEV* part) {
      const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
      if (!progression || progression->getLoop() != &loop) return false;
      const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution_));
      // A progression of indices is at least as far apart in bytes.
      is_far |= !step || std::abs(step->getAPInt().getSExtValue()) >= kPitch;
      return false;
    });
    return is_far;
  }

  llvm::Function& kernel_;
  Analyses& analyses_;
  const llvm::DataLayout& layout_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const ItemSteps along_x_, along_y_;
};

class TileMaker {
 public:
  TileMaker(llvm::Function& kernel, const Specialization& specialization, Analyses& analyses)
      : kernel_(kernel), module_(*kernel.getParent()), specialization_(specialization), columns_(specialization.local_size[0] * specialization.groups),
        rows_(specialization.local_size[1]), fused_(specialization.groups > 1),
        takes_bounds_(!fused_ && !specialization.is_part && specialization.ids_fit_31_bits),
        evolution_(analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(kernel)) {}

  /// Makes loops ones of pieces, where there is room for what they read. Whether any was.
  bool make(llvm::ArrayRef<TiledLoop> loops) {
    const GroupBounds* bounds = nullptr;
    for (const TiledLoop& tiled : loops) {
      if (tiled.bounds.first && (!takes_bounds_ || (bounds && bounds->branches != tiled.bounds.branches))) continue;
      if (plan(tiled) && tiled.bounds.first) bounds = &tiled.bounds;
    }
    // While the analyses are of the kernel as it is; then it changes.
    if (bounds) split_by_bounds(kernel_, *bounds, specialization_.local_size);
    for (const Plan& plan : plans_) cut(plan);
    return !plans_.empty();
  }

 private:
  struct Plan {
    const TiledLoop* tiled;
    Value* last;          ///< the loop's iterations but one
    unsigned iterations;  ///< of a piece
  };

  bool plan(const TiledLoop& tiled) {
    const llvm::DataLayout& layout = kernel_.getDataLayout();
    std::uint64_t bytes = 0;
    for (const llvm::LoadInst* load : tiled.loads) bytes += columns_ * layout.getTypeAllocSize(load->getType());
    const auto most = static_cast<unsigned>(std::min<std::uint64_t>(kMostTileIterations, kMostTileBytes / bytes));
    const unsigned iterations = most / rows_ * rows_;
    if (!iterations || bytes_ + iterations * bytes > abi::kLocalMemoryBytes) return false;
    const llvm::SCEV* count = evolution_.getBackedgeTakenCount(tiled.loop);
    llvm::SCEVExpander expander(evolution_, layout, "piece");
    Instruction* entry = tiled.loop->getLoopPreheader()->getTerminator();
    if (!expander.isSafeToExpandAt(count, entry)) return false;
    bytes_ += iterations * bytes;
    plans_.push_back({&tiled, expander.expandCodeFor(count, count->getType(), entry), iterations});
    return true;
  }

  llvm::Type* int32() const { return llvm::Type::getInt32Ty(kernel_.getContext()); }
  llvm::Type* int64() const { return llvm::Type::getInt64Ty(kernel_.getContext()); }

  Value* call(llvm::IRBuilder<>& builder, llvm::StringRef name) { return call_primitive(builder, name, *int32()); }

  void call_barrier(llvm::IRBuilder<>& builder) {
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {int32()}, false);
    auto* callee = llvm::cast<llvm::Function>(module_.getOrInsertFunction(primitive::kBarrier, type).getCallee());
    callee->addFnAttr(llvm::Attribute::Convergent);
    callee->addFnAttr(llvm::Attribute::NoDuplicate);
    constexpr unsigned kLocalFence = 1;  // CLK_LOCAL_MEM_FENCE
    llvm::CallInst* barrier = builder.CreateCall(callee, {builder.getInt32(kLocalFence)});
    barrier->setCallingConv(callee->getCallingConv());
    barrier->addFnAttr(llvm::Attribute::Convergent);
  }

  void cut(const Plan& plan) {
    const TiledLoop& tiled = *plan.tiled;
    const unsigned iterations = plan.iterations;
    llvm::LLVMContext& context = kernel_.getContext();
    llvm::BasicBlock* const before = tiled.loop->getLoopPreheader();
    llvm::BasicBlock* const body = tiled.loop->getHeader();
    llvm::BasicBlock* const exit = tiled.loop->getExitBlock();
    const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, &kernel_, body); };
    llvm::BasicBlock *head = block("piece"), *copy = block("piece.copy"), *run = block("piece.run");
    llvm::BasicBlock *done = block("piece.done"), *again = block("piece.again");

    llvm::IRBuilder<> builder(before->getTerminator());
    Value* row = call(builder, (primitive::kLocalId + "y").str());
    Value* column = call(builder, fused_ ? primitive::kBlockId.str() : (primitive::kLocalId + "x").str());
    Value* count = builder.CreateAdd(builder.CreateZExtOrTrunc(plan.last, int64()), builder.getInt64(1));
    before->getTerminator()->replaceSuccessorWith(body, head);

    // A piece begins with the values that the one before left.
    builder.SetInsertPoint(head);
    llvm::PHINode* first = builder.CreatePHI(int64(), 2);
    llvm::DenseMap<const llvm::PHINode*, llvm::PHINode*> begin;
    for (llvm::PHINode& phi : body->phis()) {
      llvm::PHINode* outer = builder.CreatePHI(phi.getType(), 2, phi.getName());
      outer->addIncoming(phi.getIncomingValueForBlock(before), before);
      outer->addIncoming(phi.getIncomingValueForBlock(body), again);
      phi.setIncomingValueForBlock(before, outer);
      phi.replaceIncomingBlockWith(before, run);
      begin[&phi] = outer;
    }
    Value* left = builder.CreateSub(count, first);
    Value* length = builder.CreateTrunc(builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, builder.getInt64(iterations)), int32());
    // Each row of the group brings every rows_-th iteration; beyond the last it brings the last again, so that no lane is left out.
    Value* rounds = builder.CreateUDiv(builder.CreateAdd(length, builder.getInt32(rows_ - 1)), builder.getInt32(rows_));
    Value* end = builder.CreateSub(length, builder.getInt32(1));
    builder.CreateBr(copy);

    builder.SetInsertPoint(copy);
    llvm::PHINode* round = builder.CreatePHI(int32(), 2);
    Value* place = builder.CreateAdd(builder.CreateMul(round, builder.getInt32(rows_)), row);
    Value* iteration = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, place, end);
    llvm::SmallVector<llvm::GlobalVariable*, 2> tiles;
    for (llvm::LoadInst* load : tiled.loads) {
      tiles.push_back(make_tile(*load, iterations));
      bring(builder, *load, *tiled.loop, begin, iteration, element(builder, *tiles.back(), place, column));
    }
    Value* next_round = builder.CreateAdd(round, builder.getInt32(1));
    round->addIncoming(builder.getInt32(0), head);
    round->addIncoming(next_round, copy);
    builder.CreateCondBr(builder.CreateICmpULT(next_round, rounds), copy, run);

    builder.SetInsertPoint(run);
    call_barrier(builder);
    builder.CreateBr(body);

    llvm::PHINode* counter = llvm::PHINode::Create(int32(), 2, "", body->begin());
    Instruction* branch = body->getTerminator();
    for (const auto& [load, tile] : llvm::zip(tiled.loads, tiles)) {
      builder.SetInsertPoint(load);
      Value* in_tile = element(builder, *tile, counter, column);
      llvm::LoadInst* brought = builder.CreateAlignedLoad(load->getType(), in_tile, kernel_.getDataLayout().getABITypeAlign(load->getType()));
      load->replaceAllUsesWith(brought);
      load->eraseFromParent();
    }
    builder.SetInsertPoint(branch);
    Value* next = builder.CreateAdd(counter, builder.getInt32(1));
    counter->addIncoming(builder.getInt32(0), run);
    counter->addIncoming(next, body);
    builder.CreateCondBr(builder.CreateICmpULT(next, length), body, done);
    branch->eraseFromParent();

    builder.SetInsertPoint(done);
    Value* next_first = builder.CreateAdd(first, builder.CreateZExt(length, int64()));
    first->addIncoming(builder.getInt64(0), before);
    first->addIncoming(next_first, again);
    builder.CreateCondBr(builder.CreateICmpULT(next_first, count), again, exit);
    exit->replacePhiUsesWith(body, done);
    // Nobody overwrites what another still reads.
    builder.SetInsertPoint(again);
    call_barrier(builder);
    builder.CreateBr(head);
  }

  llvm::GlobalVariable* make_tile(const llvm::LoadInst& load, unsigned iterations) {
    auto* type = llvm::ArrayType::get(load.getType(), std::uint64_t{columns_} * iterations);
    auto* tile = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type),
                                          kernel_.getName() + ".tile", nullptr, llvm::GlobalValue::NotThreadLocal, kLocalSpace);
    tile->setAlignment(llvm::Align(kTileAlign));
    return tile;
  }

  Value* element(llvm::IRBuilder<>& builder, llvm::GlobalVariable& tile, Value* iteration, Value* column) {
    Value* index = builder.CreateAdd(builder.CreateMul(iteration, builder.getInt32(columns_), "", true, true), column, "", true, true);
    return builder.CreateInBoundsGEP(tile.getValueType()->getArrayElementType(), &tile,
                                     builder.CreateZExt(index, builder.getInt64Ty(), "", /*IsNonNeg=*/true));
  }

  /// Stores at `to` what `load` reads in the iteration of this number of the piece.
  void bring(llvm::IRBuilder<>& builder, llvm::LoadInst& load, const llvm::Loop& loop,
             const llvm::DenseMap<const llvm::PHINode*, llvm::PHINode*>& begin, Value* iteration, Value* to) {
    llvm::ValueToValueMapTy values;
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      const auto found = begin.find(&phi);
      const Induction induction = found == begin.end() ? Induction{} : induction_of(phi, loop);
      if (!induction) continue;
      Value* distance = builder.CreateMul(builder.CreateZExtOrTrunc(iteration, induction.step->getType()), induction.step);
      values[&phi] = induction.address ? builder.CreateGEP(induction.address->getSourceElementType(), found->second, distance)
                                       : builder.CreateAdd(found->second, distance);
    }
    llvm::SmallVector<Instruction*, 16> order;
    computed_from_inductions(*load.getPointerOperand(), loop, order);
    order.push_back(&load);
    Instruction* copy = nullptr;
    for (Instruction* instruction : order) {
      copy = builder.Insert(instruction->clone());
      llvm::RemapInstruction(copy, values, llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
      values[instruction] = copy;
    }
    builder.CreateAlignedStore(copy, to, kernel_.getDataLayout().getABITypeAlign(load.getType()));
  }

  llvm::Function& kernel_;
  llvm::Module& module_;
  const Specialization& specialization_;
  const unsigned columns_, rows_;
  const bool fused_, takes_bounds_;
  llvm::ScalarEvolution& evolution_;
  std::uint64_t bytes_ = 0;
  llvm::SmallVector<Plan, 2> plans_;
};

}  // namespace

bool loop_tiles_serve(llvm::Function& kernel, const VectorTraits& vectors) {
  if (vectors.registers > kMostRegisters) return false;
  // Most kernels have no rows: no analyses for them.
  const bool has_rows = llvm::any_of(llvm::instructions(kernel), [](const Instruction& instruction) {
    return called_name(instruction) == (primitive::kGlobalId + "y").str();
  });
  if (!has_rows) return false;
  Analyses analyses;
  return !LoopFinder(kernel, analyses).find().empty();
}

bool make_loop_tiles(llvm::Function& kernel, const Specialization& specialization, const VectorTraits& vectors, Analyses& analyses) {
  const auto& size = specialization.local_size;
  if (vectors.registers > kMostRegisters || size[2] != 1 || size[1] < kFewestTileRows || size[1] > kMostTileIterations ||
      size[0] * specialization.groups % abi::kWarpSize != 0)
    return false;
  if (specialization.groups > 1 && !specialization.whole_blocks) return false;
  analyses.invalidate(kernel);
  // Nothing may be left that is known of the kernel: another function will be where it was.
  const auto forget = llvm::make_scope_exit([&] { analyses.invalidate(kernel); });
  if (LoopFinder(kernel, analyses).find().empty()) return false;
  // What is computed in front of a loop wants a block of its own.
  llvm::LoopSimplifyPass().run(kernel, analyses.functions());
  analyses.invalidate(kernel);
  const std::vector<TiledLoop> found = LoopFinder(kernel, analyses).find();
  return TileMaker(kernel, specialization, analyses).make(found);
}

}  // namespace weft::compiler::simt
