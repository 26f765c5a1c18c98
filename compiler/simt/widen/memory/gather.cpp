// Strategy "gather".
// Matches: words of 32 or 64 bits anywhere: numbers, pointers and small OpenCL vectors, where the processor has gathers (or
// scatters) that are faster than an access for each lane.
// Costs: an access for each lane.
#include "compiler/simt/widen/memory/gather.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Lanes up to which one access after the other is no slower than a gather or a scatter.
constexpr unsigned kFewLanes = 4;

/// Bytes of all lanes' copies of a private variable up to which an offset is a positive number of 32 bits.
constexpr std::uint64_t kMostOffset = 1u << 30;

/// The greatest offset, where indices are not negative; more than kMostOffset: it is not known.
std::uint64_t reach(Widening& w, const llvm::MapVector<Value*, llvm::APInt>& variables) {
  std::uint64_t offset = 0;
  for (const auto& [variable, scale] : variables) {
    const llvm::APInt most = llvm::computeKnownBits(variable, w.layout).getMaxValue();
    if (scale.isNegative() || most.isNegative() || most.ugt(kMostOffset) || scale.ugt(kMostOffset)) return kMostOffset + 1;
    offset += most.getZExtValue() * scale.getZExtValue();
    if (offset > kMostOffset) break;
  }
  return offset;
}

/// `pointer` in all lanes, as a scalar and offsets of 32 bits where it can be, of which a gather takes twice as many at once.
Value* word_pointers(Widening& w, Value* pointer) {
  const auto offsets = short_offsets(w, pointer);
  if (!offsets) return w.values.vector1(pointer);
  return w.builder.CreateGEP(w.builder.getInt8Ty(), offsets->base, w.builder.CreateSExt(offsets->sum(w), w.wide(w.builder.getInt64Ty())));
}

Value* gather(Widening& w, const Access& access) {
  llvm::Type* word = access.type->isVectorTy() ? w.builder.getIntNTy(access.bits) : access.type;
  llvm::CallInst* words =
      w.builder.CreateMaskedGather(w.wide(word), word_pointers(w, access.pointer), access.align, w.mask.lanes());
  copy_alias_metadata(*words, access.instruction);
  return access.type->isVectorTy() ? w.builder.CreateBitCast(words, w.packed_type(access.type)) : words;
}

void scatter(Widening& w, const Access& access) {
  Value* words = w.values.as_in_memory(access.value);
  if (access.type->isVectorTy()) words = w.builder.CreateBitCast(words, w.wide(w.builder.getIntNTy(access.bits)));
  llvm::CallInst* made = w.builder.CreateMaskedScatter(words, word_pointers(w, access.pointer), access.align, w.mask.lanes());
  copy_alias_metadata(*made, access.instruction);
}

}  // namespace

Value* ShortOffsets::sum(Widening& w) const { return variables ? w.builder.CreateAdd(constants, variables) : constants; }

std::optional<ShortOffsets> short_offsets(Widening& w, Value* pointer) {
  llvm::MapVector<Value*, llvm::APInt> variables;
  llvm::APInt constant(64, 0);
  Value* base = pointer;
  for (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(base); gep && !w.shape(gep).is_affine();
       gep = llvm::dyn_cast<llvm::GetElementPtrInst>(base)) {
    if (gep->getType()->isVectorTy() || !gep->collectOffset(w.layout, 64, variables, constant)) return std::nullopt;
    base = gep->getPointerOperand();
  }
  const Shape from = w.shape(base);
  const Value* object = llvm::getUnderlyingObject(base, 0);
  std::uint64_t bytes = kMostOffset + 1;
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(object); alloca && alloca->isStaticAlloca())
    bytes = w.lanes * alloca->getAllocationSize(w.layout)->getFixedValue();
  else if (called_name(*object) == primitive::kPrivate)
    bytes = w.request.frame.bytes;
  if (base != pointer && w.is_uniform(base) && !constant.isNegative() && reach(w, variables) + constant.getZExtValue() <= kMostOffset)
    bytes = 0;
  else if (base == pointer || bytes > kMostOffset || !from.is_affine() || from.checked || from.segment != w.lanes)
    return std::nullopt;
  auto* type = w.wide(w.builder.getInt32Ty());
  ShortOffsets offsets{.base = w.values.scalar_at(base, 0), .constants = llvm::ConstantInt::get(type, constant.trunc(32))};
  if (bytes) offsets.constants = w.builder.CreateAdd(w.lane_numbers(w.builder.getInt32Ty(), w.lanes, from.stride), offsets.constants);
  for (const auto& [variable, scale] : variables) {
    Value* index = w.builder.CreateSExtOrTrunc(w.values.vector1(variable), type);
    Value* term = w.builder.CreateMul(index, llvm::ConstantInt::get(type, scale.trunc(32)));
    const std::uint64_t factor = std::uint64_t{1} << std::min(scale.countr_zero(), 31u);
    offsets.multiple = offsets.variables ? std::min(offsets.multiple, factor) : factor;
    offsets.variables = offsets.variables ? w.builder.CreateAdd(offsets.variables, term) : term;
  }
  return offsets;
}

bool gathers(const Widening& w, const Access& access) {
  // Where there are many accesses, an instruction that is no faster is the shorter code.
  const bool of_some = w.mask || w.memory.many_lane_accesses;
  const bool native = !access.is_load() ? w.traits.native_scatter : of_some ? w.traits.masked_gather : w.traits.native_gather;
  return native && !access.is_volatile && w.mask.known_prefix().value_or(w.lanes) > kFewLanes;
}

std::optional<AccessPlan> plan_gather(Widening& w, const Access& access) {
  if ((access.bits != 32 && access.bits != 64) || !gathers(w, access)) return std::nullopt;
  AccessPlan plan{.cost = w.lanes, .emit = {}, .fall_back = access.is_load() ? "gather" : "scatter"};
  plan.emit = [&w, &access]() -> Parts {
    if (access.is_load()) return {gather(w, access)};
    scatter(w, access);
    return {};
  };
  return plan;
}

}  // namespace weft::compiler::simt
