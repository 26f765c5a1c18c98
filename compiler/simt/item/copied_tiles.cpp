#include "compiler/simt/item/copied_tiles.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/simt/analysis/block_lanes.h"
#include "compiler/simt/analysis/lane_sums.h"
#include "compiler/simt/analysis/local_places.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::LoadInst;
using llvm::StoreInst;
using llvm::Value;

/// Of an item: more of them would each be loaded from afar, from more rows than the nearest cache has room for side by side.
constexpr std::size_t kMostReads = 32;
constexpr std::int64_t kMostCopiedBytes = 64 << 10;
/// For one load: the two ends of three dimensions.
constexpr std::size_t kMostTests = 6;
/// Of a column of the tile, in a group of so many lanes that one body may keep it in registers: each read is of others of these, as they are.
constexpr std::size_t kMostOfColumn = 4, kLanesOfBody = 8 * abi::kWarpSize;

bool is_local(const Value& value) { return value.getType()->isPointerTy() && value.getType()->getPointerAddressSpace() == kLocalSpace; }

/// The value that `phi` has wherever it has not that of its only load; null if it has several, or no load from the block in front of it.
llvm::Constant* otherwise(const llvm::PHINode& phi) {
  llvm::Constant* other = nullptr;
  const LoadInst* load = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    Value* value = phi.getIncomingValue(i);
    const auto* own = llvm::dyn_cast<LoadInst>(value);
    if (own && !load && own->getParent() == phi.getIncomingBlock(i) && own->getParent()->getSingleSuccessor()) {
      load = own;
      continue;
    }
    auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (!constant || (other && other != constant)) return nullptr;
    other = constant;
  }
  return load ? other : nullptr;
}

/// The load of global or constant memory whose value `store` stores, some work-items perhaps a constant instead; or null.
LoadInst* copied(const StoreInst& store) {
  Value* value = const_cast<Value*>(store.getValueOperand());
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value); phi && otherwise(*phi))
    value = *llvm::find_if(phi->incoming_values(), llvm::IsaPred<LoadInst>);
  auto* load = llvm::dyn_cast<LoadInst>(value);
  const bool is_shared = load && (load->getPointerAddressSpace() == kGlobalSpace || load->getPointerAddressSpace() == kConstantSpace);
  return is_shared && is_plain_access(*load) ? load : nullptr;
}

class CopiedTiles {
 public:
  CopiedTiles(llvm::Function& item, const Specialization& specialization, unsigned lanes)
      : item_(item), layout_(item.getParent()->getDataLayout()), row_(specialization.local_size[0]), lanes_(lanes), values_(item, specialization, lanes),
        sums_(item, values_, specialization), places_(values_, layout_), dominators_(item), post_dominators_(item), loops_(dominators_),
        running_(item, values_, dominators_, post_dominators_, loops_) {
    fastest_ = specialization.local_size[0] > 1 ? 0 : specialization.local_size[1] > 1 ? 1 : 2;
  }

  bool run() {
    if (!collect() || reads_.empty() || reads_.size() > kMostReads || go_down_columns()) return false;
    if (!llvm::all_of(stores_, [&](Store& store) { return describe(store); }) || !is_unchanged()) return false;
    for (Store& store : stores_)
      if (!fill(store)) return false;
    std::vector<ReadFit> fits;
    for (LoadInst* read : reads_) {
      auto fit = fit_of(*read);
      if (!fit) return false;
      fits.push_back(std::move(*fit));
    }
    for (std::size_t i = 0; i < reads_.size(); ++i) replace(*reads_[i], fits[i]);
    for (Store& store : stores_) erase(store);
    drop_barriers();
    return true;
  }

 private:
  /// A comparison that holds where a work-item loads what it stores.
  struct Test {
    llvm::CmpInst::Predicate predicate;
    LaneSums::Sum left, right;
  };
  struct TestFit {
    llvm::CmpInst::Predicate predicate;
    LaneSums::SumFit left, right;
  };
  /// What work-items read of a tile, of those that were there: memory where all tests hold, else a constant.
  struct ReadFit {
    LaneSums::Fit address;
    std::vector<TestFit> tests;
    llvm::Constant* otherwise = nullptr;
  };
  struct Store {
    StoreInst* instruction;
    LoadInst* source;
    LaneSums::Address address;
    llvm::PHINode* choice = nullptr;  ///< of what is loaded where all tests hold, and a constant; null: that is loaded
    std::vector<Test> tests;
  };
  /// A byte of local memory: part of what `store` stored in `lane`.
  struct Cell {
    const Store* store = nullptr;
    unsigned lane = 0, part = 0;
  };

