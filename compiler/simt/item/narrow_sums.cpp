#include "compiler/simt/item/narrow_sums.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::ConstantRange;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kWideSum = 32, kNarrowSum = 16;
constexpr double kMostSum = 65535;
/// The most operations through which numbers are followed.
constexpr unsigned kMostDepth = 6;
/// The most phis and additions that one sum is made of.
constexpr unsigned kMostMembers = 64;

/// What `value` may be, if it is made of numbers of 16 or fewer bits: arithmetic on those is narrowed too, where the sum is.
std::optional<ConstantRange> range_of(const Value& value, unsigned depth = 0) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return ConstantRange(constant->getValue());
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || depth == kMostDepth) return std::nullopt;
  const unsigned bits = value.getType()->getScalarSizeInBits();
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(instruction); cast && llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(cast)) {
    const unsigned from = cast->getOperand(0)->getType()->getScalarSizeInBits();
    if (from == 1 || !cast->getOperand(0)->getType()->isIntegerTy()) return std::nullopt;
    const auto inner = range_of(*cast->getOperand(0), depth + 1);
    if (!inner && std::min(from, bits) > kNarrowSum) return std::nullopt;
    return inner.value_or(ConstantRange::getFull(from)).castOp(cast->getOpcode(), bits);
  }
  llvm::SmallVector<ConstantRange, 2> operands;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  if (!llvm::isa<llvm::BinaryOperator>(instruction) && !(call && ConstantRange::isIntrinsicSupported(call->getIntrinsicID()))) return std::nullopt;
  for (const llvm::Use& operand : instruction->operands()) {
    if (call && call->isCallee(&operand)) continue;
    const auto range = operand->getType()->isIntegerTy(1) ? std::optional(ConstantRange::getFull(1)) : range_of(*operand, depth + 1);
    if (!range) return std::nullopt;
    operands.push_back(*range);
  }
  if (!call) return operands[0].binaryOp(llvm::cast<llvm::BinaryOperator>(instruction)->getOpcode(), operands[1]);
  // Flags, of which abs has one, are constants.
  if (call->getIntrinsicID() == llvm::Intrinsic::abs) operands[1] = ConstantRange(llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->getValue());
  return ConstantRange::intrinsic(call->getIntrinsicID(), operands);
}

/// A sum: the phis that carry it, and the additions to it, each with what it adds.
struct Sum {
  llvm::SmallSetVector<llvm::PHINode*, 8> phis;
  llvm::MapVector<llvm::BinaryOperator*, unsigned> additions;  ///< the operand that is added
  bool contains(const Value* value) const {
    return phis.contains(llvm::dyn_cast<llvm::PHINode>(const_cast<Value*>(value))) ||
           additions.contains(llvm::dyn_cast<llvm::BinaryOperator>(const_cast<Value*>(value)));
  }
  bool meets(const Sum& other) const {
    return llvm::any_of(phis, [&](const llvm::PHINode* phi) { return other.contains(phi); }) ||
           llvm::any_of(additions, [&](const auto& each) { return other.contains(each.first); });
  }
  void join(const Sum& other) {
    phis.insert(other.phis.begin(), other.phis.end());
    for (const auto& addition : other.additions) additions.insert(addition);
  }
};

class Sums {
 public:
  Sums(const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) : loops_(loops), evolution_(evolution) {}

  /// The sum that `phi` carries, if it may be narrowed.
  std::optional<Sum> find(llvm::PHINode& phi) {
    Sum sum;
    llvm::SmallVector<Value*, 16> rest{&phi};
    double most = 0;
    while (!rest.empty()) {
      Value* value = rest.pop_back_val();
      if (sum.contains(value)) continue;
      if (sum.phis.size() + sum.additions.size() == kMostMembers) return std::nullopt;
      if (auto* carried = llvm::dyn_cast<llvm::PHINode>(value)) {
        sum.phis.insert(carried);
        for (Value* incoming : carried->incoming_values()) {
          const auto* begin = llvm::dyn_cast<llvm::ConstantInt>(incoming);
          if (begin) most = std::max(most, static_cast<double>(begin->getZExtValue()));
          else rest.push_back(incoming);
        }
        continue;
      }
      auto* addition = llvm::dyn_cast<llvm::BinaryOperator>(value);
      if (!addition || addition->getOpcode() != Instruction::Add) return std::nullopt;
      // What has no range of its own is the sum.
      const auto left = range_of(*addition->getOperand(0)), right = range_of(*addition->getOperand(1));
      if (left.has_value() == right.has_value()) return std::nullopt;
      sum.additions[addition] = left ? 0 : 1;
      rest.push_back(addition->getOperand(left ? 1 : 0));
    }
    for (const auto& [addition, added] : sum.additions)
      most += times(*addition, sum) * range_of(*addition->getOperand(added))->getUnsignedMax().roundToDouble();
    const bool counts = llvm::all_of(sum.additions, [](const auto& each) { return llvm::isa<llvm::Constant>(each.first->getOperand(each.second)); });
    return !counts && most <= kMostSum ? std::optional(std::move(sum)) : std::nullopt;
  }

