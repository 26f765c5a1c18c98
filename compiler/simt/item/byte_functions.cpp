#include "compiler/simt/item/byte_functions.h"

#include "compiler/simt/ir/component_permutes.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/specialize_images.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

unsigned count_of(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

bool is_texel(const llvm::LoadInst& load) {
  return !load.isVolatile() && load.hasMetadata(llvm::LLVMContext::MD_invariant_load) && load.hasMetadata(kTexelMetadata);
}

/// Computes each element of its result of the same one of its operands, whatever these are, and does nothing else.
bool is_by_element(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::UDiv: case Instruction::SDiv: case Instruction::URem: case Instruction::SRem: {
      const auto* divisor = llvm::dyn_cast<llvm::Constant>(instruction.getOperand(1));
      const llvm::Constant* number = divisor && divisor->getType()->isVectorTy() ? divisor->getSplatValue() : divisor;
      const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(number);
      return integer && !integer->isZero() && !integer->isMinusOne();
    }
    case Instruction::BitCast: return count_of(*instruction.getType()) == count_of(*instruction.getOperand(0)->getType());
    case Instruction::PtrToInt: case Instruction::IntToPtr: case Instruction::AddrSpaceCast: return false;
    case Instruction::Call: break;
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst>(instruction);
  }
  if (is_arithmetic_primitive(instruction)) return !is_component_permute(instruction);
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (llvm::isTriviallyVectorizable(call->getIntrinsicID()) || call->getIntrinsicID() == llvm::Intrinsic::is_fpclass);
}

auto inputs(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return llvm::make_range(instruction.op_begin(), call ? call->arg_end() : instruction.op_end());
}

}  // namespace

bool LaunchValues::contains(const Value& value) {
  if (llvm::isa<llvm::ConstantData, llvm::ConstantVector>(value)) return true;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) return argument->getArgNo() == 0;
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction) return false;
  if (const auto found = known_.find(instruction); found != known_.end()) return found->second;
  return known_[instruction] = is_one(*instruction);
}

bool LaunchValues::is_one(const Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->isVolatile() || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || !contains(*load->getPointerOperand())) return false;
    // Alignment is as the load says, wherever it stands.
    return is_texel(*load) || llvm::isSafeToLoadUnconditionally(const_cast<Value*>(load->getPointerOperand()), load->getType(), llvm::Align(1),
                                                                load->getDataLayout());
  }
  if (!is_by_element(instruction) && !llvm::isa<llvm::GetElementPtrInst, llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction))
    return false;
  return llvm::all_of(inputs(instruction), [&](const llvm::Use& use) { return contains(*use); });
}

ByteFunctions::ByteFunctions(Instruction& source, LaunchValues& launch, const llvm::DominatorTree& dominators)
    : source_(source), launch_(launch), dominators_(dominators) {
  Elements own;
  for (unsigned i = 0; i < count_of(*source.getType()); ++i) own.push_back(static_cast<int>(i));
  members_[&source] = own;
  for (const BasicBlock* block : llvm::ReversePostOrderTraversal(source.getFunction())) {
    if (!dominators.dominates(source.getParent(), block)) continue;
    for (const Instruction& instruction : *block) {
      if (&instruction == &source || (block == source.getParent() && instruction.comesBefore(&source))) continue;
      Elements elements;
      if (classify(instruction, elements)) members_[&instruction] = elements;
    }
  }
}

bool ByteFunctions::elements_of(const Value& value, Elements& elements) const {
  if (const auto* instruction = llvm::dyn_cast<Instruction>(&value)) {
    if (const auto found = members_.find(instruction); found != members_.end()) {
      elements = found->second;
      return true;
    }
  }
  elements.assign(count_of(*value.getType()), kNone);
  return launch_.contains(value);
}

