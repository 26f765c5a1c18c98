#include "compiler/simt/item/point_functions.h"

#include "compiler/simt/item/narrow_parts.h"
#include "compiler/simt/item/value_tables.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Most operations of one conversion: tables of 16 bits are 256 KiB each.
constexpr std::size_t kMostPointOperations = 64;

/// An element of a value: a function of an element of the source, or a constant.
struct Component {
  static constexpr int kConstant = -1, kUndefined = -2;
  int source = kUndefined;
  const ValueTable* table = nullptr;  ///< once it is computed
};
using Components = llvm::SmallVector<Component, 4>;

unsigned elements_of(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

std::optional<std::uint32_t> bits_of(const llvm::Constant* constant) {
  if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant)) return static_cast<std::uint32_t>(integer->getZExtValue());
  const auto* real = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (!real || !(real->getValueAPF().isNormal() || real->isZero())) return std::nullopt;
  return static_cast<std::uint32_t>(real->getValueAPF().bitcastToAPInt().getZExtValue());
}

/// What depends on the elements of one value alone, each element on one of them.
class Cone {
 public:
  /// `source` becomes numbers by `conversion`.
  Cone(Value& source, unsigned bits, unsigned domain_bits) : source_(source), bits_(bits), count_(std::size_t{1} << domain_bits) {
    Components& own = members_[&source];
    for (unsigned i = 0; i < elements_of(*source.getType()); ++i) own.push_back({static_cast<int>(i), nullptr});
  }

  bool replace() {
    if (!grow() || !only_integers_leave() || !compute()) return false;
    if (!plan()) return false;
    for (Replacement& r : replacements_) emit(r);
    for (Replacement& r : replacements_) {
      r.root->replaceAllUsesWith(r.value);
      llvm::RecursivelyDeleteTriviallyDeadInstructions(r.root);
    }
    return true;
  }

 private:
  /// A value outside of which nothing of the cone is seen, made anew.
  struct Replacement {
    Instruction* root;
    Components components;
    unsigned shift = 0;   ///< of a scalar: so many bits up
    bool joined = false;  ///< of components side by side in words, or else an element for each
    Value* value = nullptr;
  };

  bool grow();
  std::optional<Components> components_of(const Instruction& instruction) const;
  std::optional<Components> operand(const Value& value) const;
  bool is_number(const Value& value) const { return through_floats_.contains(&value); }
  bool only_integers_leave() const;
  bool leaves(const Value& member) const {
    return llvm::any_of(member.users(), [&](const llvm::User* user) { return !members_.contains(user); });
  }
  bool compute();
  const ValueTable* keep(ValueTable table) { return tables_.emplace_back(std::make_unique<ValueTable>(std::move(table))).get(); }
  bool compute(const Instruction& member, Components& components);
  const ValueTable* constant_table(std::uint32_t bits) { return keep(ValueTable(count_, bits)); }

  bool plan();
  std::optional<Replacement> join(Instruction& root);
  bool saturates(const Replacement& replacement) const;
  bool is_step(const Replacement& replacement) const;
  void emit(Replacement& replacement);

  Value& source_;
  unsigned bits_;
  std::size_t count_;
  llvm::MapVector<const Value*, Components> members_;  ///< each behind its operands
  llvm::DenseSet<const Value*> through_floats_;
  std::vector<std::unique_ptr<ValueTable>> tables_;
  std::vector<Replacement> replacements_;
};

/// How many elements of a cast's result each element of its operand is cut into: 0 if it is no such cast.
unsigned cut_by(const Instruction& instruction) {
  if (!llvm::isa<llvm::BitCastInst>(instruction) || !has_tables(*instruction.getType()->getScalarType())) return 0;
  const unsigned from = instruction.getOperand(0)->getType()->getScalarSizeInBits(), to = instruction.getType()->getScalarSizeInBits();
  return from > to ? from / to : 0;
}

std::optional<Components> Cone::operand(const Value& value) const {
  if (const auto found = members_.find(&value); found != members_.end()) return found->second;
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!constant) return std::nullopt;
  Components components;
  for (unsigned i = 0; i < elements_of(*value.getType()); ++i) {
    const llvm::Constant* element = value.getType()->isVectorTy() ? constant->getAggregateElement(i) : constant;
    const bool is_undefined = llvm::isa_and_nonnull<llvm::UndefValue>(element);
    if (!is_undefined && !bits_of(element)) return std::nullopt;
    components.push_back({is_undefined ? Component::kUndefined : Component::kConstant, nullptr});
  }
  return components;
}

