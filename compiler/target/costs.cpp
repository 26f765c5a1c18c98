#include "compiler/target/costs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <optional>

#include "compiler/target/target.h"

namespace weft::compiler::target {
namespace {

using llvm::Instruction;
using llvm::TargetTransformInfo;
using llvm::Type;

/// Nothing, or a name for what another register holds.
bool is_free(const Instruction& instruction) {
  return llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::FreezeInst, llvm::BitCastInst, llvm::AddrSpaceCastInst>(instruction) ||
         instruction.isDebugOrPseudoInst();
}

bool is_integer_division(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return true;
    default: return false;
  }
}

/// A product of 64 bits whose operands have 32: one instruction, of which LLVM's tables know where they see both extended.
bool is_product_of_halves(const Instruction& instruction, const llvm::DataLayout& layout) {
  if (instruction.getOpcode() != Instruction::Mul || !instruction.getType()->isIntegerTy(64)) return false;
  const auto fits = [&](const llvm::Value* operand) { return llvm::computeKnownBits(operand, layout).countMinLeadingZeros() >= 32; };
  const auto is_signed = [&](const llvm::Value* operand) { return llvm::ComputeNumSignBits(operand, layout) > 32; };
  return llvm::all_of(instruction.operands(), fits) || llvm::all_of(instruction.operands(), is_signed);
}

/// A shift or a rotation of words by numbers of their own: LLVM's tables know of AVX2 what its first processors took.
bool is_word_shift(const Instruction& instruction) {
  const unsigned bits = instruction.getType()->getScalarSizeInBits();
  if (!instruction.getType()->isIntOrIntVectorTy() || (bits != 32 && bits != 64)) return false;
  const unsigned opcode = instruction.getOpcode();
  return opcode == Instruction::Shl || opcode == Instruction::LShr || (opcode == Instruction::AShr && bits == 32);
}
bool is_word_rotation(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || (call->getIntrinsicID() != llvm::Intrinsic::fshl && call->getIntrinsicID() != llvm::Intrinsic::fshr)) return false;
  const unsigned bits = call->getType()->getScalarSizeInBits();
  return (bits == 32 || bits == 64) && call->getArgOperand(0) == call->getArgOperand(1);
}

bool is_condition(const llvm::Value& value) { return value.getType()->isIntOrIntVectorTy(1); }

bool is_half(const llvm::Value& value) { return value.getType()->getScalarType()->isHalfTy(); }

/// Between 16-bit floats and float.
bool converts_halves(const Instruction& instruction) {
  if (!llvm::isa<llvm::FPTruncInst, llvm::FPExtInst>(instruction)) return false;
  const llvm::Value& from = *instruction.getOperand(0);
  return (is_half(from) && instruction.getType()->getScalarType()->isFloatTy()) || (is_half(instruction) && from.getType()->getScalarType()->isFloatTy());
}

/// Whether `instruction` only makes 64 bits of 32 that an access counts elements by: a gather does so itself.
bool is_index(const Instruction& instruction) {
  return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
         instruction.getOperand(0)->getType()->isIntegerTy(32) && !instruction.use_empty() &&
         llvm::all_of(instruction.users(), llvm::IsaPred<llvm::GetElementPtrInst>);
}

bool is_float(const llvm::Value& value) { return value.getType()->isFPOrFPVectorTy(); }

/// `elements` of `type`, as the processor holds them: pointers are numbers.
Type* vector_of(Type* type, unsigned elements) {
  Type* element = type->getScalarType();
  if (element->isPointerTy()) element = llvm::Type::getInt64Ty(type->getContext());
  return elements == 1 ? element : llvm::FixedVectorType::get(element, elements);
}

/// What is known of the last operand of `operation`: each component of an OpenCL vector has registers of its own, which are shifted or multiplied
/// by one number.
TargetTransformInfo::OperandValueInfo second_operand(const Instruction& operation) {
  const llvm::Value* second = operation.getOperand(operation.getNumOperands() - 1);
  auto info = TargetTransformInfo::getOperandInfo(second);
  if (info.Kind == TargetTransformInfo::OK_NonUniformConstantValue) info.Kind = TargetTransformInfo::OK_UniformConstantValue;
  return info;
}

/// Intel's servers from Skylake on.
bool has_mesh(const llvm::TargetMachine& machine) {
  return llvm::is_contained({"skylake-avx512", "cascadelake", "cooperlake", "icelake-server", "sapphirerapids", "emeraldrapids", "graniterapids",
                             "graniterapids-d"}, machine.getTargetCPU());
}

/// Of a gathered OpenCL vector of `type`, an element's share of the permutations that part its components.
double taken_apart(const Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector && vector->getNumElements() > 2 ? kTakenApart : 0;
}

}  // namespace

bool orders_loads() {
  constexpr unsigned kManyRegisters = 32;
  return vectors().registers >= kManyRegisters;
}

unsigned prefetch_lead(const llvm::TargetMachine& machine) { return has_mesh(machine) ? kMeshPrefetchLead : kPrefetchLead; }

