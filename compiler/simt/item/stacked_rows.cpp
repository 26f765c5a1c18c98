#include "compiler/simt/item/stacked_rows.h"

#include "compiler/simt/analysis/address_key.h"
#include "compiler/simt/analysis/pressure.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/barrier_halves.h"
#include "compiler/simt/item/inside_bounds.h"
#include "compiler/simt/item/item_copies.h"
#include "compiler/simt/item/load_order.h"
#include "compiler/simt/item/made_again.h"
#include "compiler/simt/item/needed_elements.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/simt/item/row_forms.h"
#include "compiler/simt/item/shared_sums.h"
#include "compiler/simt/item/specialize_images.h"
#include "compiler/simt/item/unroll_reading_loops.h"
#include "compiler/target/costs.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/GenericUniformityInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Twice as many where four wait for their reads.
constexpr unsigned kMostRows = 4;
/// Of a work-item: fewer reads have little in common with the next row's.
constexpr unsigned kFewestLoads = 3;
/// On the path: what is worth its compilation, of one row; and behind a barrier, where a tile's texels are a load for each component.
constexpr unsigned kMostStacked = 600, kMostBehindBarrier = 1200;
/// Of the reads of all rows, what may be left when those alike are one.
constexpr double kMostLeft = 0.75;
/// Of the registers that values take, as a multiple of those there are, where all of a row is worked on at once.
constexpr unsigned kSpills = 2;
/// A read of a register that may begin within a line, in operations; tables: as many reads begin in a cycle as operations of products, and one across
/// lines is two.
constexpr double kCrossingRead = 1.8;
/// Of the time of a row, what may be left where twice as many run at once: their code is longer, and so is what a rim does by itself.
constexpr double kMostLeftOfTime = 0.9;

bool is_id(const Instruction& instruction) {
  const llvm::StringRef name = called_name(instruction);
  return name.starts_with(primitive::kGlobalId) || name.starts_with(primitive::kLocalId);
}

/// Whether nothing but its operands and its place among the lanes decides what `instruction` gives, or it is a plain access.
bool is_plain(const Instruction& instruction) {
  if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::FenceInst>(instruction)) return false;
  if (instruction.isAtomic()) return false;
  if (instruction.isVolatile() && !instruction.hasMetadata(primitive::kNonVolatileMetadata)) return false;
  if (!llvm::isa<llvm::CallBase>(instruction)) return true;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return !intrinsic->mayHaveSideEffects() || intrinsic->isAssumeLikeIntrinsic();
  return is_id(instruction) || is_arithmetic_primitive(instruction) || called_name(instruction) == primitive::kAll ||
         called_name(instruction) == primitive::kAny;
}

bool loads_come_first(const BasicBlock& block) {
  bool stored = false;
  for (const Instruction& instruction : block) {
    if (stored && is_read_of_memory(instruction)) return false;
    stored |= llvm::isa<llvm::StoreInst>(instruction);
  }
  return stored;
}

unsigned reads(const BasicBlock& block) { return static_cast<unsigned>(llvm::count_if(block, is_read_of_memory)); }

/// Loads of one address become one: in front of all stores nothing of the warp's own comes between, and what other warps do is not ordered.
void merge_loads(BasicBlock& block) {
  AddressKeys addresses;
  std::map<std::pair<AddressKeys::Key, llvm::Type*>, llvm::LoadInst*> known;
  for (Instruction& instruction : llvm::make_early_inc_range(block)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !is_read_of_memory(*load)) continue;
    const auto [first, is_new] = known.try_emplace({addresses.key(*load->getPointerOperand()), load->getType()}, load);
    if (is_new) continue;
    first->second->setAlignment(std::max(first->second->getAlign(), load->getAlign()));
    load->replaceAllUsesWith(first->second);
    load->eraseFromParent();
  }
}

/// InstCombine forgets that loads are of texels when it gives them another type.
void mark_texels(llvm::Function& item, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(item);
  for (Instruction& instruction : llvm::instructions(item)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && load->getPointerAddressSpace() == kConstantSpace && load->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
        uniformity.isDivergent(load->getPointerOperand()))
      load->setMetadata(kTexelMetadata, llvm::MDNode::get(load->getContext(), {}));
  }
}

bool rows_are_whole_warps(const Specialization& specialization) {
  const auto& size = specialization.local_size;
  return size[0] && size[0] % abi::kWarpSize == 0 && size[1] % 2 == 0 && !specialization.is_part;
}

