#include "compiler/simt/item/inside_bounds.h"

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/block_copies.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/simt/item/specialize_images.h"
#include "compiler/simt/item/unroll_reading_loops.h"
#include "compiler/simt/item/whole_coordinates.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::SCEV;
using llvm::Value;

/// Reads of texels by a work-item, iterations counted: fewer are worth a copy for the bounds alone where these are much of the code.
constexpr unsigned kFewestTaps = 4;
/// Of a kernel without loops for each bound: a bound is a comparison, a mask and what these do to addresses.
constexpr unsigned kMostForEachBound = 40, kMostOfBounds = 150;
/// Of one copy, before loops are unrolled.
constexpr unsigned kMostInside = 1000;
/// Of all unrolled loops together.
constexpr unsigned kMostUnrolled = 300;
constexpr unsigned kMostConditions = 8;
/// So far apart are a work-item's coordinates at most.
constexpr std::int64_t kMostOffset = 256;
/// A smaller constant that a coordinate is compared with is at the near border of a grid, not at the far one.
constexpr std::uint64_t kMostRim = 32;
/// Tests of a coordinate: a range has two.
constexpr std::size_t kFewestTests = 3;

/// A number in any iteration: `base`, and between `low` and `high` more.
struct Range {
  const SCEV* base;
  std::int64_t low = 0, high = 0;
};

/// Moves what the conditions are computed from to the front of a function.
class Front {
 public:
  explicit Front(llvm::Function& item) : item_(item) {}

  /// Whether `value` may be computed there.
  bool can_move(const Value& value, unsigned depth = 0) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction) return true;
    if (depth > 16) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      if (!load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || load->hasMetadata(kTexelMetadata)) return false;
      return is_known_address(*load->getPointerOperand(), depth + 1);
    }
    const bool is_id = called_name(*instruction).starts_with(primitive::kGlobalId) || called_name(*instruction).starts_with(primitive::kLocalId);
    if (!is_id && !llvm::isa<llvm::MinMaxIntrinsic>(instruction)) {
      if (!llvm::isa<llvm::CastInst, llvm::BinaryOperator>(instruction) || instruction->isIntDivRem()) return false;
      if (!instruction->getType()->isIntegerTy()) return false;
    }
    if (is_id) return true;
    return llvm::all_of(instruction->operands(), [&](const llvm::Use& use) { return can_move(*use, depth + 1); });
  }

  void move(Value& value) {
    auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || !moved_.insert(instruction).second) return;
    for (llvm::Use& operand : instruction->operands()) move(*operand);
    order_.push_back(instruction);
  }

  /// Makes a block of its own of them, and of variables on the stack, which ends in a jump to what was the entry.
  llvm::BasicBlock& make() {
    llvm::BasicBlock& old = item_.getEntryBlock();
    auto* front = llvm::BasicBlock::Create(item_.getContext(), "front", &item_, &old);
    llvm::SmallVector<Instruction*, 8> variables;
    for (Instruction& instruction : old)
      if (llvm::isa<llvm::AllocaInst>(instruction)) variables.push_back(&instruction);
    for (Instruction* instruction : variables) instruction->moveBefore(*front, front->end());
    for (Instruction* instruction : order_) {
      instruction->moveBefore(*front, front->end());
      // Here they run for work-items, too, that a condition kept from them.
      instruction->dropPoisonGeneratingFlags();
    }
    llvm::BranchInst::Create(&old, front);
    return *front;
  }

 private:
  /// The launch, the group, or what these point to: there whatever the work-item does.
  bool is_known_address(const Value& pointer, unsigned depth) const {
    if (llvm::isa<llvm::Argument>(pointer)) return true;
    if (depth > 16) return false;
    if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer))
      return gep->hasAllConstantIndices() && is_known_address(*gep->getPointerOperand(), depth + 1);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&pointer);
    return load && can_move(*load, depth + 1);
  }

  llvm::Function& item_;
  llvm::SmallPtrSet<const Instruction*, 16> moved_;
  llvm::SmallVector<Instruction*, 16> order_;
};

class InsideCopy {
 public:
  InsideCopy(llvm::Function& item, Analyses& analyses)
      : item_(item),
        analyses_(analyses),
        loops_(analyses.functions().getResult<llvm::LoopAnalysis>(item)),
        evolution_(analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(item)),
        front_(item) {}

