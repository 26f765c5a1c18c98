#include "compiler/simt/item/component_stores.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <optional>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

void mark_component(llvm::Instruction& access, llvm::Align vector, std::uint64_t place) {
  llvm::LLVMContext& context = access.getContext();
  const auto number = [&](std::uint64_t value) { return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value)); };
  access.setMetadata(kComponentMetadata, llvm::MDNode::get(context, {number(vector.value()), number(place)}));
}

Value* component_address(llvm::IRBuilder<>& builder, llvm::Type& element, Value& vector, Value& place) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&place);
  return known && known->isZero() ? &vector : builder.CreateInBoundsGEP(&element, &vector, &place);
}

/// What a component is exchanged for.
struct Component {
  Value* source = nullptr;  ///< a number, or the vector that `index` is of; null: the component is as it was loaded
  int index = -1;
};

/// What `store` writes, as far as it is told apart from what its address has been loaded with.
class Exchange {
 public:
  explicit Exchange(llvm::StoreInst& store)
      : store_(store), type_(llvm::dyn_cast<llvm::FixedVectorType>(store.getValueOperand()->getType())) {}

  /// Whether a part of the vector stays what it was.
  bool find() {
    if (!type_ || store_.isAtomic() || store_.getPointerAddressSpace() == kPrivateSpace) return false;
    // Of one component whose number is known at run time alone.
    Value* value = store_.getValueOperand();
    if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(value); insert && !llvm::isa<llvm::ConstantInt>(insert->getOperand(2))) {
      inserted_ = insert;
      return is_own_load(insert->getOperand(0));
    }
    components_.resize(type_->getNumElements());
    llvm::SmallVector<bool, 16> known(components_.size());
    for (unsigned left = type_->getNumElements(); !is_own_load(value);) {
      if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(value)) {
        const auto* place = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
        if (!place || place->getValue().uge(components_.size())) return false;
        if (const auto i = place->getZExtValue(); !known[i]) {
          known[i] = true, --left;
          components_[i] = {insert->getOperand(1)};
        }
        value = insert->getOperand(0);
        if (!left) return false;
        continue;
      }
      auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
      if (!shuffle || shuffle->getOperand(0)->getType() != type_ || !is_own_load(shuffle->getOperand(0))) return false;
      const auto count = static_cast<int>(components_.size());
      for (int i = 0; i < count; ++i)
        if (const int from = shuffle->getMaskValue(i); !known[i] && from != i && from >= 0) components_[i] = {shuffle->getOperand(from / count), from % count};
      break;
    }
    return llvm::any_of(components_, [](const Component& component) { return !component.source; });
  }

  void store_parts() {
    llvm::IRBuilder<> builder(&store_);
    llvm::Type* element = type_->getElementType();
    const auto bytes = store_.getModule()->getDataLayout().getTypeStoreSize(element).getFixedValue();
    const auto store = [&](Value* value, Value* place, llvm::Align align) {
      Value* address = component_address(builder, *element, *store_.getPointerOperand(), *place);
      auto* part = builder.CreateAlignedStore(value, address, align, store_.isVolatile());
      part->copyMetadata(store_);
      if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(place)) mark_component(*part, store_.getAlign(), known->getZExtValue() * bytes);
    };
    if (inserted_) {
      store(inserted_->getOperand(1), inserted_->getOperand(2), llvm::commonAlignment(store_.getAlign(), bytes));
    } else {
      const auto count = static_cast<unsigned>(components_.size());
      for (unsigned i = 0, run = 1; i < count; i += run) {
        run = 1;
        const auto [source, index] = components_[i];
        if (!source) continue;
        // As many as are of one vector, of a power of two that divides the place.
        if (index >= 0)
          while (i % (2 * run) == 0 && i + 2 * run <= count &&
                 llvm::all_of(llvm::seq(i + run, i + 2 * run), [&](unsigned k) { return components_[k].source == source; }))
            run *= 2;
        llvm::SmallVector<int, 16> part;
        for (unsigned k = i; k < i + run; ++k) part.push_back(components_[k].index);
        Value* value = index < 0 ? source : run == 1 ? builder.CreateExtractElement(source, index) : builder.CreateShuffleVector(source, part);
        store(value, builder.getInt64(i), llvm::commonAlignment(store_.getAlign(), i * bytes));
      }
    }
    auto* value = llvm::dyn_cast<llvm::Instruction>(store_.getValueOperand());
    store_.eraseFromParent();
    // A volatile load that the exchange alone asked for is no access of the program's.
    while (value && value->use_empty()) {
      auto* next = llvm::isa<llvm::LoadInst>(value) ? nullptr : llvm::dyn_cast<llvm::Instruction>(value->getOperand(0));
      value->eraseFromParent();
      value = next;
    }
  }

 private:
  /// Whether `value` is what the store's address has been loaded with, and nothing has been written since.
  bool is_own_load(Value* value) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (!load || load->isAtomic() || load->getPointerOperand() != store_.getPointerOperand() || load->getParent() != store_.getParent()) return false;
    for (const llvm::Instruction* between = load->getNextNode(); between != &store_; between = between->getNextNode())
      if (!between || between->mayWriteToMemory()) return false;
    return true;
  }

  llvm::StoreInst& store_;
  llvm::FixedVectorType* type_;
  llvm::SmallVector<Component, 16> components_;
  llvm::InsertElementInst* inserted_ = nullptr;
};

