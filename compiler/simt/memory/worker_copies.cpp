#include "compiler/simt/memory/worker_copies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace weft::compiler::simt {
namespace {

using llvm::AtomicRMWInst;
using llvm::Value;


abi::UpdateKind kind_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub: return abi::UpdateKind::kAdd;
    case AtomicRMWInst::And: return abi::UpdateKind::kAnd;
    case AtomicRMWInst::Or: return abi::UpdateKind::kOr;
    case AtomicRMWInst::Xor: return abi::UpdateKind::kXor;
    case AtomicRMWInst::Min: return abi::UpdateKind::kMin;
    case AtomicRMWInst::Max: return abi::UpdateKind::kMax;
    case AtomicRMWInst::UMin: return abi::UpdateKind::kUnsignedMin;
    case AtomicRMWInst::UMax: return abi::UpdateKind::kUnsignedMax;
    default: return abi::UpdateKind::kNone;
  }
}

/// The base and the distance of an address made of constants.
struct Place {
  const Value* base;
  std::uint64_t offset;
};

Place place_of(const Value& pointer, const llvm::DataLayout& layout) {
  llvm::APInt offset(64, 0);
  const Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getZExtValue()};
}

/// Where in LaunchInfo::arguments the pointer lies that `load` loads; nothing if it is no argument.
std::optional<std::uint64_t> argument_of(const llvm::LoadInst& load) {
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  const Place place = place_of(*load.getPointerOperand(), layout);
  const auto* block = llvm::dyn_cast<llvm::LoadInst>(place.base);
  if (!block) return std::nullopt;
  const Place from = place_of(*block->getPointerOperand(), layout);
  if (from.base != load.getFunction()->getArg(0) || from.offset != offsetof(abi::LaunchInfo, arguments)) return std::nullopt;
  return place.offset;
}

/// Whether a pointer comes from the launch or the group itself: local memory, scratch, the arguments. Or from an image's descriptor: the launch compares its
/// memory with the buffers', as other arguments'.
bool is_the_engines(const llvm::LoadInst& load) {
  const Value* base = place_of(*load.getPointerOperand(), load.getModule()->getDataLayout()).base;
  if (const auto* image = llvm::dyn_cast<llvm::LoadInst>(base); image && image->hasMetadata(primitive::kImageMetadata)) return true;
  return base == load.getFunction()->getArg(0) || base == load.getFunction()->getArg(1);
}

/// What is known of one argument.
struct Candidate {
  abi::UpdateKind kind = abi::UpdateKind::kNone;
  unsigned word_bytes = 0;
  bool fits = true;
  llvm::SmallVector<AtomicRMWInst*, 8> updates;

  void see(AtomicRMWInst& update) {
    const abi::UpdateKind found = kind_of(update.getOperation());
    const unsigned bytes = update.getType()->isIntegerTy(32) ? 4 : update.getType()->isIntegerTy(64) ? 8 : 0;
    if (updates.empty()) {
      kind = found;
      word_bytes = bytes;
    }
    fits &= found == kind && found != abi::UpdateKind::kNone && bytes == word_bytes && bytes != 0 && update.use_empty() &&
            update.getOrdering() == llvm::AtomicOrdering::Monotonic;
    updates.push_back(&update);
  }

  /// All uses of `pointer`, which is the argument or an address made of it.
  void see_uses(Value& pointer) {
    for (llvm::Use& use : pointer.uses()) {
      if (!fits) return;
      auto* update = llvm::dyn_cast<AtomicRMWInst>(use.getUser());
      if (update && use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex())
        see(*update);
      else if (llvm::isa<llvm::GetElementPtrInst>(use.getUser()) && use.getOperandNo() == 0)
        see_uses(*use.getUser());
      else
        fits = false;
    }
  }
};

/// The arguments by their offset. Empty where pointers come from elsewhere: such a one may point anywhere.
std::map<std::uint64_t, Candidate> find_candidates(llvm::ArrayRef<llvm::Function*> regions) {
  std::map<std::uint64_t, Candidate> candidates;
  for (llvm::Function* region : regions) {
    for (llvm::Instruction& instruction : llvm::instructions(*region)) {
      if (llvm::isa<llvm::IntToPtrInst>(instruction)) return {};
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const llvm::Function* callee = call->getCalledFunction();
        if (!callee || !callee->isDeclaration()) return {};
      }
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !load->getType()->isPtrOrPtrVectorTy()) continue;
      const auto argument = argument_of(*load);
      if (!argument && !is_the_engines(*load)) return {};
      if (argument && load->getType()->getPointerAddressSpace() == kGlobalSpace) candidates[*argument].see_uses(*load);
    }
  }
  return candidates;
}

/// What a loop of an unknown number of iterations comes to at least, as rows of sparse matrices and edges of graphs do. If there are fewer, a launch
/// has made some more copies of words than updates.
constexpr std::uint64_t kUnknownIterations = 4;
/// The same of a loop whose steps are no constants: strides of the grid, for which programs take few work-items.
constexpr std::uint64_t kStrideIterations = 16;
constexpr std::uint64_t kMostCopiedIterations = 1024;

