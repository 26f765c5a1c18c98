#include "compiler/wide/streams.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/wide/divergent_loop.h"
#include "compiler/target/target.h"

namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Lanes at a time. Eight: a longer row holds up fewer others than with sixteen (measured: a tenth of the time).
constexpr unsigned kLanes = 8;
/// Rounds at a time: elements of a load.
constexpr unsigned kRounds = 4;
constexpr unsigned kElementBytes = 4;
constexpr unsigned kLoadBytes = kRounds * kElementBytes;
constexpr unsigned kPageBytes = 4096;
/// Some lane has more rounds than this before it. Of a loop over two elements half would be rounds for nobody.
constexpr unsigned kFewRounds = 6;
/// Of the loop; its copies are five.
constexpr unsigned kMostInstructions = 64;
constexpr const char* kName = "stream";

/// A gather that each lane continues in the next round where it was.
struct Stream {
  llvm::IntrinsicInst* gather;
  Value* base;   ///< an address that all lanes share, or null
  Value* index;  ///< each lane's, in elements of `element`; without a base the address
  llvm::Type* element;
};

class Streamer {
 public:
  Streamer(DivergentLoop& loop, llvm::Function& function)
      : loop_(loop), function_(function), builder_(function.getContext()), narrower_(loop, kLanes, builder_) {}

  bool pays(bool always) {
    for (llvm::IntrinsicInst* gather : loop_.gathers) find(*gather);
    count_ = loop_.count();
    always_ = always;
    if (loop_.lanes % kLanes != 0 || loop_.lanes == kLanes || loop_.block->sizeWithoutDebug() > kMostInstructions) return false;
    return always || (count_ && !streams_.empty() && 2 * streams_.size() >= loop_.gathers.size());
  }