std::uint64_t far_bytes(const llvm::TargetMachine& machine) { return has_mesh(machine) ? kMeshFarBytes : kFarBytes; }

Costs::Costs(const llvm::Function& function, const llvm::TargetMachine& machine, const VectorTraits& traits)
    : layout_(function.getParent()->getDataLayout()), traits_(traits), info_(machine.getTargetTransformInfo(function)) {
  const llvm::StringRef cpu = machine.getTargetCPU();
  const bool zen = traits.slow_gather;  // up to 4
  operations_beside_chain_ = 0;
  if (cpu.starts_with("znver") && cpu >= "znver4" && traits.register_bits >= 512) operations_beside_chain_ = kZenOperationsBesideChain;
  if (cpu.starts_with("znver") && cpu < "znver4" && traits.register_bits == 256) operations_beside_chain_ = kOldZenOperationsBesideChain;
  gathered_ = !zen ? kGatheredElement : cpu == "znver4" ? kZen4GatheredElement : kZenGatheredElement;
  scattered_ = zen ? kZenScatteredElement : kScatteredElement;
  narrow_scattered_ = traits.native_gather && !zen ? kNarrowStoredByWord : kNarrowStoredByLane;
}

double Costs::registers(Type& type, unsigned lanes) const {
  const double bits = 8 * static_cast<double>(layout_.getTypeStoreSize(&type));
  return std::max(1.0, lanes * bits / traits_.register_bits);
}

double Costs::scattered(const Instruction& access, unsigned lanes) const {
  Type* type = llvm::getLoadStoreType(const_cast<Instruction*>(&access));
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(type));
  const bool is_load = llvm::isa<llvm::LoadInst>(access);
  // Where loads by lane are no slower than a gather they take as long.
  if (is_load ? traits_.masked_gather : traits_.native_scatter) {
    if (bits == 32 || bits == 64) return lanes * ((is_load ? gathered_ : scattered_) + (is_load ? taken_apart(*type) : 0));
    if (is_load && (bits == 8 || bits == 16)) {
      const bool is_own = llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&access)));
      return lanes * (gathered_ + (is_own ? kOwnNarrowOperations : kNarrowOperations) * 32 / traits_.register_bits);
    }
  }
  if (!is_load && bits <= 16) return lanes * narrow_scattered_;
  return lanes * (type->isVectorTy() ? kVectorByLane : kElementByLane);
}

std::optional<double> Costs::halves(const Instruction& instruction, unsigned lanes) const {
  if (!traits_.half_conversions) return std::nullopt;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  const double each = registers(*llvm::Type::getFloatTy(instruction.getContext()), lanes * (vector ? vector->getNumElements() : 1));
  if (converts_halves(instruction)) return kHalfConversion * each;
  // In float, and rounded: there and back.
  const bool computes = llvm::isa<llvm::BinaryOperator>(instruction) && is_half(instruction) && !traits_.half_arithmetic;
  if (!computes) return std::nullopt;
  const bool divides = instruction.getOpcode() == Instruction::FDiv || instruction.getOpcode() == Instruction::FRem;
  return (2 * kHalfConversion + (divides ? kHalfDivision : 1.0 / kVectorsEachCycle)) * each;
}

std::optional<double> Costs::table(const Instruction& instruction, unsigned elements, Kind kind) const {
  const auto wide = [&](const llvm::Value& value) { return vector_of(value.getType(), elements); };
  const unsigned opcode = instruction.getOpcode();
  const auto cost = [&]() -> llvm::InstructionCost {
    if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator>(instruction)) {
      return info_.getArithmeticInstrCost(opcode, wide(instruction), kind, {}, second_operand(instruction));
    }
    if (llvm::isa<llvm::CastInst>(instruction))
      return info_.getCastInstrCost(opcode, wide(instruction), wide(*instruction.getOperand(0)),
                                    TargetTransformInfo::CastContextHint::None, kind);
    if (llvm::isa<llvm::CmpInst, llvm::SelectInst>(instruction)) {
      const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction);
      const auto predicate = compare ? compare->getPredicate() : llvm::CmpInst::BAD_ICMP_PREDICATE;
      Type* condition = vector_of(llvm::Type::getInt1Ty(instruction.getContext()), elements);
      return info_.getCmpSelInstrCost(opcode, compare ? wide(*compare->getOperand(0)) : wide(instruction), condition, predicate, kind);
    }
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      // The arguments say which are constants, and that a funnel shift is a rotation.
      llvm::SmallVector<const llvm::Value*, 4> arguments(call->args());
      llvm::SmallVector<Type*, 4> types;
      for (const llvm::Value* argument : arguments) types.push_back(wide(*argument));
      // A product that is added to costs what a product does, wherever the processor has it.
      const auto id = call->getIntrinsicID();
      if (id == llvm::Intrinsic::fma || id == llvm::Intrinsic::fmuladd)
        return info_.getArithmeticInstrCost(Instruction::FMul, wide(instruction), kind);
      return info_.getIntrinsicInstrCost(llvm::IntrinsicCostAttributes(id, wide(instruction), arguments, types), kind);
    }
    return llvm::InstructionCost::getInvalid();
  }();
  if (!cost.isValid()) return std::nullopt;
  return static_cast<double>(*cost.getValue());
}

