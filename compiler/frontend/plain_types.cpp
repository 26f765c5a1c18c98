#include "compiler/frontend/plain_types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace weft::compiler::frontend {
namespace {

using llvm::Type;

constexpr unsigned kGlobalSpace = 1;

class PlainTypes : public llvm::ValueMapTypeRemapper {
 public:
  Type* remapType(Type* type) override {
    if (const auto found = known_.find(type); found != known_.end()) return found->second;
    Type* const plain = make(*type);
    return known_[type] = plain;
  }

  bool changes(Type* type) { return remapType(type) != type; }

 private:
  Type* make(Type& type) {
    llvm::LLVMContext& context = type.getContext();
    if (const auto* target = llvm::dyn_cast<llvm::TargetExtType>(&type)) {
      if (target->getName() == "spirv.Pipe") return llvm::PointerType::get(context, kGlobalSpace);
      if (target->getName() == "spirv.ReserveId" || target->getName() == "spirv.Queue" || target->getName() == "spirv.DeviceEvent")
        return Type::getInt64Ty(context);
      return &type;
    }
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(&type))
      return llvm::FunctionType::get(remapType(function->getReturnType()), all(function->params()), function->isVarArg());
    if (auto* record = llvm::dyn_cast<llvm::StructType>(&type); record && !record->isOpaque()) {
      const auto elements = all(record->elements());
      if (llvm::equal(elements, record->elements())) return &type;
      if (record->isLiteral()) return llvm::StructType::get(context, elements, record->isPacked());
      return llvm::StructType::create(context, elements, record->getName(), record->isPacked());
    }
    return &type;
  }

  llvm::SmallVector<Type*, 8> all(llvm::ArrayRef<Type*> types) {
    llvm::SmallVector<Type*, 8> result;
    for (Type* type : types) result.push_back(remapType(type));
    return result;
  }

  llvm::DenseMap<Type*, Type*> known_;
};

/// Every value of these types starts as a parameter, a variable or what a function returns.
bool has_any(llvm::Module& module, PlainTypes& types) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (types.changes(variable.getValueType())) return true;
  for (llvm::Function& function : module) {
    if (types.changes(function.getFunctionType())) return true;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (types.changes(variable->getAllocatedType())) return true;
  }
  return false;
}

llvm::GlobalVariable* make_variable(llvm::GlobalVariable& old, PlainTypes& types) {
  auto* made = new llvm::GlobalVariable(*old.getParent(), types.remapType(old.getValueType()), old.isConstant(), old.getLinkage(),
                                        nullptr, "", &old, old.getThreadLocalMode(), old.getAddressSpace());
  made->copyAttributesFrom(&old);
  made->copyMetadata(&old, 0);
  made->takeName(&old);
  return made;
}

/// With the body of `old`, whose parameters `map` has.
llvm::Function* make_function(llvm::Function& old, PlainTypes& types, llvm::ValueToValueMapTy& map) {
  auto* type = llvm::cast<llvm::FunctionType>(types.remapType(old.getFunctionType()));
  auto* made = llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), made);
  made->takeName(&old);
  made->copyAttributesFrom(&old);
  made->copyMetadata(&old, 0);
  old.clearMetadata();  // a function's description belongs to one
  made->splice(made->begin(), &old);
  for (auto [from, to] : llvm::zip(old.args(), made->args())) {
    to.takeName(&from);
    map[&from] = &to;
  }
  return made;
}

}  // namespace

void lower_to_plain_types(llvm::Module& module) {
  if (llvm::Function* asks = module.getFunction(kMangledIsValid)) asks->setName(kIsValid);
  PlainTypes types;
  if (!has_any(module, types)) return;
  // Functions are changed in place: what a map does not have stays as it is.
  const llvm::RemapFlags flags = llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs;
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<llvm::GlobalValue*, 16> old;
  for (llvm::GlobalVariable& variable : module.globals())
    if (types.changes(variable.getValueType())) old.push_back(&variable);
  for (llvm::Function& function : module)
    if (types.changes(function.getFunctionType())) old.push_back(&function);
  for (llvm::GlobalValue* each : old) {
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(each)) map[each] = make_variable(*variable, types);
    else map[each] = make_function(*llvm::cast<llvm::Function>(each), types, map);
  }
  for (llvm::GlobalValue* each : old)
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(each); variable && variable->hasInitializer())
      llvm::cast<llvm::GlobalVariable>(map[each])->setInitializer(llvm::MapValue(variable->getInitializer(), map, flags, &types));
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) llvm::RemapFunction(function, map, flags, &types);
  for (llvm::GlobalValue* each : old) each->eraseFromParent();
}

}  // namespace weft::compiler::frontend
