#include "compiler/simt/item/lower_args.h"

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/id_limit.h"
#include "compiler/simt/analysis/buffer_places.h"
#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/arg_layout.h"
#include "compiler/simt/ir/local_memory.h"
#include "compiler/simt/ir/program_memory.h"
#include "compiler/simt/analysis/uniformity.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {
namespace {

/// The alignment that LaunchInfo::arguments promises; code must not rely on more.
constexpr llvm::Align kArgumentBlockAlign = llvm::Align::Constant<8>();

/// Emits the loads that item functions make through `launch` and `group`, once each, in the entry block.
/// Neither structure changes while a group runs, so every load is invariant and may be repeated.
class EntryLoads {
 public:
  EntryLoads(llvm::Function& item, const Specialization& specialization, std::uint64_t argument_bytes)
      : specialization_(specialization),
        argument_bytes_(argument_bytes),
        launch_(*item.getArg(0)),
        group_(*item.getArg(1)),
        builder_(&item.getEntryBlock(), item.getEntryBlock().getFirstInsertionPt()) {}

  llvm::IRBuilder<>& builder() { return builder_; }

  llvm::LoadInst* invariant_load(llvm::Type* type, llvm::Value* base, std::uint64_t offset, llvm::Align align,
                                 const llvm::Twine& name) {
    llvm::Value* address =
        offset ? builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset) : base;
    llvm::LoadInst* load = builder_.CreateAlignedLoad(type, address, align, name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(type->getContext(), {}));
    return load;
  }

  llvm::Value* arguments() {
    if (arguments_) return arguments_;
    llvm::LoadInst* load = pointer(&launch_, offsetof(abi::LaunchInfo, arguments), "arguments");
    mark_readable(*load, argument_bytes_);
    // So arguments may be loaded wherever they are wanted, early too.
    mark_aligned(*load, kArgumentBlockAlign.value());
    return arguments_ = load;
  }

