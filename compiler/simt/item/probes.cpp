#include "compiler/simt/item/probes.h"

#include <algorithm>
#include <optional>

#include "compiler/frontend/loop_exits.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/predicated_blocks.h"
#include "compiler/simt/item/specialize_images.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// The operand that says where an instruction accesses memory; null if it does not.
Value* accessed(llvm::Instruction& instruction) {
  if (Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) return pointer;
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return exchange->getPointerOperand();
  return nullptr;
}

abi::CountedKind kind_of(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::LoadInst>(instruction)) return abi::CountedKind::kLoad;
  if (llvm::isa<llvm::StoreInst>(instruction)) return abi::CountedKind::kStore;
  return instruction.use_empty() ? abi::CountedKind::kReduction : abi::CountedKind::kAtomic;
}

llvm::Type* accessed_type(llvm::Instruction& instruction) {
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return exchange->getNewValOperand()->getType();
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getValOperand()->getType();
  return llvm::getLoadStoreType(&instruction);
}

llvm::Align align_of(llvm::Instruction& instruction) {
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return exchange->getAlign();
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getAlign();
  return llvm::getLoadStoreAlignment(&instruction);
}

class Prober {
 public:
  Prober(llvm::Function& item, llvm::UniformityInfo& uniformity, const PredicatedBlocks& predicated)
      : item_(item), layout_(item.getDataLayout()), uniformity_(uniformity), predicated_(predicated), builder_(item.getContext()) {
    auto* number = builder_.getInt32Ty();
    block_probe_ = declare(primitive::kCountBlock, {number});
    branch_probe_ = declare(primitive::kCountBranch, {number, builder_.getInt1Ty()});
    access_probe_ = declare(primitive::kCountAccess, {number, builder_.getInt64Ty()});
  }

