#include "compiler/simt/barriers/group.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <cstddef>
#include <optional>

#include "compiler/simt/barriers/combined_updates.h"
#include "compiler/simt/barriers/group_pairs.h"
#include "compiler/simt/barriers/group_phases.h"
#include "compiler/simt/barriers/group_runs.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Value;

namespace {

/// Regions of at most so many instructions together are inlined into the group function, which hoists their reads of the
/// launch out of the loop over warps. A larger function takes much longer to compile than its parts (a generated kernel
/// with 34 barriers: 96 s against 42 s).
constexpr unsigned kMaxInlined = 6000;

/// The number that all warps return at the end of a region, if there is one alone: where they go on, or -1, that they have ended.
std::optional<int> only_next(const llvm::Function& region) {
  std::optional<int> only;
  for (const BasicBlock& block : region) {
    const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (!end) continue;
    const auto* next = llvm::dyn_cast<llvm::ConstantInt>(end->getReturnValue());
    if (!next || (only && next->getSExtValue() != *only)) return std::nullopt;
    only = static_cast<int>(next->getSExtValue());
  }
  return only && *only >= -1 ? only : std::nullopt;
}

class GroupBuilder {
 public:
  GroupBuilder(llvm::Module& module, llvm::StringRef name, llvm::ArrayRef<llvm::Function*> regions,
               const Specialization& specialization, unsigned lanes, const WarpFrame& frame, Runs runs, std::uint64_t local_bytes)
      : context_(module.getContext()), builder_(context_), regions_(regions), specialization_(specialization),
        lanes_(lanes), frame_(frame), runs_(runs), local_bytes_(local_bytes) {
    auto* pointer = llvm::PointerType::get(context_, 0);
    function_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getInt32Ty(), {pointer, pointer}, false),
                                       llvm::GlobalValue::ExternalLinkage, name, module);
    for (unsigned i = 0; i < 2; ++i) {
      function_->addParamAttr(i, llvm::Attribute::NoAlias);
      function_->addParamAttr(i, llvm::Attribute::ReadOnly);
      function_->addParamAttr(i, llvm::Attribute::NonNull);
      function_->addDereferenceableParamAttr(i, i ? sizeof(abi::GroupInfo) : sizeof(abi::LaunchInfo));
    }
    unsigned instructions = 0;
    for (const llvm::Function* region : regions) instructions += region->getInstructionCount();
    ends_apart_ = regions.front()->hasFnAttribute(primitive::kEndsApartAttribute);
    inline_ = regions.size() == 1 || instructions <= kMaxInlined;
    function_->getArg(0)->setName("launch");
    function_->getArg(1)->setName("group");
    group_ = function_->getArg(1);
  }

  GroupFunction build() {
    build_function();
    return {function_, group_id_, pair_};
  }

 private:
  void build_function() {
    BasicBlock* entry = block("entry");
    builder_.SetInsertPoint(entry);
    frames_ = load_frames();
    warps_ = warp_count();
    if (runs_ == Runs::kPhases || runs_ == Runs::kPairs) {
      if (runs_ == Runs::kPhases)
        run_phases();
      else
        run_pairs();
      builder_.CreateRet(builder_.getInt32(static_cast<int>(abi::GroupStatus::kDone)));
      return;
    }
    if (regions_.size() == 1) {
      if (runs_ == Runs::kRows)
        run_rows(*regions_.front());
      else
        run_all_warps(*regions_.front(), nullptr);
      builder_.CreateRet(builder_.getInt32(static_cast<int>(abi::GroupStatus::kDone)));
      return;
    }
    BasicBlock* dispatch = block("dispatch");
    BasicBlock* divergent = block("divergent");
    BasicBlock* done = block("done");
    BasicBlock* between = builder_.GetInsertBlock();
    builder_.CreateBr(dispatch);
    builder_.SetInsertPoint(dispatch);
    llvm::PHINode* region = builder_.CreatePHI(builder_.getInt32Ty(), static_cast<unsigned>(regions_.size()) + 1, "region");
    region->addIncoming(builder_.getInt32(0), between);
    llvm::PHINode* status = nullptr;
    if (ends_apart_) {
      status = builder_.CreatePHI(builder_.getInt32Ty(), static_cast<unsigned>(regions_.size()) + 1, "status");
      status->addIncoming(builder_.getInt32(static_cast<int>(abi::GroupStatus::kDone)), between);
    }
    llvm::SwitchInst* which = builder_.CreateSwitch(region, divergent, static_cast<unsigned>(regions_.size()) + 1);
    which->addCase(builder_.getInt32(~0u), done);
    llvm::SmallVector<BasicBlock*, 8> starts;
    for (unsigned r = 0; r < regions_.size(); ++r) which->addCase(builder_.getInt32(r), starts.emplace_back(block("region")));
    for (unsigned r = 0; r < regions_.size(); ++r) {
      builder_.SetInsertPoint(starts[r]);
      if (const auto only = ends_apart_ ? std::nullopt : only_next(*regions_[r])) {
        run_all_warps(*regions_[r], nullptr);
        builder_.CreateBr(*only < 0 ? done : starts[static_cast<unsigned>(*only)]);
        continue;
      }
      const Next next = run_all_warps(*regions_[r], divergent);
      Value* following = next.region;
      if (status) {
        Value* goes_on = builder_.CreateICmpSGE(next.region, builder_.getInt32(0));
        Value* without_some = builder_.getInt32(static_cast<int>(abi::GroupStatus::kDoneWithoutSome));
        Value* new_status = builder_.CreateSelect(builder_.CreateAnd(next.some_ended, goes_on), without_some, status);
        status->addIncoming(new_status, builder_.GetInsertBlock());
        if (const auto copies = static_cast<std::uint32_t>(regions_.size() - without_copies(regions_))) {
          Value* to_copy = builder_.CreateAnd(builder_.CreateICmpEQ(new_status, without_some), goes_on);
          following = builder_.CreateSelect(to_copy, builder_.CreateAdd(following, builder_.getInt32(copies)), following);
        }
      }
      region->addIncoming(following, builder_.GetInsertBlock());
      builder_.CreateBr(dispatch);
    }
    builder_.SetInsertPoint(divergent);
    builder_.CreateRet(builder_.getInt32(static_cast<int>(abi::GroupStatus::kDivergentBarrier)));
    builder_.SetInsertPoint(done);
    builder_.CreateRet(status ? static_cast<Value*>(status) : builder_.getInt32(static_cast<int>(abi::GroupStatus::kDone)));
  }

  Value* load_frames() {
    return builder_.CreateLoad(
        builder_.getPtrTy(),
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), group_, offsetof(abi::GroupInfo, scratch)), "frames");
  }

  BasicBlock* block(const char* name) { return BasicBlock::Create(context_, name, function_); }

  Value* warp_count() {
    const auto& size = specialization_.local_size;
    if (size[0]) return builder_.getInt32(static_cast<std::uint32_t>(llvm::divideCeil(size[0] * size[1] * size[2], lanes_)));
    Value* total = builder_.getInt64(1);
    for (unsigned d = 0; d < 3; ++d)
      total = builder_.CreateMul(
          total, builder_.CreateLoad(builder_.getInt64Ty(),
                                     builder_.CreateConstInBoundsGEP1_64(
                                         builder_.getInt8Ty(), function_->getArg(0),
                                         offsetof(abi::LaunchInfo, local_size) + 8 * d)));
    return builder_.CreateTrunc(
        builder_.CreateUDiv(builder_.CreateAdd(total, builder_.getInt64(lanes_ - 1)), builder_.getInt64(lanes_)),
        builder_.getInt32Ty(), "warps");
  }

  /// Emits `body` for the numbers from `first` to before `end`, of which there is one at least.
  void loop(const char* name, Value* first, Value* end, llvm::function_ref<void(Value*)> body) {
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock* again = block(name);
    BasicBlock* after = block("done");
    builder_.CreateBr(again);
    builder_.SetInsertPoint(again);
    llvm::PHINode* number = builder_.CreatePHI(first->getType(), 2, name);
    number->addIncoming(first, before);
    body(number);
    Value* following = builder_.CreateAdd(number, llvm::ConstantInt::get(first->getType(), 1), "", true, true);
    number->addIncoming(following, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpULT(following, end), again, after);
    builder_.SetInsertPoint(after);
  }

  Value* field(llvm::Type* type, std::uint64_t offset, const char* name) {
    return builder_.CreateLoad(type, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), group_, offset), name);
  }

  /// Emits the regions one after the other, each with a loop over the groups of a run.
  void run_phases() {
    Value* run = field(builder_.getInt64Ty(), offsetof(abi::GroupInfo, run), "run");
    Value* first = field(builder_.getInt64Ty(), offsetof(abi::GroupInfo, group_id), "first");
    Value* local = field(builder_.getPtrTy(), offsetof(abi::GroupInfo, local_memory), "local");
    Value* const frames = frames_;
    Value* frame_bytes = builder_.CreateMul(builder_.CreateZExt(warps_, builder_.getInt64Ty()), builder_.getInt64(frame_.bytes));
    const auto place = [&](Value* base, Value* number, Value* bytes) {
      return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), base, builder_.CreateMul(number, bytes, "", true, true));
    };
    const auto run_all = [&](llvm::Function& region, llvm::ArrayRef<Value*> more) {
      loop("group.of.run", builder_.getInt64(0), run, [&](Value* number) {
        frames_ = place(frames, number, frame_bytes);
        group_arguments_ = {builder_.CreateAdd(first, number, "group.id", true, true), place(local, number, builder_.getInt64(local_bytes_))};
        llvm::append_range(group_arguments_, more);
        run_all_warps(region, nullptr);
      });
    };
    for (llvm::Function* region : regions_) {
      if (const auto combined = combine_updates(*region))
        run_combined(*combined, run_all);
      else
        run_all(*region, {});
    }
  }

  /// Emits the only region for two groups beside each other, and for those of a run one after the other: a single one, or two that part.
  void run_pairs() {
    llvm::Function& region = *regions_.front();
    Value* run = field(builder_.getInt64Ty(), offsetof(abi::GroupInfo, run), "run");
    Value* first = field(builder_.getInt64Ty(), offsetof(abi::GroupInfo, group_id), "first");
    Value* local = field(builder_.getPtrTy(), offsetof(abi::GroupInfo, local_memory), "local");
    BasicBlock *pair = block("pair"), *each = block("each"), *done = block("done");
    builder_.CreateCondBr(builder_.CreateICmpEQ(run, builder_.getInt64(2)), pair, each);
    builder_.SetInsertPoint(pair);
    group_arguments_ = {first, local};
    pair_ = make_pair(region, local_bytes_);
    builder_.CreateCondBr(call(*pair_, frames_, builder_.getInt32(0)), done, each);
    builder_.SetInsertPoint(each);
    loop("group.of.run", builder_.getInt64(0), run, [&](Value* number) {
      Value* own_local = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), local, builder_.CreateMul(number, builder_.getInt64(local_bytes_), "", true, true));
      group_arguments_ = {builder_.CreateAdd(first, number, "group.id", true, true), own_local};
      call(region, frames_, builder_.getInt32(0));
    });
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  }

  /// Emits a region whose updates are one, if there is any at all: where there is none, its address may lead nowhere.
  void run_combined(const CombinedUpdate& combined, llvm::function_ref<void(llvm::Function&, llvm::ArrayRef<Value*>)> run_all) {
    llvm::Type* type = combined.update->getType();
    llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
    const auto variable = [&](llvm::Type* of, const char* name) {
      llvm::AllocaInst* made = entry.CreateAlloca(of, nullptr, name);
      made->setAlignment(llvm::Align(8));
      builder_.CreateAlignedStore(llvm::Constant::getNullValue(of), made, llvm::Align(8));
      return made;
    };
    llvm::AllocaInst *places = variable(type, "places"), *any = variable(builder_.getInt8Ty(), "any");
    run_all(*combined.count, {places, any});
    BasicBlock *ask = block("ask"), *asked = block("asked");
    builder_.CreateCondBr(builder_.CreateIsNotNull(builder_.CreateAlignedLoad(builder_.getInt8Ty(), any, llvm::Align(8))), ask, asked);
    builder_.SetInsertPoint(ask);
    Value* total = builder_.CreateAlignedLoad(type, places, llvm::Align(8));
    builder_.CreateAlignedStore(update_together(combined, total, builder_), places, llvm::Align(8));
    builder_.CreateBr(asked);
    builder_.SetInsertPoint(asked);
    run_all(*combined.take, {places});
  }

  /// Emits the loops over rows of bodies, the groups of a run, and the bodies of a row.
  void run_rows(llvm::Function& region) {
    Value* first = field(builder_.getInt64Ty(), offsetof(abi::GroupInfo, group_id), "first");
    Value* end = builder_.CreateAdd(first, field(builder_.getInt64Ty(), offsetof(abi::GroupInfo, run), "run"), "end", true, true);
    const unsigned bodies = bodies_of_row(specialization_, lanes_);
    // Rows that are the bodies themselves, or whole numbers of these.
    Value* rows = bodies > 1 ? builder_.CreateUDiv(warps_, builder_.getInt32(bodies)) : warps_;
    loop("row", builder_.getInt32(0), rows, [&](Value* row) {
      loop("group.id", first, end, [&](Value* id) {
        group_id_ = id;
        const auto run = [&](Value* warp) {
          Value* place = builder_.CreateMul(builder_.CreateZExt(warp, builder_.getInt64Ty()), builder_.getInt64(frame_.bytes));
          call(region, builder_.CreateInBoundsGEP(builder_.getInt8Ty(), frames_, place), warp);
        };
        if (bodies == 1) return run(row);
        Value* begin = builder_.CreateMul(row, builder_.getInt32(bodies), "", true, true);
        loop("warp", builder_.getInt32(0), builder_.getInt32(bodies), [&](Value* body) { run(builder_.CreateAdd(begin, body, "", true, true)); });
      });
    });
  }

  /// What warps return.
  struct Next {
    Value* region;                ///< -1: all have ended
    Value* some_ended = nullptr;  ///< of kernels whose work-items end apart
  };

  /// Emits the loop over warps and returns what they all return. Warps that disagree branch to `divergent`; if it
  /// is null, they are not compared.
  Next run_all_warps(llvm::Function& region, BasicBlock* divergent) {
    if (auto* count = llvm::dyn_cast<llvm::ConstantInt>(warps_); count && count->isOne()) return run_only_warp(region, divergent);
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock* loop = block("warp");
    BasicBlock* after = block("warps.done");
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* warp = builder_.CreatePHI(builder_.getInt32Ty(), 2, "warp");
    llvm::PHINode* last = builder_.CreatePHI(builder_.getInt32Ty(), 2, "last");
    warp->addIncoming(builder_.getInt32(0), before);
    last->addIncoming(builder_.getInt32(ends_apart_ ? ~0u : 0u), before);
    llvm::PHINode* some_ended = nullptr;
    if (ends_apart_) {
      some_ended = builder_.CreatePHI(builder_.getInt1Ty(), 2, "some.ended");
      some_ended->addIncoming(builder_.getFalse(), before);
    }
    Value* frame = builder_.CreateInBoundsGEP(
        builder_.getInt8Ty(), frames_,
        builder_.CreateMul(builder_.CreateZExt(warp, builder_.getInt64Ty()), builder_.getInt64(frame_.bytes)));
    Value* next = call(region, frame, warp);
    Next all{next};
    if (divergent) {
      Value* differs = builder_.CreateAnd(builder_.CreateICmpNE(warp, builder_.getInt32(0)),
                                          builder_.CreateICmpNE(next, last));
      if (ends_apart_) {
        const Next own = take_apart(next);
        Value* none = builder_.getInt32(~0u);
        differs = builder_.CreateAnd(builder_.CreateICmpNE(own.region, last),
                                     builder_.CreateAnd(builder_.CreateICmpNE(own.region, none), builder_.CreateICmpNE(last, none)));
        all = {builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, own.region, last), builder_.CreateOr(own.some_ended, some_ended)};
      }
      differs = builder_.CreateOr(differs, builder_.CreateICmpEQ(next, builder_.getInt32(static_cast<std::uint32_t>(kDivergentRegion))));
      BasicBlock* agreed = block("agreed");
      builder_.CreateCondBr(differs, divergent, agreed);
      builder_.SetInsertPoint(agreed);
    }
    Value* following = builder_.CreateAdd(warp, builder_.getInt32(1), "", true, true);
    warp->addIncoming(following, builder_.GetInsertBlock());
    last->addIncoming(all.region, builder_.GetInsertBlock());
    if (some_ended) some_ended->addIncoming(all.some_ended, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpULT(following, warps_), loop, after);
    builder_.SetInsertPoint(after);
    return all;
  }

  /// The same for a group of one body, whose own lanes alone may disagree.
  Next run_only_warp(llvm::Function& region, BasicBlock* divergent) {
    Value* next = call(region, frames_, builder_.getInt32(0));
    if (divergent) {
      BasicBlock* agreed = block("agreed");
      builder_.CreateCondBr(builder_.CreateICmpEQ(next, builder_.getInt32(static_cast<std::uint32_t>(kDivergentRegion))),
                            divergent, agreed);
      builder_.SetInsertPoint(agreed);
    }
    return divergent && ends_apart_ ? take_apart(next) : Next{next};
  }

  /// What a region returns of work-items that end apart. Negative, it has all higher bits.
  Next take_apart(Value* returned) {
    Value* some_ended = builder_.CreateICmpUGE(returned, builder_.getInt32(kSomeEnded));
    Value* has_bit = builder_.CreateICmpSGE(returned, builder_.getInt32(kSomeEnded));
    return {builder_.CreateSelect(has_bit, builder_.CreateXor(returned, builder_.getInt32(kSomeEnded)), returned), some_ended};
  }

  llvm::CallInst* call(llvm::Function& region, Value* frame, Value* warp) {
    llvm::SmallVector<Value*, 6> arguments = {function_->getArg(0), group_, frame, warp};
    llvm::append_range(arguments, group_arguments_);
    llvm::CallInst* next = builder_.CreateCall(&region, arguments, "next");
    next->addFnAttr(inline_ ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
    return next;
  }

  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  llvm::ArrayRef<llvm::Function*> regions_;
  const Specialization& specialization_;
  unsigned lanes_;
  const WarpFrame& frame_;
  llvm::Function* function_ = nullptr;
  Runs runs_;
  std::uint64_t local_bytes_;                      ///< from a group's local memory to the next one's
  llvm::SmallVector<Value*, 4> group_arguments_;   ///< with_group_arguments, and what CombinedUpdate says
  Value* group_id_ = nullptr;
  llvm::Function* pair_ = nullptr;
  bool ends_apart_ = false;  ///< primitive::kEndsApartAttribute
  bool inline_ = true;
  Value* group_ = nullptr;
  Value* frames_ = nullptr;
  Value* warps_ = nullptr;
};

}  // namespace

GroupFunction make_group_function(llvm::Module& module, llvm::StringRef name, llvm::MutableArrayRef<llvm::Function*> regions,
                                  const Specialization& specialization, unsigned lanes, const WarpFrame& frame, Runs runs,
                                  std::uint64_t local_bytes) {
  if (runs == Runs::kPhases || runs == Runs::kPairs)
    for (llvm::Function*& region : regions) region = with_group_arguments(*region);
  return GroupBuilder(module, name, regions, specialization, lanes, frame, runs, local_bytes).build();
}

}  // namespace weft::compiler::simt