  /// Says that so many bytes from a loaded pointer on may be read wherever it is known.
  static void mark_readable(llvm::LoadInst& load, std::uint64_t bytes) {
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(load.getContext()), bytes);
    load.setMetadata(llvm::LLVMContext::MD_dereferenceable, llvm::MDNode::get(load.getContext(), llvm::ConstantAsMetadata::get(number)));
  }

  void mark_aligned(llvm::LoadInst& load, std::uint64_t bytes) {
    load.setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(load.getContext(), llvm::ConstantAsMetadata::get(builder_.getInt64(bytes))));
  }

  /// GroupInfo::local_memory as `ptr addrspace(3)`.
  llvm::Value* local_memory() {
    if (!local_memory_) {
      llvm::LoadInst* load = pointer(&group_, offsetof(abi::GroupInfo, local_memory), "local_memory.host");
      mark_aligned(*load, abi::kLocalMemoryAlign);
      load->setMetadata(primitive::kLocalMetadata, llvm::MDNode::get(load->getContext(), {}));
      local_memory_ =
          builder_.CreateAddrSpaceCast(load, builder_.getPtrTy(kLocalSpace), "local_memory");
    }
    return local_memory_;
  }

  /// LaunchInfo::program_memory as `ptr addrspace(1)`.
  llvm::Value* program_memory() {
    return invariant_load(builder_.getPtrTy(kGlobalSpace), &launch_, offsetof(abi::LaunchInfo, program_memory), llvm::Align(8),
                          "program_memory");
  }

  /// The value of the uniform primitive `name`, of type `type`; null if there is none.
  llvm::Value* uniform_primitive(llvm::StringRef name, llvm::Type* type) {
    if (const auto known = primitives_.find(name); known != primitives_.end()) return known->second;
    llvm::Value* value = emit_primitive(name, type);  // may emit others
    return primitives_[name] = value;
  }

  /// The x index of the lane's work-item in its block of fused groups.
  llvm::CallInst* block_id_x() {
    llvm::Module& module = *builder_.GetInsertBlock()->getModule();
    auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), false);
    llvm::FunctionCallee callee = module.getOrInsertFunction((primitive::kLocalId + "x").str(), type);
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setCallingConv(llvm::CallingConv::C);
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    llvm::CallInst* call = builder_.CreateCall(callee, {}, "block_id");
    call->addRangeRetAttr(llvm::ConstantRange(
        llvm::APInt(32, 0), llvm::APInt(32, specialization_.local_size[0] * specialization_.groups)));
    call->addRetAttr(llvm::Attribute::NoUndef);
    return call;
  }

  /// The primitive of `field` as the code's own launch has it, which may be a part of the one that work-items are told of.
  std::string part_name(llvm::StringRef field, unsigned dimension) const {
    return ("__weft_" + llvm::Twine(specialization_.is_part ? "part_" : "") + field + "_" + llvm::Twine("xyz"[dimension])).str();
  }

  /// The global id in a dimension of local size 1: GroupInfo::group_id + LaunchInfo::global_offset.
  llvm::Value* global_id_of_single_item(unsigned dimension) {
    llvm::Type* type = builder_.getInt64Ty();
    llvm::Value* group_id = uniform_primitive(part_name("group_id", dimension), type);
    llvm::Value* offset = uniform_primitive(part_name("global_offset", dimension), type);
    return builder_.CreateAdd(group_id, offset, "global_id", /*HasNUW=*/true,
                              specialization_.ids_fit_31_bits);
  }

 private:
  llvm::LoadInst* pointer(llvm::Value* base, std::uint64_t offset, const llvm::Twine& name) {
    llvm::LoadInst* load = invariant_load(builder_.getPtrTy(), base, offset, llvm::Align(8), name);
    load->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(load->getContext(), {}));
    return load;
  }

  /// Loads the integer at `offset` from `base`; it lies in [low, high) if `ranged`.
  llvm::Value* integer(llvm::Value* base, std::uint64_t offset, unsigned bits, llvm::Type* type, bool ranged,
                       std::uint64_t low, std::uint64_t high, llvm::StringRef name) {
    llvm::LoadInst* load =
        invariant_load(builder_.getIntNTy(bits), base, offset, llvm::Align(bits / 8), name);
    if (ranged)
      load->setMetadata(
          llvm::LLVMContext::MD_range,
          llvm::MDBuilder(load->getContext()).createRange(llvm::APInt(bits, low), llvm::APInt(bits, high)));
    return builder_.CreateZExtOrTrunc(load, type, name);
  }

  llvm::Value* emit_primitive(llvm::StringRef name, llvm::Type* type) {
    const bool fits = specialization_.ids_fit_31_bits;
    llvm::StringRef rest = name;
    if (!rest.consume_front("__weft_")) return nullptr;
    if (rest == "local_memory_bytes") return llvm::ConstantInt::get(type, abi::kLocalMemoryBytes);
    if (rest == "stack_bytes") return llvm::ConstantInt::get(type, abi::kMaxStackBytes);
    if (rest == "local_memory")
      return integer(&group_, offsetof(abi::GroupInfo, local_memory), 64, type, false, 0, 0, rest);
    if (rest == "scratch") return integer(&group_, offsetof(abi::GroupInfo, scratch), 64, type, false, 0, 0, rest);
    if (rest == "scratch_bytes")
      return integer(&group_, offsetof(abi::GroupInfo, scratch_bytes), 64, type, false, 0, 0, rest);
    if (rest == "stack_end") return builder_.CreatePtrToInt(&group_, type, rest);
    if (rest == "work_dim")
      return integer(&launch_, offsetof(abi::LaunchInfo, work_dim), 32, type, true, 1, 4, rest);
    if (rest.size() < 2 || rest.back() < 'x' || rest.back() > 'z') return nullptr;
    const unsigned dimension = rest.back() - 'x';
    llvm::StringRef field = rest.drop_back(2);
    const std::uint64_t step = dimension * sizeof(std::uint64_t);
    const auto launch_field = [&](std::size_t offset, bool ranged, std::uint64_t low, std::uint64_t limit) {
      return integer(&launch_, offset + step, 64, type, ranged, low, limit, rest);
    };
    if (specialization_.is_part) {
      if (field == "enqueued_local_size")
        return launch_field(offsetof(abi::LaunchInfo, whole.local_size), true, 1, abi::kMaxWorkGroupSize + 1);
      if (field == "group_id") {
        llvm::Value* first = launch_field(offsetof(abi::LaunchInfo, whole.first_group), fits, 0, kIdLimit);
        llvm::Value* id = uniform_primitive(part_name("group_id", dimension), type);
        return builder_.CreateAdd(first, id, rest, true, fits);
      }
      if (field == "num_groups") return launch_field(offsetof(abi::LaunchInfo, whole.num_groups), fits, 1, kIdLimit);
      if (field == "global_offset") return launch_field(offsetof(abi::LaunchInfo, whole.global_offset), fits, 0, kIdLimit);
      field.consume_front("part_");
    }
    if (field == "local_size" || field == "enqueued_local_size") {
      if (specialization_.local_size[dimension])
        return llvm::ConstantInt::get(type, specialization_.local_size[dimension]);
      return launch_field(offsetof(abi::LaunchInfo, local_size), true, 1, abi::kMaxWorkGroupSize + 1);
    }
    if (field == "group_id") {
      // Of the id of its first work-item, which has the limit.
      const std::uint64_t items = std::max<std::uint64_t>(1, specialization_.local_size[dimension]) * (dimension == 0 ? specialization_.groups : 1);
      llvm::Value* id = integer(&group_, offsetof(abi::GroupInfo, group_id) + step, 64, type, fits, 0, kIdLimit / items + 1, rest);
      return dimension == 0 && specialization_.groups > 1 ? group_in_block(id) : id;
    }
    if (field == "num_groups") return launch_field(offsetof(abi::LaunchInfo, num_groups), fits, 1, kIdLimit);
    if (field == "global_size") return launch_field(offsetof(abi::LaunchInfo, global_size), fits, 1, kIdLimit);
    if (field == "global_offset") return launch_field(offsetof(abi::LaunchInfo, global_offset), fits, 0, kIdLimit);
    return nullptr;
  }

  /// The id along x of the lane's work-group in block `block`.
  llvm::Value* group_in_block(llvm::Value* block) {
    const bool fits = specialization_.ids_fit_31_bits;
    llvm::Type* type = block->getType();
    llvm::Value* first =
        builder_.CreateMul(block, llvm::ConstantInt::get(type, specialization_.groups), "", true, fits);
    llvm::Value* place = builder_.CreateUDiv(block_id_x(), builder_.getInt32(specialization_.local_size[0]));
    return builder_.CreateAdd(first, builder_.CreateZExt(place, type), "group_id", true, fits);
  }

  const Specialization& specialization_;
  const std::uint64_t argument_bytes_;
  llvm::Argument& launch_;
  llvm::Argument& group_;
  llvm::IRBuilder<> builder_;
  llvm::Value* arguments_ = nullptr;
  llvm::Value* local_memory_ = nullptr;
  llvm::StringMap<llvm::Value*> primitives_;
};

