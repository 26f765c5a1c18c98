#include "compiler/simt/item/specialize_images.h"

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/lane_rows.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/simt/item/scalar_elements.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace weft::compiler::simt {
namespace {

using llvm::CallInst;
using llvm::Value;

bool is_sampler(const llvm::Type& type) {
  const auto* target = llvm::dyn_cast<llvm::TargetExtType>(&type);
  return target && target->getName() == "spirv.Sampler";
}

/// An image argument takes the place of a pointer in LaunchInfo::arguments, a sampler that of a number of 64 bits.
llvm::Type* lowered(llvm::Type& type) {
  if (!type.isTargetExtTy()) return &type;
  if (is_sampler(type)) return llvm::Type::getInt64Ty(type.getContext());
  return llvm::PointerType::get(type.getContext(), kConstantSpace);
}

/// Moves `kernel`'s body to a function whose images and samplers are what lies in LaunchInfo::arguments. The body goes on naming
/// the old arguments of these types, whose new ones come back.
llvm::Function& lower_signature(llvm::Function& kernel, llvm::DenseMap<Value*, llvm::Argument*>& lowered_arguments) {
  llvm::SmallVector<llvm::Type*, 16> types;
  for (const llvm::Argument& argument : kernel.args()) types.push_back(lowered(*argument.getType()));
  auto* type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
  auto* made = llvm::Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace());
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), made);
  made->takeName(&kernel);
  made->copyAttributesFrom(&kernel);
  made->copyMetadata(&kernel, 0);
  made->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  made->splice(made->begin(), &kernel);
  for (llvm::Argument& argument : kernel.args()) {
    llvm::Argument* to = made->getArg(argument.getArgNo());
    to->takeName(&argument);
    if (argument.getType() == to->getType()) {
      argument.replaceAllUsesWith(to);
      continue;
    }
    lowered_arguments[&argument] = to;
    made->addParamAttr(to->getArgNo(), llvm::Attribute::NoUndef);
    if (to->getType()->isPointerTy()) {
      made->addParamAttr(to->getArgNo(), llvm::Attribute::NonNull);
      made->addParamAttr(to->getArgNo(), llvm::Attribute::get(made->getContext(), primitive::kImageAttribute));
      made->addDereferenceableParamAttr(to->getArgNo(), sizeof(abi::ImageDescriptor));
      made->addParamAttr(to->getArgNo(), llvm::Attribute::getWithAlignment(made->getContext(), llvm::Align(8)));
    }
  }
  return *made;
}

/// What each image, sampler and format in a kernel is, as a pointer or a number.
class ImageValues {
 public:
  ImageValues(llvm::Function& kernel, const llvm::DenseMap<Value*, llvm::Argument*>& arguments, const ArgumentFormats& formats)
      : kernel_(kernel), arguments_(arguments) {
    std::size_t next = 0;
    for (llvm::Argument& argument : kernel.args())
      for (const auto& [old, made] : arguments)
        if (made == &argument) words_[made] = formats.at(next++);
  }