  void run() {
    make_blocks();
    for (llvm::PHINode& phi : loop_.block->phis()) phis_.emplace_back(&phi, loop_.first(phi));
    put_aside();
    begin_block();
    begin_rounds();
    make_rounds(alone_, 1);
    load_streams();
    make_rounds(together_, kRounds);
    end_block();
    end();
    choose();
    for (BasicBlock* block : {together_, alone_, rounds_, strip_})
      for (Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (llvm::isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
  }

 private:
  /// All live lanes have to read the first element, since nothing else says that there is memory.
  void find(llvm::IntrinsicInst& gather) {
    if (gather.getType()->getScalarSizeInBits() != 8 * kElementBytes || gather.getType()->getScalarType()->isPointerTy()) return;
    Value* address = gather.getArgOperand(0);
    if (gather.getArgOperand(2) != loop_.live || loop_.step(address) != kElementBytes) return;
    Stream stream{&gather, nullptr, address, builder_.getInt8Ty()};
    auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(address);
    if (gep && gep->getNumIndices() == 1 && gep->getOperand(1)->getType()->isVectorTy()) {
      Value* base = gep->getPointerOperand();
      if (base->getType()->isVectorTy()) base = const_cast<Value*>(llvm::getSplatValue(base));
      if (base && !loop_.contains(base)) {
        stream.base = base;
        stream.index = gep->getOperand(1);
        stream.element = gep->getSourceElementType();
        if (auto* extended = llvm::dyn_cast<llvm::SExtInst>(stream.index)) stream.index = extended->getOperand(0);
      }
    }
    streams_.push_back(stream);
  }

  BasicBlock* block(const char* name) {
    return BasicBlock::Create(function_.getContext(), llvm::Twine(kName) + name, &function_, loop_.exit);
  }
  void make_blocks() {
    choice_ = block(".choice");
    entry_ = block(".entry");
    strip_ = block(".lanes");
    rounds_ = block(".rounds");
    alone_ = block(".alone");
    together_ = block(".together");
    block_end_ = block(".lanes.end");
    next_block_ = block(".lanes.next");
    end_ = block(".end");
  }

  /// The loop stays as it is for when it is over soon.
  void choose() {
    builder_.SetInsertPoint(choice_);
    Value* chosen = builder_.getTrue();
    if (count_ && !always_) {
      llvm::Type* type = count_->bound->getType();
      const auto number = [&](std::int64_t value) { return llvm::ConstantInt::get(type, static_cast<std::uint64_t>(value), true); };
      Value* from = loop_.first(*count_->phi);
      if (!from->getType()->isVectorTy()) from = builder_.CreateVectorSplat(loop_.lanes, from);
      Value* further = nullptr;
      if (llvm::ICmpInst::isEquality(count_->predicate)) {
        Value* left = count_->step > 0 ? builder_.CreateSub(count_->bound, from) : builder_.CreateSub(from, count_->bound);
        further = builder_.CreateICmpUGT(left, number(std::abs(count_->step) * kFewRounds));
      } else {
        from = builder_.CreateAdd(from, number(count_->step * kFewRounds));
        further = builder_.CreateICmp(count_->predicate, from, count_->bound);
      }
      chosen = any(builder_.CreateSelect(loop_.first(*loop_.live), further, llvm::Constant::getNullValue(further->getType())));
    }
    builder_.CreateCondBr(chosen, entry_, loop_.block);
    loop_.before->getTerminator()->replaceSuccessorWith(loop_.block, choice_);
    loop_.block->replacePhiUsesWith(loop_.before, choice_);
  }

  llvm::AllocaInst* memory(llvm::Type* type, const llvm::Twine& name) {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* result = builder.CreateAlloca(type, nullptr, name);
    result->setAlignment(llvm::Align(64));
    return result;
  }

  /// What differs between lanes lies in memory, where a strip finds its part.
  void put_aside() {
    builder_.SetInsertPoint(entry_);
    const auto put = [&](Value* value) {
      if (!value->getType()->isVectorTy() || aside_.contains(value)) return;
      if (llvm::isa<llvm::Constant>(value) && (llvm::isa<llvm::UndefValue>(value) || llvm::cast<llvm::Constant>(value)->getSplatValue()))
        return;
      if (Value* scalar = const_cast<Value*>(llvm::getSplatValue(value)); scalar && !loop_.contains(scalar)) {
        outside_[value] = builder_.CreateVectorSplat(kLanes, scalar);
        return;
      }
      llvm::AllocaInst* place = memory(value->getType(), kName);
      builder_.CreateAlignedStore(value, place, place->getAlign());
      aside_[value] = place;
    };
    for (const auto& [phi, first] : phis_) {
      put(first);
      if (!loop_.contains(loop_.next(*phi))) put(loop_.next(*phi));
    }
    for (Instruction& instruction : *loop_.block) {
      if (!loop_.is_work(instruction)) continue;
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      for (unsigned i = 0, count = call ? call->arg_size() : instruction.getNumOperands(); i < count; ++i)
        if (!loop_.contains(instruction.getOperand(i))) put(instruction.getOperand(i));
    }
    // Of lanes that never live.
    for (const auto& [result, held] : loop_.results) {
      llvm::AllocaInst* place = memory(result->getType(), result->getName());
      Value* first = loop_.first(*held);
      if (!llvm::isa<llvm::UndefValue>(first)) builder_.CreateAlignedStore(first, place, place->getAlign());
      results_.push_back(place);
    }
    builder_.CreateBr(strip_);
  }

  /// The strip's part of what lies at `place`.
  Value* part(Value* place, llvm::Type* wide) {
    const unsigned bytes = kLanes * static_cast<unsigned>(function_.getDataLayout().getTypeSizeInBits(wide->getScalarType())) / 8;
    return builder_.CreateGEP(builder_.getInt8Ty(), place, builder_.CreateMul(block_index_, builder_.getInt64(bytes)));
  }

  void begin_block() {
    builder_.SetInsertPoint(strip_);
    block_index_ = builder_.CreatePHI(builder_.getInt64Ty(), 2, "strip");
    block_index_->addIncoming(builder_.getInt64(0), entry_);
    for (const auto& [value, place] : aside_) {
      llvm::Type* type = narrower_.type(value->getType());
      outside_[value] = builder_.CreateAlignedLoad(type, part(place, value->getType()), llvm::Align(1));
    }
    start_ = outside_;
    for (const auto& [phi, first] : phis_) {
      LaneMap known = outside_;
      start_[phi] = narrower_.value(first, known);
    }
    for (const Stream& stream : streams_) begin_index(stream);
    LaneMap map = start_;
    for (auto& [index, lanes] : indices_) lanes.start = first_live(narrower_.value(index, map), start_[loop_.live]);
    builder_.CreateCondBr(any(start_[loop_.live]), rounds_, next_block_);
  }

  void begin_index(const Stream& stream) {
    auto& lanes = indices_[stream.index];
    if (lanes.memory) return;
    llvm::Type* type = narrower_.type(stream.index->getType());
    lanes.memory = memory(type, "lane.at");
  }

  Value* any(Value* mask) {
    Value* bits = builder_.CreateBitCast(mask, builder_.getIntNTy(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements()));
    return builder_.CreateICmpNE(bits, llvm::ConstantInt::get(bits->getType(), 0), "any");
  }

  /// The value of the first lane in `mask`, in all lanes.
  Value* first_live(Value* value, Value* mask) {
    Value* bits = builder_.CreateZExt(builder_.CreateBitCast(mask, builder_.getIntNTy(kLanes)), builder_.getInt32Ty());
    // With no lane live it is anything, which nobody uses.
    bits = builder_.CreateOr(bits, builder_.getInt32(1u << (kLanes - 1)));
    Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getTrue());
    return builder_.CreateVectorSplat(kLanes, builder_.CreateExtractElement(value, lane));
  }

  /// Where do the lanes read, and does one of the loads leave its page?
  void begin_rounds() {
    builder_.SetInsertPoint(rounds_);
    map_ = outside_;
    for (const auto& [phi, first] : phis_) {
      llvm::PHINode* copy = builder_.CreatePHI(narrower_.type(phi->getType()), 3, phi->getName());
      copy->addIncoming(start_[phi], strip_);
      map_[phi] = copies_[phi] = copy;
    }
    for (auto& [index, lanes] : indices_) {
      lanes.last = builder_.CreatePHI(narrower_.type(index->getType()), 3, "last");
      lanes.last->addIncoming(lanes.start, strip_);
    }
    // A lane that does not live reads where it or another has read or will.
    for (auto& [index, lanes] : indices_)
      lanes.now = builder_.CreateSelect(map_[loop_.live], narrower_.value(index, map_), lanes.last, "at");
    Value* most = nullptr;
    llvm::SmallVector<std::pair<Value*, Value*>, 4> seen;
    for (const Stream& stream : streams_) {
      if (llvm::is_contained(seen, std::pair(stream.base, stream.index))) continue;
      seen.emplace_back(stream.base, stream.index);
      Value* in_page = place_in_page(stream);
      most = most ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, most, in_page) : in_page;
    }
    if (!most) {
      builder_.CreateBr(together_);
      return;
    }
    Value* last = llvm::ConstantInt::get(most->getType(), kPageBytes - kLoadBytes);
    llvm::BranchInst* branch = builder_.CreateCondBr(any(builder_.CreateICmpUGT(most, last)), alone_, together_);
    branch->setMetadata(llvm::LLVMContext::MD_prof,
                        llvm::MDBuilder(function_.getContext()).createBranchWeights(1, 63));
  }

