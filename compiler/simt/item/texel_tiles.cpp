#include "compiler/simt/item/texel_tiles.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compiler/argument_formats.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/local_memory.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/image_channels.h"
#include "compiler/simt/item/scalar_elements.h"
#include "compiler/simt/item/whole_coordinates.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace weft::compiler::simt {
namespace {

using llvm::CallInst;
using llvm::SCEV;
using llvm::Value;

/// A work-item reads at most so many texels away from its own.
constexpr std::int64_t kMostReach = 32;
/// Of all tiles together: what the nearest cache holds beside the rest.
constexpr std::uint64_t kMostTexelBytes = 24 << 10;
/// So many times must what taps convert outweigh what the group does together.
constexpr unsigned kTileGain = 2;
/// Groups of fewer work-items have more texels around them than within.
constexpr unsigned kFewestItems = 2 * abi::kWarpSize;

/// A number between `low` and `high`.
struct TexelRange {
  std::int64_t low = 0, high = 0;
  void include(const TexelRange& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  unsigned size() const { return static_cast<unsigned>(high - low + 1); }
};

/// How far a coordinate is from the work-item's global id.
struct Distance {
  TexelRange range;
  Value* id = nullptr;  ///< the id that the coordinate is computed from; null: `range` is one number
};

/// The arguments of a call that reads: the image and, of those at coordinates in floating point, its level, then its format, the sampler's
/// bits, the kind of image, and where.
struct ReadCall {
  explicit ReadCall(const CallInst& call) {
    const bool has_level = call.arg_size() == 6;
    image = call.getArgOperand(0);
    if (has_level) level = call.getArgOperand(1);
    format = call.getArgOperand(1 + has_level);
    sampler = call.getArgOperand(2 + has_level);
    kind = call.getArgOperand(3 + has_level);
    at = call.getArgOperand(4 + has_level);
  }
  Value *image, *level = nullptr, *format, *sampler, *kind, *at;
};

/// A call that reads a whole texel, at a work-item's global id plus numbers in these ranges.
struct Tap {
  CallInst* call;
  Value* at[2];        ///< coordinates along x and y, of 32 bits
  Distance from_id[2];
};

/// Taps by the same function, of the same image through the same sampler.
struct TapSet {
  llvm::SmallVector<Tap, 16> taps;
  TexelRange reach[2];
  unsigned reads = 0;                    ///< of a work-item, iterations counted
  llvm::SmallVector<unsigned, 4> kept;   ///< channels that taps use and that differ between texels
};

/// What is known of a format without its image.
struct Format {
  explicit Format(std::uint32_t word) : order((word & kFormatOrder) + kFirstOrder), type(((word & kFormatType) >> 8) + kFirstType) {}
  unsigned order, type;

  /// Channels of a color, the first ones, that differ between texels; the others are 0, and alpha 1.
  unsigned channels() const { return order == kR || order == kDepth ? 1 : order == kRg ? 2 : 4; }

  /// Operations on registers that make a texel's channels numbers; 0: they are numbers in memory.
  unsigned operations() const {
    switch (type) {
      case kFloat: case kSigned32: case kUnsigned32: return 0;
      // As memory has them (half_texels.h).
      case kHalf: return channels();
      // Words of a texel are taken apart by channels, too.
      case kUnorm16: case kSnorm16: case kSigned16: case kUnsigned16: return 3 * channels();
      default: return 2 * channels() + channels() / 4;
    }
  }
};

class TexelTiles {
 public:
  TexelTiles(llvm::Function& kernel, const Specialization& specialization, Analyses& analyses)
      : kernel_(kernel),
        module_(*kernel.getParent()),
        size_{specialization.local_size[0] * specialization.groups, specialization.local_size[1]},
        fused_(specialization.groups > 1),
        ids_fit_31_bits_(specialization.ids_fit_31_bits),
        loops_(analyses.functions().getResult<llvm::LoopAnalysis>(kernel)),
        evolution_(analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(kernel)),
        bytes_(assign_local_globals(kernel).bytes) {}

