#include "compiler/frontend/extension_functions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace weft::compiler::frontend {
namespace {

using clang::QualType;
using Overloads = llvm::SmallVector<clang::FunctionDecl*, 0>;

/// Makes the overloads of a function that Clang lacks.
class Declarer {
 public:
  Declarer(clang::ASTContext& context, const clang::IdentifierInfo& name) : context_(context), name_(name) {}

  /// Empty where they have no function of the name.
  Overloads run() {
    llvm::StringRef name = name_.getName();
    if (name == "async_work_group_copy_2D2D") {
      declare_boxes(/*numbers=*/5);
    } else if (name == "async_work_group_copy_3D3D") {
      declare_boxes(/*numbers=*/8);
    } else if (name.consume_front("intel_sub_group_")) {
      declare_sub_group(name);
    } else if (name == "vloada_half") {
      declare_half_load();
    } else if (name.consume_front("vstorea_half")) {
      if (name.empty() || name == "_rte" || name == "_rtz" || name == "_rtp" || name == "_rtn") declare_half_store();
    }
    return std::move(made_);
  }

 private:
  void declare_sub_group(llvm::StringRef name) {
    if (name.consume_front("block_read")) {
      declare_blocks(name, /*reads=*/true);
    } else if (name.consume_front("block_write")) {
      declare_blocks(name, /*reads=*/false);
    } else if (name == "shuffle" || name == "shuffle_xor") {
      for_vectors(all_types(), [&](QualType type) { declare(type, {type, context_.UnsignedIntTy}); });
    } else if (name == "shuffle_up" || name == "shuffle_down") {
      for_vectors(all_types(), [&](QualType type) { declare(type, {type, type, context_.UnsignedIntTy}); });
    } else if (name == "broadcast") {
      for_vectors(small_types(), [&](QualType type) { declare(type, {type, context_.UnsignedIntTy}); });
    } else if (name.consume_front("reduce_") || name.consume_front("scan_inclusive_") || name.consume_front("scan_exclusive_")) {
      if (name == "add" || name == "min" || name == "max")
        for (const QualType type : small_types()) declare(type, {type});
    }
  }

  /// A single half is aligned in any place: the same as vload_half, by the names of the vectors' aligned forms.
  void declare_half_load() {
    const auto load = [&](clang::LangAS space) {
      declare(context_.FloatTy, {context_.getSizeType(), pointer_to(context_.HalfTy.withConst(), space)}, /*convergent=*/false);
    };
    for_spaces(load);
    load(clang::LangAS::opencl_constant);
  }
  void declare_half_store() {
    for (const QualType value : {QualType(context_.FloatTy), QualType(context_.DoubleTy)})
      for_spaces([&](clang::LangAS space) {
        declare(context_.VoidTy, {value, context_.getSizeType(), pointer_to(context_.HalfTy, space)}, /*convergent=*/false);
      });
  }

  /// To local and to global memory: where to and from, each with an offset, then `numbers` sizes and strides, and an event.
  void declare_boxes(unsigned numbers) {
    const QualType size = context_.getSizeType();
    for (const bool to_local : {true, false}) {
      const auto to = to_local ? clang::LangAS::opencl_local : clang::LangAS::opencl_global;
      const auto from = to_local ? clang::LangAS::opencl_global : clang::LangAS::opencl_local;
      llvm::SmallVector<QualType, 16> parameters = {pointer_to(context_.VoidTy, to), size};
      parameters.append({pointer_to(context_.VoidTy.withConst(), from), size});
      parameters.append(numbers, size);
      parameters.push_back(context_.OCLEventTy);
      declare(context_.OCLEventTy, parameters);
    }
  }

  llvm::SmallVector<QualType, 4> small_types() const {
    return {context_.CharTy, context_.UnsignedCharTy, context_.ShortTy, context_.UnsignedShortTy};
  }
  llvm::SmallVector<QualType, 12> all_types() const {
    llvm::SmallVector<QualType, 12> types;
    llvm::append_range(types, small_types());
    types.append({context_.IntTy, context_.UnsignedIntTy, context_.LongTy, context_.UnsignedLongTy, context_.HalfTy, context_.FloatTy,
                  context_.DoubleTy});
    return types;
  }

  QualType pointer_to(QualType type, clang::LangAS space) const {
    return context_.getPointerType(context_.getAddrSpaceQualType(type, space));
  }
  QualType vector(QualType element, unsigned width) const { return width == 1 ? element : context_.getExtVectorType(element, width); }

  template <typename Types, typename F>
  void for_vectors(const Types& elements, F work) const {
    for (const QualType element : elements)
      for (const unsigned width : {1u, 2u, 3u, 4u, 8u, 16u}) work(vector(element, width));
  }