/// Bytes of a component that is loaded alone: vectors of shorter ones are words themselves, and read at once.
constexpr std::uint64_t kLeastLoaded = 4;

/// The one component that `load` is for, as a load of its own.
void load_component(llvm::LoadInst& load) {
  auto* extract = load.hasOneUse() ? llvm::dyn_cast<llvm::ExtractElementInst>(*load.user_begin()) : nullptr;
  const auto* place = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  if (!type || !place || place->getValue().uge(type->getNumElements()) || load.isAtomic()) return;
  const std::uint64_t bytes = load.getModule()->getDataLayout().getTypeStoreSize(type->getElementType()).getFixedValue();
  if (bytes < kLeastLoaded) return;
  llvm::IRBuilder<> builder(&load);
  const std::uint64_t offset = place->getZExtValue() * bytes;
  Value* address = component_address(builder, *type->getElementType(), *load.getPointerOperand(), *extract->getIndexOperand());
  auto* part = builder.CreateAlignedLoad(type->getElementType(), address, llvm::commonAlignment(load.getAlign(), offset), load.isVolatile());
  part->setDebugLoc(load.getDebugLoc());
  mark_component(*part, load.getAlign(), offset);
  extract->replaceAllUsesWith(part);
  extract->eraseFromParent();
  load.eraseFromParent();
}

/// A load or store of components, as mark_component has it.
struct Part {
  std::uint64_t align = 0, place = 0, bytes = 0;
  static std::optional<Part> of(const llvm::Instruction& access) {
    const llvm::MDNode* node = access.getMetadata(kComponentMetadata);
    if (!node) return std::nullopt;
    const auto number = [&](unsigned i) { return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getZExtValue(); };
    const llvm::TypeSize size = access.getModule()->getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&const_cast<llvm::Instruction&>(access)));
    return Part{number(0), number(1), size.getFixedValue()};
  }
  /// Whether none of these bytes is one of `other`, whatever vectors the two are of.
  bool is_apart(const Part& other) const {
    const std::uint64_t common = std::min(align, other.align), from = place % common, other_from = other.place % common;
    return from + bytes <= common && other_from + other.bytes <= common && (from + bytes <= other_from || other_from + other.bytes <= from);
  }
};

constexpr unsigned kMostWaiting = 16;  ///< stores that others are looked for

/// A store of one component or several, beside the vector's address.
struct ComponentStore {
  llvm::StoreInst* store;
  const Value* vector;
  Part part;
};

std::optional<ComponentStore> as_component_store(llvm::Instruction& instruction) {
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (!store || !is_plain_access(*store)) return std::nullopt;
  const std::optional<Part> part = Part::of(*store);
  if (!part) return std::nullopt;
  const auto& layout = store->getModule()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(store->getPointerOperandType()), 0);
  const Value* vector = store->getPointerOperand();
  if (part->place) {
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(vector);
    if (!step || !step->accumulateConstantOffset(layout, offset) || offset != part->place) return std::nullopt;
    vector = step->getPointerOperand();
  }
  return ComponentStore{store, vector, *part};
}

bool may_go_behind(const ComponentStore& store, const llvm::Instruction& other) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(other)) return !keeps_order(other);
  if (!is_plain_access(other)) return false;
  if (!may_meet(*store.store, other)) return true;
  const std::optional<Part> part = Part::of(other);
  return part && store.part.is_apart(*part);
}

