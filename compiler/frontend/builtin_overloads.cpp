#include "compiler/frontend/builtin_overloads.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/DenseSet.h"

namespace weft::compiler::frontend {
namespace {

class BuiltinOverloads : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) consider(decl);
    return true;
  }

  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    consider(decl);
    return false;
  }

 private:
  void consider(clang::Decl* decl) {
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
    if (sema_ == nullptr || function == nullptr) return;
    const clang::IdentifierInfo* name = function->getIdentifier();
    if (name != nullptr && !declared_.contains(name) && declare_beside(*function)) declared_.insert(name);
  }

  /// Puts the builtins of the function's name into the scope of the translation unit. False when it hides them.
  bool declare_beside(const clang::FunctionDecl& function) {
    clang::LookupResult found(*sema_, function.getDeclName(), function.getLocation(), clang::Sema::LookupOrdinaryName);
    found.suppressDiagnostics();
    if (!sema_->LookupBuiltin(found)) return true;
    llvm::SmallVector<clang::FunctionDecl*> builtins;
    // Those of Clang's own kind, as to_global, it declares once for all.
    for (clang::NamedDecl* each : found)
      if (auto* builtin = llvm::dyn_cast<clang::FunctionDecl>(each); builtin != nullptr && builtin->getBuiltinID() == 0)
        builtins.push_back(builtin);
    if (!function.hasAttr<clang::OverloadableAttr>() &&
        llvm::any_of(builtins, [&](const clang::FunctionDecl* builtin) { return has_parameters_of(*builtin, function); }))
      return false;
    llvm::SmallVector<const clang::FunctionDecl*> own;
    for (clang::NamedDecl* each : sema_->Context.getTranslationUnitDecl()->lookup(function.getDeclName()))
      if (const auto* other = llvm::dyn_cast<clang::FunctionDecl>(each)) own.push_back(other);
    for (clang::FunctionDecl* builtin : builtins)
      if (llvm::none_of(own, [&](const clang::FunctionDecl* other) { return has_parameters_of(*builtin, *other); }))
        sema_->PushOnScopeChains(builtin, sema_->TUScope, /*AddToContext=*/false);
    return true;
  }

  bool has_parameters_of(const clang::FunctionDecl& a, const clang::FunctionDecl& b) const {
    return a.getNumParams() == b.getNumParams() &&
           llvm::equal(a.parameters(), b.parameters(), [&](const clang::ParmVarDecl* p, const clang::ParmVarDecl* q) {
             return sema_->Context.hasSameUnqualifiedType(p->getType(), q->getType());
           });
  }

  clang::Sema* sema_ = nullptr;
  llvm::DenseSet<const clang::IdentifierInfo*> declared_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> make_builtin_overloads() { return std::make_unique<BuiltinOverloads>(); }

}  // namespace weft::compiler::frontend