  bool run() {
    unsigned taps = 0;
    bool has_texels = false;
    for (Instruction& instruction : llvm::instructions(item_)) {
      has_texels |= instruction.hasMetadata(kTexelMetadata);
      if (llvm::isa<llvm::LoadInst>(instruction) && instruction.hasMetadata(kTexelMetadata)) taps += iterations(instruction);
      find_bound(instruction);
    }
    find_tests();
    const bool are_many = taps >= kFewestTaps && bounds_.size() + tests_.size() >= kFewestTaps;
    if (!are_many && neighbours_ < kFewestTaps && !parts_neighbours() && !(has_texels && are_bounds_most())) return false;
    drop_implied();
    if (conditions_.empty() || conditions_.size() > kMostConditions) return false;
    for (const auto& [key, range] : conditions_)
      for (const SCEV* expression : {key.first, key.second})
        for (Value* leaf : expression ? leaves(*expression) : llvm::SmallVector<Value*, 4>{}) front_.move(*leaf);
    copy(front_.make());
    analyses_.invalidate(item_);
    return true;
  }

 private:
  /// Whether bounds are much of what each work-item does once: copies, tables, thresholds of images.
  bool are_bounds_most() const {
    const unsigned instructions = item_.getInstructionCount();
    return loops_.empty() && instructions <= kMostOfBounds && instructions <= kMostForEachBound * (bounds_.size() + tests_.size());
  }

  /// How often `instruction` runs; 1 in loops without a constant count.
  unsigned iterations(const Instruction& instruction) {
    unsigned count = 1;
    for (const llvm::Loop* loop = loops_.getLoopFor(instruction.getParent()); loop && count < 1000; loop = loop->getParentLoop())
      count *= std::max(1u, evolution_.getSmallConstantTripCount(loop));
    return count;
  }

