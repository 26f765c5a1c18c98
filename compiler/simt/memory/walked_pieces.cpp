#include "compiler/simt/memory/walked_pieces.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <algorithm>
#include <bit>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/row_places.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/masks/full_copy.h"
#include "compiler/target/target.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

bool ends_at_latch(const llvm::Loop& loop) {
  return loop.getLoopLatch() && loop.getExitingBlock() == loop.getLoopLatch();
}

/// Of an unrolled loop: with more, its values outgrow the registers and its code the cache of decoded instructions.
constexpr unsigned kMostInstructions = 320;
/// Bytes of a piece, at least: it consists of words.
constexpr std::int64_t kLeastPiece = 4;
/// Bytes of a line. The first-level caches of the processors of target/costs.h hold 12 lines whose addresses differ by multiples of 4096 bytes (8 in older
/// ones), so rows whose distances are multiples of a large power of two throw each other's lines out before the next piece of them is accessed.
constexpr std::int64_t kLine = 64;
constexpr std::uint64_t kWays = 12, kSameSet = 4096, kRows = 32;
/// What the header promises.
constexpr std::uint64_t kLeastApart = 1024;
/// Walks whose lines, 16 registers of numbers each and twice that for 32 lanes, are not too far beyond the registers; and instructions of a loop of them.
constexpr std::size_t kMostLines = 2;
constexpr unsigned kMostInLines = 640;
/// Where registers have half a line: one row alone goes so (may_take_lines), whose lanes register blocks take some at a time.
constexpr unsigned kMostInHalves = 300;
/// Names the copies that unrolling makes of an access.
constexpr llvm::StringLiteral kWalkMetadata = "weft.walk";

std::int64_t bytes_of(const Instruction& access) {
  return bytes_in_rows(*llvm::getLoadStoreType(const_cast<Instruction*>(&access)), access.getModule()->getDataLayout());
}

/// The header stays that of the unrolled loop.
bool unroll(llvm::Function& region, llvm::BasicBlock& header, unsigned count, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  llvm::Loop* loop = canonical_loop(header, analyses);
  if (!loop) return false;
  auto& loops = manager.getResult<llvm::LoopAnalysis>(region);
  llvm::UnrollLoopOptions options{};
  options.Count = count;
  options.Force = true;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
  const auto result = llvm::UnrollLoop(
      loop, options, &loops, &manager.getResult<llvm::ScalarEvolutionAnalysis>(region), &manager.getResult<llvm::DominatorTreeAnalysis>(region),
      &manager.getResult<llvm::AssumptionAnalysis>(region), &manager.getResult<llvm::TargetIRAnalysis>(region),
      &manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(region), /*PreserveLCSSA=*/true);
  if (result == llvm::LoopUnrollResult::Unmodified) return false;
  analyses.invalidate(region);
  return result == llvm::LoopUnrollResult::PartiallyUnrolled;
}

/// The words that a piece is moved by.
unsigned word_bits(const llvm::Type& type, std::int64_t bytes) {
  return (bytes == 8 && !type.isVectorTy()) || (bytes == kRowPiece && type.getScalarSizeInBits() == 64) ? 64 : 32;
}

llvm::FixedVectorType* piece_type(const Instruction& access, std::size_t elements) {
  const std::int64_t bytes = bytes_of(access), all = bytes * static_cast<std::int64_t>(elements);
  const unsigned word = word_bits(*llvm::getLoadStoreType(const_cast<Instruction*>(&access)), bytes);
  return llvm::FixedVectorType::get(llvm::IntegerType::get(access.getContext(), word), static_cast<unsigned>(8 * all / word));
}

void copy_marks(Instruction& piece, const Instruction& access) {
  piece.copyMetadata(access);
  piece.setMetadata(llvm::LLVMContext::MD_range, nullptr);
  piece.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
}

