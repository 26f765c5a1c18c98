// Strategy "gather".
// Matches: words of 32 or 64 bits anywhere: numbers, pointers and small OpenCL vectors, where the processor has gathers (or
// scatters) that are faster than an access for each lane.
// Costs: an access for each lane. Of a scatter under a condition of each lane's own, lanes are counted first, and few store one after the other (few-lanes).
#include "compiler/simt/widen/memory/gather.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/memory/lane_by_lane.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Lanes up to which one access after the other is no slower than a gather or a scatter.
constexpr unsigned kFewLanes = 4;

/// Of a body's lanes, one in so many at most: then a store for each is faster than a scatter, which takes as long for one lane as for all. Measured on
/// Zen 4, of 32 lanes and 4 bytes: a scatter 14 ns, a loop 2.7 for one lane, 4.0 for 4, 6.4 for 8; to count them 0.1.
constexpr unsigned kOneIn = 4;

/// Scatters of a body whose lanes are counted, each with a branch and a loop: a structure of 65 words stored so took half as long again to compile.
constexpr unsigned kMostScattersCounted = 16;

/// Lanes that are counted: their bits are one register of integers.
constexpr unsigned kMostCounted = 64;

/// Registers of an access that are asked one by one: more are long code.
constexpr unsigned kMostParts = 8;

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

/// Lanes of which one asks together whether any is on; all of them, where nobody asks. A register's gather takes as long for one lane as for all,
/// and in the last iterations of a divergent loop many registers have no lane left: rows of a sparse matrix end anywhere.
unsigned lanes_asked(Widening& w, const Access& access) {
  const unsigned some = w.traits.register_bits / access.bits;
  const bool is_loop = llvm::isa_and_nonnull<llvm::PHINode>(w.mask.lanes());
  return is_loop && w.lanes > some && w.lanes % some == 0 && w.lanes <= kMostParts * some ? some : w.lanes;
}

/// Elements of `count` lanes from `first` on.
Value* part(Widening& w, Value* vector, unsigned first, unsigned count) {
  if (count == w.lanes) return vector;
  return w.builder.CreateShuffleVector(vector, llvm::createSequentialMask(first, count, 0));
}

/// The same of pointers, as they are made, so that LLVM sees indices of 32 bits where they are used.
Value* part_of_pointers(Widening& w, Value* pointers, unsigned first, unsigned count) {
  auto* made = llvm::dyn_cast<llvm::GetElementPtrInst>(pointers);
  if (count == w.lanes || !made || made->getNumIndices() != 1 || made->getPointerOperandType()->isVectorTy()) return part(w, pointers, first, count);
  Value* index = made->getOperand(1);
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(index);
  const bool is_wider = cast && (llvm::isa<llvm::SExtInst>(cast) || llvm::isa<llvm::ZExtInst>(cast));
  Value* own = part(w, is_wider ? cast->getOperand(0) : index, first, count);
  if (is_wider) own = w.builder.CreateCast(cast->getOpcode(), own, llvm::FixedVectorType::get(cast->getType()->getScalarType(), count));
  return w.builder.CreateGEP(made->getSourceElementType(), made->getPointerOperand(), own);
}

/// `access_to` for `count` lanes from each `first` on, but not where all of them are off. What it returns, side by side; null if nothing.
Value* by_parts(Widening& w, unsigned count, llvm::function_ref<Value*(unsigned first, Value* mask)> access_to) {
  if (count == w.lanes) return access_to(0, w.mask.lanes());
  llvm::SmallVector<Value*, kMostParts> made;
  Value* bits = w.mask.bits();
  for (unsigned first = 0; first < w.lanes; first += count) {
    Value* mask = part(w, w.mask.lanes(), first, count);
    Value* own_bits = w.builder.CreateAnd(bits, llvm::ConstantInt::get(bits->getType(), llvm::APInt::getBitsSet(w.lanes, first, first + count)));
    const TwoWays ways{.usual = "some.on", .other = "none.on", .join = "accessed", .weighted = false};
    llvm::Type* type = nullptr;
    const auto some_on = [&]() -> Parts {
      Value* value = access_to(first, mask);
      if (!value) return {};
      type = value->getType();
      return {value};
    };
    const auto none_on = [&] { return type ? Parts{llvm::Constant::getNullValue(type)} : Parts{}; };
    made.append(emit_two_ways(w, w.builder.CreateIsNotNull(own_bits), ways, some_on, none_on));
  }
  return made.empty() ? nullptr : llvm::concatenateVectors(w.builder, made);
}