 private:
  /// How often `addition` adds to the sum at most, from where it begins; infinitely often if that is not known.
  double times(const llvm::BinaryOperator& addition, const Sum& sum) const {
    double result = 1;
    for (const llvm::Loop* loop = loops_.getLoopFor(addition.getParent()); loop; loop = loop->getParentLoop()) {
      if (llvm::none_of(loop->getHeader()->phis(), [&](const llvm::PHINode& phi) { return sum.phis.contains(const_cast<llvm::PHINode*>(&phi)); })) continue;
      const unsigned count = evolution_.getSmallConstantMaxTripCount(loop);
      if (!count) return std::numeric_limits<double>::infinity();
      result *= count;
    }
    return result;
  }

  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

void narrow(const Sum& sum) {
  llvm::IRBuilder<> builder((*sum.phis.begin())->getContext());
  llvm::Type* type = builder.getIntNTy(kNarrowSum);
  llvm::DenseMap<Value*, Value*> narrowed;
  for (llvm::PHINode* phi : sum.phis) {
    builder.SetInsertPoint(phi);
    narrowed[phi] = builder.CreatePHI(type, phi->getNumIncomingValues(), phi->getName());
  }
  // Operands follow, once there is something in place of each.
  Value* later = llvm::PoisonValue::get(type);
  for (const auto& [addition, added] : sum.additions)
    narrowed[addition] = llvm::BinaryOperator::CreateNUWAdd(later, later, addition->getName(), addition->getIterator());
  const auto narrow_value = [&](Value* value) -> Value* {
    const auto known = narrowed.find(value);
    if (known != narrowed.end()) return known->second;
    return builder.CreateTrunc(value, type);
  };
  for (llvm::PHINode* phi : sum.phis)
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      builder.SetInsertPoint(phi->getIncomingBlock(i)->getTerminator());
      llvm::cast<llvm::PHINode>(narrowed[phi])->addIncoming(narrow_value(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    }
  for (const auto& [addition, added] : sum.additions) {
    auto* small = llvm::cast<Instruction>(narrowed[addition]);
    builder.SetInsertPoint(small);
    for (unsigned i : {0u, 1u}) small->setOperand(i, narrow_value(addition->getOperand(i)));
  }
  // What others take of it is extended for them.
  for (const auto& [wide, small] : narrowed) {
    auto* old = llvm::cast<Instruction>(wide);
    const bool is_used = llvm::any_of(old->users(), [&](const llvm::User* user) { return !narrowed.contains(const_cast<llvm::User*>(user)); });
    if (is_used) {
      if (llvm::isa<llvm::PHINode>(old)) builder.SetInsertPoint(old->getParent(), old->getParent()->getFirstInsertionPt());
      else builder.SetInsertPoint(old);
      old->replaceUsesWithIf(builder.CreateZExt(small, old->getType()), [&](const llvm::Use& use) { return !narrowed.contains(use.getUser()); });
    }
  }
  for (const auto& [wide, small] : narrowed) llvm::cast<Instruction>(wide)->dropAllReferences();
  for (const auto& [wide, small] : narrowed) {
    wide->replaceAllUsesWith(llvm::PoisonValue::get(wide->getType()));
    llvm::cast<Instruction>(wide)->eraseFromParent();
  }
}

/// The sums that loops of `region` carry and that may be narrowed, of those phis that are `chosen`.
std::vector<Sum> find_sums(llvm::Function& region, Analyses& analyses, llvm::function_ref<bool(const llvm::PHINode&)> chosen) {
  const auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(region);
  Sums sums(loops, analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(region));
  std::vector<Sum> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    for (llvm::PHINode& phi : loop->getHeader()->phis()) {
      if (!phi.getType()->isIntegerTy(kWideSum) || !chosen(phi)) continue;
      if (llvm::any_of(found, [&](const Sum& sum) { return sum.contains(&phi); })) continue;
      auto sum = sums.find(phi);
      if (!sum) continue;
      // A sum that goes on from another has that one's members, too. All are narrowed once: each is small enough by the bound of either.
      for (const Sum& before : found)
        if (sum->meets(before)) sum->join(before);
      llvm::erase_if(found, [&](const Sum& before) { return sum->meets(before); });
      found.push_back(std::move(*sum));
    }
  return found;
}

}  // namespace

bool narrow_sums(llvm::Function& region, Analyses& analyses) {
  // Uniformity takes long where lanes go to labels in any order: it is asked for where there is a sum to narrow.
  if (find_sums(region, analyses, [](const llvm::PHINode&) { return true; }).empty()) return false;
  const llvm::UniformityInfo& uniformity = analyses.uniformity(region);  // may mark phis
  const std::vector<Sum> found = find_sums(region, analyses, [&](const llvm::PHINode& phi) { return uniformity.isDivergent(&phi); });
  for (const Sum& sum : found) narrow(sum);
  if (!found.empty()) analyses.invalidate(region);
  return !found.empty();
}

}  // namespace weft::compiler::simt
