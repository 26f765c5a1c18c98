#include "compiler/wide/prefetch.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "compiler/simt/ir/asked_lines.h"
#include "compiler/target/costs.h"
#include "compiler/target/target.h"
#include "compiler/wide/address_numbers.h"
#include "compiler/wide/asked_accesses.h"
#include "compiler/wide/loop_analyses.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::SCEV;

using simt::AskedCache;
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
/// A prefetch takes the place of a load: a loop that finds lines near gets prefetches only if it does so many operations for each.
constexpr unsigned kOperationsEach = 4;
constexpr unsigned kMostLines = 32;
/// Of one that does fewer, and waits for memory where that is far away.
constexpr unsigned kMostLinesOfStreams = 64;
/// Rows of the lanes' own that a loop goes along, each by instructions of its own: a processor's prefetchers follow fewer.
constexpr std::size_t kManyRows = 16;
constexpr unsigned kRowsAhead = 2;  ///< iterations
/// Operations that a lane's address is told from.
constexpr unsigned kMostParts = 8;
/// Lines on their way into the second-level cache, of so many iterations: more where these are short, fewer where they are several of the program's.
constexpr unsigned kStreamLines = 512, kFewestAhead = 8, kMostAhead = 16, kMostRowsAhead = 32;
/// Of a run over less than so many times what is far, the last cache may have half, from where lines come sooner: half as many are on their way. Steps are
/// mostly powers of two, whose lines share few sets of the second cache.
constexpr std::uint64_t kMuchFarther = 2;
/// The assumed trip count of inner loops, where it is not known, and the greatest that is told from more.
constexpr unsigned kInnerIterations = 8, kMostKnown = 64;

/// A load of so many lines becomes many loads, in whatever order their values are wanted, unless the scheduler keeps
/// them in order (target::orders_loads). The processor's prefetchers follow rising addresses: a prefix sum in registers of AVX2 took twice as long.
constexpr unsigned kManyLines = 8;

/// Bytes that a counter's step may be times, as of a vector of 16 doubles.
constexpr std::uint64_t kMostElement = 128;

/// A line that an access in a loop touches, and the distance to the next iteration's line.
struct Line {
  Instruction* access;
  llvm::Value* pointer;
  std::int64_t offset;  ///< from the pointer
  std::uint64_t number;  ///< of its address (Numbers)
  std::uint64_t next;    ///< of that an iteration later
  const SCEV* step;
};

llvm::Type* accessed_type(const Instruction& access) { return llvm::isa<llvm::StoreInst>(access) ? access.getOperand(0)->getType() : access.getType(); }

class Prefetcher : LoopAnalyses {
 public:
  Prefetcher(llvm::Function& function, const llvm::TargetMachine& machine)
      : LoopAnalyses(function), function_(function), lead_(target::prefetch_lead(machine)), far_bytes_(target::far_bytes(machine)) {}

  void run() {
    for (Loop* loop : loops_.getLoopsInPreorder()) visit(*loop);
    if (target::orders_loads()) return;
    for (llvm::BasicBlock& block : function_)
      if (!loops_.getLoopFor(&block)) ask_in_order(block);
  }

 private:
  /// Asks for the lines of loads of many in straight code, by rising addresses.
  void ask_in_order(llvm::BasicBlock& block) {
    for (Instruction& instruction : block) {
      if (llvm::isa<llvm::StoreInst>(instruction)) continue;
      llvm::Value* pointer = accessed_pointer(instruction);
      if (!pointer || is_of_worker(*pointer, function_)) continue;
      const auto bytes = layout_.getTypeStoreSize(instruction.getType()).getFixedValue();
      if (bytes < kManyLines * kLineBytes) continue;
      llvm::Value& none = *llvm::ConstantInt::get(llvm::Type::getInt64Ty(function_.getContext()), 0);
      for (std::uint64_t offset = 0; offset < bytes; offset += kLineBytes)
        ask_for({&instruction, pointer, static_cast<std::int64_t>(offset), 0, 0, nullptr}, none, instruction, AskedCache::kFirst);
    }
  }