Value* gather(Widening& w, const Access& access) {
  llvm::Type* word = access.type->isVectorTy() ? w.builder.getIntNTy(access.bits) : access.type;
  Value* pointers = word_pointers(w, access.pointer);
  const unsigned count = lanes_asked(w, access);
  Value* words = by_parts(w, count, [&](unsigned first, Value* mask) {
    auto* type = llvm::FixedVectorType::get(w.lowered(word), count);
    llvm::CallInst* made = w.builder.CreateMaskedGather(type, part_of_pointers(w, pointers, first, count), access.align, mask);
    copy_alias_metadata(*made, access.instruction);
    return made;
  });
  return access.type->isVectorTy() ? w.builder.CreateBitCast(words, w.packed_type(access.type)) : words;
}

/// Whether a condition of each lane's own leaves it open how many lanes there are.
bool may_be_few(const Widening& w, const Access& access) {
  return w.mask && !w.mask.is_prefix() && !w.mask.known_prefix() && !w.mask.known_lanes() && !access.is_seldom && !access.is_volatile &&
         !is_one_of_many(w, access) && w.lanes <= kMostCounted && w.memory.scatters_counted < kMostScattersCounted &&
         w.control.is_on(passes::Pass::kFewLanes);
}

/// `lanes`, in memory, where a loop finds them by number.
llvm::AllocaInst* in_memory(Widening& w, Value* lanes) {
  auto* type = llvm::cast<llvm::FixedVectorType>(lanes->getType());
  llvm::AllocaInst* array = w.new_variable(llvm::ArrayType::get(type->getElementType(), w.lanes), w.layout.getABITypeAlign(type), "lanes");
  w.builder.CreateStore(lanes, array);
  return array;
}

/// A store for each live lane of one of `words` to its own of `pointers`.
void store_live(Widening& w, const Access& access, Value* words, Value* pointers) {
  auto* made = llvm::dyn_cast<llvm::GetElementPtrInst>(pointers);
  if (made && (made->getNumIndices() != 1 || made->getPointerOperandType()->isVectorTy())) made = nullptr;
  Value* places = made ? made->getOperand(1) : pointers;
  const auto* extended = llvm::dyn_cast<llvm::SExtInst>(places);
  if (extended) places = extended->getOperand(0);
  llvm::AllocaInst *values = in_memory(w, words), *array = in_memory(w, places);
  for_each_live_lane(w, [&](Value* lane) {
    const auto of_lane = [&](llvm::AllocaInst* from) {
      llvm::Type* type = from->getAllocatedType()->getArrayElementType();
      return w.builder.CreateLoad(type, w.builder.CreateInBoundsGEP(type, from, lane));
    };
    Value* place = of_lane(array);
    if (extended) place = w.builder.CreateSExt(place, w.builder.getInt64Ty());
    if (made) place = w.builder.CreateGEP(made->getSourceElementType(), made->getPointerOperand(), place);
    w.builder.CreateAlignedStore(of_lane(values), place, access.align);
  });
}

void scatter(Widening& w, const Access& access) {
  Value* words = w.values.as_in_memory(access.value);
  if (access.type->isVectorTy()) words = w.builder.CreateBitCast(words, w.wide(w.builder.getIntNTy(access.bits)));
  Value* pointers = word_pointers(w, access.pointer);
  const unsigned count = lanes_asked(w, access);
  const auto all = [&]() -> Parts {
    by_parts(w, count, [&](unsigned first, Value* mask) -> Value* {
      llvm::CallInst* made =
          w.builder.CreateMaskedScatter(part(w, words, first, count), part_of_pointers(w, pointers, first, count), access.align, mask);
      copy_alias_metadata(*made, access.instruction);
      return nullptr;
    });
    return {};
  };
  if (!may_be_few(w, access)) {
    all();
    return;
  }
  ++w.memory.scatters_counted;
  Value* live = w.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, w.mask.bits());
  Value* are_many = w.builder.CreateICmpUGT(live, llvm::ConstantInt::get(live->getType(), w.lanes / kOneIn));
  constexpr TwoWays kWays{.usual = "many", .other = "few", .join = "stored", .weighted = false};
  emit_two_ways(w, are_many, kWays, all, [&] {
    store_live(w, access, words, pointers);
    return Parts{};
  });
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
  const bool of_some = w.mask || is_one_of_many(w, access);
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