/// Whether rows may do all of `item` one after the other.
bool may_loop(const llvm::Function& item) {
  return llvm::all_of(llvm::instructions(item), is_plain) && llvm::all_of(item, [](const BasicBlock& block) {
           const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
           const auto* value = end ? llvm::dyn_cast_or_null<llvm::ConstantInt>(end->getReturnValue()) : nullptr;
           return !end || (value && value->isMinusOne());
         });
}

/// And together.
bool may_stack(const llvm::Function& item) {
  return llvm::any_of(llvm::instructions(item), is_id_of_row) && llvm::any_of(llvm::instructions(item), is_read_of_memory) && may_loop(item);
}

/// A work-item that reads all that it needs, and then asks whether it writes, as an image's write does, asks first: who does not write need not read.
/// `all` is what it reads.
void ask_first(BasicBlock& all, Analyses& analyses) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(all.getTerminator());
  if (!branch || !branch->isConditional() || !reads(all) || llvm::any_of(all, llvm::IsaPred<llvm::StoreInst, llvm::PHINode>)) return;
  const unsigned side = only_returns(*branch->getSuccessor(0)) ? 1 : 0;
  BasicBlock *writes = branch->getSuccessor(side), *end = branch->getSuccessor(1 - side);
  const bool ends = llvm::isa<llvm::ReturnInst>(writes->getTerminator()) || writes->getSingleSuccessor() == end;
  if (!only_returns(*end) || writes->getSinglePredecessor() != &all || !ends || !can_make_again(*branch->getCondition())) return;
  auto* first = BasicBlock::Create(all.getContext(), "asked", all.getParent(), &all);
  all.replaceAllUsesWith(first);
  llvm::IRBuilder<> builder(first);
  llvm::ValueToValueMapTy made;
  Value* condition = make_again(*branch->getCondition(), builder, made);
  builder.CreateCondBr(condition, side ? end : &all, side ? &all : end);
  llvm::BranchInst::Create(writes, branch->getIterator());
  branch->eraseFromParent();
  llvm::MergeBlockIntoPredecessor(writes);
  analyses.invalidate(*all.getParent());
}

/// The block of the second copy of `item`'s work, if it has two.
BasicBlock* second_copy(llvm::Function& item) {
  Instruction* branch = item.getEntryBlock().getTerminator();
  return branch->hasMetadata(kInsideMetadata) ? branch->getSuccessor(1) : nullptr;
}

/// Whether `item` has a path to stack, which reads enough to be worth a try.
bool has_path(const llvm::Function& item, unsigned most, bool always) {
  const Path path = Path::of(item);
  if (!path.block || path.block->sizeWithoutDebug() > most || !loads_come_first(*path.block) ||
      (reads(*path.block) < kFewestLoads && !always))
    return false;
  const BasicBlock& front = item.getEntryBlock();
  return path.block == &front || !(reads(front) || llvm::any_of(front, llvm::IsaPred<llvm::StoreInst>));
}

/// Whether rows may run the path's rim together, too.
bool may_have_rim(const Path& path, unsigned most) {
  return path.rim && path.rim->sizeWithoutDebug() <= most && loads_come_first(*path.rim) && !(path.rim_front && reads(*path.rim_front));
}

/// How many parts the work of `block` falls into, each on one register of all values: where work-items side by side read and write what lies side by
/// side, and nothing else is done than arithmetic by elements, registers follow from registers (wide/register_blocking.h). 1 where that is not known.
unsigned parts_by_registers(const BasicBlock& block, const Shapes& shapes, const VectorTraits& vectors) {
  const llvm::DataLayout& layout = block.getModule()->getDataLayout();
  unsigned parts = 1, elements = 0;
  for (const Instruction& instruction : block) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (instruction.isTerminator() || (call && call->isAssumeLikeIntrinsic())) continue;
    if (instruction.use_empty() && !instruction.mayHaveSideEffects()) continue;
    if (llvm::isa<llvm::LoadInst>(instruction) && shapes.is_uniform(instruction)) continue;
    // Memory may have another type of the same bits.
    if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      const Shape row = shapes[*pointer];
      const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(llvm::getLoadStoreType(const_cast<Instruction*>(&instruction))).getFixedValue());
      if (!row.is_affine() || row.segment != abi::kWarpSize || row.stride != bytes) return 1;
      continue;
    }
    // What all lanes share is one register, and addresses take none.
    if (shapes[instruction].is_affine() || llvm::isa<llvm::BitCastInst>(instruction)) continue;
    const bool by_elements = call ? llvm::isTriviallyVectorizable(call->getIntrinsicID())
                                  : instruction.isBinaryOp() || instruction.isUnaryOp() || instruction.isCast();
    // Bytes take few registers as it is, and what is done with them little time: more rows gain nothing.
    if (!by_elements || !(instruction.isCast() || instruction.getType()->isFPOrFPVectorTy())) return 1;
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    const unsigned count = vector ? vector->getNumElements() : 1;
    if (elements && count != elements) return 1;
    elements = count;
    parts = std::max(parts, abi::kWarpSize * count * instruction.getType()->getScalarSizeInBits() / vectors.register_bits);
  }
  return parts;
}