bool strides(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy()) continue;
    const auto* counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (counted && counted->isAffine() && !llvm::isa<llvm::SCEVConstant>(counted->getStepRecurrence(evolution))) return true;
  }
  return false;
}

/// How often a work-item runs `block`, where loops around it with unknown counts are taken for one.
std::uint64_t iterations(const llvm::BasicBlock& block, Analyses& analyses) {
  llvm::Function& region = const_cast<llvm::Function&>(*block.getParent());
  auto& evolution = analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(region);
  std::uint64_t known = 1, unknown = 1;
  for (const llvm::Loop* loop = analyses.functions().getResult<llvm::LoopAnalysis>(region).getLoopFor(&block); loop; loop = loop->getParentLoop())
    if (const unsigned count = evolution.getSmallConstantTripCount(loop))
      known = std::min<std::uint64_t>(kMostCopiedIterations, known * count);
    else
      unknown = std::max(unknown, strides(*loop, evolution) ? kStrideIterations : kUnknownIterations);
  return std::min(kMostCopiedIterations, known * unknown);
}

/// Writes the second way of updates, in one region.
class CopiedWays {
 public:
  explicit CopiedWays(llvm::Function& region) : region_(region) {}

  void add(AtomicRMWInst& update, unsigned buffer) {
    llvm::CallInst* mask = mask_call(*update.getParent());
    llvm::Instruction *own = nullptr, *shared = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(has_copies(), update.getIterator(), &own, &shared);
    if (mask) {
      for (llvm::BasicBlock* block : {own->getParent(), shared->getParent(), update.getParent()})
        mask->clone()->insertBefore(*block, block->getFirstInsertionPt());
    }
    llvm::IRBuilder<> builder(own);
    llvm::Value* distance = builder.CreateLoad(
        builder.getInt64Ty(), builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), copies_, buffer), "to_own");
    invariant(*llvm::cast<llvm::Instruction>(distance));
    llvm::Instruction* copy = update.clone();
    copy->setOperand(AtomicRMWInst::getPointerOperandIndex(), moved(*update.getPointerOperand(), *distance, builder));
    llvm::cast<AtomicRMWInst>(copy)->setVolatile(false);
    copy->setMetadata(primitive::kOwnMetadata, llvm::MDNode::get(copy->getContext(), {}));
    builder.Insert(copy);
    update.moveBefore(shared);
  }

 private:
  static void invariant(llvm::Instruction& load) {
    load.setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load.getContext(), {}));
  }

  Value* has_copies() {
    if (has_copies_) return has_copies_;
    llvm::BasicBlock& entry = region_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    llvm::LoadInst* load = builder.CreateLoad(
        builder.getPtrTy(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), region_.getArg(1), offsetof(abi::GroupInfo, copies)), "copies");
    invariant(*load);
    copies_ = load;
    return has_copies_ = builder.CreateIsNotNull(load, "has_copies");
  }

  /// The same address in the copy: the distance is added to the argument, so that what differs between lanes stays an index.
  static Value* moved(Value& pointer, Value& distance, llvm::IRBuilder<>& builder) {
    auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
    if (!step) return builder.CreateGEP(builder.getInt8Ty(), &pointer, &distance);
    Value* base = moved(*step->getPointerOperand(), distance, builder);
    const llvm::SmallVector<Value*, 2> indices(step->indices());
    return builder.CreateGEP(step->getSourceElementType(), base, indices);
  }

  llvm::Function& region_;
  Value* copies_ = nullptr;
  Value* has_copies_ = nullptr;
};

}  // namespace

std::vector<abi::UpdatedBuffer> update_worker_copies(llvm::ArrayRef<llvm::Function*> regions, Analyses& analyses) {
  std::vector<abi::UpdatedBuffer> buffers;
  std::map<llvm::Function*, CopiedWays> ways;
  auto candidates = find_candidates(regions);
  // All are asked for before the first region changes. Those of several updates make them in branches of their own, perhaps: the most of one.
  std::map<std::uint64_t, std::uint64_t> most;
  for (const auto& [offset, candidate] : candidates)
    for (const AtomicRMWInst* update : candidate.updates) most[offset] = std::max(most[offset], iterations(*update->getParent(), analyses));
  for (auto& [offset, candidate] : candidates) {
    if (!candidate.fits || candidate.updates.empty() || buffers.size() == abi::kMostUpdatedBuffers) continue;
    for (AtomicRMWInst* update : candidate.updates)
      ways.try_emplace(update->getFunction(), *update->getFunction()).first->second.add(*update, static_cast<unsigned>(buffers.size()));
    buffers.push_back({.argument_offset = static_cast<std::uint32_t>(offset), .kind = candidate.kind, .word_bytes = static_cast<std::uint8_t>(candidate.word_bytes),
                       .updates = static_cast<std::uint16_t>(most[offset])});
  }
  return buffers;
}

}  // namespace weft::compiler::simt