  /// A pointer for an image, 32 bits for a sampler. Null, with `problem` set, if `value` cannot be followed.
  Value* lower(Value& value) {
    Value*& found = values_[&value];
    if (found) return found;
    llvm::Type* type = is_sampler(*value.getType()) ? llvm::Type::getInt32Ty(kernel_.getContext()) : lowered(*value.getType());
    if (llvm::isa<llvm::UndefValue>(value) || llvm::isa<llvm::ConstantTargetNone>(value)) return found = llvm::PoisonValue::get(type);
    if (const auto argument = arguments_.find(&value); argument != arguments_.end())
      return found = is_sampler(*value.getType()) ? sampler_of(*argument->second) : argument->second;
    if (called_name(value) == primitive::kTranslateSampler) return found = llvm::cast<CallInst>(value).getArgOperand(0);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) return found = load_captured(*load);
    if (auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&value)) return found = lower(*frozen->getOperand(0));
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      Value* a = lower(*select->getTrueValue());
      Value* b = lower(*select->getFalseValue());
      return values_[&value] = llvm::IRBuilder<>(select).CreateSelect(select->getCondition(), a, b);
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return lower_phi(*phi, values_, type, &ImageValues::lower);
    problem = true;
    return found = llvm::PoisonValue::get(type);
  }

  /// Keeps an image or a sampler in memory, as LaunchInfo::arguments has it: in the literal of a block that captures it.
  void store_captured(llvm::StoreInst& store) {
    Value* captured = lower(*store.getValueOperand());
    llvm::IRBuilder<> builder(&store);
    if (captured->getType()->isIntegerTy()) captured = builder.CreateZExt(captured, builder.getInt64Ty());
    builder.CreateAlignedStore(captured, store.getPointerOperand(), store.getAlign());
  }

  /// The format's word of an image that lower() has made a pointer.
  Value* format(Value& image) {
    Value*& found = formats_[&image];
    if (found) return found;
    if (const std::uint32_t known = word(image)) return found = llvm::ConstantInt::get(int32(), known);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&image)) {
      Value* a = format(*select->getTrueValue());
      Value* b = format(*select->getFalseValue());
      return formats_[&image] = a == b ? a : llvm::IRBuilder<>(select).CreateSelect(select->getCondition(), a, b);
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&image)) return lower_phi(*phi, formats_, int32(), &ImageValues::format);
    return found = read_format(image);
  }

  bool problem = false;

 private:
  llvm::Type* int32() const { return llvm::Type::getInt32Ty(kernel_.getContext()); }
  Value* load_captured(llvm::LoadInst& load) {
    llvm::IRBuilder<> builder(&load);
    llvm::LoadInst* const made = builder.CreateAlignedLoad(lowered(*load.getType()), load.getPointerOperand(), load.getAlign());
    if (load.getPointerAddressSpace() == kConstantSpace)
      made->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load.getContext(), {}));
    return is_sampler(*load.getType()) ? builder.CreateTrunc(made, int32()) : made;
  }

  llvm::BasicBlock::iterator entry() const { return kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(); }

  std::uint32_t word(Value& argument) const {
    const auto known = words_.find(&argument);
    return known == words_.end() ? 0 : known->second;
  }

  Value* sampler_of(llvm::Argument& argument) {
    if (const std::uint32_t known = word(argument)) return llvm::ConstantInt::get(int32(), known & ~std::uint32_t{kArgumentKnown});
    return llvm::IRBuilder<>(&kernel_.getEntryBlock(), entry()).CreateTrunc(&argument, int32(), argument.getName());
  }

  Value* lower_phi(llvm::PHINode& phi, llvm::DenseMap<Value*, Value*>& known, llvm::Type* type, Value* (ImageValues::*of)(Value&)) {
    auto* made = llvm::PHINode::Create(type, phi.getNumIncomingValues(), phi.getName(), phi.getIterator());
    known[&phi] = made;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      made->addIncoming((this->*of)(*phi.getIncomingValue(i)), phi.getIncomingBlock(i));
    return made;
  }

  Value* read_format(Value& image) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&image);
    llvm::IRBuilder<> builder(&kernel_.getEntryBlock(), entry());
    if (instruction) builder.SetInsertPoint(instruction->getParent(), *instruction->getInsertionPointAfterDef());
    const auto field = [&](std::size_t offset, std::uint32_t first) {
      llvm::LoadInst* load = builder.CreateAlignedLoad(
          int32(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &image, offset), llvm::Align(4));
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
      return builder.CreateSub(load, builder.getInt32(first));
    };
    Value* order = field(offsetof(abi::ImageDescriptor, channel_order), kFirstOrder);
    Value* type = field(offsetof(abi::ImageDescriptor, channel_type), kFirstType);
    return builder.CreateOr(builder.CreateShl(type, 8), order, "format");
  }

  llvm::Function& kernel_;
  const llvm::DenseMap<Value*, llvm::Argument*>& arguments_;
  llvm::DenseMap<Value*, std::uint32_t> words_;  ///< of ArgumentFormats, by the new argument
  llvm::DenseMap<Value*, Value*> values_, formats_;
};

/// What a kernel asks of an image's descriptor, as its width, never changes.
void mark_queries(Value& descriptor) {
  for (llvm::User* user : descriptor.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    else if (auto* field = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) mark_queries(*field);
  }
}