/// What `piece` has from byte `offset` on.
Value* part(llvm::IRBuilder<>& builder, Value& piece, std::int64_t offset, unsigned word, llvm::Type& type) {
  const auto bits = static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue());
  const auto index = static_cast<std::uint64_t>(8 * offset / word);
  if (bits > word) {
    Value* words = llvm::PoisonValue::get(llvm::FixedVectorType::get(builder.getIntNTy(word), bits / word));
    for (std::uint64_t i = 0; i < bits / word; ++i)
      words = builder.CreateInsertElement(words, builder.CreateExtractElement(&piece, index + i), i);
    return builder.CreateBitCast(words, &type);
  }
  Value* one = builder.CreateExtractElement(&piece, index);
  if (bits < word) one = builder.CreateTrunc(builder.CreateLShr(one, static_cast<std::uint64_t>(8 * offset % word)), builder.getIntNTy(bits));
  return builder.CreateBitCast(one, &type);
}

/// Where a piece of `elements` begins, of which `first` is the first or, where the walk goes down, the last; and its alignment.
std::pair<Value*, llvm::Align> begin_of_piece(llvm::IRBuilder<>& builder, Instruction& first, std::size_t elements, bool goes_down) {
  Value* pointer = llvm::getLoadStorePointerOperand(&first);
  const llvm::Align align = llvm::getLoadStoreAlignment(&first);
  if (!goes_down) return {pointer, align};
  const std::int64_t back = bytes_of(first) * static_cast<std::int64_t>(elements - 1);
  return {builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(static_cast<std::uint64_t>(-back))),
          llvm::commonAlignment(align, static_cast<std::uint64_t>(back))};
}

/// Whether `load` is of a piece, whose words are used one by one.
bool is_taken_by_words(const Instruction& load) {
  return load.getType()->isIntOrIntVectorTy() && llvm::all_of(load.users(), llvm::IsaPred<llvm::ExtractElementInst>);
}

/// The words of a piece are those of a `line` from number `first` on.
void take_words(Instruction& piece, Value& line, std::uint64_t first) {
  for (llvm::User* user : llvm::make_early_inc_range(piece.users())) {
    auto& word = llvm::cast<llvm::ExtractElementInst>(*user);
    llvm::IRBuilder<> builder(&word);
    word.replaceAllUsesWith(builder.CreateExtractElement(&line, first + llvm::cast<llvm::ConstantInt>(word.getIndexOperand())->getZExtValue()));
    word.eraseFromParent();
  }
}

/// One load for neighbours.
Instruction* read_piece(llvm::ArrayRef<Instruction*> loads, bool goes_down) {
  auto& first = llvm::cast<llvm::LoadInst>(*loads.front());
  const std::int64_t bytes = bytes_of(first);
  llvm::IRBuilder<> builder(&first);
  const auto [pointer, align] = begin_of_piece(builder, first, loads.size(), goes_down);
  llvm::LoadInst* piece = builder.CreateAlignedLoad(piece_type(first, loads.size()), pointer, align, first.isVolatile(), "piece");
  copy_marks(*piece, first);
  for (const auto& [number, load] : llvm::enumerate(loads)) {
    builder.SetInsertPoint(load);
    const unsigned word = word_bits(*load->getType(), bytes);
    const std::size_t element = goes_down ? loads.size() - 1 - number : number;
    if (bytes == kRowPiece && is_taken_by_words(*load)) {
      take_words(*load, *piece, element * (kRowPiece * 8 / word));
      continue;
    }
    load->replaceAllUsesWith(part(builder, *piece, static_cast<std::int64_t>(element) * bytes, word, *load->getType()));
  }
  for (Instruction* load : loads) load->eraseFromParent();
  return piece;
}

