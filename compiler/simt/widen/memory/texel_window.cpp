// Strategy "texel-window".
// Matches: texels of images whose addresses nothing is known of, where those of work-items side by side lie close together all the
// same: an image that is enlarged, reduced to no less than half, mirrored, or looked at through a volume. The lanes of a register share a window
// of memory, of which each takes its own by a permutation. The code looks whether the first and the last lane are no further apart than
// the window is long, and all others between them, then whether they are neighbours all (neighbours.cpp); else a fall-back. No memory
// beyond these two is touched.
// Costs: a window of two registers for each register (one, of bytes and what is not aligned), for each component.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/analysis/shape_limits.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/texels.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr unsigned kWordBytes = 4;

/// Windows of the lanes that share a register of words.
class Windows {
 public:
  Windows(Widening& w, const Access& access) : w_(w), builder_(w.builder), access_(access), of_words_(has_words(access)) {}

  static bool has_words(const Access& access) { return access.element_bytes == kWordBytes && access.element_align >= kWordBytes; }
  static unsigned sharing_lanes(const Widening& w) { return w.traits.register_bits / 32; }

  /// Whether the first lane and the last of its register are close, which costs little to ask where lanes read anywhere.
  Value* may_fit() {
    Value* places = texel_offsets(w_, access_.pointer);
    Value* distance = builder_.CreateSub(builder_.CreateExtractElement(places, lanes_ - 1), builder_.CreateExtractElement(places, std::uint64_t{0}));
    auto* type = distance->getType();
    const std::uint64_t most = most_apart();
    return builder_.CreateICmpULE(builder_.CreateAdd(distance, llvm::ConstantInt::get(type, most)), llvm::ConstantInt::get(type, 2 * most));
  }

  /// Whether all lanes run, and lie as said above.
  Value* fit() {
    Value* places = texel_offsets(w_, access_.pointer);
    auto* type = llvm::cast<llvm::VectorType>(places->getType());
    Value* first = builder_.CreateShuffleVector(places, of_each([&](unsigned lane) { return lane / lanes_ * lanes_; }));
    Value* last = builder_.CreateShuffleVector(places, of_each([&](unsigned lane) { return lane / lanes_ * lanes_ + lanes_ - 1; }));
    Value* begin = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, first, last);
    Value* span = builder_.CreateSub(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, first, last), begin);
    Value* places_in = builder_.CreateSub(places, begin);
    Value* most = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, span, llvm::ConstantInt::get(type, most_apart()));
    Value* holds = w_.reduce(builder_.CreateICmpULE(places_in, most), false);
    // Where it does not hold, nothing looks at what is cut off.
    places_in_ = builder_.CreateTrunc(places_in, w_.wide(builder_.getInt32Ty()));
    span_ = builder_.CreateTrunc(span, w_.wide(builder_.getInt32Ty()));
    is_first_ = builder_.CreateICmpEQ(first, begin);
    return w_.mask ? builder_.CreateAnd(w_.reduce(w_.mask.lanes(), false), holds) : holds;
  }

  /// A vector for each component.
  Parts load() {
    Parts parts;
    for (unsigned component = 0; component < access_.count; ++component) {
      llvm::SmallVector<Value*, 4> registers;
      for (unsigned lane = 0; lane < w_.lanes; lane += lanes_) registers.push_back(of_words_ ? words(lane, component) : bytes(lane));
      Value* all = registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder_, registers);
      if (access_.element_bytes < kWordBytes) all = builder_.CreateTrunc(all, w_.wide(builder_.getIntNTy(8 * access_.element_bytes)));
      parts.push_back(builder_.CreateBitCast(all, w_.wide(access_.element)));
    }
    return parts;
  }

 private:
  template <typename F>
  llvm::SmallVector<int, 64> of_each(F of) const {
    llvm::SmallVector<int, 64> lanes;
    for (unsigned lane = 0; lane < w_.lanes; ++lane) lanes.push_back(static_cast<int>(of(lane)));
    return lanes;
  }

  /// Bytes from the first place to the last that a window holds.
  std::uint64_t most_apart() const {
    const unsigned bytes = w_.traits.register_bits / 8;
    return of_words_ ? 2 * bytes - kWordBytes : bytes - access_.element_bytes;
  }

  Value* part(Value* all, unsigned lane) {
    llvm::SmallVector<int, 16> lanes;
    for (unsigned i = 0; i < lanes_; ++i) lanes.push_back(static_cast<int>(lane + i));
    return builder_.CreateShuffleVector(all, lanes);
  }

  /// The window's first byte, of the lanes from `lane` on.
  Value* begin(unsigned lane) {
    Value* first = w_.values.value_in_lane(access_.pointer, lane);
    Value* last = w_.values.value_in_lane(access_.pointer, lane + lanes_ - 1);
    return builder_.CreateSelect(builder_.CreateExtractElement(is_first_, lane), first, last);
  }

  /// `count` elements of the window from its byte `from` on, but those that lie more than `offset` bytes behind the last place.
  Value* window(Value* begin, unsigned lane, llvm::Type* element, unsigned count, unsigned from, unsigned offset) {
    auto* type = llvm::FixedVectorType::get(element, count);
    const unsigned bytes = element->getIntegerBitWidth() / 8;
    llvm::SmallVector<llvm::Constant*, 64> places;
    for (unsigned i = 0; i < count; ++i) places.push_back(builder_.getIntN(8 * bytes, from + i * bytes));
    // Of bytes, a span of no more than a register fits one.
    Value* end = builder_.CreateAdd(builder_.CreateTrunc(builder_.CreateExtractElement(span_, lane), element), builder_.getIntN(8 * bytes, offset));
    Value* mask = builder_.CreateICmpULE(llvm::ConstantVector::get(places), builder_.CreateVectorSplat(count, end));
    llvm::CallInst* load = builder_.CreateMaskedLoad(type, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), begin, from),
                                                     llvm::Align(std::min<std::uint64_t>(bytes, access_.element_align.value())), mask);
    copy_alias_metadata(*load, access_.instruction);
    return load;
  }

  Value* words(unsigned lane, unsigned component) {
    auto* word = builder_.getInt32Ty();
    Value* from = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), begin(lane), kWordBytes * component);
    Value* low = window(from, lane, word, lanes_, 0, 0);
    Value* high = window(from, lane, word, lanes_, kWordBytes * lanes_, 0);
    Value* wanted = builder_.CreateLShr(part(places_in_, lane), llvm::ConstantInt::get(low->getType(), 2));
    if (w_.traits.mask_registers) return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {}, {low, wanted, high});
    const auto of = [&](Value* half) { return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {half, wanted}); };
    Value* is_low = builder_.CreateICmpULT(wanted, llvm::ConstantInt::get(wanted->getType(), lanes_));
    return builder_.CreateSelect(is_low, of(low), of(high));
  }

  /// Words at any byte, of narrower elements the low part.
  Value* bytes(unsigned lane) {
    const unsigned count = kWordBytes * lanes_;
    const auto element_bytes = static_cast<unsigned>(access_.element_bytes);
    Value* low = window(begin(lane), lane, builder_.getInt8Ty(), count, 0, element_bytes - 1);
    llvm::SmallVector<int, 64> of_place;
    llvm::SmallVector<llvm::Constant*, 64> steps;
    for (unsigned i = 0; i < count; ++i) {
      of_place.push_back(static_cast<int>(i / kWordBytes * kWordBytes));
      steps.push_back(builder_.getInt8(i % kWordBytes % element_bytes));
    }
    Value* places = builder_.CreateBitCast(part(places_in_, lane), low->getType());
    Value* wanted = builder_.CreateAdd(builder_.CreateShuffleVector(places, of_place), llvm::ConstantVector::get(steps));
    Value* taken = builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_qi_512, {}, {low, wanted});
    return builder_.CreateBitCast(taken, llvm::FixedVectorType::get(builder_.getInt32Ty(), lanes_));
  }

  Widening& w_;
  llvm::IRBuilder<>& builder_;
  const Access& access_;
  const bool of_words_;
  const unsigned lanes_ = sharing_lanes(w_);
  Value* places_in_ = nullptr;  ///< bytes from the window's begin, in all lanes
  Value* span_ = nullptr;       ///< bytes from the first place in the window to the last
  Value* is_first_ = nullptr;   ///< whether the window begins at its first lane
};

}  // namespace

