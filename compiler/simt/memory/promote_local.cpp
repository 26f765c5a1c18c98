#include "compiler/simt/memory/promote_local.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

#include "compiler/simt/analysis/lane_values.h"
#include "compiler/simt/analysis/local_objects.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The most cells of an object, times blocks of the function, whose contents are tracked.
constexpr std::size_t kMaxTracked = 1u << 21;

// Costs in thirds of a cycle. A shuffle occupies the only shuffle unit and delays the next operation.
constexpr unsigned kShuffle = 3;
constexpr unsigned kAccess = 2;
constexpr unsigned kBroadcast = 1;  // an operand straight from memory
/// In loops, whose sums take registers of their own, and operands straight from memory cost least.
constexpr double kClearly = 1.5;
constexpr unsigned kLargestStep = 4;  // of elements: strided access takes whole vectors up to this (widen/memory/strided.cpp)

/// The contents of a cell of an object: a part of lane `lane` of `value`.
struct Cell {
  Value* value = nullptr;  ///< null: nothing was stored here
  std::uint16_t lane = 0;
  std::uint16_t part = 0;  ///< the number of the cell within the value
  bool unknown = false;    ///< differs between the paths that lead here
  bool operator==(const Cell&) const = default;
};
using Cells = std::vector<Cell>;

/// The value that a load reads, by lane; `part` is 0. A null value: anything.
using Sources = std::vector<Cell>;

unsigned cells_of(const Value& value) {
  return static_cast<unsigned>(value.getType()->getPrimitiveSizeInBits() / (8 * kCellBytes));
}

void store_into(Cells& cells, const LocalAccess& access) {
  Value* value = llvm::cast<llvm::StoreInst>(access.instruction)->getValueOperand();
  for (unsigned lane = 0; lane < access.first.size(); ++lane)  // the highest lane wins
    for (unsigned part = 0; access.first[lane] >= 0 && part < access.cells; ++part)
      cells[static_cast<unsigned>(access.first[lane]) + part] = {value, static_cast<std::uint16_t>(lane),
                                                                 static_cast<std::uint16_t>(part)};
}

/// False if a lane reads an unknown value or pieces of values.
bool find_sources(const Cells& cells, const LocalAccess& access, Sources& result) {
  auto* zero = llvm::Constant::getNullValue(access.type);
  result.assign(access.first.size(), {});
  for (unsigned lane = 0; lane < access.first.size(); ++lane) {
    if (access.first[lane] < 0) continue;
    const Cell* found = &cells[static_cast<unsigned>(access.first[lane])];
    if (found->unknown || found->part != 0 || (found->value && cells_of(*found->value) != access.cells)) return false;
    for (unsigned part = 1; part < access.cells; ++part) {
      Cell expected = *found;
      if (found->value) expected.part = static_cast<std::uint16_t>(part);
      if (!(found[part] == expected)) return false;
    }
    result[lane] = *found;
    if (!found->value) result[lane] = {zero, static_cast<std::uint16_t>(lane)};
  }
  return true;
}

/// The number of lanes of `type` in one register.
unsigned lanes_of_register(const llvm::Type& type, unsigned register_bits) {
  return register_bits / type.getScalarSizeInBits();
}