/// `values`, of `bytes` each, in words one after the other.
Value* joined(llvm::IRBuilder<>& builder, llvm::ArrayRef<Value*> values, std::int64_t bytes, llvm::FixedVectorType& type) {
  const unsigned word = type.getScalarSizeInBits();
  llvm::SmallVector<Value*, 4> words(type.getNumElements(), nullptr);
  for (const auto& [number, given] : llvm::enumerate(values)) {
    // A component that nobody set, as the fourth of three, would be that of the whole word.
    Value* value = builder.CreateFreeze(given);
    const auto first = 8 * static_cast<std::int64_t>(number) * bytes;
    const auto bits = static_cast<unsigned>(8 * bytes);
    if (bits > word) {
      Value* parts = builder.CreateBitCast(value, llvm::FixedVectorType::get(builder.getIntNTy(word), bits / word));
      for (unsigned i = 0; i < bits / word; ++i) {
        Value* known = llvm::findScalarElement(parts, i);
        words[static_cast<std::size_t>(first) / word + i] = known ? known : builder.CreateExtractElement(parts, i);
      }
      continue;
    }
    Value* one = builder.CreateBitCast(value, builder.getIntNTy(bits));
    Value*& whole = words[static_cast<std::size_t>(first) / word];
    if (bits < word) one = builder.CreateShl(builder.CreateZExt(one, builder.getIntNTy(word)), static_cast<std::uint64_t>(first) % word);
    whole = whole ? builder.CreateOr(whole, one) : one;
  }
  Value* piece = llvm::PoisonValue::get(&type);
  for (const auto& [number, one] : llvm::enumerate(words)) piece = builder.CreateInsertElement(piece, one, number);
  return piece;
}

/// One store for neighbours.
Instruction* write_piece(llvm::ArrayRef<Instruction*> stores, bool goes_down) {
  auto &first = llvm::cast<llvm::StoreInst>(*stores.front()), &last = llvm::cast<llvm::StoreInst>(*stores.back());
  llvm::IRBuilder<> builder(&last);
  llvm::SmallVector<Value*, 16> values;
  for (Instruction* store : stores) values.push_back(llvm::cast<llvm::StoreInst>(store)->getValueOperand());
  if (goes_down) std::reverse(values.begin(), values.end());
  llvm::FixedVectorType* type = piece_type(first, stores.size());
  Value* all = joined(builder, values, bytes_of(first), *type);
  const auto [pointer, align] = begin_of_piece(builder, first, stores.size(), goes_down);
  llvm::StoreInst* piece = builder.CreateAlignedStore(all, pointer, align, first.isVolatile());
  copy_marks(*piece, first);
  for (Instruction* store : stores) store->eraseFromParent();
  for (Value* value : values) llvm::RecursivelyDeleteTriviallyDeadInstructions(value);
  return piece;
}

/// The copies of each access in the unrolled `loop`, in the order of its iterations, as pieces of `bytes`.
llvm::SmallVector<Walk, 8> combine(llvm::Loop& loop, llvm::LoopInfo& loops, const llvm::SmallPtrSetImpl<llvm::MDNode*>& down, std::int64_t bytes) {
  llvm::MapVector<llvm::MDNode*, llvm::SmallVector<Instruction*, 16>> walks;
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  for (llvm::BasicBlock* block : order)
    for (Instruction& instruction : *block)
      if (llvm::MDNode* walk = instruction.getMetadata(kWalkMetadata)) walks[walk].push_back(&instruction);
  llvm::SmallVector<Walk, 8> pieces;
  for (auto& [walk, accesses] : walks) {
    const bool is_load = llvm::isa<llvm::LoadInst>(accesses.front()), goes_down = down.contains(walk);
    const auto each = static_cast<std::size_t>(bytes / bytes_of(*accesses.front()));
    const auto row = static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(walk->getOperand(0))->getZExtValue());
    if (each == 1)
      for (Instruction* access : accesses) pieces.push_back({access, goes_down, row});
    for (llvm::ArrayRef<Instruction*> left = accesses; each > 1 && left.size() > 1;) {
      const std::size_t taken = std::min(each, left.size());
      if (static_cast<std::int64_t>(taken) * bytes_of(*left.front()) < kLeastPiece) break;
      const auto piece = left.take_front(taken);
      pieces.push_back({is_load ? read_piece(piece, goes_down) : write_piece(piece, goes_down), goes_down, row});
      left = left.drop_front(taken);
    }
  }
  return pieces;
}