llvm::Function* create_item(llvm::Module& module, llvm::Function& kernel) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {pointer, pointer}, false);
  auto* item = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, kernel.getName() + ".item");
  module.getFunctionList().insert(kernel.getIterator(), item);
  llvm::AttrBuilder attributes(context, kernel.getAttributes().getFnAttrs());
  attributes.removeAttribute(llvm::Attribute::Memory);  // it describes the arguments
  item->setAttributes(llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex, attributes));
  const std::uint64_t sizes[] = {sizeof(abi::LaunchInfo), sizeof(abi::GroupInfo)};
  for (unsigned i = 0; i < 2; ++i) {
    llvm::AttrBuilder parameter(context);
    parameter.addAttribute(llvm::Attribute::NoAlias)
        .addAttribute(llvm::Attribute::ReadOnly)
        .addAttribute(llvm::Attribute::NonNull)
        .addAttribute(llvm::Attribute::NoUndef)
        .addDereferenceableAttr(sizes[i])
        .addAlignmentAttr(llvm::Align(8));
    item->addParamAttrs(i, parameter);
  }
  item->getArg(0)->setName("launch");
  item->getArg(1)->setName("group");
  item->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  item->splice(item->begin(), &kernel);
  return item;
}

/// Collects the loads and copies from `pointer`; false if it has any other use.
bool is_only_read(llvm::Value& pointer, llvm::SmallVectorImpl<llvm::Instruction*>& readers) {
  for (llvm::User* user : pointer.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (load->isVolatile() || load->isAtomic()) return false;
      readers.push_back(load);
    } else if (llvm::isa<llvm::GetElementPtrInst>(user)) {
      if (!is_only_read(*user, readers)) return false;
    } else if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(user)) {
      if (copy->isVolatile() || copy->getRawDest() == &pointer) return false;
      readers.push_back(copy);
    } else {
      return false;
    }
  }
  return true;
}