/// Whether what `block` is entered by, from its dominator on, depends on one element at most, which is added to `element`.
bool ByteFunctions::controls(const BasicBlock& block, int& element) const {
  const BasicBlock* top = dominators_.getNode(&block)->getIDom()->getBlock();
  llvm::SmallVector<const BasicBlock*, 8> work(llvm::predecessors(&block));
  llvm::SmallPtrSet<const BasicBlock*, 8> seen;
  while (!work.empty()) {
    const BasicBlock* before = work.pop_back_val();
    if (!seen.insert(before).second) continue;
    if (before == &block) return false;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (!branch) return false;
    Elements condition;
    if (branch->isConditional()) {
      if (!elements_of(*branch->getCondition(), condition) || condition[0] == kMany) return false;
      if (condition[0] != kNone && element != kNone && element != condition[0]) return false;
      if (condition[0] != kNone) element = condition[0];
    }
    if (before != top) work.append(llvm::pred_begin(before), llvm::pred_end(before));
  }
  return true;
}

bool ByteFunctions::classify(const Instruction& instruction, Elements& elements) const {
  const unsigned count = count_of(*instruction.getType());
  llvm::SmallVector<Elements, 3> in;
  bool is_member = false;
  for (const llvm::Use& use : inputs(instruction)) {
    if (llvm::isa<BasicBlock>(use)) return false;
    const auto* operand = llvm::dyn_cast<Instruction>(use.get());
    is_member |= operand && members_.contains(operand);
  }
  if (!is_member) return false;
  for (const llvm::Use& use : inputs(instruction))
    if (!elements_of(*use, in.emplace_back())) return false;
  const auto merge = [](int& into, int from) {
    if (from == kNone || into == from) return;
    into = into == kNone ? from : kMany;
  };
  const auto all_of = [&](const Elements& from) {
    int all = kNone;
    for (const int each : from) merge(all, each);
    return all;
  };
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    int control = kNone;
    if (!controls(*phi->getParent(), control)) return false;
    elements.assign(count, control);
    for (const Elements& from : in)
      for (unsigned i = 0; i < count; ++i) merge(elements[i], from[i]);
    return true;
  }
  if (is_by_element(instruction)) {
    elements.assign(count, kNone);
    for (const Elements& from : in)
      for (unsigned i = 0; i < count; ++i) merge(elements[i], from[from.size() == 1 ? 0 : i]);
    return true;
  }
  if (llvm::isa<llvm::BitCastInst>(instruction)) {
    // Elements that are put together or taken apart.
    elements.assign(count, kNone);
    const unsigned from = static_cast<unsigned>(in[0].size());
    for (unsigned i = 0; i < std::max(from, count); ++i) merge(elements[i * count / std::max(from, count)], in[0][i * from / std::max(from, count)]);
    return true;
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!is_texel(*load)) return false;
    elements.assign(count, in[0][0]);
    return true;
  }
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
    if (count != 1) return false;
    elements.assign(1, kNone);
    for (const Elements& from : in) merge(elements[0], all_of(from));
    return true;
  }
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    for (const int from : shuffle->getShuffleMask()) {
      const int size = static_cast<int>(in[0].size());
      elements.push_back(from < 0 ? kNone : from < size ? in[0][from] : in[1][from - size]);
    }
    return true;
  }
  if (!llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst>(instruction)) return false;
  const auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(instruction.getNumOperands() - 1));
  if (!index || index->getZExtValue() >= in[0].size()) return false;
  if (llvm::isa<llvm::ExtractElementInst>(instruction)) {
    elements = {in[0][index->getZExtValue()]};
  } else {
    elements = in[0];
    elements[index->getZExtValue()] = in[1][0];
  }
  return true;
}

/// The only element of the source that any of `elements` depends on; kMany: there is none, or are several.
int ByteFunctions::only(const Elements& elements) {
  int found = kMany;
  for (const int element : elements) {
    if (element == kNone || element == found) continue;
    if (element == kMany || found != kMany) return kMany;
    found = element;
  }
  return found;
}