/// Unrolls, and makes pieces of `bytes`, which it returns. Those of one row follow one another, as do those of `walks`.
llvm::SmallVector<Walk, 8> unroll_to_pieces(llvm::Function& region, llvm::BasicBlock& header, llvm::ArrayRef<Walk> walks, unsigned count,
                                            std::int64_t bytes, Analyses& analyses) {
  llvm::LLVMContext& context = region.getContext();
  llvm::SmallPtrSet<llvm::MDNode*, 8> down;
  for (const Walk& walk : walks) {
    auto* number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), walk.row));
    llvm::MDNode* name = llvm::MDNode::get(context, number);
    walk.access->setMetadata(kWalkMetadata, name);
    if (walk.goes_down) down.insert(name);
  }
  llvm::SmallVector<Walk, 8> pieces;
  if (count == 1 || unroll(region, header, count, analyses)) {
    auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(region);
    llvm::Loop& loop = *loops.getLoopFor(&header);
    // A loop whose remainder could not be split off keeps a way out behind each copy of its body.
    if (ends_at_latch(loop)) pieces = combine(loop, loops, down, bytes);
  }
  for (llvm::BasicBlock& block : region)
    for (Instruction& instruction : block) instruction.setMetadata(kWalkMetadata, nullptr);
  analyses.invalidate(region);
  return pieces;
}

/// Whether the lanes' rows lie so that few of their lines are in the first-level cache together; none if it is known that they do not.
Value* are_crowded(llvm::IRBuilder<>& builder, llvm::ArrayRef<LaneStep> rows, std::size_t walks) {
  // What lanes share is no row of theirs.
  if (llvm::any_of(rows, [](const LaneStep& row) { return row.constant == 0 && row.products.empty(); })) return nullptr;
  Value* all = builder.getInt64(0);
  for (const LaneStep& row : rows) all = builder.CreateOr(all, row.emit(builder));
  const std::uint64_t least = std::max(kLeastApart, std::bit_ceil(kWays * kSameSet / (kRows * walks)));
  Value* crowded = builder.CreateICmpEQ(builder.CreateAnd(all, least - 1), builder.getInt64(0), "crowded");
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(crowded);
  return known && known->isZero() ? nullptr : crowded;
}

/// How many iterations an unrolled loop runs is a multiple of those that a round of it has: SCEV knows that of `n & ~3`, not of `n - (n & 3)`.
void say_multiples(llvm::Loop& loop) {
  namespace match = llvm::PatternMatch;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto* compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  auto* number = compare ? llvm::dyn_cast<Instruction>(compare->getOperand(1)) : nullptr;
  Value* all = nullptr;
  const llvm::APInt* left = nullptr;
  if (!number || !match::match(number, match::m_Sub(match::m_Value(all), match::m_And(match::m_Deferred(all), match::m_APInt(left))))) return;
  llvm::IRBuilder<> builder(number);
  number->replaceAllUsesWith(builder.CreateAnd(all, ~*left));
  number->eraseFromParent();
}

/// Whether lines do not keep what is better from the loop. In groups of several dimensions warps may share rows: products of parts of words gain more
/// by several warps a body, which share what is loaded (barriers/coarsen.h), and lines take their registers.
bool may_be_lines(llvm::ArrayRef<Walk> walks, const Specialization& specialization) {
  const auto is_number = [](const Walk& walk) {
    const llvm::Type* type = llvm::getLoadStoreType(walk.access);
    return !type->isVectorTy() && bytes_of(*walk.access) >= 4;
  };
  return walks.size() <= kMostLines && (specialization.local_size[1] * specialization.local_size[2] == 1 || llvm::all_of(walks, is_number));
}

/// Whether a loop of `walks`, whose lanes' `rows` are known, may go by lines besides.
bool may_take_lines(llvm::ArrayRef<Walk> walks, llvm::ArrayRef<LaneStep> rows, const Specialization& specialization) {
  const unsigned bits = target::vectors().register_bits;
  if (rows.empty() || bits < 8 * kLine / 2 || !may_be_lines(walks, specialization)) return false;
  // Where registers have half a line: one row of words, that is read.
  return bits >= 8 * kLine || (walks.size() == 1 && llvm::isa<llvm::LoadInst>(walks.front().access) && bytes_of(*walks.front().access) >= 4);
}