std::optional<Components> Cone::components_of(const Instruction& instruction) const {
  if (!has_tables(*instruction.getType()->getScalarType())) return std::nullopt;
  llvm::SmallVector<Components, 3> in;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const bool is_tabular = is_tabulated(instruction);
  const unsigned cut = cut_by(instruction);
  if (!is_tabular && !cut && !llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction)) return std::nullopt;
  for (const llvm::Use& use : call ? call->args() : instruction.operands()) {
    auto components = operand(*use);
    if (!components) return std::nullopt;
    in.push_back(std::move(*components));
  }
  if (is_tabular) {
    Components components;
    for (unsigned i = 0; i < elements_of(*instruction.getType()); ++i) {
      Component& made = components.emplace_back(Component{Component::kConstant, nullptr});
      for (const Components& from : in) {
        const int source = from[from.size() == 1 ? 0 : i].source;
        if (source == Component::kUndefined) made.source = source;
        if (source == Component::kConstant || made.source == Component::kUndefined) continue;
        if (made.source != Component::kConstant && made.source != source) return std::nullopt;
        made.source = source;
      }
    }
    return components;
  }
  if (cut) {
    Components components;
    for (unsigned i = 0; i < in[0].size() * cut; ++i) components.push_back(in[0][i / cut]);
    return components;
  }
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    Components components;
    for (const int from : shuffle->getShuffleMask()) {
      const int size = static_cast<int>(in[0].size());
      components.push_back(from < 0 ? Component{} : from < size ? in[0][from] : in[1][from - size]);
    }
    return components;
  }
  const auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(instruction.getNumOperands() - 1));
  if (!index || index->getZExtValue() >= in[0].size()) return std::nullopt;
  if (llvm::isa<llvm::ExtractElementInst>(instruction)) return Components{in[0][index->getZExtValue()]};
  in[0][index->getZExtValue()] = in[1][0];
  return in[0];
}

bool Cone::grow() {
  llvm::SmallVector<const Value*, 16> added{&source_};
  while (!added.empty()) {
    const Value* next = added.pop_back_val();
    for (const llvm::User* user : next->users()) {
      const auto* instruction = llvm::dyn_cast<Instruction>(user);
      if (!instruction || members_.contains(instruction)) continue;
      auto components = components_of(*instruction);
      if (!components) continue;
      if (members_.size() >= kMostPointOperations) return false;
      if (llvm::any_of(instruction->operands(), [&](const llvm::Use& use) { return is_number(*use); }) ||
          instruction->getType()->getScalarType()->isFloatTy())
        through_floats_.insert(instruction);
      members_[instruction] = std::move(*components);
      added.push_back(instruction);
    }
  }
  return true;
}

bool Cone::only_integers_leave() const {
  bool any = false;
  for (const auto& [member, components] : members_) {
    if (!is_number(*member) || !leaves(*member)) continue;
    if (!member->getType()->getScalarType()->isIntegerTy()) return false;
    any = true;
  }
  return any;
}

bool Cone::compute(const Instruction& member, Components& components) {
  auto table_of = [&](const Value& value, unsigned i) -> const ValueTable* {
    if (const auto found = members_.find(&value); found != members_.end()) return found->second[found->second.size() == 1 ? 0 : i].table;
    const auto& constant = llvm::cast<llvm::Constant>(value);
    const auto bits = bits_of(value.getType()->isVectorTy() ? constant.getAggregateElement(i) : &constant);
    return bits ? constant_table(*bits) : nullptr;
  };
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&member);
  for (unsigned i = 0; i < components.size(); ++i) {
    if (components[i].source == Component::kUndefined) continue;
    if (const unsigned cut = cut_by(member)) {
      const unsigned width = member.getType()->getScalarSizeInBits();
      const ValueTable* whole = table_of(*member.getOperand(0), i / cut);
      if (!whole) return false;
      ValueTable part(*whole);
      for (std::uint32_t& value : part) value = value >> i % cut * width & ((1u << width) - 1);
      components[i].table = keep(std::move(part));
      continue;
    }
    if (!is_tabulated(member)) {
      const Value* from = member.getOperand(0);
      unsigned at = i;
      if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&member)) {
        at = static_cast<unsigned>(shuffle->getMaskValue(i));
        if (const unsigned size = elements_of(*from->getType()); at >= size) {
          at -= size;
          from = member.getOperand(1);
        }
      } else {
        const auto index = llvm::cast<llvm::ConstantInt>(member.getOperand(member.getNumOperands() - 1))->getZExtValue();
        if (llvm::isa<llvm::ExtractElementInst>(member)) at = static_cast<unsigned>(index);
        else if (index == i) from = member.getOperand(1);
      }
      components[i].table = table_of(*from, at);
      continue;
    }
    // Most constants are the same for all elements: then so are the tables.
    const bool repeats = i > 0 && components[0].table && llvm::all_of(call ? call->args() : member.operands(), [&](const llvm::Use& use) {
      if (const auto* constant = llvm::dyn_cast<llvm::Constant>(use)) return !constant->getType()->isVectorTy() || constant->getSplatValue();
      const Components& from = members_.find(use.get())->second;
      return from.size() == 1 || from[i].table == from[0].table;
    });
    if (repeats) {
      components[i].table = components[0].table;
      continue;
    }
    llvm::SmallVector<const ValueTable*, 3> in;
    for (const llvm::Use& use : call ? call->args() : member.operands()) in.push_back(table_of(*use, i));
    if (llvm::is_contained(in, nullptr)) return false;
    auto table = tabulate(member, in);
    if (!table) return false;
    components[i].table = keep(std::move(*table));
  }
  return true;
}