  /// Finds stores to local memory, reads of it, barriers and what else writes; false if something is of no known kind.
  bool collect() {
    for (Instruction& instruction : llvm::instructions(item_)) {
      if (sub_group_call(instruction)) return false;
      if (is_barrier(instruction)) {
        barriers_.push_back(&instruction);
        continue;
      }
      if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        const unsigned space = pointer->getType()->getPointerAddressSpace();
        if (space == kGenericSpace) return false;
        auto* store = llvm::dyn_cast<StoreInst>(&instruction);
        if (store && is_local(*store->getValueOperand())) return false;
        if (space == kLocalSpace) {
          if (!is_plain_access(instruction) || loops_.getLoopFor(instruction.getParent())) return false;
          if (!store) {
            reads_.push_back(llvm::cast<LoadInst>(&instruction));
            continue;
          }
          LoadInst* source = copied(*store);
          if (!source) return false;
          stores_.push_back({store, source, {}, llvm::dyn_cast<llvm::PHINode>(store->getValueOperand()), {}});
        } else if (store && space != kPrivateSpace) {
          writes_.push_back(store);
        } else if (!store && space != kPrivateSpace) {
          loads_.push_back(llvm::cast<LoadInst>(&instruction));
        }
        continue;
      }
      if (llvm::isa<llvm::GetElementPtrInst>(instruction)) continue;
      if (llvm::isa<llvm::AddrSpaceCastInst>(instruction) && is_local(instruction) && LocalPlaces::is_base(*instruction.getOperand(0))) continue;
      if (is_local(instruction)) return false;
      if (llvm::any_of(instruction.operands(), [](const llvm::Use& operand) { return is_local(*operand); })) return false;
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (instruction.mayWriteToMemory() && !(intrinsic && intrinsic->isAssumeLikeIntrinsic())) writes_.push_back(&instruction);
    }
    return !barriers_.empty() && !stores_.empty();
  }

  /// Whether many reads lie in one column of the tile each, and the tile is no memory behind this: rows of global memory, one below the other, would be.
  bool go_down_columns() {
    if (reads_.size() <= kMostOfColumn || lanes_ > kLanesOfBody || row_ == 1 || row_ == lanes_) return false;
    const LocalPlaces::Place* first = places_.of(*reads_.front()->getPointerOperand());
    const std::int64_t pitch = first ? first->offsets[row_] - first->offsets[0] : 0;
    return pitch != 0 && llvm::all_of(reads_, [&](const LoadInst* read) {
      const LocalPlaces::Place* place = places_.of(*read->getPointerOperand());
      return place && place->object == first->object && (place->offsets[0] - first->offsets[0]) % pitch == 0;
    });
  }

  bool describe(Store& store) {
    auto address = sums_.address(*store.source->getPointerOperand());
    if (!address) return false;
    store.address = std::move(*address);
    return !store.choice || find_tests(store);
  }

  /// Finds what is asked between where all work-items come that store and the load.
  bool find_tests(Store& store) {
    const auto* node = dominators_.getNode(store.choice->getParent());
    const BasicBlock* first = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    for (const BasicBlock* block = store.source->getParent(); block != first;) {
      const BasicBlock* before = block->getSinglePredecessor();
      const auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
      if (!branch || !first) return false;
      if (!before->getSingleSuccessor() && !add_tests(*branch->getCondition(), branch->getSuccessor(0) == block, store.tests)) return false;
      block = before;
    }
    return true;
  }

  /// Adds what holds if `condition` is `value`.
  bool add_tests(Value& condition, bool value, std::vector<Test>& tests) {
    using namespace llvm::PatternMatch;
    Value *left = nullptr, *right = nullptr;
    if (match(&condition, m_Not(m_Value(left)))) return add_tests(*left, !value, tests);
    if (value ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right))) : match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
      return add_tests(*left, value, tests) && add_tests(*right, value, tests);
    const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy() || tests.size() == kMostTests) return false;
    const Value &of_a = *comparison->getOperand(0), &of_b = *comparison->getOperand(1);
    auto a = sums_.number(of_a), b = sums_.number(of_b);
    if (!a || !b) return false;
    // One form, whichever simplification has chosen by what it knew of each.
    auto predicate = value ? comparison->getPredicate() : comparison->getInversePredicate();
    if (predicate == llvm::CmpInst::ICMP_NE && match(&of_b, m_Zero()) && llvm::isKnownNonNegative(&of_a, layout_)) predicate = llvm::CmpInst::ICMP_SGT;
    if (predicate == llvm::CmpInst::ICMP_SGT || predicate == llvm::CmpInst::ICMP_SGE) {
      std::swap(a, b);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    if (has_31_bits(of_a) && has_31_bits(of_b)) a->bits = b->bits = 32;
    tests.push_back({predicate, std::move(*a), std::move(*b)});
    return true;
  }

  bool has_31_bits(const Value& value) const {
    const llvm::KnownBits bits = llvm::computeKnownBits(&value, layout_);
    return bits.getBitWidth() == 64 && bits.countMinLeadingZeros() > 32;
  }

  /// Whether nothing that the kernel writes may be what is copied.
  bool is_unchanged() {
    return llvm::all_of(stores_, [&](const Store& store) {
      return llvm::all_of(writes_, [&](const Instruction* write) { return are_apart(*store.source, *write); });
    });
  }

  bool are_apart(const LoadInst& load, const Instruction& write) {
    if (load.getPointerAddressSpace() == kConstantSpace || load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;
    return !may_meet(load, write);
  }

  /// Notes what `store` leaves in local memory. Of work-items that store to one place each must have loaded the same.
  bool fill(const Store& store) {
    const LocalPlaces::Place* place = places_.of(*store.instruction->getPointerOperand());
    if (!place) return false;
    const BlockLanes::Lanes& running = running_[*store.instruction->getParent()];
    if (running.possible != running.certain) return false;
    const unsigned bytes = static_cast<unsigned>(layout_.getTypeStoreSize(store.source->getType()));
    auto& cells = memory_[place->object];
    for (const unsigned lane : running.certain.set_bits()) {
      const std::int64_t offset = place->offsets[lane];
      if (offset < 0 || offset + bytes > kMostCopiedBytes) return false;
      if (cells.size() < static_cast<std::size_t>(offset) + bytes) cells.resize(static_cast<std::size_t>(offset) + bytes);
      const auto first = cells.begin() + offset;
      const bool is_new = std::all_of(first, first + bytes, [](const Cell& cell) { return !cell.store; });
      if (!is_new && !(first->store && first->part == 0 && is_same(*first->store, first->lane, store, lane))) return false;
      for (unsigned part = 0; is_new && part < bytes; ++part) first[part] = {&store, lane, part};
    }
    return true;
  }

  bool is_same(const Store& a, unsigned lane_of_a, const Store& b, unsigned lane_of_b) const {
    return !a.choice && !b.choice && a.source->getType() == b.source->getType() && a.address.kind == b.address.kind &&
           sums_.form(a.address, lane_of_a) == sums_.form(b.address, lane_of_b);
  }

  std::optional<ReadFit> fit_of(const LoadInst& read) {
    const LocalPlaces::Place* place = places_.of(*read.getPointerOperand());
    if (!place || !is_behind_barrier(read)) return std::nullopt;
    const auto& cells = memory_[place->object];
    llvm::SmallVector<unsigned, 256> lanes;
    std::vector<LaneSums::Form> forms;
    std::optional<LaneSums::Kind> kind;
    std::vector<TestsOfLane> tests;
    llvm::Constant* other = nullptr;
    for (const unsigned lane : running_[*read.getParent()].possible.set_bits()) {
      const std::int64_t offset = place->offsets[lane];
      if (offset < 0 || offset >= static_cast<std::int64_t>(cells.size())) return std::nullopt;
      const Cell& cell = cells[static_cast<std::size_t>(offset)];
      if (!cell.store || cell.part != 0 || cell.store->source->getType() != read.getType()) return std::nullopt;
      if (!kind) kind = cell.store->address.kind;
      if (!(*kind == cell.store->address.kind)) return std::nullopt;
      lanes.push_back(lane);
      forms.push_back(sums_.form(cell.store->address, cell.lane));
      TestsOfLane& own = tests.emplace_back();
      for (const Test& test : cell.store->tests)
        own.push_back({test.predicate, sums_.form(test.left, cell.lane), sums_.form(test.right, cell.lane)});
      llvm::Constant* constant = cell.store->choice ? otherwise(*cell.store->choice) : nullptr;
      if (constant && other && constant != other) return std::nullopt;
      if (constant) other = constant;
    }
    if (!kind) return std::nullopt;
    auto fit = sums_.fit(*kind, lanes, forms);
    if (!fit || !lies_alike(*place, lanes, *fit)) return std::nullopt;
    auto fitting = fit_tests(lanes, std::move(tests));
    if (!fitting) return std::nullopt;
    return ReadFit{std::move(*fit), std::move(*fitting), other};
  }

  struct TestForm {
    llvm::CmpInst::Predicate predicate;
    LaneSums::SumForm left, right;
    /// Whether it is the same test, of coordinates that may lie elsewhere.
    bool is_like(const TestForm& other) const {
      return predicate == other.predicate && are_alike(left, other.left) && are_alike(right, other.right);
    }
    static bool are_alike(const LaneSums::SumForm& a, const LaneSums::SumForm& b) {
      return a.bits == b.bits && a.operations.empty() && b.operations.empty() &&
             std::equal(a.factors.begin() + 1, a.factors.end(), b.factors.begin() + 1, b.factors.end());
    }
  };
  using TestsOfLane = llvm::SmallVector<TestForm, 4>;

  /// One expression for each test that `lanes` have, or need: simplification leaves out those that are certain for some stores. Nothing if there is none.
  std::optional<std::vector<TestFit>> fit_tests(llvm::ArrayRef<unsigned> lanes, std::vector<TestsOfLane> tests) const {
    std::vector<TestFit> result;
    for (TestsOfLane& own : tests)
      while (!own.empty()) {
        const TestForm test = own.back();
        llvm::SmallVector<unsigned, 256> with, without;
        std::vector<TestForm> found;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
          auto* at = llvm::find_if(tests[i], [&](const TestForm& other) { return test.is_like(other); });
          (at == tests[i].end() ? without : with).push_back(lanes[i]);
          if (at == tests[i].end()) continue;
          found.push_back(*at);
          tests[i].erase(at);
        }
        if (found.empty()) return std::nullopt;
        LaneSums::Forms left, right;
        for (const TestForm& form : found) {
          left.push_back(&form.left);
          right.push_back(&form.right);
        }
        auto left_fit = sums_.fit(with, left), right_fit = sums_.fit(with, right);
        if (!left_fit || !right_fit) return std::nullopt;
        const auto is_certain = [&](unsigned lane) {
          return sums_.is_certain(test.predicate, sums_.form(*left_fit, lane), sums_.form(*right_fit, lane));
        };
        if (!llvm::all_of(without, is_certain)) return std::nullopt;
        if (!llvm::all_of(with, is_certain)) result.push_back({test.predicate, std::move(*left_fit), std::move(*right_fit)});
      }
    return result;
  }

  /// Whether neighbouring work-items read as far from each other as they do in the tile.
  bool lies_alike(const LocalPlaces::Place& place, llvm::ArrayRef<unsigned> lanes, const LaneSums::Fit& fit) const {
    const auto step = sums_.step(fit, fastest_);
    if (!step) return false;
    for (std::size_t i = 1; i < lanes.size(); ++i)
      if (lanes[i] == lanes[i - 1] + 1 && sums_.local_id(lanes[i], fastest_) > 0)
        return place.offsets[lanes[i]] - place.offsets[lanes[i - 1]] == *step;
    return true;
  }

  /// Whether every work-item has stored what it stores before any reads by `read`.
  bool is_behind_barrier(const LoadInst& read) const {
    return llvm::any_of(barriers_, [&](const Instruction* barrier) {
      return dominators_.dominates(barrier, &read) && llvm::none_of(stores_, [&](const Store& store) {
               return llvm::isPotentiallyReachable(barrier, store.instruction, nullptr, &dominators_, &loops_);
             });
    });
  }

  void replace(LoadInst& read, const ReadFit& fit) {
    llvm::IRBuilder<> builder(&read);
    Value* holds = nullptr;
    for (const TestFit& test : fit.tests) {
      Value* own = builder.CreateICmp(test.predicate, sums_.emit(test.left, builder), sums_.emit(test.right, builder));
      holds = holds ? builder.CreateAnd(holds, own) : own;
    }
    if (!holds) {
      read.replaceAllUsesWith(load_like(read, fit.address, builder));
    } else {
      BasicBlock* before = read.getParent();
      builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(holds, &read, /*Unreachable=*/false));
      LoadInst* load = load_like(read, fit.address, builder);
      builder.SetInsertPoint(&read);
      llvm::PHINode* value = builder.CreatePHI(read.getType(), 2);
      value->addIncoming(load, load->getParent());
      value->addIncoming(fit.otherwise, before);
      read.replaceAllUsesWith(value);
    }
    erase_access(read);
  }

  /// Loads at `fit`, where `builder` stands, what `read` reads of the tile.
  LoadInst* load_like(const LoadInst& read, const LaneSums::Fit& fit, llvm::IRBuilder<>& builder) {
    const LoadInst& source = *stores_.front().source;
    Value* pointer = sums_.emit(fit, *read.getType(), builder);
    const Store* like = nullptr;
    llvm::Align align(1);
    for (const Store& store : stores_)
      if (store.source->getType() == read.getType() && store.address.kind == fit.kind) {
        align = like ? std::min(align, store.source->getAlign()) : store.source->getAlign();
        if (!like) like = &store;
      }
    LoadInst* load = builder.CreateAlignedLoad(read.getType(), pointer, align, source.isVolatile());
    load->copyMetadata(*like->source, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
    if (load->isVolatile()) load->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(load->getContext(), {}));
    loads_.push_back(load);
    return load;
  }

  void erase(const Store& store) {
    erase_access(*store.instruction);
    if (store.choice && store.choice->use_empty()) store.choice->eraseFromParent();
    if (!store.source->use_empty()) return;
    llvm::erase(loads_, store.source);
    erase_access(*store.source);
  }

  static void erase_access(Instruction& access) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    access.eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
  }

  /// Barriers before which nothing is written, and nothing read that is written later: no work-item can tell where another is.
  void drop_barriers() {
    for (Instruction* barrier : barriers_) {
      const auto is_before = [&](const Instruction* access) {
        return llvm::isPotentiallyReachable(access, barrier);  // there are new blocks
      };
      const auto is_written = [&](const LoadInst* load) {
        return !llvm::all_of(writes_, [&](const Instruction* write) { return are_apart(*load, *write); });
      };
      if (llvm::any_of(writes_, is_before)) continue;
      if (llvm::any_of(loads_, [&](const LoadInst* load) { return is_before(load) && is_written(load); })) continue;
      barrier->eraseFromParent();
    }
  }

  llvm::Function& item_;
  const llvm::DataLayout& layout_;
  const unsigned row_;  ///< work-items along x
  const unsigned lanes_;
  LaneValues values_;
  LaneSums sums_;
  LocalPlaces places_;
  const llvm::DominatorTree dominators_;
  const llvm::PostDominatorTree post_dominators_;
  const llvm::LoopInfo loops_;
  const BlockLanes running_;
  unsigned fastest_ = 0;  ///< the dimension along which lanes are neighbours
  std::vector<Instruction*> barriers_;
  std::vector<Instruction*> writes_;  ///< to other memory than local and private
  std::vector<LoadInst*> loads_;      ///< from there
  std::vector<LoadInst*> reads_;      ///< of local memory
  std::vector<Store> stores_;         ///< to it
  std::map<const Value*, std::vector<Cell>> memory_;  ///< by object
};

}  // namespace

bool may_copy_tiles(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const Instruction& instruction) {
    const auto* store = llvm::dyn_cast<StoreInst>(&instruction);
    return store && store->getPointerAddressSpace() == kLocalSpace && copied(*store);
  });
}

bool read_copied_memory(llvm::Function& item, const Specialization& specialization) {
  const auto& size = specialization.local_size;
  if (!size[0] || specialization.groups > 1 || !may_copy_tiles(item)) return false;
  return CopiedTiles(item, specialization, size[0] * size[1] * size[2]).run();
}

}  // namespace weft::compiler::simt