unsigned components_of(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

unsigned cost_of_shuffles(const Sources& sources, const llvm::Type& type, unsigned register_bits) {
  const unsigned each = lanes_of_register(type, register_bits);
  unsigned cost = 0;
  for (unsigned first = 0; first < sources.size(); first += each) {
    llvm::SmallVector<std::pair<Value*, unsigned>, 16> registers;
    bool in_place = true;
    for (unsigned lane = first; lane < std::min<std::size_t>(first + each, sources.size()); ++lane) {
      const Cell& cell = sources[lane];
      if (!cell.value) continue;
      const bool constant = llvm::isa<llvm::Constant>(cell.value);
      in_place &= constant || cell.lane % each == lane % each;
      const std::pair<Value*, unsigned> one{cell.value, constant ? 0 : cell.lane / each};
      if (!llvm::is_contained(registers, one)) registers.push_back(one);
    }
    if (registers.size() > 1 || !in_place)
      cost += kShuffle * std::max<unsigned>(1, static_cast<unsigned>(registers.size()) - 1);
  }
  return cost * components_of(type);
}

/// The cost of a load or store in memory, by the runs of adjacent or equal addresses in each register.
unsigned cost_of_access(const LocalAccess& access, unsigned register_bits) {
  const unsigned each = std::max(1u, register_bits / (access.cells * 8 * kCellBytes));
  unsigned cost = 0;
  for (unsigned first = 0; first < access.first.size(); first += each) {
    unsigned runs = 0, live = 0;
    std::int32_t step = 0, before = -1;
    bool even = true;  // one step throughout
    bool broken = true;
    for (unsigned lane = first; lane < std::min<std::size_t>(first + each, access.first.size()); ++lane) {
      const std::int32_t cell = access.first[lane];
      if (cell < 0) continue;
      const std::int32_t distance = cell - before;
      if (++live == 2) step = distance;
      if (live > 2) even &= distance == step;
      if (broken || (distance != 0 && distance != static_cast<std::int32_t>(access.cells))) ++runs;
      broken = false;
      before = cell;
    }
    if (!live) continue;
    const unsigned elements = step > 0 && step % static_cast<std::int32_t>(access.cells) == 0
                                  ? static_cast<unsigned>(step) / access.cells : kLargestStep + 1;
    if (even && live > 1 && step == 0) cost += kBroadcast;
    else cost += kAccess * (even && elements <= kLargestStep ? std::min(elements, live) : runs);
  }
  return cost;
}

class Promoter {
 public:
  Promoter(llvm::Function& function, LaneValues& values, unsigned register_bits)
      : function_(function), lanes_(values.lanes()), register_bits_(register_bits), dominators_(function), loops_(dominators_) {}

  bool promote(const LocalObject& object) {
    if (!track(object)) return false;
    unsigned memory = 0, registers = 0;
    for (const LocalAccess& access : object.accesses) {
      memory += cost_of_access(access, register_bits_);
      if (const auto found = found_.find(access.instruction); found != found_.end())
        registers += cost_of_shuffles(found->second, *access.type, register_bits_);
    }
    if (registers * (object.in_loops ? kClearly : 1) > memory) return false;
    for (const LocalAccess& access : object.accesses)
      if (llvm::isa<llvm::LoadInst>(access.instruction)) replace(access);
    for (const LocalAccess& access : object.accesses) {
      auto* address = llvm::dyn_cast<Instruction>(llvm::getLoadStorePointerOperand(access.instruction));
      dead_.push_back(address);
      access.instruction->eraseFromParent();
    }
    for (llvm::WeakTrackingVH& address : dead_)
      if (address) llvm::RecursivelyDeleteTriviallyDeadInstructions(address);
    return true;
  }

 private:
  /// Tracks the cells of `object` and fills found_; false if a load reads an unknown value.
  bool track(const LocalObject& object) {
    found_.clear();
    if (function_.size() * object.cells > kMaxTracked) return false;
    // What an iteration finds in memory is the one before's, where a loop stores.
    llvm::SmallPtrSet<const llvm::BasicBlock*, 4> stored_around;
    for (const LocalAccess& access : object.accesses)
      if (llvm::isa<llvm::StoreInst>(access.instruction))
        for (const llvm::Loop* loop = loops_.getLoopFor(access.instruction->getParent()); loop; loop = loop->getParentLoop())
          stored_around.insert(loop->getHeader());
    llvm::DenseMap<const llvm::BasicBlock*, Cells> after;
    auto next = object.accesses.begin();
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      Cells cells(object.cells);
      bool first = true;
      for (llvm::BasicBlock* predecessor : llvm::predecessors(block)) {
        const auto from = after.find(predecessor);
        if (from == after.end()) continue;  // a back edge
        if (first) cells = from->second;
        else
          for (unsigned i = 0; i < object.cells; ++i)
            if (!(cells[i] == from->second[i])) cells[i] = {.unknown = true};
        first = false;
      }
      if (stored_around.contains(block)) std::fill(cells.begin(), cells.end(), Cell{.unknown = true});
      for (; next != object.accesses.end() && next->instruction->getParent() == block; ++next) {
        if (llvm::isa<llvm::StoreInst>(next->instruction)) store_into(cells, *next);
        else if (!find_sources(cells, *next, found_[next->instruction])) return false;
      }
      after[block] = std::move(cells);
    }
    return true;
  }

  void replace(const LocalAccess& access) {
    auto* load = llvm::cast<llvm::LoadInst>(access.instruction);
    const Sources& sources = found_[load];
    llvm::IRBuilder<> builder(load);
    llvm::MapVector<Value*, unsigned> values;
    llvm::SmallVector<llvm::Constant*, 64> table;
    bool in_place = true, together = true;
    const Cell* any = nullptr;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const Cell& cell = sources[lane];
      if (!cell.value) {
        table.push_back(builder.getInt32(~0u));
        continue;
      }
      if (!any) any = &cell;
      in_place &= cell.value == any->value && cell.lane == lane;
      together &= cell == *any;
      const unsigned index = values.try_emplace(cell.value, static_cast<unsigned>(values.size())).first->second;
      table.push_back(builder.getInt32(index * lanes_ + cell.lane));
    }
    Value* result = nullptr;
    if (!any) {
      result = llvm::PoisonValue::get(access.type);
    } else if (in_place && !together) {
      result = as_type(current(any->value), *access.type, builder);
    } else {
      llvm::SmallVector<Value*, 8> arguments = {llvm::ConstantVector::get(table)};
      for (const auto& [value, index] : values) arguments.push_back(as_type(current(value), *access.type, builder));
      result = builder.CreateCall(shuffle(*access.type), arguments);
    }
    replaced_[load] = result;
    load->replaceAllUsesWith(result);
  }

  /// A stored value may be a load that was replaced.
  Value* current(Value* value) const {
    const auto found = replaced_.find(value);
    return found == replaced_.end() ? value : found->second;
  }
  static Value* as_type(Value* value, llvm::Type& type, llvm::IRBuilder<>& builder) {
    return value->getType() == &type ? value : builder.CreateBitCast(value, &type);
  }

  llvm::FunctionCallee shuffle(llvm::Type& type) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    stream << primitive::kLanes;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) stream << 'v' << vector->getNumElements();
    stream << *type.getScalarType();
    auto* table = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(type.getContext()), lanes_);
    return function_.getParent()->getOrInsertFunction(stream.str(), llvm::FunctionType::get(&type, {table}, true));
  }

  llvm::Function& function_;
  const unsigned lanes_;
  const unsigned register_bits_;
  const llvm::DominatorTree dominators_;
  const llvm::LoopInfo loops_;
  llvm::DenseMap<const Value*, Sources> found_;
  llvm::DenseMap<const Value*, Value*> replaced_;
  llvm::SmallVector<llvm::WeakTrackingVH, 16> dead_;
};