/// Lowers a struct by value: reads it in place, or from a private copy if the kernel may write it.
llvm::Value* lower_byval(llvm::Argument& argument, const ArgSlot& slot, EntryLoads& loads) {
  llvm::IRBuilder<>& builder = loads.builder();
  llvm::Value* place =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), loads.arguments(), slot.offset);
  llvm::SmallVector<llvm::Instruction*, 8> readers;
  if (is_only_read(argument, readers)) {
    for (llvm::Instruction* reader : readers) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(reader)) {
        load->setAlignment(std::min(load->getAlign(), kArgumentBlockAlign));
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
      } else {
        auto* copy = llvm::cast<llvm::MemCpyInst>(reader);
        copy->setSourceAlignment(std::min(copy->getSourceAlign().valueOrOne(), kArgumentBlockAlign));
      }
    }
    return place;
  }
  llvm::BasicBlock& entry = *builder.GetInsertBlock();
  llvm::AllocaInst* copy = llvm::IRBuilder<>(&entry, entry.begin())
                               .CreateAlloca(argument.getParamByValType(), nullptr, argument.getName());
  copy->setAlignment(llvm::Align(slot.align));
  builder.CreateMemCpy(copy, copy->getAlign(), place, std::min(llvm::Align(slot.align), kArgumentBlockAlign),
                       slot.size);
  return copy;
}

llvm::Value* lower_argument(llvm::Argument& argument, const ArgSlot& slot, EntryLoads& loads) {
  if (argument.hasByValAttr()) return lower_byval(argument, slot, loads);
  llvm::IRBuilder<>& builder = loads.builder();
  const llvm::Align align = std::min(llvm::Align(slot.align), kArgumentBlockAlign);
  auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  if (pointer && pointer->getAddressSpace() == kLocalSpace) {
    llvm::LoadInst* offset = loads.invariant_load(builder.getInt64Ty(), loads.arguments(), slot.offset, align,
                                                  argument.getName() + ".offset");
    offset->setMetadata(primitive::kLocalMetadata, llvm::MDNode::get(offset->getContext(), {}));
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), loads.local_memory(), offset, argument.getName());
  }
  llvm::LoadInst* load =
      loads.invariant_load(argument.getType(), loads.arguments(), slot.offset, align, argument.getName());
  if (const llvm::Attribute range = argument.getAttribute(llvm::Attribute::Range); range.isValid())
    load->setMetadata(llvm::LLVMContext::MD_range,
                      llvm::MDBuilder(load->getContext()).createRange(range.getRange().getLower(), range.getRange().getUpper()));
  if (argument.hasAttribute(llvm::Attribute::NoUndef))
    load->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(load->getContext(), {}));
  if (argument.getParent()->getAttributes().hasParamAttr(argument.getArgNo(), primitive::kImageAttribute))
    load->setMetadata(primitive::kImageMetadata, llvm::MDNode::get(load->getContext(), {}));
  if (argument.getParent()->getAttributes().hasParamAttr(argument.getArgNo(), kStartAttribute))
    add_buffer_start(*load->getFunction(), slot.offset, argument.getParent()->getAttributes().hasParamAttr(argument.getArgNo(), kSmallAttribute));
  if (const std::uint64_t bytes = argument.getDereferenceableBytes()) loads.mark_readable(*load, bytes);
  if (pointer && argument.getParamAlign().valueOrOne() > 1)
    load->setMetadata(llvm::LLVMContext::MD_align,
                      llvm::MDNode::get(load->getContext(), llvm::ConstantAsMetadata::get(builder.getInt64(
                                                                argument.getParamAlign()->value()))));
  return load;
}

/// Lowers the per-lane id `call`: adds its range, or replaces it if its value is known or follows from the block.
void lower_lane_id(llvm::CallInst& call, bool global, unsigned dimension,
                   const Specialization& specialization, EntryLoads& loads) {
  const std::uint32_t local_size = specialization.local_size[dimension];
  const bool fused = dimension == 0 && specialization.groups > 1;
  if (local_size == 1 && !(fused && global)) {
    call.replaceAllUsesWith(global ? loads.global_id_of_single_item(dimension)
                                   : llvm::ConstantInt::get(call.getType(), 0));
    call.eraseFromParent();
    return;
  }
  // Else LLVM freezes it where it moves a branch out of a loop, and of what is frozen no shape is known.
  call.addRetAttr(llvm::Attribute::NoUndef);
  const unsigned bits = call.getType()->getIntegerBitWidth();
  if (!global && fused) {
    llvm::IRBuilder<> builder(&call);
    call.replaceAllUsesWith(builder.CreateZExtOrTrunc(
        builder.CreateURem(loads.block_id_x(), builder.getInt32(local_size)), call.getType(), "local_id"));
    call.eraseFromParent();
  } else if (!global) {
    const std::uint64_t limit = local_size ? local_size : abi::kMaxWorkGroupSize;
    call.addRangeRetAttr(llvm::ConstantRange(llvm::APInt(bits, 0), llvm::APInt(bits, limit)));
  } else if (specialization.ids_fit_31_bits) {
    call.addRangeRetAttr(llvm::ConstantRange(llvm::APInt(bits, 0), llvm::APInt(bits, kIdLimit)));
  }
}

