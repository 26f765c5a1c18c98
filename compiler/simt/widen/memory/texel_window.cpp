// Strategy "texel-window".
// Matches: texels of images whose addresses nothing is known of, where those of work-items side by side lie close together all the
// same: an image that is enlarged, reduced to no less than half, mirrored, or looked at through a volume. So do elements of buffers whose
// lanes lie evenly but for rounding, as pixels that a kernel finds and weighs itself. The lanes of a register share a window
// of memory, of which each takes its own by a permutation. The code looks whether the first and the last lane are no further apart than
// the window is long, and all others between them, then whether they are neighbours all (neighbours.cpp); else a fall-back. Memory
// beyond these two is read only where an image is padded.
// Costs: a window of two registers for each register (one, where that has all, and of bytes and what is not aligned), for each component; the two
// words of a pair, or of a texel of two, share it. Bytes take a permutation of bytes, or else, of padded images, 16 of them a shuffle.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/analysis/shape_limits.h"
#include "compiler/simt/item/specialize_images.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/texels.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr unsigned kTexelWordBytes = 4;
/// Each window takes a hundred and fifty instructions and more, on three ways: of more texels than this they make code that takes seconds to compile.
constexpr unsigned kMostTexels = 128;
/// Of an OpenCL vector that a lane loads as one register.
constexpr unsigned kPackedBits = 128;
constexpr unsigned kShuffledBytes = 16;  ///< that `pshufb` takes bytes from, within each such part of a register

/// Windows that lanes side by side share.
class Windows {
 public:
  enum class Kind {
    kNone,
    kWords,         ///< two registers, permuted by words
    kPermutedBytes, ///< one register, permuted by bytes (AVX512-VBMI)
    kShuffledBytes  ///< kShuffledBytes, that more than the lanes' own may be read of
  };

  Windows(Widening& w, const Access& access)
      : w_(w),
        builder_(w.builder),
        access_(access),
        kind_(kind(w, access)),
        is_padded_(access.instruction.hasMetadata(kPaddedMetadata)),
        register_lanes_(w.traits.register_bits / 32),
        lanes_(kind_ != Kind::kShuffledBytes ? register_lanes_ : lanes_of_shuffle(access)),
        components_(is_word(access) ? 1 : access.count),
        bytes_(is_word(access) ? kTexelWordBytes : access.element_bytes),
        together_(kind_ == Kind::kWords && components_ == 2 ? 2 : 1) {}

  static Kind kind(const Widening& w, const Access& access) {
    if ((access.element_bytes == kTexelWordBytes && access.element_align >= kTexelWordBytes) || is_word(access)) return Kind::kWords;
    if (access.count != 1 || access.element_bytes > kTexelWordBytes) return Kind::kNone;
    if (w.traits.byte_permutes) return Kind::kPermutedBytes;
    return access.instruction.hasMetadata(kPaddedMetadata) ? Kind::kShuffledBytes : Kind::kNone;
  }

  /// Whether the lanes fit, of which `may_fit` is asked first unless a load before has asked already: then to `close`, else to `apart`.
  void branch(llvm::BasicBlock* close, llvm::BasicBlock* apart) {
    const bool is_straight = builder_.GetInsertBlock() == w_.memory.way;
    const TexelOffsets offsets = texel_offsets(w_, access_);
    unit_ = offsets.unit;
    AskedWindow asked{.block = access_.instruction.getParent(),
                      .places = offsets.places,
                      .most_apart = most_apart(window_bytes()) | unit_ << 32,
                      .lanes = lanes_,
                      .is_padded = is_padded_};
    const AskedWindow& last = w_.memory.window;
    if (is_straight && last.block == asked.block && last.places == asked.places && last.most_apart == asked.most_apart && last.lanes == asked.lanes &&
        last.is_padded == asked.is_padded) {
      found_ = last;
      builder_.CreateCondBr(found_.fits, close, apart);
      return;
    }
    found_ = asked;
    auto* check = w_.new_block("window");
    builder_.CreateCondBr(may_fit(), check, apart);
    builder_.SetInsertPoint(check);
    builder_.CreateCondBr(fit(), close, apart);
    is_first_ = is_straight;
  }