/// Folds votes on known values and removes the blocks that become unreachable.
void fold_votes(llvm::Function& function, LaneValues& values) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const llvm::StringRef name = called_name(instruction);
    if (name != primitive::kAny && name != primitive::kAll) continue;
    const LaneValues::Lanes* votes = values.of(*llvm::cast<llvm::CallBase>(instruction).getArgOperand(0));
    if (!votes) continue;
    const auto holds = [](std::uint64_t vote) { return vote != 0; };
    const bool outcome = name == primitive::kAny ? llvm::any_of(*votes, holds) : llvm::all_of(*votes, holds);
    instruction.replaceAllUsesWith(llvm::ConstantInt::getBool(instruction.getType(), outcome));
    instruction.eraseFromParent();
  }
  for (llvm::BasicBlock& block : function) llvm::ConstantFoldTerminator(&block);
  llvm::removeUnreachableBlocks(function);
}

}  // namespace

void promote_local(llvm::Function& function, const Specialization& specialization, unsigned lanes,
                   unsigned register_bits) {
  const bool has_votes = llvm::any_of(llvm::instructions(function), [](const Instruction& instruction) {
    const llvm::StringRef name = called_name(instruction);
    return name == primitive::kAny || name == primitive::kAll;
  });
  if (has_votes) {
    LaneValues values(function, specialization, lanes);
    fold_votes(function, values);
  }
  LaneValues values(function, specialization, lanes);
  Promoter promoter(function, values, register_bits);
  for (const LocalObject& object : known_local_objects(function, values)) promoter.promote(object);
}

}  // namespace weft::compiler::simt