void lower_primitives(llvm::Function& item, const Specialization& specialization, EntryLoads& loads) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) continue;
    llvm::StringRef name = callee->getName();
    if (!name.starts_with("__weft_")) continue;
    // OpenCL C declared the primitives with its own calling convention; from here on all use C's.
    call->setCallingConv(llvm::CallingConv::C);
    const bool local_id = name.starts_with("__weft_local_id_");
    if (name == primitive::kBlockId) {
      call->replaceAllUsesWith(loads.block_id_x());
      call->eraseFromParent();
      continue;
    }
    if (local_id || name.starts_with("__weft_global_id_")) {
      const_cast<llvm::Function*>(callee)->setCallingConv(llvm::CallingConv::C);
      lower_lane_id(*call, !local_id, name.back() - 'x', specialization, loads);
    } else if (llvm::Value* value = loads.uniform_primitive(name, call->getType())) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    } else {
      const_cast<llvm::Function*>(callee)->setCallingConv(llvm::CallingConv::C);
    }
  }
}

void return_finished(llvm::Function& item) {
  for (llvm::BasicBlock& block : item) {
    auto* ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (!ret) continue;
    llvm::IRBuilder<> builder(ret);
    builder.CreateRet(llvm::ConstantInt::getSigned(builder.getInt32Ty(), -1));
    ret->eraseFromParent();
  }
}

/// Replaces `jump` to the kernel's body with a branch that returns for work-items beyond the last group,
/// which a row's last block may have.
void guard_out_of_range(llvm::Instruction& jump, llvm::BasicBlock& body, EntryLoads& loads) {
  llvm::IRBuilder<>& builder = loads.builder();
  llvm::Type* type = builder.getInt64Ty();
  llvm::Value* outside = builder.CreateICmpUGE(loads.uniform_primitive(loads.part_name("group_id", 0), type),
                                               loads.uniform_primitive(loads.part_name("num_groups", 0), type), "outside");
  llvm::BasicBlock* leave =
      llvm::BasicBlock::Create(builder.getContext(), "outside", body.getParent(), &body);
  llvm::ReturnInst::Create(builder.getContext(), llvm::ConstantInt::getSigned(builder.getInt32Ty(), -1), leave);
  llvm::Instruction* branch = builder.CreateCondBr(outside, leave, &body);
  branch->setMetadata(kBeyondGroupsMetadata, llvm::MDNode::get(builder.getContext(), {}));
  jump.eraseFromParent();
  builder.SetInsertPoint(branch);
}

}  // namespace

llvm::Function* lower_args(llvm::Module& module, llvm::Function& kernel,
                           const Specialization& specialization) {
  const std::vector<ArgSlot> slots = layout_arguments(kernel);
  llvm::Function* item = create_item(module, kernel);
  // The loads get a block of their own, so that they dominate the body wherever the builder stands.
  llvm::BasicBlock* body = &item->getEntryBlock();
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(module.getContext(), "item.entry", item, body);
  llvm::Instruction* jump = llvm::BranchInst::Create(body, entry);
  EntryLoads loads(*item, specialization, argument_bytes(slots));
  loads.builder().SetInsertPoint(jump);

  for (llvm::Argument& argument : kernel.args()) {
    if (argument.use_empty()) continue;
    argument.replaceAllUsesWith(lower_argument(argument, slots[argument.getArgNo()], loads));
  }
  lower_primitives(*item, specialization, loads);
  const PlacedVariables locals = assign_local_globals(*item);
  if (!locals.variables.empty()) replace_variables(*item, *loads.local_memory(), locals);
  if (uses_program_memory(*item)) lower_program_variables(*item, *loads.program_memory());
  return_finished(*item);
  const bool guarded = specialization.groups > 1 && !specialization.whole_blocks;
  if (guarded) guard_out_of_range(*jump, *body, loads);

  // Private variables belong in the entry block, where later passes look for them.
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(*body))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (variable->isStaticAlloca() || llvm::isa<llvm::Constant>(variable->getArraySize()))
        variable->moveBefore(*entry, entry->begin());
  if (!guarded) {
    jump->eraseFromParent();
    entry->splice(entry->end(), body);
    entry->replaceSuccessorsPhiUsesWith(body, entry);
    body->eraseFromParent();
  }
  if (kernel.use_empty()) kernel.eraseFromParent();
  return item;
}

}  // namespace weft::compiler::simt