/// Replaces the primitives that take images and samplers, and then whatever else has one of their types.
llvm::Error lower_values(llvm::Function& kernel, ImageValues& images) {
  llvm::SmallVector<llvm::Instruction*, 32> typed, formats;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const bool takes = llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return use->getType()->isTargetExtTy(); });
    if (takes || instruction.getType()->isTargetExtTy()) typed.push_back(&instruction);
    if (called_name(instruction) == primitive::kImageFormat) formats.push_back(&instruction);
  }
  for (llvm::Instruction* instruction : typed) {
    const llvm::StringRef name = called_name(*instruction);
    if (name.starts_with(primitive::kImageDescriptor)) mark_queries(*instruction);
    if (name.starts_with(primitive::kImageDescriptor) || name == primitive::kSamplerBits)
      instruction->replaceAllUsesWith(images.lower(*llvm::cast<CallInst>(instruction)->getArgOperand(0)));
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction)) images.store_captured(*store);
  }
  for (llvm::Instruction* call : formats) {
    call->replaceAllUsesWith(images.format(*llvm::cast<CallInst>(call)->getArgOperand(0)));
    call->eraseFromParent();
  }
  for (llvm::Instruction* instruction : typed)
    if (!instruction->getType()->isVoidTy()) instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
  for (llvm::Instruction* instruction : typed) instruction->eraseFromParent();
  return images.problem ? llvm::createStringError("error: kernel '" + kernel.getName() + "' has an image or a sampler of unknown origin\n")
                        : llvm::Error::success();
}

/// Each takes half a second to a second to compile in place.
constexpr unsigned kMostOfAnyFormat = 3;

bool is_image_function(const llvm::Function* function) {
  return function && !function->isDeclaration() && function->getName().starts_with(primitive::kImageFunction);
}

/// An image's descriptor never changes, and what a kernel may only read does not either while it runs. Strategy "neighbours" knows
/// texels by this mark.
void mark_accesses(llvm::Function& function) {
  llvm::MDNode* mark = llvm::MDNode::get(function.getContext(), {});
  const llvm::StringRef name = function.getName();
  const bool of_texels = name.starts_with("__weft_image_load") || name.starts_with("__weft_image_store");
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (of_texels && llvm::getLoadStorePointerOperand(&instruction)) instruction.setMetadata(kTexelMetadata, mark);
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && load->getPointerAddressSpace() == kConstantSpace) load->setMetadata(llvm::LLVMContext::MD_invariant_load, mark);
  }
}

/// Whether the memory around the image is said to be readable with all loads that `function` has, one of those that load texels: what is
/// inlined next has it.
void mark_padded(llvm::Function& function, bool is_padded) {
  llvm::MDNode* const mark = is_padded ? llvm::MDNode::get(function.getContext(), {}) : nullptr;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::LoadInst>(instruction)) instruction.setMetadata(kPaddedMetadata, mark);
}

/// A function of no source, in whose name inlined image functions stand in a kernel's line tables.
llvm::DISubprogram* make_image_unit(llvm::DISubprogram& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  auto* type = llvm::DISubroutineType::get(context, llvm::DINode::FlagZero, 0, llvm::MDNode::get(context, {}));
  return llvm::DISubprogram::getDistinct(context, kernel.getFile(), kImageUnit, "", kernel.getFile(), 0, type, 0, nullptr, 0, 0,
                                         llvm::DINode::FlagArtificial, llvm::DISubprogram::SPFlagDefinition, kernel.getUnit());
}

/// Gives what will be inlined for `call` its line, in the image unit's name.
void place_in_image_unit(llvm::CallBase& call, llvm::DISubprogram& unit) {
  const llvm::DILocation* at = call.getDebugLoc();
  if (!at) return;
  auto* distinct = llvm::DILocation::getDistinct(at->getContext(), at->getLine(), at->getColumn(), at->getScope(), at->getInlinedAt());
  call.setDebugLoc(llvm::DILocation::get(at->getContext(), at->getLine(), at->getColumn(), &unit, distinct));
}

/// Whether `call`, in a kernel, is of an image function that reads the format at run time.
bool is_of_any_format(const llvm::CallBase& call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const bool has_level = name.starts_with("__weft_image_sample") || name.starts_with("__weft_image_write");
  return !llvm::isa<llvm::ConstantInt>(call.getArgOperand(has_level ? 2 : 1));
}