  /// Where both ways have joined again, from these blocks: hands on what is known of the lanes.
  void hand_on(llvm::BasicBlock* close_end, llvm::BasicBlock* apart_end) {
    if (!is_first_) return;
    const auto joined = [&](Value*& value, bool is_condition) {
      if (!value) return;
      llvm::PHINode* phi = builder_.CreatePHI(value->getType(), 2);
      phi->addIncoming(value, close_end);
      phi->addIncoming(is_condition ? static_cast<Value*>(builder_.getFalse()) : llvm::PoisonValue::get(value->getType()), apart_end);
      value = phi;
    };
    found_.fits = builder_.getTrue();
    joined(found_.fits, true);
    for (Value** value : {&found_.fits_half, &found_.places_in, &found_.span, &found_.back}) joined(*value, false);
    w_.memory.window = found_;
  }

  /// A vector for each component; of words the packed form.
  Parts load() {
    if (kind_ == Kind::kPermutedBytes) return {narrowed(of_registers([&](unsigned lane) { return permuted_bytes(lane); }))};
    if (kind_ == Kind::kShuffledBytes) return {narrowed(of_registers([&](unsigned lane) { return shuffled_bytes(lane); }))};
    // Texels that are enlarged are fewer than lanes: half a window has them all.
    constexpr TwoWays kWays{.usual = "half", .other = "whole", .join = "window", .weighted = false};
    return emit_two_ways(w_, found_.fits_half, kWays, [&] { return words(true); }, [&] { return words(false); });
  }

 private:
  /// An OpenCL vector that is one word, as a pixel of four bytes.
  static bool is_word(const Access& access) {
    return access.count > 1 && access.element_bytes * access.count == kTexelWordBytes && access.align.value() >= kTexelWordBytes;
  }

  /// Whether the first lane and the last of its window are close, which costs little to ask where lanes read anywhere.
  Value* may_fit() {
    Value* places = found_.places;
    Value* distance = builder_.CreateSub(builder_.CreateExtractElement(places, lanes_ - 1), builder_.CreateExtractElement(places, std::uint64_t{0}));
    auto* type = distance->getType();
    const std::uint64_t most = most_apart(window_bytes()) / unit_;
    return builder_.CreateICmpULE(builder_.CreateAdd(distance, llvm::ConstantInt::get(type, most)), llvm::ConstantInt::get(type, 2 * most));
  }