  bool run() {
    for (llvm::Instruction& instruction : llvm::instructions(kernel_))
      if (auto* call = llvm::dyn_cast<CallInst>(&instruction)) find_tap(*call);
    for (TapSet& set : sets_) find_channels(set);
    std::erase_if(sets_, [&](const TapSet& set) { return !is_worth_a_tile(set); });
    if (sets_.empty()) return false;
    make_front();
    for (TapSet& set : sets_) make_tile(set);
    call_barrier();
    return true;
  }

 private:
  llvm::Type* int32() const { return llvm::Type::getInt32Ty(kernel_.getContext()); }

  // ---- taps ------------------------------------------------------------------------------------------------------------------

  void find_tap(CallInst& call) {
    const llvm::StringRef name = called_name(call);
    const bool at_whole = name == "__weft_image_read_f_at" || name == "__weft_image_read_u_at";
    if (!at_whole && name != "__weft_image_sample_f" && name != "__weft_image_sample_u") return;
    const ReadCall read(call);
    const auto* format = llvm::dyn_cast<llvm::ConstantInt>(read.format);
    const auto* sampler = llvm::dyn_cast<llvm::ConstantInt>(read.sampler);
    const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(read.kind);
    if (!format || !sampler || !kind || kind->getZExtValue() != kKind2D || !llvm::isa<llvm::Argument>(read.image)) return;
    if (read.level && read.level != read.image) return;
    Tap tap{&call, {elements_.element(*read.at, 0), elements_.element(*read.at, 1)}, {}};
    if (!at_whole) {
      constexpr std::uint64_t kFractions = abi::kSamplerNormalized | abi::kSamplerLinear;
      if (sampler->getZExtValue() & kFractions || (sampler->getZExtValue() & abi::kSamplerAddressing) > abi::kSamplerClamp) return;
      llvm::IRBuilder<> builder(&call);
      for (Value*& at : tap.at)
        if (at = whole_coordinate(*at, ids_fit_31_bits_, evolution_, builder); !at) return;
    }
    for (unsigned d = 0; d < 2; ++d) {
      const auto distance = distance_from_id(*tap.at[d], d ? "y" : "x");
      if (!distance) return;
      tap.from_id[d] = *distance;
    }
    TapSet& set = set_of(call, read);
    for (unsigned d = 0; d < 2; ++d) {
      if (set.taps.empty()) set.reach[d] = tap.from_id[d].range;
      set.reach[d].include(tap.from_id[d].range);
    }
    set.reads += iterations(call);
    set.taps.push_back(tap);
  }

  TapSet& set_of(const CallInst& call, const ReadCall& read) {
    const auto found = llvm::find_if(sets_, [&](const TapSet& set) {
      const ReadCall other(*set.taps.front().call);
      return set.taps.front().call->getCalledFunction() == call.getCalledFunction() && other.image == read.image && other.sampler == read.sampler;
    });
    return found == sets_.end() ? sets_.emplace_back() : *found;
  }

  std::optional<Distance> distance_from_id(Value& coordinate, const char* dimension) {
    const SCEV* place = evolution_.getSCEV(&coordinate);
    Value* id = nullptr;
    llvm::SCEVExprContains(place, [&](const SCEV* part) {
      const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      const bool found = unknown && called_name(*unknown->getValue()) == (primitive::kGlobalId + dimension).str();
      if (found) id = unknown->getValue();
      return found;
    });
    if (!id) return std::nullopt;
    const SCEV* own = evolution_.getTruncateOrNoop(evolution_.getSCEV(id), coordinate.getType());
    const SCEV* distance = evolution_.getMinusSCEV(place, own);
    // What differs between lanes would be no row of texels.
    if (llvm::SCEVExprContains(distance, [](const SCEV* part) { return llvm::isa<llvm::SCEVUnknown>(part); })) return std::nullopt;
    const llvm::ConstantRange range = evolution_.getSignedRange(distance);
    if (range.isEmptySet() || range.getSignedMin().slt(-kMostReach) || range.getSignedMax().sgt(kMostReach)) return std::nullopt;
    return Distance{{range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue()}, range.isSingleElement() ? nullptr : id};
  }

  /// How often `call` runs; 1 in loops without a constant count.
  unsigned iterations(const CallInst& call) {
    unsigned count = 1;
    for (const llvm::Loop* loop = loops_.getLoopFor(call.getParent()); loop && count < 1000; loop = loop->getParentLoop())
      count *= std::max(1u, evolution_.getSmallConstantTripCount(loop));
    return count;
  }