  std::optional<Range> range_of(const SCEV& expression) {
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&expression)) {
      const std::int64_t number = constant->getAPInt().getSExtValue();
      return Range{evolution_.getZero(expression.getType()), number, number};
    }
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&expression)) {
      Range total{evolution_.getZero(expression.getType())};
      for (const SCEV* operand : sum->operands()) {
        const auto range = range_of(*operand);
        if (!range) return std::nullopt;
        total = {evolution_.getAddExpr(total.base, range->base), total.low + range->low, total.high + range->high};
      }
      return total;
    }
    if (const auto* bound = llvm::dyn_cast<llvm::SCEVSMaxExpr>(&expression); bound && bound->getNumOperands() == 2) {
      const auto* least = llvm::dyn_cast<llvm::SCEVConstant>(bound->getOperand(0));
      return least && require_least(*bound->getOperand(1), *least->getValue()) ? range_of(*bound->getOperand(1)) : Range{&expression};
    }
    if (const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&expression)) {
      const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution_));
      const unsigned count = evolution_.getSmallConstantTripCount(progression->getLoop());
      if (!progression->isAffine() || !step || !count || count > kMostOffset) return std::nullopt;
      auto range = range_of(*progression->getStart());
      if (!range) return std::nullopt;
      const std::int64_t all = step->getAPInt().getSExtValue() * (count - 1);
      range->low += std::min<std::int64_t>(all, 0);
      range->high += std::max<std::int64_t>(all, 0);
      return range;
    }
    return Range{&expression};
  }

  llvm::SmallVector<Value*, 4> leaves(const SCEV& expression) const {
    struct Leaves {
      llvm::SmallVector<Value*, 4> found;
      bool follow(const SCEV* part) {
        if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part)) found.push_back(unknown->getValue());
        return true;
      }
      bool isDone() const { return false; }
    } visitor;
    llvm::visitAll(&expression, visitor);
    return visitor.found;
  }

  bool is_known_in_front(const SCEV& expression) const {
    const bool repeats = llvm::SCEVExprContains(&expression, [](const SCEV* part) {
      return !llvm::isa<llvm::SCEVConstant, llvm::SCEVUnknown, llvm::SCEVTruncateExpr, llvm::SCEVZeroExtendExpr, llvm::SCEVSignExtendExpr,
                        llvm::SCEVAddExpr, llvm::SCEVMulExpr, llvm::SCEVSMaxExpr, llvm::SCEVSMinExpr>(part);
    });
    return !repeats && llvm::all_of(leaves(expression), [&](Value* leaf) { return front_.can_move(*leaf); });
  }

  /// Without bounds that are met nowhere inside.
  Value& peeled(Value& value) const {
    Value* inner = &value;
    for (auto found = bounds_.find(llvm::dyn_cast<Instruction>(inner)); found != bounds_.end();
         found = bounds_.find(llvm::dyn_cast<Instruction>(inner)))
      inner = found->second;
    return *inner;
  }

  /// What can be asked for in front.
  std::optional<Range> known_range(const SCEV& expression) {
    auto range = range_of(expression);
    if (!range || range->base->isZero() || !is_known_in_front(*range->base)) return std::nullopt;
    if (range->low < -kMostOffset || range->high > kMostOffset) return std::nullopt;
    return range;
  }

  /// Asks for `least` <= `expression`, if that can be known in front.
  bool require_least(const SCEV& expression, const llvm::ConstantInt& least) {
    return least.getValue().abs().ule(static_cast<std::uint64_t>(kMostOffset)) && require_least(expression, least.getSExtValue());
  }
  bool require_least(const SCEV& expression, std::int64_t least) {
    const auto range = known_range(expression);
    if (!range) return false;
    lowest_[range->base] = std::min(lowest_[range->base], range->low - least);
    return true;
  }

  /// Asks for 0 <= `value` <= `last`, if that can be known in front.
  bool require(Value& value, const SCEV* last) { return require(*evolution_.getSCEV(&peeled(value)), last); }
  bool require(const SCEV& value, const SCEV* last) {
    const auto range = known_range(value);
    if (!range || !may_bound(*last, *range->base)) return false;
    const std::pair key{range->base, last};
    auto [at, is_new] = conditions_.insert({key, {range->base, 0, 0}});
    at->second.low = std::min(at->second.low, range->low);
    at->second.high = std::max(at->second.high, range->high);
    return true;
  }

  /// A number in an image's descriptor, and a constant.
  bool is_size(const SCEV& expression) const {
    if (!is_limit(expression)) return false;
    const auto found = leaves(expression);
    return found.size() == 1 && llvm::cast<llvm::LoadInst>(found.front())->getPointerAddressSpace() == kConstantSpace;
  }

  /// Whether `last` may bound `value`: of two numbers that are the same for all work-items only an image's size says which is which.
  bool may_bound(const SCEV& last, const SCEV& value) const {
    return is_size(last) ? !is_size(value) : is_limit(last) && !is_limit(value);
  }

  /// The same for all work-items: what an image's descriptor and the kernel's arguments say, and constants.
  bool is_limit(const SCEV& expression) const {
    return is_known_in_front(expression) && llvm::all_of(leaves(expression), [](const Value* leaf) { return llvm::isa<llvm::LoadInst>(leaf); });
  }

  /// Whether a bound on what counts over the lanes parts an array's address from those of the lanes beside: where no bound is met, a gather is a
  /// load of neighbours, which is worth a copy even for one.
  bool parts_neighbours() const {
    return llvm::any_of(bounds_, [&](const auto& bound) {
      const SCEV* expression = evolution_.getSCEV(bound.second);
      return llvm::any_of(leaves(*expression), [](Value* leaf) { return is_id_along(*leaf, 'x'); }) && reaches_address(*bound.first);
    });
  }

  static bool is_id_along(const Value& value, char dimension) {
    const Value* id = &value;
    while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(id)) id = cast->getOperand(0);
    const llvm::StringRef name = called_name(*id);
    return (name.starts_with(primitive::kGlobalId) || name.starts_with(primitive::kLocalId)) && name.back() == dimension;
  }

  /// Texels have shapes of their own (whole_coordinates.h, neighbours.cpp).
  static bool is_access_of_array(const llvm::User* user) {
    const auto& access = llvm::cast<Instruction>(*user);
    return llvm::getLoadStorePointerOperand(&access) && !access.hasMetadata(kTexelMetadata);
  }

  static bool reaches_address(const Value& value, unsigned depth = 0) {
    return llvm::any_of(value.users(), [&](const llvm::User* user) {
      if (llvm::isa<llvm::GetElementPtrInst>(user)) return llvm::any_of(user->users(), is_access_of_array);
      return depth < 8 && user->getType()->isIntegerTy() && llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::MinMaxIntrinsic>(user) &&
             reaches_address(*user, depth + 1);
    });
  }

  void find_bound(Instruction& instruction) {
    if (!instruction.getType()->isIntegerTy()) return;
    if (auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction); bound && bound->isSigned()) {
      Value* x = bound->getLHS();
      Value* limit = bound->getRHS();
      if (bound->getIntrinsicID() == llvm::Intrinsic::smax) {
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(limit);
        if (constant && require_least(*evolution_.getSCEV(&peeled(*x)), *constant)) bounds_[bound] = x;
        return;
      }
      if (!may_bound(*evolution_.getSCEV(limit), *evolution_.getSCEV(x))) std::swap(x, limit);
      if (require(*x, evolution_.getSCEV(limit))) bounds_[bound] = x;
      return;
    }
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction); compare && compare->getOperand(0)->getType()->isIntegerTy(32)) {
      Value* x = compare->getOperand(0);
      Value* size = compare->getOperand(1);
      if (compare->getPredicate() == llvm::CmpInst::ICMP_UGT) std::swap(x, size);
      else if (compare->getPredicate() != llvm::CmpInst::ICMP_ULT) return;
      const SCEV* last = evolution_.getAddExpr(evolution_.getSCEV(size), evolution_.getMinusOne(size->getType()));
      if (require(*x, last)) tests_.insert({compare, true});
    }
  }

  /// A comparison that may be with a bound of a grid.
  struct Test {
    llvm::ICmpInst* comparison;
    const SCEV* x;
    Range range;       ///< of x
    const SCEV* last;  ///< at most that inside; null: `least` at least
    std::int64_t least = 0;
    bool inside = false;  ///< what it comes to there
  };

  /// `comparison` as that; nothing if it is no such test, or it cannot be known in front.
  std::optional<Test> test_of(llvm::ICmpInst& comparison) {
    if (!comparison.getOperand(0)->getType()->isIntegerTy() || tests_.contains(&comparison)) return std::nullopt;
    Value *x = comparison.getOperand(0), *limit = comparison.getOperand(1);
    auto predicate = comparison.getPredicate();
    if (is_limit(*evolution_.getSCEV(x))) {
      std::swap(x, limit);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    const SCEV *of_x = evolution_.getSCEV(&peeled(*x)), *of_limit = evolution_.getSCEV(limit);
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(limit);
    const bool is_near = constant && constant->getValue().abs().ult(kMostRim);
    if (!x->getType()->isIntegerTy(32)) {
      // An id, compared as it is, where other taps have numbers of 32 bits.
      if (!is_near || !x->getType()->isIntegerTy(64) || !evolution_.getSignedRange(of_x).getSignedMax().isSignedIntN(32) ||
          !evolution_.getSignedRange(of_x).getSignedMin().isSignedIntN(32))
        return std::nullopt;
      of_x = evolution_.getTruncateExpr(of_x, llvm::Type::getInt32Ty(x->getContext()));
    }
    const auto range = known_range(*of_x);
    if (!range || !may_bound(*of_limit, *range->base)) return std::nullopt;
    Test test{&comparison, of_x, *range, nullptr};
    const std::int64_t number = is_near ? constant->getSExtValue() : 0;
    // Below a limit that is negative nothing is inside; what is one less than the least number would be the greatest.
    const SCEV* far = evolution_.getSMaxExpr(of_limit, evolution_.getMinusOne(limit->getType()));
    const SCEV* before = evolution_.getAddExpr(far, evolution_.getMinusOne(limit->getType()));
    switch (predicate) {
      case llvm::CmpInst::ICMP_SGT:
        if (is_near) test.least = number + 1, test.inside = true;
        else test.last = far;
        return test;
      case llvm::CmpInst::ICMP_SLT:
        if (is_near) test.least = number;
        else test.last = before, test.inside = true;
        return test;
      case llvm::CmpInst::ICMP_SLE: test.last = far, test.inside = true; break;
      case llvm::CmpInst::ICMP_SGE: test.last = before; break;
      // Of what is known to be no less, as simplification writes it.
      case llvm::CmpInst::ICMP_NE:
      case llvm::CmpInst::ICMP_EQ:
        if (!is_near || evolution_.getSignedRangeMin(of_x).getSExtValue() != number) return std::nullopt;
        test.least = number + 1, test.inside = predicate == llvm::CmpInst::ICMP_NE;
        return test;
      default: return std::nullopt;
    }
    return is_near ? std::nullopt : std::optional(test);
  }

  /// Finds tests of coordinates that several reads of a work-item have, each its own, as those of a filter that takes nothing from beyond a border.
  /// What is asked once, or of one coordinate alone, may as well part a grid in two.
  void find_tests() {
    llvm::MapVector<const SCEV*, llvm::SmallVector<Test, 8>> found;
    for (Instruction& instruction : llvm::instructions(item_))
      if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
        if (const auto test = test_of(*comparison)) found[test->range.base].push_back(*test);
    for (const auto& [base, tests] : found) {
      const auto is_wide = [](const Test& test) { return test.range.high > test.range.low; };
      const auto differs = [&](const Test& test) { return test.last && test.range.low != tests.front().range.low; };
      if (llvm::none_of(tests, is_wide) && (tests.size() < kFewestTests || llvm::none_of(tests, differs))) continue;
      for (const Test& test : tests) {
        const bool is_asked = test.last ? require(*test.x, test.last) : require_least(*test.x, test.least);
        if (!is_asked) continue;
        tests_.insert({test.comparison, test.inside});
        ++neighbours_;
      }
    }
  }

  /// Conditions that follow from others.
  void drop_implied() {
    for (const auto& [key, range] : conditions_) lowest_[key.first] = std::min(lowest_[key.first], range.low);
    for (auto& [key, range] : conditions_) range.low = lowest_[key.first];
    llvm::SmallVector<std::pair<const SCEV*, const SCEV*>, 4> implied;
    for (const auto& [key, range] : conditions_)
      for (const auto& [other_key, other] : conditions_) {
        if (key == other_key || key.first != other_key.first || llvm::is_contained(implied, other_key)) continue;
        const auto* distance = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(key.second, other_key.second));
        if (distance && distance->getAPInt().getSExtValue() - range.high >= -other.high) implied.push_back(key);
      }
    for (const auto& key : implied) conditions_.erase(key);
    for (const auto& [base, low] : lowest_)
      if (llvm::none_of(conditions_, [&](const auto& condition) { return condition.first.first == base; }))
        conditions_.insert({{base, nullptr}, {base, low, 0}});
  }

  void copy(llvm::BasicBlock& front) {
    llvm::LLVMContext& context = item_.getContext();
    llvm::SmallVector<llvm::BasicBlock*, 16> blocks;
    for (llvm::BasicBlock& block : item_)
      if (&block != &front) blocks.push_back(&block);
    llvm::ValueToValueMapTy copies;
    const auto made = clone_blocks(blocks, ".inside", nullptr, copies);
    for (llvm::BasicBlock* block : blocks) mark_rim(*block);
    llvm::BasicBlock* outside = blocks.front();
    auto* inside = llvm::cast<llvm::BasicBlock>(copies[outside]);

    Instruction* jump = front.getTerminator();
    llvm::IRBuilder<> builder(jump);
    Value* holds = nullptr;
    for (const auto& [key, range] : conditions_) {
      const auto require = [&](Value* condition) { holds = holds ? builder.CreateAnd(holds, condition) : condition; };
      Value* base = expand(*key.first, builder);
      require(builder.CreateICmpSGE(base, llvm::ConstantInt::getSigned(base->getType(), -range.low)));
      if (!key.second) continue;
      Value* last = expand(*key.second, builder);
      Value* high = llvm::ConstantInt::getSigned(base->getType(), range.high);
      require(builder.CreateICmpSLE(base, builder.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, last, high)));
    }
    const llvm::FunctionCallee all =
        item_.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
    auto* branch = builder.CreateCondBr(builder.CreateCall(all, holds), inside, outside, llvm::MDBuilder(context).createLikelyBranchWeights());
    branch->setMetadata(kInsideMetadata, llvm::MDNode::get(context, {}));
    jump->eraseFromParent();

    const auto replace = [&](Instruction& from, Value* to) {
      // What the conditions are computed from stands in front of both copies.
      if (from.getParent() == &front) return;
      Instruction* made_of = llvm::cast<Instruction>(copies[&from]);
      made_of->replaceAllUsesWith(to);
      made_of->eraseFromParent();
    };
    // Of one inside another, the outer first: its operand is what the inner one becomes.
    for (const auto& [bound, x] : llvm::reverse(bounds_)) {
      const auto of = copies.find(x);
      replace(*bound, of == copies.end() ? x : static_cast<Value*>(of->second));
    }
    for (const auto& [test, holds] : tests_) replace(*test, llvm::ConstantInt::getBool(context, holds));
  }

  /// `expression`, which is_known_in_front.
  Value* expand(const SCEV& expression, llvm::IRBuilder<>& builder) {
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&expression)) return constant->getValue();
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&expression)) return unknown->getValue();
    if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(&expression)) {
      Value* operand = expand(*cast->getOperand(), builder);
      if (llvm::isa<llvm::SCEVTruncateExpr>(cast)) return builder.CreateTrunc(operand, cast->getType());
      if (llvm::isa<llvm::SCEVZeroExtendExpr>(cast)) return builder.CreateZExt(operand, cast->getType());
      return builder.CreateSExt(operand, cast->getType());
    }
    const auto& several = llvm::cast<llvm::SCEVNAryExpr>(expression);
    Value* total = nullptr;
    for (const SCEV* part : several.operands()) {
      Value* next = expand(*part, builder);
      if (!total) total = next;
      else if (llvm::isa<llvm::SCEVAddExpr>(expression)) total = builder.CreateAdd(total, next);
      else if (llvm::isa<llvm::SCEVMulExpr>(expression)) total = builder.CreateMul(total, next);
      else total = builder.CreateBinaryIntrinsic(llvm::isa<llvm::SCEVSMaxExpr>(expression) ? llvm::Intrinsic::smax : llvm::Intrinsic::smin, total, next);
    }
    return total;
  }

  llvm::Function& item_;
  Analyses& analyses_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  Front front_;
  llvm::MapVector<Instruction*, Value*> bounds_;  ///< and what they are inside
  llvm::MapVector<Instruction*, bool> tests_;     ///< and what they come to inside
  unsigned neighbours_ = 0;                       ///< those of find_tests
  llvm::MapVector<std::pair<const SCEV*, const SCEV*>, Range> conditions_;  ///< by base and the last texel
  llvm::MapVector<const SCEV*, std::int64_t> lowest_;
};