std::optional<AccessPlan> plan_texel_window(Widening& w, const Access& access) {
  const unsigned sharing = Windows::sharing_lanes(w);
  if (!is_texel(access) || access.is_volatile || access.is_seldom || access.is_row || !access.bits || access.shape.is_affine() ||
      w.traits.register_bits < 256 || row_of_lanes(w) < sharing || w.lanes % sharing != 0)
    return std::nullopt;
  const bool of_bytes = w.traits.byte_permutes && access.count == 1 && access.element_bytes <= kWordBytes;
  if (!Windows::has_words(access) && !of_bytes) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRowPieces);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = 2 * registers_of(w, access), .emit = {}, .fall_back = "permuted windows where the lanes are close, else " + other->fall_back};
  plan.emit = [&w, &access, other = std::move(other->emit)]() mutable {
    Windows windows(w, access);
    const bool asks_neighbours = w.control.is_on(passes::Pass::kNeighbours) && may_be_neighbours(w, access);
    auto& builder = w.builder;
    auto *check = w.new_block("window"), *close = w.new_block("close"), *apart = w.new_block("apart"), *join = w.new_block("texels");
    builder.CreateCondBr(windows.may_fit(), check, apart);
    builder.SetInsertPoint(check);
    builder.CreateCondBr(windows.fit(), close, apart);
    builder.SetInsertPoint(close);
    const Parts near = asks_neighbours ? load_neighbours_or(w, access, [&] { return windows.load(); }) : windows.load();
    const bool is_packed = near.size() != access.count;
    llvm::BasicBlock* const near_end = builder.GetInsertBlock();
    builder.CreateBr(join);
    builder.SetInsertPoint(apart);
    Parts far = other();
    if (is_packed && far.size() == access.count) far = {interleave(w, far)};
    else if (!is_packed && far.size() != access.count) far = deinterleave(w, far.front(), access.count);
    llvm::BasicBlock* const far_end = builder.GetInsertBlock();
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
    Parts joined;
    for (unsigned i = 0; i < near.size(); ++i) {
      llvm::PHINode* phi = builder.CreatePHI(near[i]->getType(), 2);
      phi->addIncoming(near[i], near_end);
      phi->addIncoming(far[i], far_end);
      joined.push_back(phi);
    }
    return joined;
  };
  return plan;
}

}  // namespace weft::compiler::simt