  void visit(Loop& loop) {
    if (!loop.getLoopPredecessor() || !loop.getLoopLatch()) return;
    llvm::SmallVector<Line, 16> lines, rows;
    for (llvm::BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop) continue;
      for (Instruction& instruction : *block) {
        llvm::Value* pointer = accessed_pointer(instruction);
        if (!pointer || loop.isLoopInvariant(pointer)) continue;
        collect(loop, instruction, *pointer, lines);
        collect_row(loop, instruction, *pointer, rows);
        // Each line is compared with all before it.
        if (lines.size() > kMostLinesOfStreams) return;
      }
    }
    // A loop that waits for no reads has time for its writes.
    const bool reads = llvm::any_of(lines, [](const Line& line) { return !llvm::isa<llvm::StoreInst>(line.access); });
    if (!reads && rows.size() < kManyRows) return;
    const unsigned trips = evolution_.getSmallConstantMaxTripCount(&loop);
    if (trips && trips < kFewIterations) return;
    const auto [vectors, scalars] = operations_of(loop);
    const unsigned operations = std::max(vectors + scalars, 1u);
    ask_for_rows(rows, operations);
    if (!reads) return;
    // Counters and bounds are computed while it waits, and registers may be smaller than lines.
    if (lines.size() * kOperationsEach * kLineBytes > vectors * target::vectors().register_bits / 8) ask_for_streams(loop, lines);
    if (lines.size() > kMostLines || lines.size() * kOperationsEach > operations) return;
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
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(accessed_type(access)).getFixedValue());
    const std::uint64_t first = numbers_.of(*address), way = numbers_.of(*step);
    for (std::int64_t offset = 0; offset < bytes; offset += kLineBytes) {
      const std::uint64_t line = first + static_cast<std::uint64_t>(offset), next = line + way;
      if (lines.size() > kMostLinesOfStreams || llvm::any_of(lines, [&](const Line& other) { return are_near(line, other.number); })) continue;
      // What is read an iteration before it is read again, as a plane ahead, is asked for once.
      if (llvm::any_of(lines, [&](const Line& other) { return are_near(next, other.number); })) continue;
      llvm::erase_if(lines, [&](const Line& other) { return are_near(line, other.next); });
      lines.push_back({&access, &pointer, offset, line, next, step});
    }
  }

  /// A number of one lane's: its value as Numbers have it, and what it goes on by in each iteration of a loop.
  struct Element {
    std::uint64_t number;
    std::int64_t step;
  };

  std::optional<Element> element(const Loop& loop, llvm::Value& scalar) {
    const SCEV* value = Unwrapped(evolution_).visit(evolution_.getSCEV(&scalar));
    if (evolution_.isLoopInvariant(value, &loop)) return Element{numbers_.of(*value), 0};
    const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
    if (!counter || counter->getLoop() != &loop || !counter->isAffine()) return std::nullopt;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_));
    if (!step) return std::nullopt;
    return Element{numbers_.of(*value), step->getAPInt().getSExtValue()};
  }

  /// Of element `lane` of a vector: what is the same in two lanes has one number, and so have sums and products of it.
  std::optional<Element> element(const Loop& loop, llvm::Value& vector, unsigned lane, unsigned depth = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&vector))
      if (const auto* one = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getAggregateElement(lane)))
        return Element{static_cast<std::uint64_t>(one->getSExtValue()), 0};
    if (llvm::Value* scalar = llvm::getSplatValue(&vector)) return element(loop, *scalar);
    auto* instruction = llvm::dyn_cast<Instruction>(&vector);
    if (instruction && depth < kMostParts) {
      const auto operand = [&](unsigned i) { return element(loop, *instruction->getOperand(i), lane, depth + 1); };
      switch (instruction->getOpcode()) {
        case Instruction::SExt:
        case Instruction::ZExt: return operand(0);
        case Instruction::Or:
          if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint()) break;
          [[fallthrough]];
        case Instruction::Add:
          if (const auto one = operand(0), other = operand(1); one && other) return Element{one->number + other->number, one->step + other->step};
          break;
        case Instruction::Mul:
          if (const auto one = operand(0), other = operand(1); one && other && !one->step && !other->step) return Element{one->number * other->number, 0};
          break;
        default: break;
      }
    }
    if (!loop.isLoopInvariant(&vector)) return std::nullopt;
    const auto [found, is_new] = elements_.try_emplace({&vector, lane}, 0);
    if (is_new) found->second = numbers_.any();
    return Element{found->second, 0};
  }

  /// A line of a row that one lane goes along, of which the address is a base and an element of a vector, as where each lane reads an OpenCL vector of its row.
  void collect_row(Loop& loop, Instruction& access, llvm::Value& pointer, llvm::SmallVectorImpl<Line>& rows) {
    if (!llvm::isa<llvm::LoadInst>(access) || rows.size() > kMostLinesOfStreams) return;
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
    if (!address || address->getNumIndices() != 1 || !loop.isLoopInvariant(address->getPointerOperand())) return;
    llvm::Value* index = address->getOperand(1);
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(index)) index = llvm::cast<Instruction>(index)->getOperand(0);
    const auto* lane = llvm::dyn_cast<llvm::ExtractElementInst>(index);
    const auto* number = lane ? llvm::dyn_cast<llvm::ConstantInt>(lane->getIndexOperand()) : nullptr;
    if (!number) return;
    const auto row = element(loop, *lane->getOperand(0), static_cast<unsigned>(number->getZExtValue()));
    const auto scale = static_cast<std::int64_t>(layout_.getTypeAllocSize(address->getSourceElementType()).getFixedValue());
    if (!row || std::abs(row->step * scale) < kLineBytes) return;
    const std::uint64_t line = numbers_.of(*evolution_.getSCEV(address->getOperand(0))) + row->number * static_cast<std::uint64_t>(scale);
    if (llvm::any_of(rows, [&](const Line& other) { return are_near(line, other.number); })) return;
    const SCEV* step = evolution_.getConstant(llvm::APInt(64, static_cast<std::uint64_t>(row->step * scale)));
    rows.push_back({&access, &pointer, 0, line, line, step});
  }

  /// Asks for the next lines of `rows`, where they are more than the processor follows, each beside the load that has its address.
  void ask_for_rows(llvm::ArrayRef<Line> rows, unsigned operations) {
    if (rows.size() < kManyRows || rows.size() > kMostLinesOfStreams || rows.size() * kOperationsEach > operations) return;
    for (const Line& row : rows) {
      const auto step = llvm::cast<llvm::SCEVConstant>(row.step)->getAPInt().getSExtValue();
      llvm::Value* distance = llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(function_.getContext()), step * kRowsAhead);
      ask_for(row, *distance, *row.access->getNextNode(), AskedCache::kFirst);
    }
  }

  static bool are_near(std::uint64_t one, std::uint64_t other) { return one - other + (kLineBytes - 1) < 2 * kLineBytes - 1; }

  /// Machine instructions of an iteration, roughly.
  struct Operations {
    unsigned vectors = 0;
    unsigned scalars = 0;  ///< but loads, which are operands of other instructions
  };

  Operations operations_of(const Loop& loop) {
    Operations sum;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      Operations here;
      for (const Instruction& instruction : *block) {
        if (llvm::isa<llvm::PHINode, llvm::CastInst, llvm::GetElementPtrInst, llvm::ShuffleVectorInst,
                      llvm::InsertElementInst>(instruction))
          continue;
        const llvm::Type* type = llvm::isa<llvm::StoreInst>(instruction) ? instruction.getOperand(0)->getType()
                                                                          : instruction.getType();
        if (type->isVectorTy())
          here.vectors += llvm::divideCeil(type->getPrimitiveSizeInBits().getFixedValue(), target::vectors().register_bits);
        else if (!llvm::isa<llvm::LoadInst>(instruction))
          ++here.scalars;
      }
      for (const Loop* inner = loops_.getLoopFor(block); inner != &loop; inner = inner->getParentLoop()) {
        const unsigned known = evolution_.getSmallConstantTripCount(inner), times = known ? std::min(known, kMostKnown) : kInnerIterations;
        here = {here.vectors * times, here.scalars * times};
      }
      sum = {sum.vectors + here.vectors, sum.scalars + here.scalars};
    }
    return sum;
  }

  /// Prefetches into the second-level cache many iterations ahead, in a loop that does little but wait for memory, where a run of it goes over more
  /// than caches hold: what a run finds near would wait for the prefetches themselves.
  void ask_for_streams(Loop& loop, llvm::ArrayRef<Line> lines) {
    Instruction* entry = loop.getLoopPredecessor()->getTerminator();
    Instruction* end = loop.getLoopLatch()->getTerminator();
    llvm::SCEVExpander expander(evolution_, layout_, "stream");
    const SCEV* bytes = bytes_of_run(loop, lines);
    if (!bytes || !expander.isSafeToExpandAt(bytes, entry)) return;
    if (const auto* known = llvm::dyn_cast<llvm::SCEVConstant>(bytes); known && known->getAPInt().ult(far_bytes_)) return;
    const std::uint64_t most = std::max<std::uint64_t>(1, kMostRowsAhead / rows_of_step(lines.front()));
    const auto ahead = [&](unsigned lines_ahead) { return std::min(std::clamp<std::uint64_t>(lines_ahead / lines.size(), kFewestAhead, kMostAhead), most); };
    llvm::SmallVector<std::pair<const Line*, llvm::Value*>, 32> asked;
    for (const Line& line : lines) {
      const auto* pointer = llvm::dyn_cast<Instruction>(line.pointer);
      if ((pointer && !dominators_.dominates(pointer, end)) || !expander.isSafeToExpandAt(line.step, entry)) continue;
      asked.emplace_back(&line, expander.expandCodeFor(line.step, line.step->getType(), entry));
    }
    if (asked.empty()) return;
    llvm::Value* all = expander.expandCodeFor(bytes, bytes->getType(), entry);
    llvm::IRBuilder<> builder(entry);
    const auto is_above = [&](std::uint64_t limit, const char* name) {
      return builder.CreateICmpUGE(all, llvm::ConstantInt::get(all->getType(), limit), name);
    };
    llvm::Value* is_far = is_above(far_bytes_, "is.far");
    llvm::Value* iterations = builder.getInt64(ahead(kStreamLines));
    if (const std::uint64_t less = ahead(kStreamLines / 2); less < ahead(kStreamLines))
      iterations = builder.CreateSelect(is_above(kMuchFarther * far_bytes_, "is.farther"), iterations, builder.getInt64(less), "ahead");
    llvm::SmallDenseMap<llvm::Value*, llvm::Value*> distances;
    for (auto& [line, step] : asked) {
      llvm::Value*& distance = distances[step];
      if (!distance) distance = builder.CreateMul(builder.CreateSExtOrTrunc(step, builder.getInt64Ty()), iterations, "distance");
      step = distance;
    }
    llvm::DomTreeUpdater updater(dominators_, llvm::DomTreeUpdater::UpdateStrategy::Eager);
    Instruction* there = llvm::SplitBlockAndInsertIfThen(is_far, end, /*Unreachable=*/false, /*BranchWeights=*/nullptr, &updater, &loops_);
    for (const auto& [line, distance] : asked) ask_for(*line, *distance, *there, AskedCache::kSecond);
  }

  /// Iterations of the program that an unrolled one is: what its step has for a constant factor, in elements.
  std::uint64_t rows_of_step(const Line& line) const {
    const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(line.step);
    const auto* factor = product ? llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0)) : nullptr;
    if (!factor) return 1;
    const std::uint64_t bytes = std::max<std::uint64_t>(1, layout_.getTypeStoreSize(accessed_type(*line.access)->getScalarType()).getFixedValue());
    return std::clamp<std::uint64_t>(factor->getAPInt().abs().getLimitedValue() / bytes, 1, kMostRowsAhead);
  }

  /// Bytes of the memory that a run of `loop` goes over, roughly, as an i64; null where nothing is known of its iterations in front of it.
  const SCEV* bytes_of_run(const Loop& loop, llvm::ArrayRef<Line> lines) {
    llvm::SmallVector<const SCEV*, 8> arrays, steps;
    for (const Line& line : lines) {
      const SCEV* array = evolution_.getPointerBase(evolution_.getSCEV(line.pointer));
      if (llvm::is_contained(arrays, array)) continue;
      arrays.push_back(array);
      steps.push_back(line.step);
    }
    llvm::Type& type = *llvm::Type::getInt64Ty(function_.getContext());
    if (const SCEV* by_bounds = bytes_by_bounds(loop, steps, type)) return by_bounds;
    const SCEV* iterations = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(iterations)) return nullptr;
    const SCEV* sum = evolution_.getZero(&type);
    for (const SCEV* step : steps) sum = evolution_.getAddExpr(sum, evolution_.getAbsExpr(step, /*IsNSW=*/false));
    return evolution_.getMulExpr(evolution_.getTruncateOrZeroExtend(iterations, &type), sum);
  }

  /// The same up to the bounds that end the loop, which takes no division by the step; null where there are none.
  const SCEV* bytes_by_bounds(const Loop& loop, llvm::ArrayRef<const SCEV*> steps, llvm::Type& type) {
    const SCEV* fewest = nullptr;
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (llvm::BasicBlock* block : exiting) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional()) continue;
      llvm::SmallVector<llvm::Value*, 4> conditions = {branch->getCondition()};
      for (unsigned i = 0; i < conditions.size(); ++i) {
        llvm::Value *one, *other;
        if (match(conditions[i], llvm::PatternMatch::m_LogicalAnd(llvm::PatternMatch::m_Value(one), llvm::PatternMatch::m_Value(other))))
          conditions.append({one, other});
        const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(conditions[i]);
        if (!compare || !compare->isRelational()) continue;
        const SCEV* own = bytes_to(loop, *compare->getOperand(0), *compare->getOperand(1), steps, type);
        if (own) fewest = fewest ? evolution_.getUMinExpr(fewest, own) : own;
      }
    }
    return fewest;
  }

  /// Until `counter` comes to `bound`, or the other way round, as if nothing wrapped around. Null where neither counts, bytes are no constants times
  /// the counter, or the bound is a constant, as where a counter would wrap around.
  const SCEV* bytes_to(const Loop& loop, llvm::Value& counter, llvm::Value& bound, llvm::ArrayRef<const SCEV*> steps, llvm::Type& type) {
    if (!counter.getType()->isIntegerTy() || counter.getType()->getScalarSizeInBits() > type.getScalarSizeInBits()) return nullptr;
    const auto* counts = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&counter));
    if (!counts) return llvm::isa<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&bound)) ? bytes_to(loop, bound, counter, steps, type) : nullptr;
    if (counts->getLoop() != &loop || !counts->isAffine() || !loop.isLoopInvariant(&bound) || llvm::isa<llvm::Constant>(bound)) return nullptr;
    const auto wide = [&](const SCEV* number) { return Unwrapped(evolution_).visit(evolution_.getNoopOrSignExtend(number, &type)); };
    const SCEV* own_step = wide(counts->getStepRecurrence(evolution_));
    std::uint64_t bytes = 0;
    for (const SCEV* step : steps) {
      std::uint64_t factor = 1;
      const auto is_multiple = [&] { return evolution_.getMulExpr(own_step, evolution_.getConstant(&type, factor)) == step; };
      while (factor <= kMostElement && !is_multiple()) factor *= 2;
      if (factor > kMostElement) return nullptr;
      bytes += factor;
    }
    const SCEV* way = evolution_.getMinusSCEV(wide(evolution_.getSCEV(&bound)), wide(counts->getStart()));
    return evolution_.getMulExpr(evolution_.getAbsExpr(way, /*IsNSW=*/false), evolution_.getConstant(&type, bytes));
  }

  const SCEV* distance_of(const Line& line, std::uint64_t iterations) {
    return evolution_.getMulExpr(line.step, evolution_.getConstant(line.step->getType(), iterations));
  }

  /// In front of `place`, asks for what is `distance` bytes from `line`.
  static void ask_for(const Line& line, llvm::Value& distance, Instruction& place, AskedCache nearest) {
    llvm::IRBuilder<> builder(&place);
    llvm::Value* address = builder.CreateGEP(builder.getInt8Ty(), line.pointer, &distance);
    // A part of an instruction's address, where a sum in front of the loop would want a register for each line.
    if (line.offset) address = builder.CreateConstGEP1_64(builder.getInt8Ty(), address, static_cast<std::uint64_t>(line.offset));
    simt::ask_for_line(builder, address, llvm::isa<llvm::StoreInst>(line.access), nearest);
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
      const SCEV* distance = distance_of(line, ahead);
      if (!expander.isSafeToExpandAt(distance, entry)) continue;
      ask_for(line, *expander.expandCodeFor(distance, distance->getType(), entry), *places[i * places.size() / mine.size()], AskedCache::kFirst);
    }
  }

  llvm::Function& function_;
  const unsigned lead_;
  const std::uint64_t far_bytes_;
  Numbers numbers_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, std::uint64_t> elements_;
};

}  // namespace

void insert_prefetches(llvm::Function& function, const llvm::TargetMachine& machine) {
  Prefetcher(function, machine).run();
}

}  // namespace weft::compiler::wide