/// A texel lies less than 2^30 bytes behind the first one of a small image (kFormatSmall), whose places alone are numbers of 32 bits.
/// So said, places of neighbours are neighbours (Shapes::of_cast) without being compared.
void mark_places_positive(llvm::Function& item) {
  for (Instruction& instruction : llvm::instructions(item)) {
    if (!instruction.hasMetadata(kTexelMetadata)) continue;
    auto* place = llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&instruction));
    auto* offset = place && place->getNumIndices() == 1 ? llvm::dyn_cast<llvm::SExtInst>(place->getOperand(1)) : nullptr;
    if (!offset || !offset->getSrcTy()->isIntegerTy(32) || !place->getSourceElementType()->isIntegerTy(8)) continue;
    place->setOperand(1, llvm::IRBuilder<>(place).CreateZExt(offset->getOperand(0), offset->getType(), offset->getName(), /*IsNonNeg=*/true));
    if (offset->use_empty()) offset->eraseFromParent();
  }
}

bool has_texels(const llvm::Function& item) {
  return llvm::any_of(llvm::instructions(item), [](const Instruction& instruction) { return instruction.hasMetadata(kTexelMetadata); });
}

bool has_bounds_and_reads(const llvm::Function& item) {
  const bool has_bounds = llvm::any_of(llvm::instructions(item), [](const Instruction& instruction) {
    return llvm::isa<llvm::MinMaxIntrinsic, llvm::ICmpInst>(instruction) && !instruction.getType()->isVectorTy();
  });
  return has_bounds && llvm::any_of(llvm::instructions(item), is_read_of_memory);
}

