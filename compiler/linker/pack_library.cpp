#include <map>

#include "compiler/linker/builtin_library.h"
#include "compiler/linker/sorted_symbols.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace weft::compiler::linker {
namespace {

/// The part of a function's symbol that all its overloads begin with, and no other function's: `_Z3max` of `_Z3maxDv4_fS_`;
/// other names as they are.
llvm::StringRef family_prefix(llvm::StringRef symbol) {
  llvm::StringRef rest = symbol;
  unsigned length = 0;
  if (rest.consume_front("_Z") && !rest.consumeInteger(10, length) && length <= rest.size())
    return symbol.drop_back(rest.size() - length);
  return symbol;
}

/// "max" of `_Z3max`.
llvm::StringRef family_name(llvm::StringRef prefix) {
  return prefix.consume_front("_Z") ? prefix.ltrim("0123456789") : prefix;
}

void collect_globals(const llvm::Constant& constant, llvm::SetVector<llvm::GlobalValue*>& globals) {
  if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
    globals.insert(const_cast<llvm::GlobalValue*>(global));
    return;
  }
  for (const llvm::Use& operand : constant.operands())
    collect_globals(*llvm::cast<llvm::Constant>(operand), globals);
}

/// What `global`'s definition names.
void collect_references(const llvm::GlobalValue& global, llvm::SetVector<llvm::GlobalValue*>& globals) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global)) {
    if (variable->hasInitializer()) collect_globals(*variable->getInitializer(), globals);
    return;
  }
  for (const llvm::BasicBlock& block : llvm::cast<llvm::Function>(global))
    for (const llvm::Instruction& instruction : block)
      for (const llvm::Use& operand : instruction.operands())
        if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand))
          collect_globals(*constant, globals);
}

/// A module of `family` and the static functions and tables that it uses; all else is declared.
std::unique_ptr<llvm::Module> make_member(const llvm::Module& library,
                                          const std::vector<llvm::Function*>& family) {
  auto module = std::make_unique<llvm::Module>("", library.getContext());
  module->setTargetTriple(library.getTargetTriple());
  module->setDataLayout(library.getDataLayout());

  llvm::SetVector<llvm::GlobalValue*> globals(family.begin(), family.end());
  const std::size_t own = globals.size();
  const auto is_defined_here = [&](std::size_t i) {
    return i < own || (globals[i]->hasLocalLinkage() && !globals[i]->isDeclaration());
  };
  for (std::size_t i = 0; i < globals.size(); ++i)
    if (is_defined_here(i)) collect_references(*globals[i], globals);

  llvm::ValueToValueMapTy map;
  for (std::size_t i = 0; i < globals.size(); ++i) {
    const auto linkage = is_defined_here(i) ? globals[i]->getLinkage() : llvm::GlobalValue::ExternalLinkage;
    if (auto* function = llvm::dyn_cast<llvm::Function>(globals[i])) {
      auto* copy = llvm::Function::Create(function->getFunctionType(), linkage, function->getAddressSpace(),
                                          function->getName(), module.get());
      copy->copyAttributesFrom(function);
      map[function] = copy;
    } else {
      auto* variable = llvm::cast<llvm::GlobalVariable>(globals[i]);
      auto* copy = new llvm::GlobalVariable(*module, variable->getValueType(), variable->isConstant(),
                                            linkage, nullptr, variable->getName(), nullptr,
                                            variable->getThreadLocalMode(), variable->getAddressSpace());
      copy->copyAttributesFrom(variable);
      map[variable] = copy;
    }
  }
  for (std::size_t i = 0; i < globals.size(); ++i) {
    if (!is_defined_here(i)) continue;
    if (auto* function = llvm::dyn_cast<llvm::Function>(globals[i])) {
      auto* copy = llvm::cast<llvm::Function>(map[function]);
      for (const auto& [from, to] : llvm::zip(function->args(), copy->args())) map[&from] = &to;
      llvm::SmallVector<llvm::ReturnInst*, 4> returns;
      llvm::CloneFunctionInto(copy, function, map, llvm::CloneFunctionChangeType::DifferentModule, returns);
    } else {
      auto* variable = llvm::cast<llvm::GlobalVariable>(globals[i]);
      llvm::cast<llvm::GlobalVariable>(map[variable])
          ->setInitializer(llvm::MapValue(variable->getInitializer(), map));
    }
  }
  // Cloning leaves an empty list of debug information without its version.
  if (llvm::NamedMDNode* units = module->getNamedMetadata("llvm.dbg.cu"); units && units->getNumOperands() == 0)
    units->eraseFromParent();
  return module;
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> pack_library(llvm::Module& library) {
  library.setTargetTriple("spir64-unknown-unknown");
  // Members by their prefixes and functions by name, so that the table of symbols, which follows both, is sorted.
  std::map<std::string, std::vector<llvm::Function*>> families;
  for (llvm::Function& function : library)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      families[family_prefix(function.getName()).str()].push_back(&function);

  std::vector<llvm::NewArchiveMember> members;
  for (auto& [prefix, functions] : families) {
    llvm::sort(functions, [](const auto* a, const auto* b) { return a->getName() < b->getName(); });
    llvm::SmallVector<char, 0> bitcode;
    const std::unique_ptr<llvm::Module> module = make_member(library, functions);  // outlives its names' use
    llvm::BitcodeWriter writer(bitcode);
    writer.writeModule(*module);
    writer.writeStrtab();
    llvm::NewArchiveMember& member = members.emplace_back();
    member.Buf = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(bitcode.data(), bitcode.size()), prefix);
    member.MemberName = family_name(prefix);
  }
  auto bytes = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_DARWIN,
                                          /*Deterministic=*/true, /*Thin=*/false);
  if (!bytes) return bytes.takeError();
  auto archive = llvm::object::Archive::create(**bytes);
  if (!archive) return archive.takeError();
  if (!SortedSymbols::are_in(**archive) || !SortedSymbols(**archive).are_sorted())
    return llvm::createStringError("error: the archive's symbols are not sorted");
  return bytes;
}

}  // namespace weft::compiler::linker