  abi::CounterTable run() {
    lay_out_privates();
    // A block behind those that it may be a part of.
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item_);
    for (llvm::BasicBlock* next : order) {
      llvm::BasicBlock& block = *next;
      // A list of them: probes go between.
      llvm::SmallVector<llvm::Instruction*, 64> instructions;
      for (llvm::Instruction& instruction : block) instructions.push_back(&instruction);
      // A place for what comes before the first of the block; one that has none keeps that of the block before it.
      for (const llvm::Instruction* instruction : llvm::reverse(instructions)) follow(*instruction);
      begin_block(*block.getFirstInsertionPt());
      if (const llvm::BasicBlock* condition = predicated_.condition_of(block)) issued_with_ = number_of_.lookup(condition);
      number_of_[&block] = issued_with_;
      for (llvm::Instruction* instruction : instructions) {
        llvm::Instruction* next_instruction = instruction->getNextNode();
        const bool ends_region = is_barrier(*instruction);
        follow(*instruction);
        visit(*instruction);
        if (ends_region) begin_block(*next_instruction);
      }
      number_of_[&block] = issued_with_;
    }
    return std::move(table_);
  }

 private:
  void begin_block(llvm::Instruction& first) {
    block_ = issued_with_ = static_cast<std::uint32_t>(table_.blocks.size());
    table_.blocks.emplace_back();
    builder_.SetInsertPoint(&first);
    builder_.CreateCall(block_probe_, {builder_.getInt32(block_)});
  }

  llvm::Function* declare(llvm::StringRef name, llvm::ArrayRef<llvm::Type*> parameters) {
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), parameters, false);
    auto* function = llvm::cast<llvm::Function>(item_.getParent()->getOrInsertFunction(name, type).getCallee());
    function->setOnlyAccessesInaccessibleMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return function;
  }

  /// A work-item's variables, one after the other, as CUDA's local memory would hold them.
  void lay_out_privates() {
    std::uint64_t bytes = 0;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        bytes = llvm::alignTo(bytes, variable->getAlign());
        privates_[variable] = bytes;
        if (const auto size = variable->getAllocationSize(layout_)) bytes += size->getFixedValue();
      }
  }

  void visit(llvm::Instruction& instruction) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) return;
    if (called_name(instruction) == primitive::kCountTexel) return count_texel(llvm::cast<llvm::CallInst>(instruction));
    if (is_of_image(instruction)) return;
    if (Value* pointer = accessed(instruction)) {
      if (const auto space = space_of(*pointer)) count_access(instruction, *pointer, *space);
      return;
    }
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
      if (branch->isConditional()) count_branch(*branch);
      return;
    }
    if (llvm::isa<llvm::ReturnInst>(instruction)) {
      count_operations({.place = place_, .control = 1});
    } else if (is_barrier(instruction)) {
      count_operations({.place = place_, .control = 1, .barriers = 1});
    } else if (const unsigned count = arithmetic_operations(instruction)) {
      count_operations({.place = place_, .arithmetic = count});
    }
  }

  /// Nothing for what a launch's descriptors hold: arguments are operands of a GPU's instructions.
  std::optional<abi::CountedSpace> space_of(Value& pointer) const {
    switch (pointer.getType()->getPointerAddressSpace()) {
      case kGlobalSpace: return abi::CountedSpace::kGlobal;
      case kConstantSpace: return abi::CountedSpace::kConstant;
      case kLocalSpace: return abi::CountedSpace::kLocal;
      default: break;
    }
    llvm::SmallVector<const Value*, 4> objects;
    llvm::getUnderlyingObjects(&pointer, objects);
    return llvm::all_of(objects, llvm::IsaPred<llvm::AllocaInst>) ? std::optional(abi::CountedSpace::kPrivate) : std::nullopt;
  }

  void count_access(llvm::Instruction& instruction, Value& pointer, abi::CountedSpace space) {
    count_operations({.place = place_, .memory = 1});
    abi::CountedSite site;
    site.space = space;
    site.kind = kind_of(instruction);
    llvm::Type* type = accessed_type(instruction);
    site.width = static_cast<std::uint16_t>(std::min<std::uint64_t>(layout_.getTypeStoreSize(type), UINT16_MAX));
    site.align = static_cast<std::uint16_t>(std::min<std::uint64_t>(align_of(instruction).value(), 128));
    site.block = block_;
    site.place = place_;
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      site.joinable = site.kind == abi::CountedKind::kReduction && !uniformity_.isDivergent(&pointer) &&
                      !uniformity_.isDivergent(update->getValOperand());
    builder_.SetInsertPoint(&instruction);
    builder_.CreateCall(access_probe_, {builder_.getInt32(static_cast<std::uint32_t>(table_.sites.size())), address_of(pointer)});
    table_.sites.push_back(site);
  }

  static std::uint16_t image_of(const llvm::CallInst& call) {
    std::uint16_t number = abi::kNoImage;
    return call.getFnAttr(kImageNumber).getValueAsString().getAsInteger(10, number) ? abi::kNoImage : number;
  }

  /// Whether it is a part of what kCountTexel stands for: a texel, a descriptor, what the texture unit computes.
  static bool is_of_image(llvm::Instruction& instruction) {
    if (is_of_image_unit(instruction)) return true;
    if (instruction.hasMetadata(kTexelMetadata)) return true;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && load->getPointerAddressSpace() == kConstantSpace && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  }

  void count_texel(llvm::CallInst& call) {
    count_operations({.place = place_, .memory = 1});
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    const bool is_write = !llvm::cast<llvm::ConstantInt>(call.getArgOperand(3))->isZero();
    const auto bytes = static_cast<std::uint16_t>(known ? known->getZExtValue() : 4);  // for messages; the number says which
    const abi::CountedSite site{.space = abi::CountedSpace::kImage,
                                .kind = is_write ? abi::CountedKind::kStore : abi::CountedKind::kLoad,
                                .width = bytes,
                                .align = bytes,
                                .block = block_,
                                .place = place_,
                                .image = image_of(call)};
    builder_.SetInsertPoint(&call);
    auto* integer = builder_.getInt64Ty();
    const auto field = [&](Value* value, unsigned from, std::uint64_t mask) {
      return builder_.CreateShl(builder_.CreateAnd(builder_.CreateZExt(value, integer), mask), from);
    };
    constexpr std::uint64_t kCoordinate = (std::uint64_t{1} << 28) - 1;
    Value* log = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, call.getArgOperand(2), builder_.getTrue());
    Value* number = builder_.CreateOr(field(call.getArgOperand(0), 0, kCoordinate), field(call.getArgOperand(1), 28, kCoordinate));
    number = builder_.CreateOr(number, field(log, 56, 0x7f));
    builder_.CreateCall(access_probe_, {builder_.getInt32(static_cast<std::uint32_t>(table_.sites.size())), number});
    table_.sites.push_back(site);
    call.eraseFromParent();
  }

  void count_branch(llvm::BranchInst& branch) {
    if (called_name(*branch.getCondition()) == frontend::kLeaves) return;  // none of the program's
    count_operations({.place = place_, .control = 1});
    if (!predicated_.is_branch(branch)) return;
    builder_.SetInsertPoint(&branch);
    builder_.CreateCall(branch_probe_, {builder_.getInt32(static_cast<std::uint32_t>(table_.branches.size())), branch.getCondition()});
    table_.branches.push_back({.block = block_, .place = place_, .word = abi::kNoWord});
  }

  /// Where `pointer` points, as CountedRecord wants it.
  Value* address_of(Value& pointer) {
    auto* integer = builder_.getInt64Ty();
    // Offsets as numbers, so that the shape of their sum is known where that of the base is not.
    Value* offset = nullptr;
    Value* from = &pointer;
    while (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(from)) {
      Value* step = builder_.CreateSExtOrTrunc(llvm::emitGEPOffset(&builder_, layout_, gep), integer);
      offset = offset ? builder_.CreateAdd(offset, step) : step;
      from = gep->getPointerOperand();
    }
    if (!offset) offset = builder_.getInt64(0);
    if (const auto start = start_of(*from)) return *start ? builder_.CreateAdd(offset, builder_.getInt64(*start)) : offset;
    llvm::SmallVector<const Value*, 4> objects;
    llvm::getUnderlyingObjects(&pointer, objects);
    Value* absolute = builder_.CreatePtrToInt(&pointer, integer);
    if (objects.size() != 1) return absolute;
    auto* object = const_cast<Value*>(objects.front());
    const auto start = start_of(*object);
    if (!start) return absolute;
    return builder_.CreateAdd(builder_.CreateSub(absolute, builder_.CreatePtrToInt(object, integer)), builder_.getInt64(*start));
  }

  /// The address of an object's first byte, if addresses count from there: an argument, local memory, a private variable.
  std::optional<std::uint64_t> start_of(const Value& object) const {
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&object)) return privates_.lookup(variable);
    const Value* origin = &object;
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(origin)) origin = cast->getPointerOperand();
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(origin);
    if (load && load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return 0;
    return std::nullopt;
  }

  /// Sets the place. What LLVM made of several lines has none (line 0): it counts for the line before it.
  void follow(const llvm::Instruction& instruction) {
    const llvm::DILocation* location = instruction.getDebugLoc();
    if (is_of_image_unit(instruction)) location = location->getInlinedAt();
    if (!location || location->getLine() == 0) return;
    const llvm::DIFile* file = location->getFile();
    const auto [entry, created] = files_.try_emplace(file, static_cast<std::uint32_t>(table_.files.size()));
    if (created) table_.files.push_back(file->getFilename().str());
    place_ = {.file = entry->second, .line = location->getLine()};
  }

  /// Counts operations where they are issued, and where they are executed.
  void count_operations(const abi::CountedOperations& more) {
    const auto add = [&](std::vector<abi::CountedOperations>& lines) {
      auto line = std::ranges::find(lines, more.place, &abi::CountedOperations::place);
      if (line == lines.end()) {
        lines.push_back({.place = more.place});
        line = lines.end() - 1;
      }
      line->arithmetic += more.arithmetic;
      line->memory += more.memory;
      line->control += more.control;
      line->barriers += more.barriers;
    };
    if (issued_with_ == block_) return add(table_.blocks[block_].lines);
    add(table_.blocks[issued_with_].issued);
    add(table_.blocks[block_].predicated);
  }

  llvm::Function& item_;
  const llvm::DataLayout& layout_;
  llvm::UniformityInfo& uniformity_;
  const PredicatedBlocks& predicated_;
  llvm::IRBuilder<> builder_;
  llvm::Function* block_probe_;
  llvm::Function* branch_probe_;
  llvm::Function* access_probe_;
  abi::CounterTable table_;
  abi::SourcePlace place_;  ///< of the instruction that is visited
  std::uint32_t block_ = 0;
  std::uint32_t issued_with_ = 0;  ///< the block whose runs issue the instructions of this one
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> number_of_;  ///< the last issued_with_ of a block
  llvm::DenseMap<const llvm::AllocaInst*, std::uint64_t> privates_;
  llvm::DenseMap<const llvm::DIFile*, std::uint32_t> files_;
};

}  // namespace

abi::CounterTable insert_probes(llvm::Function& item, Analyses& analyses) {
  // A GPU compares case by case, or jumps by table: as branches each parting of lanes counts.
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());
  passes.run(item, analyses.functions());
  llvm::UniformityInfo& uniformity = analyses.uniformity(item);
  llvm::FunctionAnalysisManager& functions = analyses.functions();
  const PredicatedBlocks predicated(item, uniformity, functions.getResult<llvm::PostDominatorTreeAnalysis>(item),
                                    functions.getResult<llvm::LoopAnalysis>(item));
  abi::CounterTable table = Prober(item, uniformity, predicated).run();
  analyses.invalidate(item);
  return table;
}

}  // namespace weft::compiler::simt