/// What a block does for all lanes of a warp, in registers.
struct Work {
  double reads = 0, operations = 0, sums = 0;  ///< of memory; of arithmetic but sums of floats; these

  /// In operations: reads are done beside all others, and sums in units of their own where there are such (wide/spread_sums.h).
  double time(const VectorTraits& vectors) const {
    const double all = operations + sums;
    return std::max(kCrossingRead * reads, vectors.apart_sums ? std::max(operations, all / 2) : all);
  }
  Work operator+(const Work& other) const { return {reads + other.reads, operations + other.operations, sums + other.sums}; }
  Work operator*(double factor) const { return {reads * factor, operations * factor, sums * factor}; }
};

Work work_of(const BasicBlock& block, const Shapes& shapes, const VectorTraits& vectors) {
  const llvm::DataLayout& layout = block.getModule()->getDataLayout();
  Work work;
  for (const Instruction& instruction : block) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (instruction.getType()->isVoidTy() || instruction.getType()->isPtrOrPtrVectorTy() || (call && call->isAssumeLikeIntrinsic())) continue;
    if (shapes.is_uniform(instruction) || shapes[instruction].is_affine()) continue;
    // Parts of lanes' vectors are registers of their own.
    if (llvm::isa<llvm::BitCastInst, llvm::ExtractElementInst, llvm::InsertElementInst>(instruction)) continue;
    const double registers = static_cast<double>(abi::kWarpSize * layout.getTypeSizeInBits(instruction.getType()).getFixedValue()) / vectors.register_bits;
    const bool is_sum = instruction.getOpcode() == Instruction::FAdd || instruction.getOpcode() == Instruction::FSub;
    (llvm::isa<llvm::LoadInst>(instruction) ? work.reads : is_sum ? work.sums : work.operations) += registers;
  }
  return work;
}

Shapes shapes_of(llvm::Function& item, const Specialization& specialization, unsigned rows) {
  Specialization stacked = specialization;
  stacked.local_size[1] /= rows;
  return Shapes(item, stacked, abi::kWarpSize, [](unsigned) { return 0u; });
}

/// Rewrites `block`, which was copied for `rows` rows of `before` reads each; false if that gains nothing.
bool make_common(BasicBlock* block, unsigned before, unsigned rows, bool always) {
  if (!block || !loads_come_first(*block)) return false;
  merge_loads(*block);
  return always || reads(*block) <= kMostLeft * rows * before;
}

/// Makes `item` run `rows` rows along `path`, whose work it returns; none if that gains nothing. Where they go apart they run the path's rim, or `shorter`
/// in turn, if that is not null.
std::optional<Work> stack(llvm::Function& item, const Path& path, llvm::Function* shorter, unsigned rows, const Specialization& specialization,
           const VectorTraits& vectors, bool always, Analyses& analyses) {
  const unsigned before = reads(*path.block), before_rim = path.rim ? reads(*path.rim) : 0;
  const RowBlocks made =
      run_rows_at_once(item, path, shorter ? copy_item(*shorter, ".shorter") : nullptr, rows, specialization.ids_fit_31_bits, analyses);
  llvm::WeakTrackingVH all = made.path, rim = made.rim;
  analyses.invalidate(item);
  simplify_kernel(item, analyses);
  mark_texels(item, analyses);
  llvm::SmallVector<BasicBlock*, 2> blocks{llvm::dyn_cast_or_null<BasicBlock>(static_cast<Value*>(all))};
  if (made.rim) blocks.push_back(llvm::dyn_cast_or_null<BasicBlock>(static_cast<Value*>(rim)));
  if (!make_common(blocks[0], before, rows, always) || (made.rim && !make_common(blocks[1], before_rim, rows, always))) return std::nullopt;
  if (made.rim) mark_rim(*blocks[1]);  // InstCombine forgets that, too
  llvm::FunctionPassManager cse;
  cse.addPass(llvm::EarlyCSEPass());
  cse.run(item, analyses.functions());
  for (BasicBlock* block : blocks) share_sums(*block);
  for (BasicBlock* block : blocks) {
    analyses.invalidate(item);
    order_by_loads(*block, analyses.uniformity(item));
  }
  analyses.invalidate(item);
  const Shapes shapes = shapes_of(item, specialization, rows);
  const bool fits = always || llvm::all_of(blocks, [&](const BasicBlock* block) {
    const unsigned pressure = vector_pressure(block, shapes, vectors);
    return pressure <= kSpills * vectors.registers ||
           llvm::divideCeil(pressure, parts_by_registers(*block, shapes, vectors)) + target::kTemporaryRegisters <= vectors.registers;
  });
  return fits ? std::optional(work_of(*blocks[0], shapes, vectors)) : std::nullopt;
}