  /// Whether all lanes run, and lie as said above.
  Value* fit() {
    Value* places = found_.places;
    auto* type = llvm::cast<llvm::VectorType>(places->getType());
    Value* first = builder_.CreateShuffleVector(places, of_each([&](unsigned lane) { return lane / lanes_ * lanes_; }));
    Value* last = builder_.CreateShuffleVector(places, of_each([&](unsigned lane) { return lane / lanes_ * lanes_ + lanes_ - 1; }));
    Value* begin = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, first, last);
    Value* places_in = builder_.CreateSub(places, begin);
    Value* most = llvm::ConstantInt::get(type, most_apart(window_bytes()) / unit_);
    Value* span = nullptr;
    if (!is_padded_) {
      span = builder_.CreateSub(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, first, last), begin);
      most = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, span, most);
    }
    Value* holds = w_.reduce(builder_.CreateICmpULE(places_in, most), false);
    // Where it does not hold, nothing looks at what is cut off.
    auto* cut = w_.wide(builder_.getInt32Ty());
    const auto in_bytes = [&](Value* number) {
      number = builder_.CreateTrunc(number, cut);
      return unit_ == 1 ? number : builder_.CreateMul(number, llvm::ConstantInt::get(cut, unit_));
    };
    found_.places_in = in_bytes(places_in);
    found_.span = is_padded_ ? found_.places_in : in_bytes(span);
    if (kind_ == Kind::kWords) {
      const auto most_of_half = llvm::ConstantInt::get(cut, most_apart(kTexelWordBytes * lanes_));
      found_.fits_half = w_.reduce(builder_.CreateICmpULE(found_.span, most_of_half), false);
    }
    found_.back = in_bytes(builder_.CreateSub(begin, first));
    return w_.mask ? builder_.CreateAnd(w_.reduce(w_.mask.lanes(), false), holds) : holds;
  }

  /// Texels of one byte: 8 of them, twice as far apart as lanes, do not fit, but 4 whose size is 2 do.
  static unsigned lanes_of_shuffle(const Access& access) { return access.element_align >= 2 ? 4 : 8; }

  template <typename F>
  llvm::SmallVector<int, 64> of_each(F of) const {
    llvm::SmallVector<int, 64> lanes;
    for (unsigned lane = 0; lane < w_.lanes; ++lane) lanes.push_back(static_cast<int>(of(lane)));
    return lanes;
  }

  template <typename F>
  Value* of_registers(F of) {
    llvm::SmallVector<Value*, 4> registers;
    for (unsigned lane = 0; lane < w_.lanes; lane += register_lanes_) registers.push_back(of(lane));
    return registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder_, registers);
  }

  Value* narrowed(Value* all) {
    if (components_ != access_.count) return builder_.CreateBitCast(all, llvm::FixedVectorType::get(access_.element, w_.lanes * access_.count));
    if (access_.element_bytes < kTexelWordBytes) all = builder_.CreateTrunc(all, w_.wide(builder_.getIntNTy(8 * access_.element_bytes)));
    return builder_.CreateBitCast(all, w_.wide(access_.element));
  }

  unsigned window_bytes() const {
    if (kind_ == Kind::kShuffledBytes) return kShuffledBytes;
    return kTexelWordBytes * lanes_ * (kind_ == Kind::kWords ? 2 : 1);
  }

  /// Bytes from the first place to the last that a window of `bytes` holds.
  std::uint64_t most_apart(unsigned bytes) const { return bytes - bytes_ * together_; }

  Value* part(Value* all, unsigned lane) {
    llvm::SmallVector<int, 16> lanes;
    for (unsigned i = 0; i < register_lanes_; ++i) lanes.push_back(static_cast<int>(lane + i));
    return builder_.CreateShuffleVector(all, lanes);
  }

  /// The window's first byte, of the lanes from `lane` on.
  Value* begin(unsigned lane) {
    Value* back = builder_.CreateSExt(builder_.CreateExtractElement(found_.back, lane), builder_.getInt64Ty());
    return builder_.CreateGEP(builder_.getInt8Ty(), w_.values.value_in_lane(access_.pointer, lane), back);
  }

  /// `count` elements of the window from its byte `from` on, but those that lie more than `offset` bytes behind the last place, unless
  /// they may be read.
  Value* window(Value* begin, unsigned lane, llvm::Type* element, unsigned count, unsigned from, unsigned offset) {
    auto* type = llvm::FixedVectorType::get(element, count);
    const unsigned bytes = element->getIntegerBitWidth() / 8;
    const llvm::Align align(std::min<std::uint64_t>(bytes, components_ == access_.count ? access_.element_align.value() : kTexelWordBytes));
    Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), begin, from);
    if (is_padded_) {
      llvm::LoadInst* load = builder_.CreateAlignedLoad(type, address, align);
      copy_alias_metadata(*load, access_.instruction);
      return load;
    }
    llvm::SmallVector<llvm::Constant*, 64> places;
    for (unsigned i = 0; i < count; ++i) places.push_back(builder_.getIntN(8 * bytes, from + i * bytes));
    // Of bytes, a span of no more than a register fits one.
    Value* end = builder_.CreateAdd(builder_.CreateTrunc(builder_.CreateExtractElement(found_.span, lane), element), builder_.getIntN(8 * bytes, offset));
    Value* mask = builder_.CreateICmpULE(llvm::ConstantVector::get(places), builder_.CreateVectorSplat(count, end));
    llvm::CallInst* load = builder_.CreateMaskedLoad(type, address, align, mask);
    copy_alias_metadata(*load, access_.instruction);
    return load;
  }

  /// All components, of windows that are one register (`half`) or two. Components that share a window lie a word apart in it.
  Parts words(bool half) {
    auto* word = builder_.getInt32Ty();
    llvm::SmallVector<llvm::SmallVector<Value*, 4>, 4> components(components_);
    for (unsigned lane = 0; lane < w_.lanes; lane += lanes_) {
      Value* first = builder_.CreateLShr(part(found_.places_in, lane), llvm::ConstantInt::get(llvm::FixedVectorType::get(word, lanes_), 2));
      for (unsigned component = 0; component < components_; component += together_) {
        Value* from = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), begin(lane), kTexelWordBytes * component);
        const unsigned offset = kTexelWordBytes * (together_ - 1);
        Value* low = window(from, lane, word, lanes_, 0, offset);
        Value* high = half ? nullptr : window(from, lane, word, lanes_, kTexelWordBytes * lanes_, offset);
        for (unsigned i = 0; i < together_; ++i)
          components[component + i].push_back(permuted_words(low, high, builder_.CreateAdd(first, llvm::ConstantInt::get(first->getType(), i))));
      }
    }
    Parts parts;
    for (const auto& registers : components)
      parts.push_back(narrowed(registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder_, registers)));
    return parts;
  }

  /// The words at places `wanted` of one register or two.
  Value* permuted_words(Value* low, Value* high, Value* wanted) {
    const bool wide = w_.traits.mask_registers;
    if (wide && high) return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {}, {low, wanted, high});
    const auto of = [&](Value* from) {
      return builder_.CreateIntrinsic(wide ? llvm::Intrinsic::x86_avx512_permvar_si_512 : llvm::Intrinsic::x86_avx2_permd, {}, {from, wanted});
    };
    if (!high) return of(low);
    // The number's bit that tells the registers apart, as a sign: a mask as the processor takes it, which is made once where lanes stay as they are. A
    // comparison would be made anew at each use.
    Value* is_high = builder_.CreateShl(wanted, llvm::ConstantInt::get(wanted->getType(), 32 - llvm::Log2_32(2 * lanes_)));
    auto* floats = llvm::FixedVectorType::get(builder_.getFloatTy(), lanes_);
    Value* blended = builder_.CreateIntrinsic(
        llvm::Intrinsic::x86_avx_blendv_ps_256, {},
        {builder_.CreateBitCast(of(low), floats), builder_.CreateBitCast(of(high), floats), builder_.CreateBitCast(is_high, floats)});
    return builder_.CreateBitCast(blended, wanted->getType());
  }

  /// Of each lane of a register the bytes wanted, as numbers of bytes in the window.
  Value* wanted_bytes(unsigned lane) {
    const unsigned count = kTexelWordBytes * register_lanes_;
    llvm::SmallVector<int, 64> of_place;
    llvm::SmallVector<llvm::Constant*, 64> steps;
    for (unsigned i = 0; i < count; ++i) {
      of_place.push_back(static_cast<int>(i / kTexelWordBytes * kTexelWordBytes));
      steps.push_back(builder_.getInt8(i % kTexelWordBytes % static_cast<unsigned>(access_.element_bytes)));
    }
    Value* places = builder_.CreateBitCast(part(found_.places_in, lane), llvm::FixedVectorType::get(builder_.getInt8Ty(), count));
    return builder_.CreateAdd(builder_.CreateShuffleVector(places, of_place), llvm::ConstantVector::get(steps));
  }

  /// Words at any byte, of narrower elements the low part.
  Value* permuted_bytes(unsigned lane) {
    Value* low = window(begin(lane), lane, builder_.getInt8Ty(), kTexelWordBytes * lanes_, 0, static_cast<unsigned>(access_.element_bytes) - 1);
    Value* taken = builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_qi_512, {}, {low, wanted_bytes(lane)});
    return builder_.CreateBitCast(taken, llvm::FixedVectorType::get(builder_.getInt32Ty(), lanes_));
  }
  Value* shuffled_bytes(unsigned lane) {
    llvm::SmallVector<Value*, 4> windows;
    llvm::SmallVector<int, 64> repeated;
    for (unsigned i = 0; i < kTexelWordBytes * lanes_; ++i) repeated.push_back(static_cast<int>(i % kShuffledBytes));
    for (unsigned i = 0; i < register_lanes_; i += lanes_)
      windows.push_back(builder_.CreateShuffleVector(window(begin(lane + i), lane + i, builder_.getInt8Ty(), kShuffledBytes, 0, 0), repeated));
    Value* all = windows.size() == 1 ? windows.front() : llvm::concatenateVectors(builder_, windows);
    const auto shuffle = register_lanes_ == 16 ? llvm::Intrinsic::x86_avx512_pshuf_b_512 : llvm::Intrinsic::x86_avx2_pshuf_b;
    Value* taken = builder_.CreateIntrinsic(shuffle, {}, {all, wanted_bytes(lane)});
    return builder_.CreateBitCast(taken, llvm::FixedVectorType::get(builder_.getInt32Ty(), register_lanes_));
  }

  Widening& w_;
  llvm::IRBuilder<>& builder_;
  const Access& access_;
  const Kind kind_;
  const bool is_padded_;           ///< memory around may be read
  const unsigned register_lanes_;  ///< whose words a register holds
  const unsigned lanes_;           ///< that share a window
  const unsigned components_;      ///< that are loaded; an OpenCL vector that is one word is one
  const std::uint64_t bytes_;      ///< of each
  const unsigned together_;        ///< components that share one, too
  /// `places_in`: bytes from the window's begin, in all lanes; `span`: from the first place in the window to the last, or to each lane's;
  /// `back`: from the window's first lane to its begin.
  AskedWindow found_;
  std::uint64_t unit_ = 1;  ///< bytes of what places count; in `most_apart` above its bytes, by which windows are told apart
  bool is_first_ = false;  ///< whether it was asked for this load, where loads that follow may know of it
};