  /// The spaces that are written to; the generic one only in versions that have it.
  template <typename F>
  void for_spaces(F work) const {
    for (const auto space : {clang::LangAS::opencl_private, clang::LangAS::opencl_global, clang::LangAS::opencl_local}) work(space);
    if (context_.getLangOpts().OpenCLGenericAddressSpace) work(clang::LangAS::opencl_generic);
  }

  /// `suffix`: the element's type and their number, as _us4.
  void declare_blocks(llvm::StringRef suffix, bool reads) {
    const QualType element = llvm::StringSwitch<QualType>(suffix.take_front(3))
                                 .Case("_uc", context_.UnsignedCharTy)
                                 .Case("_us", context_.UnsignedShortTy)
                                 .Case("_ui", context_.UnsignedIntTy)
                                 .Case("_ul", context_.UnsignedLongTy)
                                 .Default(context_.UnsignedIntTy);
    if (suffix.starts_with("_u")) suffix = suffix.drop_front(3);
    const unsigned width = llvm::StringSwitch<unsigned>(suffix).Case("", 1).Case("2", 2).Case("4", 4).Case("8", 8).Case("16", 16).Default(0);
    const bool has_16 = element == context_.UnsignedCharTy || element == context_.UnsignedShortTy;
    if (width == 0 || (width == 16 && !has_16)) return;
    const bool has_images = width < 16 || element == context_.UnsignedCharTy;
    const QualType block = vector(element, width), place = vector(context_.IntTy, 2);
    if (reads) {
      declare(block, {pointer_to(element.withConst(), clang::LangAS::opencl_global)});
      if (has_images)
        for (const QualType image : {QualType(context_.OCLImage2dROTy), QualType(context_.OCLImage2dRWTy)}) declare(block, {image, place});
    } else {
      declare(context_.VoidTy, {pointer_to(element, clang::LangAS::opencl_global), block});
      if (has_images)
        for (const QualType image : {QualType(context_.OCLImage2dWOTy), QualType(context_.OCLImage2dRWTy)})
          declare(context_.VoidTy, {image, place, block});
    }
  }

  void declare(QualType result, llvm::ArrayRef<QualType> parameters, bool convergent = true) {
    clang::FunctionProtoType::ExtProtoInfo info(context_.getDefaultCallingConvention(/*IsVariadic=*/false, /*IsCXXMethod=*/false));
    const QualType type = context_.getFunctionType(result, parameters, info);
    auto* function = clang::FunctionDecl::Create(context_, context_.getTranslationUnitDecl(), {}, {}, &name_, type, nullptr, clang::SC_Extern,
                                                 /*UsesFPIntrin=*/false, /*isInlineSpecified=*/false, /*hasWrittenPrototype=*/true);
    function->setImplicit();
    llvm::SmallVector<clang::ParmVarDecl*, 4> declared;
    for (unsigned i = 0; i < parameters.size(); ++i) {
      declared.push_back(clang::ParmVarDecl::Create(context_, function, {}, {}, nullptr, parameters[i], nullptr, clang::SC_None, nullptr));
      declared.back()->setScopeInfo(0, i);
    }
    function->setParams(declared);
    function->addAttr(clang::OverloadableAttr::CreateImplicit(context_));
    if (convergent) function->addAttr(clang::ConvergentAttr::CreateImplicit(context_));
    made_.push_back(function);
  }

  clang::ASTContext& context_;
  const clang::IdentifierInfo& name_;
  Overloads made_;
};

/// Asked by Clang for names that nothing else declares.
class DeclarationSource : public clang::ExternalSemaSource {
 public:
  explicit DeclarationSource(clang::Sema& sema) : sema_(sema) {}

  bool LookupUnqualified(clang::LookupResult& result, clang::Scope*) override {
    const clang::IdentifierInfo* name = result.getLookupName().getAsIdentifierInfo();
    // A program's own declaration of the name is what it calls.
    if (result.getLookupKind() != clang::Sema::LookupOrdinaryName || result.isForRedeclaration() || !name) return false;
    const auto [known, is_new] = overloads_.try_emplace(name);
    if (is_new) known->second = Declarer(sema_.Context, *name).run();
    for (clang::FunctionDecl* function : known->second) result.addDecl(function);
    result.resolveKind();
    return !known->second.empty();
  }

 private:
  clang::Sema& sema_;
  llvm::DenseMap<const clang::IdentifierInfo*, Overloads> overloads_;
};

class ExtensionFunctions : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema& sema) override { sema.addExternalSource(new DeclarationSource(sema)); }
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> make_extension_functions() { return std::make_unique<ExtensionFunctions>(); }

}  // namespace weft::compiler::frontend
