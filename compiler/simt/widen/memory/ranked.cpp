// Strategy "ranked".
// Matches: words of 32 or 64 bits by some lanes, at places that follow from ranks: how many lanes before them were chosen too, as a ballot,
// a scan or an atomic counter says. Programs that keep what they choose together (compaction, queues, partitions) access memory so: the
// lanes that run lie side by side, in their order. The code looks, and then accesses a row whose elements it moves together or apart in
// registers; else a fall-back.
// Processors that permute registers alone (AVX2) have stores of words so.
// Costs: an access for each register, and a comparison of addresses.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/asked_lines.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"
#include "compiler/simt/widen/lane_ranks.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"
#include "compiler/target/costs.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr unsigned kRegisterBits = 512;
/// Of half of 4 Mi numbers kept by groups of 256: none ahead takes 3.2 ms, 2 lines 2.7, 4 lines 1.5, 6 lines 1.3 (one core of Zen 5).
constexpr unsigned kLinesAhead = 6;
/// Instructions that are looked at for a rank.
constexpr unsigned kMostLooked = 64;

/// What makes ranks: counts of bits, scans, atomic sums. A store costs so much more lane by lane that it is worth a look also where a
/// kernel may have put ranks: in local memory, and across a barrier.
bool is_rank(const llvm::Instruction& instruction, bool is_load) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return intrinsic->getIntrinsicID() == llvm::Intrinsic::ctpop;
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getOperation() == llvm::AtomicRMWInst::Add;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !is_load && load->getPointerAddressSpace() == kLocalSpace;
  if (const auto call = sub_group_call(instruction))
    return call->kind == SubGroupCall::Kind::kExclusive || call->kind == SubGroupCall::Kind::kInclusive;
  const llvm::StringRef name = called_name(instruction);
  return !is_load && (name.starts_with(primitive::kSlotLoad) || name.starts_with(primitive::kLanes));
}

/// Whether integer arithmetic leads from a rank that differs between lanes to the address.
bool follows_from_rank(const Widening& w, const Access& access) {
  llvm::SmallVector<const Value*, 16> open{access.pointer};
  llvm::SmallPtrSet<const Value*, 32> seen;
  while (!open.empty()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction || w.is_uniform(instruction) || !seen.insert(instruction).second) continue;
    if (is_rank(*instruction, access.is_load())) return true;
    if (seen.size() > kMostLooked) return false;
    if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(
            instruction))
      for (const Value* operand : instruction->operands()) open.push_back(operand);
  }
  return false;
}

/// The lanes of a warp, of which some run, and their place in memory if they lie in their order.
struct Row {
  unsigned first;     ///< lane of the body
  Value* bits;        ///< i32: which of the warp's lanes run
  Value* start;       ///< the address of the first that does
};

/// Elements [first, first + count) of `vector`.
Value* part_of(Widening& w, Value* vector, unsigned first, unsigned count) {
  return w.builder.CreateShuffleVector(vector, llvm::createSequentialMask(first, count, 0));
}

/// What the first of the warp's lanes in `bits` has of `values`, or any if there is none.
Value* first_of(Widening& w, Value* values, unsigned first, Value* bits) {
  Value* lane = w.builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, w.builder.getFalse());
  lane = w.builder.CreateAnd(lane, abi::kWarpSize - 1);
  return w.builder.CreateFreeze(w.builder.CreateExtractElement(part_of(w, values, first, abi::kWarpSize), lane));
}

/// The numbers of 32 bits of which the lanes' addresses are elements of something that they share, and how a number becomes 64 bits.
struct Numbers {
  Value* lanes = nullptr;
  llvm::GetElementPtrInst* element = nullptr;
  llvm::CastInst* cast = nullptr;
};

Numbers numbers_of(Widening& w, const Access& access) {
  auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(access.pointer);
  if (!element || element->getNumIndices() != 1 || !w.is_uniform(element->getPointerOperand())) return {};
  if (w.layout.getTypeAllocSize(element->getSourceElementType()) != access.element_bytes) return {};
  auto* cast = llvm::dyn_cast<llvm::CastInst>(element->idx_begin()->get());
  if (!cast || !llvm::isa<llvm::ZExtInst, llvm::SExtInst>(cast) || !cast->getSrcTy()->isIntegerTy(32) || !cast->getDestTy()->isIntegerTy(64)) return {};
  return {w.values.vector1(cast->getOperand(0)), element, cast};
}

/// i1: whether a lane that runs has another of `lanes`, a vector of the warp's, than `first` and as many `step`s as such lanes are in front of it.
Value* not_in_steps(Widening& w, Value* lanes, Value* first, std::uint64_t step, Value* live, Value* bits) {
  auto& builder = w.builder;
  Value* distance = builder.CreateZExtOrTrunc(ranks_in(w, bits), lanes->getType());
  distance = builder.CreateMul(distance, llvm::ConstantInt::get(lanes->getType(), step));
  Value* expected = builder.CreateAdd(builder.CreateVectorSplat(abi::kWarpSize, first), distance);
  // What a lane has that is off may be poison.
  if (!w.traits.mask_registers) {
    Value* differs = builder.CreateSelect(live, builder.CreateXor(lanes, expected), llvm::Constant::getNullValue(lanes->getType()));
    return builder.CreateIsNotNull(builder.CreateOrReduce(differs));
  }
  Value* none = llvm::Constant::getNullValue(llvm::FixedVectorType::get(builder.getInt1Ty(), abi::kWarpSize));
  Value* differs = builder.CreateSelect(live, builder.CreateICmpNE(lanes, expected), none);
  return builder.CreateIsNotNull(builder.CreateBitCast(differs, builder.getInt32Ty()));
}