bool has_many_texels(const llvm::Function& function) {
  unsigned texels = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      texels += load->getPointerAddressSpace() == kConstantSpace && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  return texels > kMostTexels;
}

}  // namespace

std::optional<AccessPlan> plan_texel_window(Widening& w, const Access& access) {
  const unsigned sharing = w.traits.register_bits / 32;
  if (!(is_texel(access) || rounds_evenly(w, access)) || access.is_volatile || access.is_seldom || access.is_row || !access.bits ||
      access.shape.is_affine() || w.traits.register_bits < 256 || row_of_lanes(w) < sharing || w.lanes % sharing != 0)
    return std::nullopt;
  // The components of a window are vectors of their own, which the packed form would take together again: of 16 bytes, each lane's is one load.
  if (!is_texel(access) && access.bits >= kPackedBits && w.values.keeps_packed(access.instruction)) return std::nullopt;
  if (Windows::kind(w, access) == Windows::Kind::kNone || has_many_texels(*access.instruction.getFunction())) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRowPieces);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = 2 * registers_of(w, access), .emit = {}, .fall_back = "permuted windows where the lanes are close, else " + other->fall_back};
  plan.emit = [&w, &access, other = std::move(other->emit)]() mutable {
    Windows windows(w, access);
    const bool asks_neighbours = w.control.is_on(passes::Pass::kNeighbours) && may_be_neighbours(w, access);
    auto& builder = w.builder;
    auto *close = w.new_block("close"), *apart = w.new_block("apart"), *join = w.new_block("texels");
    windows.branch(close, apart);
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
    windows.hand_on(near_end, far_end);
    return joined;
  };
  return plan;
}

}  // namespace weft::compiler::simt