bool Cone::compute() {
  ValueTable identity(count_);
  for (std::size_t i = 0; i < count_; ++i) identity[i] = static_cast<std::uint32_t>(i);
  const ValueTable* own = keep(std::move(identity));
  for (auto& [member, components] : members_) {
    if (member == &source_) {
      for (Component& component : components) component.table = own;
    } else if (!compute(*llvm::cast<Instruction>(member), components)) {
      return false;
    }
  }
  return true;
}

/// The root of the tree of `or`s that `user` belongs to.
Instruction* root_of_ors(Instruction* user) {
  while (user->hasOneUse() && user->user_back()->getOpcode() == Instruction::Or) user = user->user_back();
  return user;
}

/// The word that `root` puts together of components, which it has for each `bits_`.
std::optional<Cone::Replacement> Cone::join(Instruction& root) {
  const unsigned width = root.getType()->getScalarSizeInBits();
  if (root.getType()->isVectorTy() || width > 32 || width <= bits_ || width % bits_) return std::nullopt;
  Replacement word{.root = &root, .components = Components(width / bits_), .joined = true};
  const std::uint32_t part = (1u << bits_) - 1;
  std::uint32_t constant = 0;
  llvm::SmallVector<Value*, 8> leaves{root.getOperand(0), root.getOperand(1)};
  while (!leaves.empty()) {
    Value* leaf = leaves.pop_back_val();
    const auto found = members_.find(leaf);
    if (found == members_.end()) {
      if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(leaf)) {
        constant |= static_cast<std::uint32_t>(number->getZExtValue());
        continue;
      }
      auto* inner = llvm::dyn_cast<Instruction>(leaf);
      if (!inner || inner->getOpcode() != Instruction::Or || !inner->hasOneUse()) return std::nullopt;
      leaves.append({inner->getOperand(0), inner->getOperand(1)});
      continue;
    }
    const Component& component = found->second.front();
    if (!component.table) return std::nullopt;
    std::uint32_t any = 0;
    for (const std::uint32_t value : *component.table) any |= value;
    const unsigned place = any ? static_cast<unsigned>(std::countr_zero(any)) / bits_ : 0;
    if ((any & ~(part << place * bits_)) || word.components[place].table) return std::nullopt;
    ValueTable own(*component.table);
    for (std::uint32_t& value : own) value >>= place * bits_;
    word.components[place] = {component.source, keep(std::move(own))};
  }
  for (unsigned i = 0; i < word.components.size(); ++i) {
    const std::uint32_t own = constant >> i * bits_ & part;
    if (own && word.components[i].table) return std::nullopt;
    if (!word.components[i].table) word.components[i] = {Component::kConstant, constant_table(own)};
  }
  return word;
}