/// Whether twice as many rows are worth their code, where one row's work is `one` and that of `rows` at once is `all`: each more adds as much.
bool gains_by_more(const Work& one, const Work& all, unsigned rows, const VectorTraits& vectors) {
  const Work more = (all + one * -1) * (1.0 / (rows - 1));
  return (all + more * rows).time(vectors) / 2 <= kMostLeftOfTime * all.time(vectors);
}

/// A copy of `item`, which has no barrier, of up to `most` instructions; `short_loops`: in rows that go apart loops stay loops.
std::optional<StackedRows> stack_straight(llvm::Function& item, unsigned most, bool short_loops, const Specialization& specialization, const VectorTraits& vectors,
                                          bool always, Analyses& analyses) {
  llvm::Function* path = copy_item(item, ".path");
  unroll_reading_loops(*path, most, analyses, [](const llvm::Loop&, const llvm::DominatorTree&) { return true; });
  if (take_needed_elements(*path) || path->size() != item.size()) simplify_kernel(*path, analyses);
  mark_texels(*path, analyses);
  ask_first(path->getEntryBlock(), analyses);
  if (BasicBlock* second = second_copy(*path)) ask_first(*second, analyses);
  std::optional<StackedRows> made;
  const bool has_rim = !short_loops && may_have_rim(Path::of(*path), most);
  const auto attempt = [&](unsigned rows, bool with_rim) {
    llvm::Function* stacked = copy_item(*path, ".rows");
    Path along = Path::of(*stacked);
    if (!with_rim) along.rim = nullptr;
    const auto work = stack(*stacked, along, short_loops ? &item : nullptr, rows, specialization, vectors, always, analyses);
    if (!work) {
      erase_function(*stacked, analyses);
      return work;
    }
    if (made) erase_function(*made->item, analyses);
    made = {stacked, rows};
    return work;
  };
  if (has_path(*path, most, always)) {
    const auto one = [&] { return work_of(*Path::of(*path).block, shapes_of(*path, specialization, 1), vectors); };
    for (unsigned rows = kMostRows; rows > 1 && !made; rows /= 2) {
      if (specialization.local_size[1] % rows) continue;
      for (const bool with_rim : {true, false}) {
        if (made || (with_rim && !has_rim)) continue;
        const auto work = attempt(rows, with_rim);
        if (work && rows == kMostRows && specialization.local_size[1] % (2 * rows) == 0 && (always || gains_by_more(one(), *work, rows, vectors)))
          attempt(2 * rows, with_rim);
      }
    }
  }
  erase_function(*path, analyses);
  return made;
}

}  // namespace

std::optional<StackedRows> stack_rows(llvm::Function& item, const Specialization& specialization, const VectorTraits& vectors, bool always,
                                      Analyses& analyses) {
  if (!rows_are_whole_warps(specialization)) return std::nullopt;
  if (may_stack(item)) return stack_straight(item, kMostStacked, /*short_loops=*/false, specialization, vectors, always, analyses);
  const auto halves = split_at_barrier(item, analyses);
  if (!halves) return std::nullopt;
  std::optional<StackedRows> made;
  if (may_loop(*halves->before) && may_stack(*halves->behind))
    made = stack_straight(*halves->behind, kMostBehindBarrier, /*short_loops=*/true, specialization, vectors, always, analyses);
  erase_function(*halves->behind, analyses);
  if (!made) {
    erase_function(*halves->before, analyses);
    return std::nullopt;
  }
  run_rows_in_turn(*halves->before, made->rows, specialization.ids_fit_31_bits);
  analyses.invalidate(*halves->before);
  simplify_kernel(*halves->before, analyses);
  join_at_barrier({halves->before, made->item}, item, analyses);
  return StackedRows{halves->before, made->rows};
}

}  // namespace weft::compiler::simt
