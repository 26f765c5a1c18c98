#include <map>

#include "compiler/linker/builtin_library.h"
#include "compiler/linker/library_format.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace weft::compiler::linker {
namespace {

/// "max" of `_Z3maxDv4_fS_`; other names as they are.
llvm::StringRef family_name(llvm::StringRef symbol) {
  llvm::StringRef rest = symbol;
  unsigned length = 0;
  if (rest.consume_front("_Z") && !rest.consumeInteger(10, length) && length <= rest.size())
    return rest.take_front(length);
  return symbol;
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

llvm::SmallVector<char, 0> pack_library(llvm::Module& library) {
  library.setTargetTriple("spir64-unknown-unknown");
  std::map<std::string, std::vector<llvm::Function*>> families;
  for (llvm::Function& function : library)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      families[family_name(function.getName()).str()].push_back(&function);

  std::vector<library_format::Symbol> symbols;
  std::vector<llvm::SmallVector<char, 0>> modules;
  for (const auto& [name, functions] : families) {
    for (const llvm::Function* function : functions)
      symbols.push_back(
          {llvm::xxh3_64bits(function->getName()), static_cast<std::uint32_t>(modules.size()), 0});
    const std::unique_ptr<llvm::Module> member = make_member(library, functions);  // outlives its names' use
    llvm::BitcodeWriter writer(modules.emplace_back());
    writer.writeModule(*member);
    writer.writeStrtab();
  }
  llvm::sort(symbols, [](const auto& a, const auto& b) { return a.hash < b.hash; });

  llvm::SmallVector<char, 0> bytes;
  const auto append = [&bytes](const auto& value) {
    const char* begin = reinterpret_cast<const char*>(&value);
    bytes.append(begin, begin + sizeof(value));
  };
  library_format::Header header{};
  std::copy_n(library_format::kMagic, sizeof(header.magic), header.magic);
  header.symbols = static_cast<std::uint32_t>(symbols.size());
  header.members = static_cast<std::uint32_t>(modules.size());
  append(header);
  for (const library_format::Symbol& symbol : symbols) append(symbol);
  std::size_t offset = bytes.size() + modules.size() * sizeof(library_format::Member);
  for (const auto& module : modules) {
    append(library_format::Member{static_cast<std::uint32_t>(offset),
                                  static_cast<std::uint32_t>(module.size())});
    offset += llvm::alignTo(module.size(), 8);
  }
  for (const auto& module : modules) {
    bytes.append(module.begin(), module.end());
    bytes.resize(llvm::alignTo(bytes.size(), 8));
  }
  return bytes;
}

}  // namespace weft::compiler::linker