/// The last of the insertions of `words` into a vector that has nothing else, or null.
Instruction* vector_of(const llvm::MapVector<Instruction*, Components>& words, Instruction& first, Components& components) {
  auto* insert = first.hasOneUse() ? llvm::dyn_cast<llvm::InsertElementInst>(first.user_back()) : nullptr;
  if (!insert) return nullptr;
  while (insert->hasOneUse() && llvm::isa<llvm::InsertElementInst>(insert->user_back())) insert = llvm::cast<llvm::InsertElementInst>(insert->user_back());
  Instruction* last = insert;
  const unsigned count = elements_of(*insert->getType());
  llvm::SmallVector<Instruction*, 4> elements(count);
  for (Value* vector = insert; !llvm::isa<llvm::UndefValue>(vector); vector = insert->getOperand(0)) {
    insert = llvm::dyn_cast<llvm::InsertElementInst>(vector);
    const auto* index = insert ? llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2)) : nullptr;
    auto* word = insert ? llvm::dyn_cast<Instruction>(insert->getOperand(1)) : nullptr;
    if (!index || index->getZExtValue() >= count || !word || !words.contains(word) || elements[index->getZExtValue()]) return nullptr;
    if (insert != last && !insert->hasOneUse()) return nullptr;
    elements[index->getZExtValue()] = word;
  }
  for (Instruction* word : elements) {
    if (!word) return nullptr;
    const Components& own = words.find(word)->second;
    components.append(own.begin(), own.end());
  }
  return last;
}

bool Cone::plan() {
  llvm::MapVector<Instruction*, Components> words;
  llvm::SmallSetVector<Instruction*, 4> alone;
  for (const auto& [member, components] : members_) {
    if (!is_number(*member)) continue;
    for (const llvm::User* user : member->users()) {
      auto* instruction = llvm::cast<Instruction>(const_cast<llvm::User*>(user));
      if (members_.contains(user)) continue;
      Instruction* root = user->getType()->isIntegerTy() && instruction->getOpcode() == Instruction::Or ? root_of_ors(instruction) : nullptr;
      if (root && words.contains(root)) continue;
      if (auto word = root ? join(*root) : std::nullopt)
        words[root] = word->components;
      else
        alone.insert(llvm::cast<Instruction>(const_cast<Value*>(member)));
    }
  }
  llvm::SmallPtrSet<Instruction*, 4> vectors;
  for (const auto& [word, components] : words) {
    Components all;
    if (Instruction* vector = vector_of(words, *word, all)) {
      if (vectors.insert(vector).second) replacements_.push_back({.root = vector, .components = all, .joined = true});
    } else {
      replacements_.push_back({.root = word, .components = components, .joined = true});
    }
  }
  for (Instruction* member : alone) {
    Replacement r{.root = member, .components = members_[member]};
    if (Component& only = r.components.front(); r.components.size() == 1 && only.table && !member->getType()->isIntegerTy(1)) {
      // A part of a word that is put together with others: a function of it, shifted.
      std::uint32_t any = 0;
      for (const std::uint32_t value : *only.table) any |= value;
      if (any >> bits_) {
        r.shift = static_cast<unsigned>(std::countr_zero(any));
        ValueTable own(*only.table);
        for (std::uint32_t& value : own) value >>= r.shift;
        only.table = keep(std::move(own));
      }
    }
    replacements_.push_back(std::move(r));
  }
  return llvm::all_of(replacements_, [&](const Replacement& r) { return saturates(r) || is_step(r); });
}

bool Cone::saturates(const Replacement& replacement) const {
  if (!replacement.joined && replacement.root->getType()->getScalarSizeInBits() < bits_) return false;
  return llvm::all_of(replacement.components, [&](const Component& c) { return !c.table || narrow_function(*c.table, bits_); });
}

bool Cone::is_step(const Replacement& replacement) const {
  return llvm::all_of(replacement.components, [&](const Component& c) { return !c.table || only_step(*c.table); });
}

