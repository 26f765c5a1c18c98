#include "compiler/spirv/opaque_types.h"

#include "compiler/frontend/plain_types.h"
#include "compiler/simt/ir/kernel_metadata.h"
#include "compiler/simt/ir/primitives.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Type;
using llvm::Value;

enum Access : unsigned { kReadOnly = 0, kWriteOnly = 1, kReadWrite = 2 };

/// `name` without `_t`, as image2d_array_depth. Null if it is no image. The parameters are those of OpTypeImage (SPIR-V §3.42.6).
Type* image_type(llvm::StringRef name, Access access, llvm::LLVMContext& context) {
  if (!name.consume_front("image")) return nullptr;
  enum Dimension : unsigned { k1D = 0, k2D = 1, k3D = 2, kBuffer = 5, kNone = ~0u };
  unsigned dimension = llvm::StringSwitch<unsigned>(name.take_front(2)).Case("1d", k1D).Case("2d", k2D).Case("3d", k3D).Default(kNone);
  if (dimension == kNone) return nullptr;
  const llvm::StringRef rest = name.drop_front(2);
  if (rest == "_buffer") dimension = kBuffer;
  const auto has = [&](llvm::StringRef what) -> unsigned { return rest.contains(what); };
  const unsigned parameters[] = {dimension, has("depth"), has("array"), has("msaa"), 0, 0, access};
  return llvm::TargetExtType::get(context, "spirv.Image", {Type::getVoidTy(context)}, parameters);
}

/// Pipes are pointers to global memory here and there.
Type* reservation_type(llvm::LLVMContext& context) { return Type::getInt64Ty(context); }

/// Of queues and events of the device.
Type* handle_type(llvm::LLVMContext& context) { return Type::getInt64Ty(context); }
bool returns_handle(llvm::StringRef name) { return name == "_Z17get_default_queuev" || name == "_Z17create_user_eventv"; }

/// Of the functions of pipes, whose names have no types (builtins/pipe.cl).
bool returns_reservation(llvm::StringRef name) { return name.starts_with("__") && name.contains("reserve_") && name.ends_with("_pipe"); }
std::optional<unsigned> reservation_parameter(llvm::StringRef name) {
  if (name == frontend::kIsValid) return 0;
  const bool commits = name.starts_with("__") && name.contains("commit_") && name.ends_with("_pipe");
  return commits || name == "__read_pipe_4" || name == "__write_pipe_4" ? std::optional(1u) : std::nullopt;
}

/// Of a parameter as the demangler writes it, as ocl_image2d_ro; null if it is none of these types.
Type* named_type(llvm::StringRef name, llvm::LLVMContext& context) {
  if (!name.consume_front("ocl_")) return nullptr;
  if (name == "sampler") return llvm::TargetExtType::get(context, "spirv.Sampler");
  if (name == "event") return llvm::TargetExtType::get(context, "spirv.Event");
  if (name == "reserveid") return reservation_type(context);
  if (name == "queue" || name == "clkevent") return handle_type(context);
  const auto access = llvm::StringSwitch<std::optional<Access>>(name.take_back(3))
                          .Case("_ro", kReadOnly)
                          .Case("_wo", kWriteOnly)
                          .Case("_rw", kReadWrite)
                          .Default(std::nullopt);
  return access ? image_type(name.drop_back(3), *access, context) : nullptr;
}

/// The types among these of a function's parameters, by its mangled name; empty if it has none.
llvm::SmallVector<Type*, 8> parameter_types(const llvm::Function& function) {
  llvm::SmallVector<Type*, 8> result;
  if (!function.getName().starts_with("_Z") || !function.getName().contains("ocl_")) return result;
  const std::string whole = llvm::demangle(function.getName());
  llvm::StringRef list = whole;
  list = list.substr(list.find('(')).drop_front().drop_back();
  unsigned depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && (list[i] == '<' || list[i] == '(')) ++depth;
    if (i < list.size() && (list[i] == '>' || list[i] == ')')) --depth;
    if (i < list.size() && (list[i] != ',' || depth != 0)) continue;
    result.push_back(named_type(list.slice(begin, i).trim(), function.getContext()));
    begin = i + 1;
  }
  return result;
}