double Costs::latency(const Instruction& instruction, Form form) const {
  if (is_free(instruction) || instruction.isTerminator()) return 0;
  if (llvm::isa<llvm::LoadInst>(instruction)) return kLoadLatency;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(instruction)) {
    // A lane's is a part of the next access or sum, but that a sign is extended and a condition becomes a number by instructions of their own.
    const bool is_part = !llvm::isa<llvm::SExtInst>(instruction) && !is_condition(*instruction.getOperand(0));
    return form == Form::kScalar && is_part ? 0 : 1;
  }
  if (is_integer_division(instruction)) return 2 * kScalarDivision;
  if (!instruction.getType()->isSingleValueType()) return 1;
  if (llvm::isa<llvm::CallInst>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) return 2 * kFloatLatency;
  const bool on_floats = is_float(instruction) || (instruction.getNumOperands() && is_float(*instruction.getOperand(0)));
  if (llvm::isa<llvm::SelectInst>(instruction) || (llvm::isa<llvm::CallInst>(instruction) && !on_floats)) return 1;
  const unsigned bits = instruction.getType()->getScalarSizeInBits();
  const unsigned elements = form == Form::kScalar || bits < 8 ? 1 : traits_.register_bits / bits;
  const double known = table(instruction, elements, TargetTransformInfo::TCK_Latency).value_or(1);
  return on_floats ? std::max(known, kFloatLatency) : known;
}

double Costs::scalar(const Instruction& instruction) const {
  if (is_free(instruction) || instruction.isTerminator() || llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return 0;
  if (llvm::isa<llvm::ZExtInst, llvm::TruncInst>(instruction)) return 0;
  const bool is_vector = instruction.getType()->isVectorTy();
  if (is_integer_division(instruction)) return kScalarDivision * (is_vector ? 2 : 1);
  if (const std::optional<double> cycles = halves(instruction, 1)) return *cycles;
  // What orders components of a vector has units of its own, beside which others compute; a number that becomes one has a way to go.
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction); shuffle && !llvm::isa<llvm::InsertElementInst>(shuffle->getOperand(0)))
    return kScalarOperation;
  // A lane's OpenCL vector takes as long in the vector units as a register of many lanes.
  const double simple = (llvm::isa<llvm::CallInst>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction) ? kCall : 1) *
                        (is_vector ? registers(*instruction.getType(), 1) / kVectorsEachCycle : kScalarOperation);
  // LLVM's tables count from one cycle on, of which simple instructions share one: they serve for divisions and roots.
  if (!instruction.getType()->isFloatingPointTy()) return simple;
  return std::max(simple, table(instruction, 1, TargetTransformInfo::TCK_RecipThroughput).value_or(1) - 1);
}

double Costs::wide(const Instruction& instruction, unsigned lanes) const {
  if (is_free(instruction) || instruction.isTerminator() || llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return 0;
  llvm::Value& measure = llvm::isa<llvm::CmpInst>(instruction) ? *instruction.getOperand(0) : const_cast<Instruction&>(instruction);
  if (!measure.getType()->isSingleValueType()) return 1;
  // Each component of an OpenCL vector has registers of its own.
  if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction)) return 0;
  const double each = registers(*measure.getType(), lanes);
  if (llvm::isa<llvm::CastInst>(instruction) && is_condition(*instruction.getOperand(0))) return each;  // of a mask: LLVM's tables think bit by bit
  // Where masks are vectors a gather spends theirs, and making it again takes as long.
  if (traits_.masked_gather && traits_.mask_registers && is_index(instruction)) return 0;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(measure.getType());
  const unsigned elements = vector ? vector->getNumElements() : 1;
  if (is_integer_division(instruction)) return kIntegerDivision * each;
  if (is_product_of_halves(instruction, layout_)) return each;
  const bool has_word_shifts = traits_.register_bits >= 256 && traits_.fused_products;  // AVX2
  if (has_word_shifts && is_word_shift(instruction)) return each;
  if (has_word_shifts && !traits_.mask_registers && is_word_rotation(instruction)) return kRotation * each;
  if (const std::optional<double> cycles = halves(instruction, lanes)) return *cycles;
  if (measure.getType()->isIntOrIntVectorTy(1)) return each;  // masks, of which LLVM's tables think bit by bit
  const std::optional<double> known = table(instruction, lanes * elements, TargetTransformInfo::TCK_RecipThroughput);
  if (!known) return (llvm::isa<llvm::CallInst>(instruction) ? kCall : 1) * each;
  return *known;
}

}  // namespace weft::compiler::target