  Value* place_in_page(const Stream& stream) {
    auto* type = llvm::FixedVectorType::get(builder_.getInt32Ty(), kLanes);
    Value* index = indices_[stream.index].now;
    Value* address = nullptr;
    if (stream.base) {
      const std::uint64_t size = function_.getDataLayout().getTypeAllocSize(stream.element);
      index = builder_.CreateMul(builder_.CreateSExtOrTrunc(index, type), llvm::ConstantInt::get(type, size));
      const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
      builder_.SetInsertPoint(entry_->getTerminator());
      Value* base = builder_.CreateTrunc(builder_.CreatePtrToInt(stream.base, builder_.getInt64Ty()), builder_.getInt32Ty());
      base = builder_.CreateVectorSplat(kLanes, base);
      builder_.SetInsertPoint(rounds_);
      address = builder_.CreateAdd(index, base);
    } else {
      auto* number = llvm::FixedVectorType::get(builder_.getInt64Ty(), kLanes);
      address = builder_.CreateTrunc(builder_.CreatePtrToInt(index, number), type);
    }
    return builder_.CreateAnd(address, llvm::ConstantInt::get(type, kPageBytes - 1));
  }

  /// `count` rounds, at the end of `block`.
  void make_rounds(BasicBlock* block, unsigned count) {
    builder_.SetInsertPoint(block, block->end());
    LaneMap map = map_;
    for (unsigned round = 0; round < count; ++round) {
      if (block == together_)
        for (unsigned s = 0; s < streams_.size(); ++s) map[streams_[s].gather] = or_passed(*streams_[s].gather, loaded_[s][round], map);
      narrower_.round(map);
    }
    for (const auto& [phi, first] : phis_) copies_[phi]->addIncoming(map[phi], block);
    Value* live = map[loop_.live];
    for (auto& [index, lanes] : indices_) {
      LaneMap next = map;
      lanes.last->addIncoming(block == together_ ? lanes.now : first_live(narrower_.value(index, next), live), block);
    }
    builder_.CreateCondBr(any(live), rounds_, block_end_);
    ends_.emplace_back(block, std::move(map));
  }