  // ---- tiles -----------------------------------------------------------------------------------------------------------------

  static Format format_of(const TapSet& set) {
    return Format(static_cast<std::uint32_t>(llvm::cast<llvm::ConstantInt>(ReadCall(*set.taps.front().call).format)->getZExtValue()));
  }

  void find_channels(TapSet& set) {
    unsigned used = 0;
    for (const Tap& tap : set.taps)
      for (const llvm::User* user : tap.call->users()) {
        const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(user);
        const auto* index = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
        used |= index ? 1u << index->getZExtValue() : ~0u;
      }
    for (unsigned c = 0; c < format_of(set).channels(); ++c)
      if (used >> c & 1) set.kept.push_back(c);
  }

  /// Texels from a tile's row to the next: whole rows of a warp.
  unsigned pitch(const TapSet& set) const {
    return static_cast<unsigned>(llvm::alignTo(size_[0] + set.reach[0].size() - 1, std::min(size_[0], abi::kWarpSize)));
  }
  unsigned rows(const TapSet& set) const { return size_[1] + set.reach[1].size() - 1; }

  bool is_worth_a_tile(const TapSet& set) {
    const Format format = format_of(set);
    const auto channels = static_cast<unsigned>(set.kept.size());
    const unsigned operations = format.operations() * channels / format.channels();
    const std::uint64_t texels = std::uint64_t{pitch(set)} * rows(set), items = std::uint64_t{size_[0]} * size_[1];
    // Each texel of the tile is read and stored, too.
    if (std::uint64_t{set.reads} * operations * items < kTileGain * texels * (operations + channels + 1)) return false;
    const std::uint64_t bytes = texels * channels * sizeof(float);
    if (tile_bytes_ + bytes > kMostTexelBytes || bytes_ + tile_bytes_ + bytes > abi::kLocalMemoryBytes) return false;
    tile_bytes_ += bytes;
    return true;
  }

  Value* call_id(llvm::IRBuilder<>& builder, const llvm::Twine& name, unsigned bits) {
    auto* type = llvm::FunctionType::get(builder.getIntNTy(bits), false);
    auto* callee = llvm::cast<llvm::Function>(module_.getOrInsertFunction(name.str(), type).getCallee());
    callee->setDoesNotAccessMemory();
    callee->setDoesNotThrow();
    callee->setWillReturn();
    CallInst* call = builder.CreateCall(callee);
    call->setCallingConv(callee->getCallingConv());
    return call;
  }