/// Inlines image functions and what they call in turn. Inlining copies only the blocks that constants lead to. Code for any format is
/// all of them: where it is needed more than kMostOfAnyFormat times, it stays a function, which runs for one lane after the other.
llvm::Error inline_image_functions(llvm::Function& kernel, bool counted) {
  for (llvm::Function& function : *kernel.getParent())
    if (is_image_function(&function)) mark_accesses(function);
  struct ImageCall {
    llvm::CallBase* call;
    const Value* image;
  };
  llvm::SmallVector<ImageCall, 32> calls;
  const auto add = [&](llvm::CallBase* call, const Value* image) {
    if (is_image_function(call->getCalledFunction())) calls.push_back({call, image});
    const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(image);
    if (argument && called_name(*call) == primitive::kCountTexel)
      call->addFnAttr(llvm::Attribute::get(call->getContext(), kImageNumber, std::to_string(argument->getArgNo())));
  };
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<CallInst>(&instruction)) add(call, call->arg_empty() ? nullptr : call->getArgOperand(0));
  const auto of_any_format = [](const ImageCall& one) { return is_of_any_format(*one.call); };
  if (!counted && llvm::count_if(calls, of_any_format) > kMostOfAnyFormat) llvm::erase_if(calls, of_any_format);
  // Coordinates, which become addresses. Colors stay vectors, as memory has them.
  ScalarElements scalars;
  for (const ImageCall& one : calls) {
    const llvm::StringRef name = one.call->getCalledFunction()->getName();
    const bool has_coordinates = name.starts_with("__weft_image_read") || name.starts_with("__weft_image_sample") || name.starts_with("__weft_image_write");
    for (llvm::Use& argument : one.call->args()) {
      if (!has_coordinates || !argument->getType()->isVectorTy()) continue;
      argument.set(scalars.rebuild(*argument, *one.call));
      break;  // what is written follows
    }
  }
  llvm::DISubprogram* const subprogram = kernel.getSubprogram();
  if (counted && subprogram && !calls.empty()) {
    llvm::DISubprogram* const unit = make_image_unit(*subprogram);
    for (const ImageCall& one : calls) place_in_image_unit(*one.call, *unit);
  }
  while (!calls.empty()) {
    const auto [call, image] = calls.pop_back_val();
    if (llvm::Function* const function = call->getCalledFunction(); function->getName().starts_with("__weft_image_load")) {
      const auto* format = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(1));
      mark_padded(*function, format && (format->getZExtValue() & kFormatPadded));
    }
    llvm::InlineFunctionInfo inlined;
    const llvm::InlineResult result = llvm::InlineFunction(*call, inlined, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false);
    if (!result.isSuccess()) return llvm::createStringError(std::string("error: an image function cannot be inlined: ") + result.getFailureReason());
    for (llvm::CallBase* inner : inlined.InlinedCallSites) add(inner, image);
  }
  return llvm::Error::success();
}

/// Functions that stay such run in one lane, which reads for itself.
void read_for_one(const llvm::Function& kernel) {
  for (const llvm::StringRef name : {primitive::kRowFits, primitive::kRowFirst, primitive::kRowLane, primitive::kRowTake, primitive::kRowAny}) {
    llvm::Function* const function = kernel.getParent()->getFunction(name);
    if (!function) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
      auto& call = llvm::cast<CallInst>(*user);
      if (call.getFunction() == &kernel) continue;
      llvm::Type* type = call.getType();
      call.replaceAllUsesWith(name == primitive::kRowFits ? llvm::ConstantInt::getFalse(type) : static_cast<Value*>(llvm::PoisonValue::get(type)));
      call.eraseFromParent();
    }
  }
}

}  // namespace

bool is_of_image_unit(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc();
  return at && at->getScope()->getSubprogram()->getName() == kImageUnit;
}

llvm::Expected<llvm::Function*> lower_images(llvm::Function& kernel, const ArgumentFormats& formats) {
  const bool uses_images = llvm::any_of(kernel.args(), [](const llvm::Argument& a) { return a.getType()->isTargetExtTy(); }) ||
                           llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& i) { return i.getType()->isTargetExtTy(); });
  if (!uses_images) return &kernel;
  llvm::DenseMap<Value*, llvm::Argument*> arguments;
  llvm::Function& made = lower_signature(kernel, arguments);
  ImageValues images(made, arguments, formats);
  if (llvm::Error error = lower_values(made, images)) return error;
  kernel.eraseFromParent();
  return &made;
}

llvm::Error specialize_images(llvm::Function& kernel, bool counted) {
  const bool uses_images = llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && is_image_function(call->getCalledFunction());
  });
  if (!uses_images) return llvm::Error::success();
  if (llvm::Error error = inline_image_functions(kernel, counted)) return error;
  read_for_one(kernel);
  if (!counted)
    for (llvm::Function& function : *kernel.getParent())
      if (&function == &kernel || is_image_function(&function))
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
          if (called_name(instruction) == primitive::kCountTexel) instruction.eraseFromParent();
  pin_shared_memory(kernel);
  return llvm::Error::success();
}

}  // namespace weft::compiler::simt