Type* kernel_argument_type(const llvm::Function& kernel, unsigned i) {
  llvm::StringRef name = simt::metadata_string(kernel.getMetadata("kernel_arg_type"), i);
  if (!name.consume_back("_t")) return nullptr;
  if (name == "sampler") return llvm::TargetExtType::get(kernel.getContext(), "spirv.Sampler");
  if (name == "queue") return handle_type(kernel.getContext());
  const Access access = llvm::StringSwitch<Access>(simt::metadata_string(kernel.getMetadata("kernel_arg_access_qual"), i))
                            .Case("write_only", kWriteOnly)
                            .Case("read_write", kReadWrite)
                            .Default(kReadOnly);
  return image_type(name, access, kernel.getContext());
}

/// Queues have the name in kernels' metadata that Clang has for their type in IR.
void name_queues(llvm::Function& kernel) {
  for (const char* const kind : {"kernel_arg_type", "kernel_arg_base_type"}) {
    llvm::MDNode* const names = kernel.getMetadata(kind);
    for (unsigned i = 0; names && i < names->getNumOperands(); ++i)
      if (simt::metadata_string(names, i) == "opencl.queue_t") names->replaceOperandWith(i, llvm::MDString::get(kernel.getContext(), "queue_t"));
  }
}

/// Types change in place, and with them those of all values that they meet; function types follow at the end.
class Retyper {
 public:
  explicit Retyper(llvm::Module& module) : module_(module) {}

  llvm::Error run() {
    for (llvm::Function& function : module_) seed(function);
    while (!pending_.empty() && conflict_.empty()) spread(*pending_.pop_back_val());
    if (!conflict_.empty()) return llvm::createStringError("error: '" + conflict_ + "' is used as two kinds of images, samplers, events, queues or reservations\n");
    for (llvm::Function* function : llvm::SmallVector<llvm::Function*>(changed_.begin(), changed_.end())) rebuild(*function);
    return llvm::Error::success();
  }

 private:
  void seed(llvm::Function& function) {
    const auto types = parameter_types(function);
    for (unsigned i = 0; i < function.arg_size(); ++i) {
      Type* type = i < types.size() && types.size() == function.arg_size() ? types[i] : nullptr;
      if (!type && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) type = kernel_argument_type(function, i);
      if (type) give_parameter(function, i, type);
    }
    if (function.getName() == simt::primitive::kTranslateSampler) give_return(function, llvm::TargetExtType::get(module_.getContext(), "spirv.Sampler"));
    if (const auto i = reservation_parameter(function.getName()); i && *i < function.arg_size())
      give_parameter(function, *i, reservation_type(module_.getContext()));
    if (returns_reservation(function.getName()) && !function.getReturnType()->isVoidTy())
      give_return(function, reservation_type(module_.getContext()));
    if (returns_handle(function.getName())) give_return(function, handle_type(module_.getContext()));
    if (function.getName().starts_with("__enqueue_kernel_")) give_parameter(function, 0, handle_type(module_.getContext()));
    if (llvm::StringRef(llvm::demangle(function.getName())).starts_with("async_work_group_"))
      give_return(function, llvm::TargetExtType::get(module_.getContext(), "spirv.Event"));
  }

  void give(Value& value, Type* type) {
    if (value.getType() == type) return;
    if (!value.getType()->isPointerTy()) {
      conflict_ = value.getName().str();
      return;
    }
    value.mutateType(type);
    pending_.push_back(&value);
  }

  /// What an instruction takes there; a constant, which stands for many, is replaced.
  void give_operand(llvm::Use& use, Type* type) {
    if (llvm::isa<llvm::Constant>(use.get())) use.set(llvm::Constant::getNullValue(type));
    else give(*use.get(), type);
  }

  void give_parameter(llvm::Function& function, unsigned i, Type* type) {
    if (function.getArg(i)->getType() == type) return;
    changed_.insert(&function);
    give(*function.getArg(i), type);
    for_calls(function, [&](llvm::CallBase& call) { give_operand(call.getArgOperandUse(i), type); });
  }