  Value* or_passed(llvm::IntrinsicInst& gather, Value* loaded, LaneMap& map) {
    Value* passed = gather.getArgOperand(3);
    if (llvm::isa<llvm::UndefValue>(passed)) return loaded;
    return builder_.CreateSelect(map[loop_.live], loaded, narrower_.value(passed, map));
  }

  /// Each lane's next elements, then element by element.
  void load_streams() {
    builder_.SetInsertPoint(together_);
    for (auto& [index, lanes] : indices_) {
      builder_.CreateAlignedStore(lanes.now, lanes.memory, lanes.memory->getAlign());
      llvm::Type* type = lanes.now->getType()->getScalarType();
      for (unsigned lane = 0; lane < kLanes; ++lane)
        lanes.at.push_back(builder_.CreateLoad(type, builder_.CreateConstGEP1_32(type, lanes.memory, lane)));
    }
    for (const Stream& stream : streams_) loaded_.push_back(load(stream));
  }

  llvm::SmallVector<Value*, kRounds> load(const Stream& stream) {
    auto* type = llvm::FixedVectorType::get(stream.gather->getType()->getScalarType(), kRounds);
    llvm::SmallVector<Value*, kLanes> lanes;
    for (Value* at : indices_[stream.index].at) {
      if (stream.base) at = builder_.CreateGEP(stream.element, stream.base, builder_.CreateSExt(at, builder_.getInt64Ty()));
      lanes.push_back(builder_.CreateAlignedLoad(type, at, llvm::Align(kElementBytes)));
    }
    // Lanes 0 to 3 in the lower half, 4 to 7 in the upper one, which shuffles of the processor do not leave.
    llvm::SmallVector<Value*, 4> rows;
    for (unsigned lane = 0; lane < 4; ++lane)
      rows.push_back(builder_.CreateShuffleVector(lanes[lane], lanes[lane + 4], {0, 1, 2, 3, 4, 5, 6, 7}));
    const auto pairs = [&](unsigned a, unsigned b, int first) {
      return builder_.CreateShuffleVector(rows[a], rows[b], {first, first + 8, first + 1, first + 9, first + 4, first + 12, first + 5, first + 13});
    };
    const auto halves = [&](Value* a, Value* b, int first) {
      return builder_.CreateShuffleVector(a, b, {first, first + 1, first + 8, first + 9, first + 4, first + 5, first + 12, first + 13});
    };
    Value* low01 = pairs(0, 1, 0);
    Value* low23 = pairs(2, 3, 0);
    Value* high01 = pairs(0, 1, 2);
    Value* high23 = pairs(2, 3, 2);
    return {halves(low01, low23, 0), halves(low01, low23, 2), halves(high01, high23, 0), halves(high01, high23, 2)};
  }