void Cone::emit(Replacement& replacement) {
  Instruction& root = *replacement.root;
  // Behind what the root is made of stands the source, and so may all that is made of it.
  llvm::IRBuilder<llvm::InstSimplifyFolder> builder(root.getParent(), root.getIterator(), llvm::InstSimplifyFolder(root.getModule()->getDataLayout()));
  builder.SetCurrentDebugLocation(root.getDebugLoc());
  auto* element = builder.getIntNTy(bits_);
  const auto count = static_cast<unsigned>(replacement.components.size());
  Value* narrow = narrow_parts(builder, source_, bits_);
  // A constant is made of any element, best of its own.
  const unsigned elements = elements_of(*narrow->getType());
  llvm::SmallVector<int, 8> places;
  for (const Component& component : replacement.components)
    places.push_back(component.source >= 0 ? component.source : static_cast<int>(places.size() % elements));
  const bool is_scalar = !replacement.joined && !root.getType()->isVectorTy();
  if (narrow->getType()->isVectorTy()) {
    if (is_scalar)
      narrow = builder.CreateExtractElement(narrow, static_cast<std::uint64_t>(places[0]));
    else if (!llvm::equal(places, llvm::seq(0, static_cast<int>(elements))))
      narrow = builder.CreateShuffleVector(narrow, places);
  } else if (!is_scalar) {
    narrow = builder.CreateVectorSplat(count, narrow);
  }
  auto constants = [&](llvm::Type* type, auto part) -> llvm::Constant* {
    llvm::SmallVector<llvm::Constant*, 4> elements;
    for (const Component& component : replacement.components)
      elements.push_back(component.table ? llvm::ConstantInt::get(type, part(*component.table)) : static_cast<llvm::Constant*>(llvm::PoisonValue::get(type)));
    return is_scalar ? elements.front() : llvm::ConstantVector::get(elements);
  };
  auto finish = [&](Value* value) {
    value = replacement.joined ? builder.CreateBitCast(value, root.getType()) : builder.CreateZExtOrTrunc(value, root.getType());
    replacement.value = replacement.shift ? builder.CreateShl(value, replacement.shift) : value;
  };
  if (!saturates(replacement)) {
    llvm::Type* result = replacement.joined ? element : root.getType()->getScalarType();
    Value* is_above = builder.CreateICmpUGE(narrow, constants(element, [](const ValueTable& table) { return only_step(table)->place; }));
    return finish(builder.CreateSelect(is_above, constants(result, [](const ValueTable& table) { return only_step(table)->above; }),
                                       constants(result, [](const ValueTable& table) { return only_step(table)->below; })));
  }
  const std::uint32_t most = (1u << bits_) - 1;
  auto function = [&](const ValueTable& table) { return *narrow_function(table, bits_); };
  auto apply = [&](auto part, std::uint32_t nothing, auto operation) {
    const bool matters = llvm::any_of(replacement.components, [&](const Component& c) { return c.table && part(function(*c.table)) != nothing; });
    if (matters) narrow = operation(constants(element, [&](const ValueTable& table) { return part(function(table)); }));
  };
  // Bounds that the sum or the difference ends at anyway need nothing.
  auto least = [&](const NarrowFunction& f) { return f.least > f.add ? f.least : 0; };
  auto greatest = [&](const NarrowFunction& f) { return f.greatest < most - f.subtract ? f.greatest : most; };
  apply([](const NarrowFunction& f) { return f.flip; }, 0, [&](Value* c) { return builder.CreateXor(narrow, c); });
  apply([](const NarrowFunction& f) { return f.add; }, 0, [&](Value* c) { return builder.CreateBinaryIntrinsic(llvm::Intrinsic::uadd_sat, narrow, c); });
  apply([](const NarrowFunction& f) { return f.subtract; }, 0, [&](Value* c) { return builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, narrow, c); });
  apply(least, 0, [&](Value* c) { return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, narrow, c); });
  apply(greatest, most, [&](Value* c) { return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, narrow, c); });
  finish(narrow);
  if (replacement.value != narrow && narrow != &source_) llvm::RecursivelyDeleteTriviallyDeadInstructions(narrow);  // of a copy nothing is made
}

/// What `conversion` makes numbers of, before it is extended, and of how many bits.
bool replace(llvm::CastInst& conversion) {
  Value* source = conversion.getOperand(0);
  while (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(source)) source = llvm::cast<llvm::CastInst>(source)->getOperand(0);
  if (llvm::isa<llvm::Constant>(source) || source->getType()->getScalarSizeInBits() > 32) return false;
  const llvm::KnownBits known = llvm::computeKnownBits(source, conversion.getModule()->getDataLayout());
  const unsigned used = known.countMaxActiveBits();
  if (used < 2 || used > 16 || source->getType()->getScalarSizeInBits() < 8) return false;
  return Cone(*source, used <= 8 ? 8 : 16, used).replace();
}

}  // namespace

void replace_point_functions(llvm::Function& item) {
  llvm::SmallVector<llvm::WeakVH, 16> conversions;
  for (Instruction& instruction : llvm::instructions(item))
    if (llvm::isa<llvm::UIToFPInst, llvm::SIToFPInst>(instruction) && instruction.getType()->getScalarType()->isFloatTy())
      conversions.push_back(&instruction);
  for (llvm::WeakVH& conversion : conversions)
    if (auto* cast = llvm::dyn_cast_or_null<llvm::CastInst>(static_cast<Value*>(conversion))) replace(*cast);
}

}  // namespace weft::compiler::simt