/// Rounds of a loop after which the rows with the most pieces have a line; 0 if others have neither a line then nor one piece, the two that are
/// transposed (widen/memory/row_pieces.cpp).
unsigned rounds_of_lines(llvm::ArrayRef<Walk> pieces, std::size_t walks) {
  constexpr std::size_t kPieces = kLine / kRowPiece;
  llvm::SmallVector<std::size_t, 4> counts(walks, 0);
  for (const Walk& piece : pieces) ++counts[piece.row];
  const std::size_t most = *std::ranges::max_element(counts);
  if (most == 0 || kPieces % most != 0) return 0;
  const std::size_t rounds = kPieces / most;
  const bool fit = llvm::all_of(counts, [&](std::size_t count) { return count * rounds == 1 || count * rounds == kPieces; });
  return fit ? static_cast<unsigned>(rounds) : 0;
}

/// Whether lines of all `pieces` would find registers, or halves of them, and the code room. Where elements differ in size, the largest make several pieces of a
/// line already.
bool serve_as_lines(const llvm::Loop& loop, llvm::ArrayRef<Walk> pieces, std::size_t walks) {
  const unsigned rounds = rounds_of_lines(pieces, walks);
  if (!rounds) return false;
  unsigned instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) instructions += static_cast<unsigned>(block->sizeWithoutDebug());
  if (instructions * rounds > (target::vectors().register_bits < 8 * kLine ? kMostInHalves : kMostInLines)) return false;
  return llvm::all_of(pieces, [](const Walk& piece) {
    return bytes_of(*piece.access) == kRowPiece &&
           (llvm::isa<llvm::StoreInst>(piece.access) || is_element_of_lines(*piece.access->getType()) || is_taken_by_words(*piece.access));
  });
}

}  // namespace

std::int64_t bytes_in_rows(llvm::Type& type, const llvm::DataLayout& layout) {
  llvm::Type* element = type.getScalarType();
  if (type.isAggregateType() || !(element->isIntegerTy() || element->isFloatingPointTy())) return 0;
  const std::uint64_t bits = layout.getTypeSizeInBits(&type).getFixedValue();
  if (bits != 8 * layout.getTypeAllocSize(&type).getFixedValue() || !std::has_single_bit(bits) || bits < 8) return 0;
  return static_cast<std::int64_t>(bits / 8);
}

bool is_element_of_lines(const llvm::Type& type) {
  const unsigned bits = type.getScalarSizeInBits();
  return type.isVectorTy() && (bits == 32 || bits == 64) && type.getPrimitiveSizeInBits() == 8 * kRowPiece;
}

bool may_take_pieces(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return loop.isInnermost() && ends_at_latch(loop) && !has_full_copy(loop) && evolution.hasLoopInvariantBackedgeTakenCount(&loop);
}

unsigned iterations_of_pieces(const llvm::Loop& loop, llvm::ArrayRef<Walk> walks, llvm::ScalarEvolution& evolution) {
  std::int64_t smallest = kRowPiece, largest = 1;
  for (const Walk& walk : walks) {
    smallest = std::min(smallest, bytes_of(*walk.access));
    largest = std::max(largest, bytes_of(*walk.access));
  }
  auto count = static_cast<unsigned>(kRowPiece / smallest);
  unsigned instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) instructions += static_cast<unsigned>(block->sizeWithoutDebug());
  while (count > 1 && count * instructions > kMostInstructions) count /= 2;
  if (count * largest < kLeastPiece) return 1;
  const unsigned known = evolution.getSmallConstantTripCount(&loop);
  return known && known < count ? 1 : count;
}