  void give_return(llvm::Function& function, Type* type) {
    if (!returned_.try_emplace(&function, type).second) return;
    changed_.insert(&function);
    for_calls(function, [&](llvm::CallBase& call) { give(call, type); });
    for (llvm::BasicBlock& block : function)
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) give_operand(end->getOperandUse(0), type);
  }

  template <typename F>
  static void for_calls(llvm::Function& function, F&& work) {
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &function) work(*call);
  }

  /// Values that `value` comes from, and those that come from it.
  void spread(Value& value) {
    Type* type = value.getType();
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&value)) {
      if (llvm::Function* callee = call->getCalledFunction()) give_return(*callee, type);
    } else if (auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) {
      changed_.insert(argument->getParent());
      for_calls(*argument->getParent(), [&](llvm::CallBase& caller) { give_operand(caller.getArgOperandUse(argument->getArgNo()), type); });
    } else if (llvm::isa<llvm::PHINode>(value)) {
      for (llvm::Use& use : llvm::cast<llvm::PHINode>(value).incoming_values()) give_operand(use, type);
    } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      give_operand(select->getOperandUse(1), type);
      give_operand(select->getOperandUse(2), type);
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
      give_variable(*load->getPointerOperand(), type);
    } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&value)) {
      give_operand(cast->getOperandUse(0), type);
    }
    for (llvm::Use& use : value.uses()) {
      llvm::User* user = use.getUser();
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        llvm::Function* callee = call->getCalledFunction();
        if (callee && call->isArgOperand(&use) && call->getArgOperandNo(&use) < callee->arg_size())
          give_parameter(*callee, call->getArgOperandNo(&use), type);
      } else if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::BitCastInst>(user)) {
        give(*user, type);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        give_variable(*store->getPointerOperand(), type);
      } else if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(user)) {
        give_return(*end->getFunction(), type);
      }
    }
  }

  /// A variable that holds one, as Clang has for each parameter without optimization.
  void give_variable(Value& pointer, Type* type) {
    for (llvm::Use& use : pointer.uses()) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(use.getUser()); load && load->getType()->isPointerTy()) give(*load, type);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser()); store && store->getPointerOperand() == &pointer)
        give_operand(store->getOperandUse(0), type);
    }
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&pointer)) variable->setAllocatedType(type);
  }

  /// Makes a function of the type that its parameters have by now.
  void rebuild(llvm::Function& function) {
    llvm::SmallVector<Type*, 8> parameters;
    for (llvm::Argument& argument : function.args()) parameters.push_back(argument.getType());
    Type* returned = returned_.lookup(&function);
    auto* type = llvm::FunctionType::get(returned ? returned : function.getReturnType(), parameters, function.isVarArg());
    auto* made = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace(), "", &module_);
    made->takeName(&function);
    made->copyAttributesFrom(&function);
    made->copyMetadata(&function, 0);
    made->splice(made->begin(), &function);
    for (unsigned i = 0; i < parameters.size(); ++i) {
      made->removeParamAttrs(i, llvm::AttributeFuncs::typeIncompatible(parameters[i]));
      made->getArg(i)->takeName(function.getArg(i));
      function.getArg(i)->replaceAllUsesWith(made->getArg(i));
    }
    made->removeRetAttrs(llvm::AttributeFuncs::typeIncompatible(type->getReturnType()));
    for_calls(function, [&](llvm::CallBase& call) {
      call.mutateFunctionType(type);
      for (unsigned i = 0; i < parameters.size(); ++i) call.removeParamAttrs(i, llvm::AttributeFuncs::typeIncompatible(parameters[i]));
      call.removeRetAttrs(llvm::AttributeFuncs::typeIncompatible(type->getReturnType()));
    });
    function.replaceAllUsesWith(made);
    function.eraseFromParent();
  }

  llvm::Module& module_;
  llvm::SmallVector<Value*, 16> pending_;
  llvm::SetVector<llvm::Function*> changed_;
  llvm::DenseMap<llvm::Function*, Type*> returned_;
  std::string conflict_;
};

}  // namespace

llvm::Error give_opaque_types(llvm::Module& module) {
  for (llvm::Function& function : module) name_queues(function);
  // Of the intrinsics on a variable that changes its type none is needed.
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (llvm::isa<llvm::IntrinsicInst>(instruction) && llvm::cast<llvm::IntrinsicInst>(instruction).isLifetimeStartOrEnd())
        instruction.eraseFromParent();
  return Retyper(module).run();
}

}  // namespace weft::compiler::spirv
