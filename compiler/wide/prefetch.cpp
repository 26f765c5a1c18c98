#include "compiler/wide/prefetch.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>

#include "compiler/target/costs.h"
#include "compiler/target/target.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::SCEV;

using target::kLineBytes;
/// Steps of at least this many bytes leave the page, where hardware prefetchers stop, after an iteration or two.
constexpr std::int64_t kFarStep = 2048;
/// Lines that lie a power of two apart share a set of the nearest cache, of 8 ways in some: those of more iterations would drive out what
/// the loop reads, as 9 did in a product of 1024 columns.
constexpr unsigned kMaxIterationsAhead = 4;
/// So many lines may be on their way for longer than kPrefetchLead, of all iterations together: a product of tiles of 16 rows, a power of two apart,
/// took 1.14 times as long with those of two iterations.
constexpr unsigned kLinesFarAhead = 8;
/// In loops of fewer iterations, few prefetches are in time, and the last ones fetch lines that nobody reads.
constexpr unsigned kFewIterations = 16;
/// A prefetch takes the place of a load: a loop gets prefetches only if it does so many operations for each.
constexpr unsigned kOperationsEach = 4;
constexpr unsigned kMostLines = 32;
/// The assumed trip count of inner loops, where it is not known, and the greatest that is told from more.
constexpr unsigned kInnerIterations = 8, kMostKnown = 64;

/// A line that an access in a loop touches, and the distance to the next iteration's line.
struct Line {
  Instruction* access;
  llvm::Value* pointer;
  std::int64_t offset;  ///< from the pointer
  const SCEV* address;  ///< of the line
  const SCEV* step;
};

/// Of a load, or of a store, which waits for its line as well; but not of one that goes past the caches.
llvm::Value* accessed_pointer(Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getPointerOperand();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->hasMetadata(llvm::LLVMContext::MD_nontemporal) ? nullptr : store->getPointerOperand();
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      call && call->getIntrinsicID() == llvm::Intrinsic::masked_load)
    return call->getArgOperand(0);
  return nullptr;
}

/// Numbers of fewer bits than addresses have, as if they had as many: to ask for a line in vain, since one wraps around, does no harm. So
/// what counts on by them in a loop goes on without end, and rows are told apart by what they have alike.
class Unwrapped : public llvm::SCEVRewriteVisitor<Unwrapped> {
 public:
  explicit Unwrapped(llvm::ScalarEvolution& evolution) : SCEVRewriteVisitor(evolution) {}

  const SCEV* visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr* extended) { return extend(*extended->getOperand(), *extended->getType(), false); }
  const SCEV* visitSignExtendExpr(const llvm::SCEVSignExtendExpr* extended) { return extend(*extended->getOperand(), *extended->getType(), true); }

 private:
  /// Sums and products by parts.
  const SCEV* extend(const SCEV& number, llvm::Type& type, bool is_signed) {
    if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number); counter && counter->isAffine())
      return SE.getAddRecExpr(extend(*counter->getStart(), type, is_signed), extend(*counter->getStepRecurrence(SE), type, true), counter->getLoop(),
                              SCEV::FlagAnyWrap);
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&number)) {
      llvm::SmallVector<const SCEV*, 4> parts;
      for (const SCEV* part : sum->operands()) parts.push_back(extend(*part, type, is_signed));
      return SE.getAddExpr(parts);
    }
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&number)) {
      const SCEV* all = SE.getOne(&type);
      for (const SCEV* factor : product->operands()) all = multiply(*all, *extend(*factor, type, is_signed));
      return all;
    }
    return is_signed || llvm::isa<llvm::SCEVConstant>(number) ? SE.getSignExtendExpr(&number, &type) : SE.getZeroExtendExpr(&number, &type);
  }

  /// The product, as a sum where a factor is one.
  const SCEV* multiply(const SCEV& one, const SCEV& other) {
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&one);
    const SCEV& factor = sum ? other : one;
    if (!sum) sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&other);
    if (!sum) return SE.getMulExpr(&one, &other);
    llvm::SmallVector<const SCEV*, 4> parts;
    for (const SCEV* part : sum->operands()) parts.push_back(multiply(*part, factor));
    return SE.getAddExpr(parts);
  }
};

class Prefetcher {
 public:
  Prefetcher(llvm::Function& function, const llvm::TargetMachine& machine)
      : function_(function), lead_(target::prefetch_lead(machine)), layout_(function.getDataLayout()), library_info_(machine.getTargetTriple()),
        library_(library_info_), assumptions_(function), dominators_(function), loops_(dominators_),
        evolution_(function, library_, assumptions_, dominators_, loops_) {}

  void run() {
    for (Loop* loop : loops_.getLoopsInPreorder()) visit(*loop);
  }