std::vector<ByteFunctions::Root> ByteFunctions::roots() const {
  const llvm::DataLayout& layout = source_.getDataLayout();
  const auto is_root = [&](const Instruction& member, const Elements& elements) {
    llvm::Type& type = *member.getType();
    if (&member == &source_ || type.isPtrOrPtrVectorTy() || type.isIntOrIntVectorTy(1) || only(elements) == kMany) return false;
    const std::uint64_t bits = layout.getTypeSizeInBits(&type);
    return bits == 8 || bits == 16 || bits == 32;
  };
  std::vector<Root> found;
  for (const auto& [member, elements] : members_) {
    if (!is_root(*member, elements)) continue;
    // Vectors of several such functions are put together of them.
    const bool leaves = llvm::any_of(member->users(), [&](const llvm::User* user) {
      const auto known = members_.find(llvm::cast<Instruction>(user));
      return known == members_.end() || only(known->second) == kMany;
    });
    if (leaves) found.push_back({const_cast<Instruction*>(member), static_cast<unsigned>(only(elements))});
  }
  return found;
}

/// The blocks from the source's to `end`, in an order in which each stands behind those in front of it. False if there is another way out of
/// them, a loop, or a branch that depends on something else.
bool ByteFunctions::path_to(const BasicBlock& end, llvm::SmallVectorImpl<BasicBlock*>& blocks) const {
  llvm::SmallPtrSet<const BasicBlock*, 8> inside{&end};
  llvm::SmallVector<const BasicBlock*, 8> work;
  if (&end != source_.getParent()) work.append(llvm::pred_begin(&end), llvm::pred_end(&end));
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (!inside.insert(block).second) continue;
    if (inside.size() > 64) return false;
    if (block != source_.getParent()) work.append(llvm::pred_begin(block), llvm::pred_end(block));
  }
  llvm::SmallPtrSet<const BasicBlock*, 8> before;
  for (BasicBlock* block : llvm::ReversePostOrderTraversal(source_.getFunction())) {
    if (!inside.contains(block)) continue;
    if (block != source_.getParent() && !llvm::all_of(llvm::predecessors(block), [&](const BasicBlock* from) { return before.contains(from); })) return false;
    before.insert(block);
    blocks.push_back(block);
    if (block == &end) continue;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !llvm::all_of(llvm::successors(block), [&](const BasicBlock* to) { return inside.contains(to); })) return false;
    Elements condition;
    if (branch->isConditional() && !elements_of(*branch->getCondition(), condition)) return false;
  }
  return blocks.size() == inside.size();
}

llvm::SmallVector<Instruction*, 32> ByteFunctions::needed(const Root& root) const {
  llvm::SmallVector<BasicBlock*, 8> blocks;
  if (!path_to(*root.result->getParent(), blocks)) return {};
  llvm::SmallSetVector<const Instruction*, 32> found;
  llvm::SmallVector<const Value*, 32> work{root.result};
  while (!work.empty()) {
    const auto* instruction = llvm::dyn_cast<Instruction>(work.pop_back_val());
    if (!instruction || !members_.contains(instruction) || !found.insert(instruction)) continue;
    if (instruction == &source_) continue;
    for (const llvm::Use& use : inputs(*instruction)) work.push_back(use);
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (!phi) continue;
    for (const BasicBlock* block : blocks) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      const BasicBlock* top = dominators_.getNode(phi->getParent())->getIDom()->getBlock();
      if (branch && branch->isConditional() && block != root.result->getParent() && dominators_.dominates(top, block)) work.push_back(branch->getCondition());
    }
  }
  llvm::SmallVector<Instruction*, 32> result;
  for (const auto& [member, elements] : members_)
    if (found.contains(member)) result.push_back(const_cast<Instruction*>(member));
  return result;
}

namespace {

/// Copies instructions of one function into another.
class Copies {
 public:
  Copies(llvm::Function& from, llvm::Function& to) : launch_(BasicBlock::Create(to.getContext(), "launch", &to)), builder_(to.getContext()) {
    map_[from.getArg(0)] = to.getArg(0);
  }

