#include "compiler/simt/analysis/lane_runs.h"

#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <optional>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

using llvm::Instruction;
using llvm::Value;

namespace {

constexpr unsigned kDeepestRun = 24;

/// Never 0, which is no base.
template <typename... Parts>
std::uint64_t base_of_parts(const Parts&... parts) {
  return std::uint64_t{llvm::hash_combine(parts...)} | 1;
}

std::int64_t wrapped(std::int64_t a, std::int64_t b, unsigned opcode) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  return static_cast<std::int64_t>(opcode == Instruction::Add ? x + y : opcode == Instruction::Sub ? x - y : x * y);
}

/// Of numbers that are known and not negative; none for what is not expected of lanes' numbers.
std::optional<std::int64_t> fold(unsigned opcode, std::int64_t a, std::int64_t b) {
  if (a < 0 || b < 0) return std::nullopt;
  switch (opcode) {
    case Instruction::UDiv:
    case Instruction::SDiv: return b ? std::optional(a / b) : std::nullopt;
    case Instruction::URem:
    case Instruction::SRem: return b ? std::optional(a % b) : std::nullopt;
    case Instruction::And: return a & b;
    case Instruction::Or: return a | b;
    case Instruction::Xor: return a ^ b;
    case Instruction::LShr:
    case Instruction::AShr: return b < 63 ? std::optional(a >> b) : std::nullopt;
    default: return std::nullopt;
  }
}

/// The dimension of a local id; none if `value` is not one.
std::optional<unsigned> local_id_dimension(const Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  if (!call) return std::nullopt;
  const llvm::StringRef name = called_name(*call);
  if (!name.starts_with(primitive::kLocalId) || name.size() != primitive::kLocalId.size() + 1) return std::nullopt;
  return static_cast<unsigned>(name.back() - 'x');
}

}  // namespace

llvm::SmallVector<unsigned, 16> LaneRuns::begins(Value& pointer, std::int64_t unit) {
  const Numbers numbers = of(pointer, 0);
  llvm::SmallVector<unsigned, 16> result{0};
  for (unsigned lane = 1; lane < lanes_; ++lane)
    if (numbers[lane].base != numbers[lane - 1].base || numbers[lane].place - numbers[lane - 1].place != unit) result.push_back(lane);
  return result;
}

LaneRuns::Numbers LaneRuns::of(Value& value, unsigned depth) {
  const auto found = known_.find(&value);
  if (found != known_.end()) return found->second;
  Numbers numbers = compute(value, depth);
  known_[&value] = numbers;
  return numbers;
}

LaneRuns::Numbers LaneRuns::unknown(const Value& value) const {
  Numbers numbers(lanes_);
  const Shape shape = shapes_[value];
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const unsigned segment = shape.is_affine() ? shape.segment : 1;
    numbers[lane] = {shape.is_affine() ? wrapped(shape.stride, lane % segment, Instruction::Mul) : 0,
                     base_of_parts(&value, lane / segment)};
  }
  return numbers;
}

LaneRuns::Numbers LaneRuns::compute(Value& value, unsigned depth) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value); number && number->getBitWidth() <= 64)
    return Numbers(lanes_, {number->getSExtValue(), 0});
  const auto& size = specialization_.local_size;
  const std::uint64_t items = std::uint64_t{size[0]} * size[1] * size[2];
  if (const auto dimension = local_id_dimension(value); dimension && items && items <= lanes_ && specialization_.groups == 1) {
    std::uint64_t inner = 1;
    for (unsigned d = 0; d < *dimension; ++d) inner *= size[d];
    Numbers numbers(lanes_);
    for (unsigned lane = 0; lane < lanes_; ++lane) numbers[lane].place = static_cast<std::int64_t>(lane / inner % size[*dimension]);
    return numbers;
  }
  const Shape shape = shapes_[value];
  const bool is_sum_of_shapes = shape.is_affine() && shape.segment >= lanes_;
  auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || is_sum_of_shapes || depth > kDeepestRun) return unknown(value);
  if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&value)) return of_gep(*gep, depth);
  if (instruction->isCast() && value.getType()->isIntOrPtrTy()) return of(*instruction->getOperand(0), depth + 1);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction))
    return of_choice({select->getTrueValue(), select->getFalseValue()}, depth);
  if (auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction)) return of_choice({bound->getLHS(), bound->getRHS()}, depth);
  if (llvm::isa<llvm::BinaryOperator>(instruction) && value.getType()->isIntegerTy()) return of_operation(*instruction, depth);
  return unknown(value);
}

LaneRuns::Numbers LaneRuns::of_choice(llvm::ArrayRef<Value*> operands, unsigned depth) {
  const auto steps = [](const Numbers& numbers) {
    unsigned count = 0;
    for (std::size_t lane = 1; lane < numbers.size(); ++lane)
      count += numbers[lane].base == numbers[lane - 1].base && numbers[lane].place > numbers[lane - 1].place;
    return count;
  };
  Numbers first = of(*operands[0], depth + 1), second = of(*operands[1], depth + 1);
  return steps(first) >= steps(second) ? first : second;
}

LaneRuns::Numbers LaneRuns::combined(unsigned opcode, const Numbers& left, const Numbers& right) const {
  Numbers numbers(lanes_);
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const Number a = left[lane], b = right[lane];
    const bool is_sum = opcode == Instruction::Add || opcode == Instruction::Sub;
    // What is multiplied by a number that is known is its place and its base.
    if (is_sum || (opcode == Instruction::Mul && (!a.base || !b.base))) {
      numbers[lane].place = wrapped(a.place, b.place, opcode);
      if (is_sum)
        numbers[lane].base = !b.base ? a.base : base_of_parts(a.base, b.base, opcode);
      else if (a.base || b.base)
        numbers[lane].base = base_of_parts(a.base, b.base, a.base ? b.place : a.place, opcode);
      continue;
    }
    const std::optional<std::int64_t> known = a.base || b.base ? std::nullopt : fold(opcode, a.place, b.place);
    numbers[lane] = known ? Number{*known, 0} : Number{0, base_of_parts(a.base, a.place, b.base, b.place, opcode)};
  }
  return numbers;
}

LaneRuns::Numbers LaneRuns::of_operation(Instruction& instruction, unsigned depth) {
  unsigned opcode = instruction.getOpcode();
  Numbers left = of(*instruction.getOperand(0), depth + 1), right = of(*instruction.getOperand(1), depth + 1);
  if (const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction); either && either->isDisjoint())
    opcode = Instruction::Add;
  if (const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      amount && opcode == Instruction::Shl && amount->getValue().ult(62)) {
    opcode = Instruction::Mul;
    right.assign(lanes_, {std::int64_t{1} << amount->getZExtValue(), 0});
  }
  return combined(opcode, left, right);
}

LaneRuns::Numbers LaneRuns::of_gep(llvm::GEPOperator& gep, unsigned depth) {
  llvm::MapVector<Value*, llvm::APInt> variables;
  llvm::APInt constant(64, 0);
  if (!gep.collectOffset(layout_, 64, variables, constant)) return unknown(gep);
  Numbers sum = combined(Instruction::Add, of(*gep.getPointerOperand(), depth + 1), Numbers(lanes_, {constant.getSExtValue(), 0}));
  for (const auto& [variable, scale] : variables)
    sum = combined(Instruction::Add, sum, combined(Instruction::Mul, of(*variable, depth + 1), Numbers(lanes_, {scale.getSExtValue(), 0})));
  return sum;
}

}  // namespace weft::compiler::simt