/// The row of the warp whose lanes begin with `first`, and, added to `wrong`, whether its lanes are not where their rank among those that run says.
/// Numbers of 32 bits are compared as such, which is half the work, where they do not wrap around on the way.
Row find_row(Widening& w, const Access& access, const Numbers& numbers, Value* live, unsigned first, Value*& wrong) {
  auto& builder = w.builder;
  live = part_of(w, live, first, abi::kWarpSize);
  Row row{first, builder.CreateBitCast(live, builder.getInt32Ty()), nullptr};
  const auto add = [&](Value* one) { wrong = wrong ? builder.CreateOr(wrong, one) : one; };
  if (!numbers.lanes) {
    Value* pointers = w.values.vector1(access.pointer);
    row.start = first_of(w, pointers, first, row.bits);
    auto* wide = llvm::FixedVectorType::get(builder.getInt64Ty(), abi::kWarpSize);
    Value* places = builder.CreatePtrToInt(part_of(w, pointers, first, abi::kWarpSize), wide);
    add(not_in_steps(w, places, builder.CreatePtrToInt(row.start, builder.getInt64Ty()), access.element_bytes, live, row.bits));
    return row;
  }
  Value* number = first_of(w, numbers.lanes, first, row.bits);
  row.start = builder.CreateGEP(access.element, w.values.uniform(numbers.element->getPointerOperand()),
                                builder.CreateCast(numbers.cast->getOpcode(), number, builder.getInt64Ty()));
  add(not_in_steps(w, part_of(w, numbers.lanes, first, abi::kWarpSize), number, 1, live, row.bits));
  const bool is_signed = llvm::isa<llvm::SExtInst>(numbers.cast);
  const llvm::APInt most = (is_signed ? llvm::APInt::getSignedMaxValue(32) : llvm::APInt::getMaxValue(32)) - abi::kWarpSize;
  add(builder.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT, number, builder.getInt(most)));
  return row;
}

/// A register's part of a row.
struct Piece {
  Value* chosen;   ///< <n x i1>: the lanes that run
  Value* present;  ///< <n x i1>: as many elements from the first on
  Value* address;
};

Piece piece_of(Widening& w, const Access& access, Value* live, const Row& row, unsigned at, unsigned each) {
  auto& builder = w.builder;
  const auto count = [&](Value* bits) { return builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits); };
  const std::uint64_t below = (std::uint64_t{1} << at) - 1, own = ((std::uint64_t{1} << each) - 1) << at;
  Value* before = builder.CreateZExt(count(builder.CreateAnd(row.bits, below)), builder.getInt64Ty());
  Value* number = count(builder.CreateAnd(row.bits, own));
  // Of `each` elements, 32 bits hold one more.
  Value* ones = builder.CreateXor(builder.CreateShl(builder.getInt32(~0u), number), ~0u);
  auto* mask = llvm::FixedVectorType::get(builder.getInt1Ty(), each);
  Value* present = builder.CreateBitCast(builder.CreateTrunc(ones, builder.getIntNTy(each)), mask);
  return {part_of(w, live, row.first + at, each), present, builder.CreateGEP(access.element, row.start, before)};
}

Value* move_elements(Widening& w, llvm::Intrinsic::ID id, Value* value, Value* chosen) {
  return w.builder.CreateIntrinsic(id, {value->getType()}, {value, llvm::Constant::getNullValue(value->getType()), chosen});
}

/// What comes behind a row that is stored will be stored next. Nothing asks for its lines meanwhile: processors do not look ahead of masked
/// stores as of others, and wait for each.
void ask_for_next_lines(Widening& w, Value* start) {
  for (unsigned line = 1; line <= kLinesAhead; ++line) {
    Value* address = w.builder.CreateConstGEP1_64(w.builder.getInt8Ty(), start, line * target::kLineBytes);
    ask_for_line(w.builder, address, /*stores=*/true, AskedCache::kFirst);
  }
}