  llvm::IRBuilder<>& builder() { return builder_; }
  BasicBlock* block(const BasicBlock& block) { return llvm::cast<BasicBlock>(map_.find(&block)->second); }
  BasicBlock* launch() { return launch_; }
  bool has(const Value& value) const { return map_.count(&value) != 0; }
  void set(const Value& value, Value* copy) { map_[&value] = copy; }

  /// A copy of `value`, which is of the launch or has been copied.
  Value* of(const Value& value) {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (const auto found = map_.find(&value); found != map_.end()) return found->second;
    if (!instruction) return const_cast<Value*>(&value);
    for (const llvm::Use& use : inputs(*instruction)) of(*use);
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(launch_);
    return add(*instruction);
  }

  /// What is computed of bytes that no work-item has must be defined, too, though nobody asks for it.
  Value* add(const Instruction& instruction) {
    for (const llvm::Use& use : inputs(instruction)) of(*use);
    Instruction* copy = instruction.clone();
    copy->dropPoisonGeneratingFlags();
    if (!llvm::isa<llvm::LoadInst>(copy)) copy->dropPoisonGeneratingMetadata();
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(copy)) call->removeRetAttr(llvm::Attribute::Range);
    copy->setDebugLoc({});
    builder_.Insert(copy);
    llvm::RemapInstruction(copy, map_, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    const bool is_bounded = llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(copy);
    return map_[&instruction] = is_bounded ? builder_.CreateFreeze(copy) : copy;
  }

 private:
  BasicBlock* launch_;
  llvm::IRBuilder<> builder_;
  llvm::ValueToValueMapTy map_;
};

}  // namespace

llvm::Function* ByteFunctions::outline(const Root& root, llvm::StringRef name) const {
  llvm::Function& item = *source_.getFunction();
  llvm::Module& module = *item.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* result = llvm::IntegerType::get(context, static_cast<unsigned>(module.getDataLayout().getTypeSizeInBits(root.result->getType())));
  llvm::Type* pointer = item.getArg(0)->getType();
  auto* function = llvm::Function::Create(llvm::FunctionType::get(result, {pointer, source_.getType()->getScalarType()}, false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
  llvm::SmallVector<BasicBlock*, 8> blocks;
  path_to(*root.result->getParent(), blocks);
  Copies copies(item, *function);
  llvm::IRBuilder<>& builder = copies.builder();
  for (const BasicBlock* block : blocks) copies.set(*block, BasicBlock::Create(context, "", function));
  builder.SetInsertPoint(copies.block(*blocks.front()));
  Value* byte = function->getArg(1);
  copies.set(source_, source_.getType()->isVectorTy() ? builder.CreateVectorSplat(count_of(*source_.getType()), byte) : byte);
  const auto members = needed(root);
  const llvm::SmallPtrSet<const Instruction*, 32> wanted(members.begin(), members.end());
  for (const BasicBlock* block : blocks) {
    builder.SetInsertPoint(copies.block(*block));
    for (const Instruction& instruction : *block)
      if (wanted.contains(&instruction) && &instruction != &source_) copies.add(instruction);
    if (block == root.result->getParent()) break;
    const auto* branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
    const Value* condition = branch->isConditional() ? branch->getCondition() : nullptr;
    const auto* member = llvm::dyn_cast_or_null<Instruction>(condition);
    if (!condition || (member && members_.contains(member) && !copies.has(*member))) {
      builder.CreateBr(copies.block(*branch->getSuccessor(0)));  // nothing that is wanted depends on which
    } else {
      Value* is_first = builder.CreateFreeze(copies.of(*condition));
      builder.CreateCondBr(is_first, copies.block(*branch->getSuccessor(0)), copies.block(*branch->getSuccessor(1)));
    }
  }
  Value* value = copies.of(*root.result);
  // A vector of three is four with one that is poison, which as a word all would be.
  if (value->getType() != result && value->getType()->isVectorTy()) value = builder.CreateFreeze(value);
  builder.CreateRet(builder.CreateBitCast(value, result));
  builder.SetInsertPoint(copies.launch());
  builder.CreateBr(copies.block(*blocks.front()));
  return function;
}

}  // namespace weft::compiler::simt