 private:
  void visit(Loop& loop) {
    if (!loop.getLoopPredecessor() || !loop.getLoopLatch()) return;
    llvm::SmallVector<Line, 16> lines;
    for (llvm::BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop) continue;
      for (Instruction& instruction : *block) {
        llvm::Value* pointer = accessed_pointer(instruction);
        if (pointer && !loop.isLoopInvariant(pointer)) collect(loop, instruction, *pointer, lines);
        // Each line is compared with all before it.
        if (lines.size() > kMostLines) return;
      }
    }
    // A loop that waits for no reads has time for its writes.
    if (llvm::none_of(lines, [](const Line& line) { return !llvm::isa<llvm::StoreInst>(line.access); })) return;
    const unsigned trips = evolution_.getSmallConstantMaxTripCount(&loop);
    if (trips && trips < kFewIterations) return;
    const unsigned operations = operations_of(loop);
    if (lines.size() * kOperationsEach > operations) return;
    const auto iterations = [&](unsigned cycles, unsigned most) {
      return std::clamp(llvm::divideCeil(target::kVectorsEachCycle * cycles, operations), 1u, std::max(1u, most));
    };
    const auto most = std::min<unsigned>(kMaxIterationsAhead, kLinesFarAhead / lines.size());
    const unsigned ahead = std::max(iterations(target::kPrefetchLead, kMaxIterationsAhead), iterations(lead_, most));
    for (llvm::BasicBlock* block : loop.blocks()) insert(loop, *block, lines, ahead);
  }

  void collect(Loop& loop, Instruction& access, llvm::Value& pointer, llvm::SmallVectorImpl<Line>& lines) {
    const auto* address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(Unwrapped(evolution_).visit(evolution_.getSCEV(&pointer)));
    if (!address || address->getLoop() != &loop || !address->isAffine()) return;
    const SCEV* step = address->getStepRecurrence(evolution_);
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(step))
      if (constant->getAPInt().abs().ult(kFarStep)) return;
    llvm::Type* type = llvm::isa<llvm::StoreInst>(access) ? access.getOperand(0)->getType() : access.getType();
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(type).getFixedValue());
    for (std::int64_t offset = 0; offset < bytes; offset += kLineBytes) {
      const SCEV* line = evolution_.getAddExpr(address, evolution_.getConstant(step->getType(), offset));
      if (lines.size() > kMostLines || llvm::any_of(lines, [&](const Line& other) { return is_near(*line, *other.address); })) continue;
      // What is read an iteration before it is read again, as a plane ahead, is asked for once.
      if (llvm::any_of(lines, [&](const Line& other) { return is_near(*evolution_.getAddExpr(line, step), *other.address); })) continue;
      llvm::erase_if(lines, [&](const Line& other) { return is_near(*line, *evolution_.getAddExpr(other.address, other.step)); });
      lines.push_back({&access, &pointer, offset, line, step});
    }
  }

  bool is_near(const SCEV& one, const SCEV& other) {
    const auto* distance = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(&one, &other));
    return distance && distance->getAPInt().abs().ult(kLineBytes);
  }

  /// Machine instructions of an iteration, roughly; scalar loads are free, as operands of other instructions.
  unsigned operations_of(const Loop& loop) {
    unsigned sum = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      unsigned here = 0;
      for (const Instruction& instruction : *block) {
        if (llvm::isa<llvm::PHINode, llvm::CastInst, llvm::GetElementPtrInst, llvm::ShuffleVectorInst,
                      llvm::InsertElementInst>(instruction))
          continue;
        const llvm::Type* type = llvm::isa<llvm::StoreInst>(instruction) ? instruction.getOperand(0)->getType()
                                                                          : instruction.getType();
        if (type->isVectorTy())
          here += llvm::divideCeil(type->getPrimitiveSizeInBits().getFixedValue(), target::vectors().register_bits);
        else if (!llvm::isa<llvm::LoadInst>(instruction))
          ++here;
      }
      for (const Loop* inner = loops_.getLoopFor(block); inner != &loop; inner = inner->getParentLoop()) {
        const unsigned known = evolution_.getSmallConstantTripCount(inner);
        here *= known ? std::min(known, kMostKnown) : kInnerIterations;
      }
      sum += here;
    }
    return std::max(sum, 1u);
  }

  /// Prefetches for the accesses of `block`, spread over the instructions behind them: all at once, they would delay the next
  /// loads, since the processor waits for only a dozen lines at a time.
  void insert(Loop& loop, llvm::BasicBlock& block, llvm::ArrayRef<Line> lines, unsigned ahead) {
    llvm::SmallVector<const Line*, 16> mine;
    for (const Line& line : lines)
      if (line.access->getParent() == &block) mine.push_back(&line);
    if (mine.empty()) return;
    llvm::SmallVector<Instruction*, 64> places;
    for (auto at = std::next(mine.back()->access->getIterator()); at != block.end(); ++at) places.push_back(&*at);
    llvm::SCEVExpander expander(evolution_, layout_, "prefetch");
    Instruction* entry = loop.getLoopPredecessor()->getTerminator();
    for (unsigned i = 0; i < mine.size(); ++i) {
      const Line& line = *mine[i];
      const SCEV* distance = evolution_.getAddExpr(
          evolution_.getMulExpr(line.step, evolution_.getConstant(line.step->getType(), ahead)),
          evolution_.getConstant(line.step->getType(), line.offset));
      if (!expander.isSafeToExpandAt(distance, entry)) continue;
      llvm::Value* bytes = expander.expandCodeFor(distance, distance->getType(), entry);
      llvm::IRBuilder<> builder(places[i * places.size() / mine.size()]);
      llvm::Value* address = builder.CreateGEP(builder.getInt8Ty(), line.pointer, bytes);
      // Data, into all caches.
      builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                              {address, builder.getInt32(llvm::isa<llvm::StoreInst>(line.access)), builder.getInt32(3), builder.getInt32(1)});
    }
  }

  llvm::Function& function_;
  const unsigned lead_;
  const llvm::DataLayout& layout_;
  llvm::TargetLibraryInfoImpl library_info_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::ScalarEvolution evolution_;
};

}  // namespace

void insert_prefetches(llvm::Function& function, const llvm::TargetMachine& machine) {
  Prefetcher(function, machine).run();
}

}  // namespace weft::compiler::wide