/// Whether both together are a power of two of elements, aligned as such.
bool fit(const ComponentStore& low, const ComponentStore& high) {
  const std::uint64_t bytes = 2 * low.part.bytes;
  return low.store->getValueOperand()->getType() == high.store->getValueOperand()->getType() && low.part.place + low.part.bytes == high.part.place &&
         low.part.place % bytes == 0 && low.part.align % bytes == 0 && low.vector == high.vector;
}

/// Both as one, in place of the second in the block.
llvm::StoreInst& join(const ComponentStore& first, const ComponentStore& second) {
  const bool is_lower = first.part.place < second.part.place;
  const ComponentStore &low = is_lower ? first : second, &high = is_lower ? second : first;
  Value *x = low.store->getValueOperand(), *y = high.store->getValueOperand();
  llvm::IRBuilder<> builder(second.store);
  Value* both;
  if (const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(x->getType())) {
    both = builder.CreateShuffleVector(x, y, llvm::to_vector<16>(llvm::seq<int>(0, 2 * static_cast<int>(type->getNumElements()))));
  } else {
    both = llvm::PoisonValue::get(llvm::FixedVectorType::get(x->getType(), 2));
    both = builder.CreateInsertElement(builder.CreateInsertElement(both, x, std::uint64_t{0}), y, std::uint64_t{1});
  }
  const llvm::Align align = llvm::commonAlignment(llvm::Align(low.part.align), low.part.place);
  auto* joined = builder.CreateAlignedStore(both, low.store->getPointerOperand(), align, second.store->isVolatile());
  joined->copyMetadata(*second.store);
  mark_component(*joined, llvm::Align(low.part.align), low.part.place);
  first.store->eraseFromParent();
  second.store->eraseFromParent();
  return *joined;
}

/// Joins the stores of `block`, of which those that follow stand together where what they may go behind allows it. Returns whether there were any.
bool join_in(llvm::BasicBlock& block, const llvm::Loop* loop) {
  bool changed = false;
  llvm::SmallVector<ComponentStore, kMostWaiting> waiting;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
    llvm::Instruction* current = &instruction;
    std::optional<ComponentStore> store = as_component_store(instruction);
    const auto partner = [&] { return llvm::find_if(waiting, [&](const ComponentStore& other) { return fit(other, *store) || fit(*store, other); }); };
    for (auto other = waiting.end(); store && (other = partner()) != waiting.end(); changed = true) {
      current = &join(*other, *store);
      waiting.erase(other);
      store = as_component_store(*current);
    }
    // All that is written of a vector is written behind what is read of it: a load of what a store has on its way waits for that.
    for (const ComponentStore& other : waiting)
      if (store && other.store->getNextNode() != store->store && other.vector == store->vector) {
        other.store->moveBefore(store->store);
        changed = true;
      }
    llvm::erase_if(waiting, [&](const ComponentStore& other) { return !may_go_behind(other, *current); });
    // What an iteration adds to the last one's sums is kept in registers, each component for itself (memory/accumulators.h).
    if (!store || (loop && loop->isLoopInvariant(store->vector))) continue;
    if (waiting.size() == kMostWaiting) waiting.erase(waiting.begin());
    waiting.push_back(*store);
  }
  return changed;
}

}  // namespace

void store_components(llvm::Function& function) {
  llvm::SmallVector<llvm::StoreInst*, 16> stores;
  llvm::SmallSet<unsigned, 4> exchanged;  // address spaces
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) stores.push_back(store);
  for (llvm::StoreInst* store : stores)
    if (Exchange exchange(*store); exchange.find()) {
      exchanged.insert(store->getPointerAddressSpace());
      exchange.store_parts();
    }
  if (exchanged.empty()) return;
  llvm::SmallVector<llvm::LoadInst*, 16> loads;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && exchanged.contains(load->getPointerAddressSpace())) loads.push_back(load);
  for (llvm::LoadInst* load : loads) load_component(*load);
}

bool join_component_stores(llvm::Function& function) {
  const auto is_marked = [](const llvm::Instruction& instruction) { return instruction.hasMetadata(kComponentMetadata); };
  if (llvm::none_of(llvm::instructions(function), is_marked)) return false;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  bool changed = false;
  for (llvm::BasicBlock& block : function) changed |= join_in(block, loops.getLoopFor(&block));
  return changed;
}

}  // namespace weft::compiler::simt