bool has_barriers(const llvm::Function& item) {
  return llvm::any_of(llvm::instructions(item), [](const Instruction& instruction) { return is_barrier(instruction); });
}

}  // namespace

bool copy_for_inside(llvm::Function& item, bool ids_fit_31_bits, Analyses& analyses) {
  const bool texels = has_texels(item);
  if (!texels && !has_bounds_and_reads(item)) return false;
  analyses.invalidate(item);
  if (texels && make_coordinates_whole(item, ids_fit_31_bits, analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(item)))
    simplify_kernel(item, analyses);
  const bool copies = item.getInstructionCount() <= kMostInside && !has_barriers(item) && InsideCopy(item, analyses).run();
  if (copies) {
    unroll_reading_loops(item, kMostUnrolled, analyses, [&](const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
      const Instruction* branch = inside_branch(item);
      return branch && dominators.dominates(llvm::BasicBlockEdge(branch->getParent(), branch->getSuccessor(0)), loop.getHeader());
    });
    simplify_kernel(item, analyses);
  }
  if (texels) mark_places_positive(item);
  return copies;
}

void mark_rim(llvm::BasicBlock& block) {
  for (Instruction& instruction : block)
    if (is_read_of_memory(instruction)) instruction.setMetadata(kRimMetadata, llvm::MDNode::get(block.getContext(), {}));
}

const llvm::Instruction* inside_branch(const llvm::Function& function) {
  const Instruction* branch = function.getEntryBlock().getTerminator();
  return branch->hasMetadata(kInsideMetadata) ? branch : nullptr;
}

}  // namespace weft::compiler::simt