/// Stores a row by registers of eight, each together with what the next one overwrites. The last one ends where the row does; those that would
/// go further, whose elements are in it, go nowhere. A shorter row alone is masked, which takes long.
void store_together(Widening& w, const Access& access, Value* own, const Row& row) {
  auto& builder = w.builder;
  const Together together = move_together(w, own, row.bits);
  auto* type = llvm::FixedVectorType::get(access.element, kTogetherLanes);
  const auto place = [&](Value* number) { return builder.CreateGEP(access.element, row.start, builder.CreateZExt(number, builder.getInt64Ty())); };
  const auto store = [&](Value* part, Value* at) {
    copy_alias_metadata(*builder.CreateAlignedStore(builder.CreateBitCast(part, type), at, access.align), access.instruction);
  };
  constexpr TwoWays kWays{.usual = "registers", .other = "shorter", .join = "stored", .weighted = false};
  emit_two_ways(
      w, builder.CreateICmpUGE(together.count, builder.getInt32(kTogetherLanes)), kWays,
      [&] {
        Value* nowhere = w.new_variable(type, llvm::Align(32), "nowhere");
        Value* last = builder.CreateSub(together.count, builder.getInt32(kTogetherLanes));
        store(together.parts[0], row.start);
        for (unsigned part = 1; part < kTogetherParts; ++part) {
          Value* fits = builder.CreateICmpULE(together.before[part], last);
          Value* at = builder.CreateSelect(fits, place(together.before[part]), nowhere);
          builder.CreateAlignedStore(builder.CreateBitCast(together.parts[part], type), at, access.align);
        }
        store(together.last, place(last));
        return Parts{};
      },
      [&] {
        // The elements are at the register's end.
        Value* first = rotate(w, together.last, builder.CreateNeg(together.count));
        Value* present = first_lanes(w, together.count);
        copy_alias_metadata(*builder.CreateMaskedStore(builder.CreateBitCast(first, type), row.start, access.align, present), access.instruction);
        return Parts{};
      });
}

Parts access_rows(Widening& w, const Access& access, Value* value, Value* live, llvm::ArrayRef<Row> rows) {
  const unsigned each = kRegisterBits / access.bits;
  auto* type = llvm::FixedVectorType::get(access.element, each);
  llvm::SmallVector<Value*, 16> loaded;
  const bool is_written = !access.is_load() && access.pointer->getType()->getPointerAddressSpace() == kGlobalSpace;
  for (const Row& row : rows) {
    if (is_written) ask_for_next_lines(w, row.start);
    if (can_move_together(w)) {
      store_together(w, access, part_of(w, value, row.first, abi::kWarpSize), row);
      continue;
    }
    for (unsigned at = 0; at < abi::kWarpSize; at += each) {
      const Piece piece = piece_of(w, access, live, row, at, each);
      if (access.is_load()) {
        llvm::CallInst* load = w.builder.CreateMaskedLoad(type, piece.address, access.align, piece.present);
        copy_alias_metadata(*load, access.instruction);
        loaded.push_back(move_elements(w, llvm::Intrinsic::x86_avx512_mask_expand, load, piece.chosen));
        continue;
      }
      Value* own = part_of(w, value, row.first + at, each);
      Value* together = move_elements(w, llvm::Intrinsic::x86_avx512_mask_compress, own, piece.chosen);
      copy_alias_metadata(*w.builder.CreateMaskedStore(together, piece.address, access.align, piece.present), access.instruction);
    }
  }
  if (!access.is_load()) return {};
  return {llvm::concatenateVectors(w.builder, loaded)};
}

Parts emit(Widening& w, const Access& access, llvm::function_ref<Parts()> other) {
  auto& builder = w.builder;
  Value* value = access.is_load() ? nullptr : w.values.as_in_memory(access.value);
  Value* live = w.mask.lanes();
  const Numbers numbers = numbers_of(w, access);
  llvm::SmallVector<Row, 8> rows;
  Value* wrong = nullptr;
  for (unsigned first = 0; first < w.lanes; first += abi::kWarpSize) rows.push_back(find_row(w, access, numbers, live, first, wrong));
  Value* holds = builder.CreateNot(wrong);
  constexpr TwoWays kWays{.usual = "in_order", .other = "anywhere", .join = "ranked", .weighted = false};
  return emit_two_ways(w, holds, kWays, [&] { return access_rows(w, access, value, live, rows); }, other);
}

bool may_be_ranked(const Widening& w, const Access& access) {
  const bool is_number = access.type->isIntegerTy() || access.type->isFloatingPointTy();
  const unsigned space = access.pointer->getType()->getPointerAddressSpace();
  bool can_move = w.traits.native_scatter && w.traits.mask_registers && w.traits.register_bits == kRegisterBits;
  can_move |= can_move_together(w) && !access.is_load() && access.bits == 32;
  return w.mask && !w.mask.known_lanes() && can_move && w.lanes % abi::kWarpSize == 0 && is_number &&
         (access.bits == 32 || access.bits == 64) && !access.is_volatile && !access.is_seldom && !access.shape.is_affine() &&
         (space == kGlobalSpace || space == kLocalSpace) && follows_from_rank(w, access);
}

}  // namespace

std::optional<AccessPlan> plan_ranked(Widening& w, const Access& access) {
  if (!may_be_ranked(w, access)) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRanked);
  if (!other) return std::nullopt;
  AccessPlan plan{
      .cost = registers_of(w, access), .emit = {}, .fall_back = "a row where the lanes lie in their order, else " + other->fall_back};
  plan.emit = [&w, &access, other = std::move(other->emit)]() mutable { return emit(w, access, [&] { return other(); }); };
  return plan;
}

}  // namespace weft::compiler::simt