bool gain_as_lines(llvm::ArrayRef<Walk> walks, const Specialization& specialization) {
  return may_be_lines(walks, specialization) && target::vectors().register_bits == 8 * kLine &&
         llvm::all_of(walks, [](const Walk& walk) { return bytes_of(*walk.access) == kRowPiece; });
}

bool leaves_lines_out(llvm::ArrayRef<Walk> walks, llvm::ArrayRef<LaneStep> rows, const Specialization& specialization) {
  return specialization.soon && target::vectors().register_bits < 8 * kLine && may_take_lines(walks, rows, specialization);
}

bool access_pieces(llvm::Function& region, llvm::BasicBlock& header, llvm::ArrayRef<Walk> walks, unsigned count, llvm::ArrayRef<LaneStep> rows,
                   const Specialization& specialization, Analyses& analyses) {
  const auto loop_of = [&]() -> llvm::Loop* { return analyses.functions().getResult<llvm::LoopAnalysis>(region).getLoopFor(&header); };
  Value* crowded = nullptr;
  if (may_take_lines(walks, rows, specialization)) {
    llvm::IRBuilder<> builder(loop_of()->getLoopPredecessor()->getTerminator());
    crowded = are_crowded(builder, rows, walks.size());
  }
  llvm::SmallVector<Walk, 8> numbered(walks);
  for (const auto& [index, walk] : llvm::enumerate(numbered)) walk.row = static_cast<unsigned>(index);
  const auto pieces = unroll_to_pieces(region, header, numbered, count, kRowPiece, analyses);
  // Of a loop with no more iterations than a piece has elements, nothing is left.
  if (!crowded || !loop_of() || !serve_as_lines(*loop_of(), pieces, walks.size())) return true;
  say_multiples(*loop_of());
  if (!analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(region).hasLoopInvariantBackedgeTakenCount(loop_of())) return true;
  if (!llvm::isa<llvm::Constant>(crowded)) copy_loop(*loop_of(), *crowded, "pieces", analyses);
  unroll_to_pieces(region, header, pieces, rounds_of_lines(pieces, walks.size()), kLine, analyses);
  return true;
}

llvm::BasicBlock* copy_loop(llvm::Loop& loop, Value& condition, llvm::StringRef name, Analyses& analyses) {
  llvm::Function& region = *loop.getHeader()->getParent();
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  auto& loops = manager.getResult<llvm::LoopAnalysis>(region);
  auto& dominators = manager.getResult<llvm::DominatorTreeAnalysis>(region);
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
  llvm::simplifyLoop(&loop, &dominators, &loops, &evolution, nullptr, nullptr, /*PreserveLCSSA=*/false);
  llvm::formLCSSA(loop, dominators, &loops, &evolution);
  llvm::BasicBlock *front = loop.getLoopPreheader(), *exit = loop.getUniqueExitBlock();
  llvm::BasicBlock* preheader = llvm::SplitBlock(front, front->getTerminator(), &dominators, &loops, nullptr, "so");
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  llvm::Loop* copy = llvm::cloneLoopWithPreheader(exit, front, &loop, map, llvm::Twine(".") + name, &loops, &dominators, blocks);
  llvm::remapInstructionsInBlocks(blocks, map);
  llvm::BranchInst* branch = llvm::BranchInst::Create(preheader, copy->getLoopPreheader(), &condition, front->getTerminator()->getIterator());
  branch->setDebugLoc(front->getTerminator()->getDebugLoc());
  front->getTerminator()->eraseFromParent();
  for (llvm::PHINode& phi : exit->phis()) {
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
      llvm::BasicBlock* exiting = phi.getIncomingBlock(i);
      if (!loop.contains(exiting)) continue;
      Value* value = phi.getIncomingValue(i);
      const auto found = map.find(value);
      phi.addIncoming(found == map.end() ? value : static_cast<Value*>(found->second), llvm::cast<llvm::BasicBlock>(map[exiting]));
    }
  }
  llvm::BasicBlock* header = copy->getHeader();
  analyses.invalidate(region);
  return header;
}

}  // namespace weft::compiler::simt