  void end_block() {
    builder_.SetInsertPoint(block_end_);
    llvm::SmallVector<llvm::PHINode*, 4> values;
    for (const auto& [result, held] : loop_.results) {
      values.push_back(builder_.CreatePHI(narrower_.type(result->getType()), 2, result->getName()));
      for (auto& [block, map] : ends_) values.back()->addIncoming(map[held], block);
    }
    for (unsigned i = 0; i < values.size(); ++i)
      builder_.CreateAlignedStore(values[i], part(results_[i], results_[i]->getAllocatedType()), llvm::Align(1));
    builder_.CreateBr(next_block_);
    builder_.SetInsertPoint(next_block_);
    Value* next = builder_.CreateAdd(block_index_, builder_.getInt64(1));
    block_index_->addIncoming(next, next_block_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, builder_.getInt64(loop_.lanes / kLanes)), end_, strip_);
  }

  void end() {
    builder_.SetInsertPoint(end_);
    LaneMap whole;
    for (unsigned i = 0; i < results_.size(); ++i)
      whole[loop_.results[i].first] = builder_.CreateAlignedLoad(results_[i]->getAllocatedType(), results_[i], results_[i]->getAlign());
    for (llvm::PHINode& phi : loop_.exit->phis()) {
      Value* value = phi.getIncomingValueForBlock(loop_.block);
      const auto found = whole.find(value);
      phi.addIncoming(found == whole.end() ? value : found->second, end_);
    }
    builder_.CreateBr(loop_.exit);
  }

  struct Index {
    Value* start = nullptr;         ///< in the strip's first round
    llvm::PHINode* last = nullptr;  ///< of the last loads, or where a lane reads
    Value* now = nullptr;
    llvm::AllocaInst* memory = nullptr;
    llvm::SmallVector<Value*, kLanes> at;  ///< of each lane
  };

  DivergentLoop& loop_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  Narrower narrower_;
  llvm::SmallVector<Stream, 4> streams_;
  llvm::MapVector<Value*, Index> indices_;
  llvm::SmallVector<llvm::SmallVector<Value*, kRounds>, 4> loaded_;  ///< of each stream
  std::optional<LaneCount> count_;
  bool always_ = false;
  llvm::SmallVector<std::pair<llvm::PHINode*, Value*>, 8> phis_;  ///< and their first values
  llvm::MapVector<Value*, llvm::AllocaInst*> aside_;
  LaneMap outside_;  ///< values from before the loop, of a strip
  LaneMap start_;    ///< those and the phis, when a strip begins
  LaneMap map_;      ///< the same in each of its rounds
  llvm::DenseMap<llvm::PHINode*, llvm::PHINode*> copies_;
  llvm::SmallVector<std::pair<BasicBlock*, LaneMap>, 2> ends_;
  llvm::SmallVector<llvm::AllocaInst*, 4> results_;
  llvm::PHINode* block_index_ = nullptr;
  BasicBlock* choice_ = nullptr;
  BasicBlock* entry_ = nullptr;
  BasicBlock* strip_ = nullptr;
  BasicBlock* rounds_ = nullptr;
  BasicBlock* alone_ = nullptr;     ///< a round
  BasicBlock* together_ = nullptr;  ///< some rounds
  BasicBlock* block_end_ = nullptr;
  BasicBlock* next_block_ = nullptr;
  BasicBlock* end_ = nullptr;
};

bool has_gather(const llvm::Function& function) {
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block)
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
        return true;
  return false;
}

bool change_one(llvm::Function& function, bool always, llvm::SmallPtrSetImpl<const BasicBlock*>& done) {
  if (!always && !has_gather(function)) return false;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!done.insert(loop->getHeader()).second) continue;
    std::optional<DivergentLoop> matched = DivergentLoop::match(*loop);
    if (!matched) continue;
    Streamer streamer(*matched, function);
    if (!streamer.pays(always)) continue;
    llvm::formLCSSA(*loop, dominators, &loops, nullptr);
    streamer.run();
    return true;
  }
  return false;
}

}  // namespace

void read_streams(llvm::Function& function, bool always) {
  if (target::vectors().register_bits < 512) return;
  llvm::SmallPtrSet<const BasicBlock*, 16> done;
  while (change_one(function, always, done)) {}
}

}  // namespace weft::compiler::wide