  /// Parts the kernel's variables from the rest, in front of which the tiles are read.
  void make_front() {
    llvm::BasicBlock& entry = kernel_.getEntryBlock();
    llvm::BasicBlock::iterator first = entry.getFirstNonPHIOrDbgOrAlloca();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::make_range(first, entry.end())))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction); variable && variable->isStaticAlloca())
        variable->moveBefore(entry, first);
    llvm::SplitBlock(&entry, first, static_cast<llvm::DominatorTree*>(nullptr))->setName("filter");
    front_end_ = entry.getTerminator();
    llvm::IRBuilder<> builder(front_end_);
    for (unsigned d = 0; d < 2; ++d) {
      const char* dimension = d ? "y" : "x";
      // Of a block of groups, where in the block.
      lane_[d] = call_id(builder, fused_ && d == 0 ? llvm::Twine(primitive::kBlockId) : primitive::kLocalId + dimension, 32);
      id_[d] = builder.CreateTrunc(call_id(builder, primitive::kGlobalId + dimension, 64), int32());
    }
  }

  void make_tile(TapSet& set) {
    auto* type = llvm::cast<llvm::FixedVectorType>(set.taps.front().call->getType())->getElementType();
    auto* plane = llvm::ArrayType::get(type, std::uint64_t{pitch(set)} * rows(set));
    llvm::SmallVector<llvm::GlobalVariable*, 4> planes;
    for (unsigned i = 0; i < set.kept.size(); ++i) {
      planes.push_back(new llvm::GlobalVariable(module_, plane, false, llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(plane),
                                                kernel_.getName() + ".texels", nullptr, llvm::GlobalValue::NotThreadLocal, kLocalSpace));
      planes.back()->setAlignment(llvm::Align(kPlaneAlign));
    }
    read_together(set, planes);
    for (Tap& tap : set.taps) replace(tap, set, planes);
  }

  /// Every work-item reads the texels of its own place and of those a group's size further on.
  void read_together(const TapSet& set, llvm::ArrayRef<llvm::GlobalVariable*> planes) {
    llvm::IRBuilder<> builder(front_end_);
    Value* corner[2];
    for (unsigned d = 0; d < 2; ++d)
      corner[d] = builder.CreateAdd(builder.CreateSub(id_[d], lane_[d]), llvm::ConstantInt::getSigned(int32(), set.reach[d].low));
    const unsigned whole = rows(set) / size_[1], rest = rows(set) % size_[1];
    if (whole > 1) {
      const auto [body, step] = llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt32(whole), front_end_);
      builder.SetInsertPoint(body);
      Value* row = builder.CreateNUWAdd(builder.CreateNUWMul(step, builder.getInt32(size_[1])), lane_[1]);
      read_row(set, planes, corner, row, body);
    } else {
      read_row(set, planes, corner, lane_[1], front_end_);
    }
    if (!rest) return;
    builder.SetInsertPoint(front_end_);
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(builder.CreateICmpULT(lane_[1], builder.getInt32(rest)), front_end_, false);
    builder.SetInsertPoint(then);
    read_row(set, planes, corner, builder.CreateNUWAdd(lane_[1], builder.getInt32(whole * size_[1])), then);
  }

  void read_row(const TapSet& set, llvm::ArrayRef<llvm::GlobalVariable*> planes, Value* const (&corner)[2], Value* row, llvm::Instruction* end) {
    for (unsigned first = 0; first < pitch(set); first += size_[0]) {
      llvm::IRBuilder<> builder(end);
      llvm::Instruction* here = end;
      // Whole warps, of which the last few may have nothing to do.
      if (first + size_[0] > pitch(set))
        here = llvm::SplitBlockAndInsertIfThen(builder.CreateICmpULT(lane_[0], builder.getInt32(pitch(set) - first)), end, false);
      builder.SetInsertPoint(here);
      Value* column = builder.CreateNUWAdd(lane_[0], builder.getInt32(first));
      const CallInst& like = *set.taps.front().call;
      llvm::SmallVector<Value*, 6> arguments(like.args());
      auto* type = llvm::cast<llvm::FixedVectorType>(arguments.back()->getType());
      // The middle of a texel, as exact as the taps' own coordinates.
      const auto coordinate = [&](Value* whole) {
        if (!type->getElementType()->isFloatTy()) return whole;
        return builder.CreateFAdd(builder.CreateSIToFP(whole, type->getElementType()), llvm::ConstantFP::get(type->getElementType(), 0.5));
      };
      Value* at = llvm::Constant::getNullValue(type);
      at = builder.CreateInsertElement(at, coordinate(builder.CreateAdd(corner[0], column)), std::uint64_t{0});
      arguments.back() = builder.CreateInsertElement(at, coordinate(builder.CreateAdd(corner[1], row)), std::uint64_t{1});
      CallInst* read = builder.CreateCall(like.getCalledFunction(), arguments);
      read->setCallingConv(like.getCallingConv());
      read->setAttributes(like.getAttributes());
      read->setDebugLoc(like.getDebugLoc());
      for (const auto& [c, plane] : llvm::zip(set.kept, planes))
        builder.CreateStore(builder.CreateExtractElement(read, std::uint64_t{c}), place(builder, set, *plane, column, row));
    }
  }

  Value* place(llvm::IRBuilder<>& builder, const TapSet& set, llvm::GlobalVariable& plane, Value* column, Value* row) {
    Value* index = builder.CreateAdd(builder.CreateMul(row, builder.getInt32(pitch(set)), "", true, true), column, "", true, true);
    Value* wide = builder.CreateZExt(index, builder.getInt64Ty(), "", /*IsNonNeg=*/true);
    return builder.CreateInBoundsGEP(plane.getValueType()->getArrayElementType(), &plane, wide);
  }

  void replace(Tap& tap, const TapSet& set, llvm::ArrayRef<llvm::GlobalVariable*> planes) {
    llvm::IRBuilder<> builder(tap.call);
    // The work-item's own place in the group, and how far from there, counted from the tile's corner.
    const auto in_tile = [&](unsigned d) {
      const Distance& from_id = tap.from_id[d];
      const auto number = [&](std::int64_t value) { return llvm::ConstantInt::getSigned(int32(), value); };
      if (!from_id.id) return builder.CreateAdd(lane_[d], number(from_id.range.low - set.reach[d].low), "", true, true);
      Value* distance = builder.CreateSub(tap.at[d], builder.CreateZExtOrTrunc(from_id.id, int32()));
      return builder.CreateAdd(lane_[d], builder.CreateSub(distance, number(set.reach[d].low)), "", true, true);
    };
    Value* column = in_tile(0);
    Value* row = in_tile(1);
    auto* type = llvm::cast<llvm::FixedVectorType>(tap.call->getType());
    llvm::Type* element = type->getElementType();
    Value* color = llvm::Constant::getNullValue(type);
    llvm::Constant* one = element->isFloatTy() ? llvm::ConstantFP::get(element, 1) : llvm::ConstantInt::get(element, 1);
    color = builder.CreateInsertElement(color, one, std::uint64_t{3});
    for (const auto& [c, plane] : llvm::zip(set.kept, planes))
      color = builder.CreateInsertElement(color, builder.CreateLoad(element, place(builder, set, *plane, column, row)), std::uint64_t{c});
    tap.call->replaceAllUsesWith(color);
    tap.call->eraseFromParent();
  }

  void call_barrier() {
    llvm::IRBuilder<> builder(front_end_);
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {int32()}, false);
    auto* callee = llvm::cast<llvm::Function>(module_.getOrInsertFunction(primitive::kBarrier, type).getCallee());
    callee->addFnAttr(llvm::Attribute::Convergent);
    callee->addFnAttr(llvm::Attribute::NoDuplicate);
    constexpr unsigned kLocalFence = 1;  // CLK_LOCAL_MEM_FENCE
    CallInst* call = builder.CreateCall(callee, {builder.getInt32(kLocalFence)});
    call->setCallingConv(callee->getCallingConv());
    call->addFnAttr(llvm::Attribute::Convergent);
  }

  static constexpr std::uint64_t kKind2D = 3;  ///< WEFT_2D (builtins/image.h)
  static constexpr std::uint64_t kPlaneAlign = 64;

  llvm::Function& kernel_;
  llvm::Module& module_;
  const unsigned size_[2];  ///< of a group, or of a block of them
  const bool fused_, ids_fit_31_bits_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const std::uint64_t bytes_;  ///< of the program's own local variables
  std::uint64_t tile_bytes_ = 0;
  ScalarElements elements_;
  std::vector<TapSet> sets_;
  llvm::Instruction* front_end_ = nullptr;
  Value *lane_[2], *id_[2];  ///< a work-item's place in its group, and its global id
};

bool has_local_argument(const llvm::Function& kernel) {
  return llvm::any_of(kernel.args(), [](const llvm::Argument& argument) {
    return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == kLocalSpace;
  });
}

/// Whether a warp's rows of work-items are whole rows of the group, or equal parts of them.
bool fills_warps(std::uint32_t columns, std::uint32_t items) {
  return items >= kFewestItems && items % abi::kWarpSize == 0 && columns >= 8 && (columns % abi::kWarpSize == 0 || abi::kWarpSize % columns == 0);
}

}  // namespace

bool make_texel_tiles(llvm::Function& kernel, const Specialization& specialization, Analyses& analyses) {
  const auto& size = specialization.local_size;
  const std::uint32_t columns = size[0] * specialization.groups;
  if (size[2] != 1 || !fills_warps(columns, columns * size[1]) || has_local_argument(kernel)) return false;
  if (specialization.groups > 1 && !specialization.whole_blocks) return false;
  analyses.invalidate(kernel);
  const bool made = TexelTiles(kernel, specialization, analyses).run();
  if (made) analyses.invalidate(kernel);
  return made;
}

}  // namespace weft::compiler::simt
