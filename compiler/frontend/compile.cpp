#include "compiler/frontend/compile.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "compiler/device_features.h"
#include "compiler/frontend/blocks.h"
#include "compiler/frontend/builtin_overloads.h"
#include "compiler/frontend/extension_functions.h"
#include "compiler/frontend/leniency.h"
#include "compiler/frontend/lookups.h"
#include "compiler/frontend/loop_exits.h"
#include "compiler/frontend/nesting.h"
#include "compiler/frontend/plain_types.h"
#include "compiler/source_names.h"
#include "compiler/support/bitcode.h"
#include "compiler/support/own_files.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace weft::compiler::frontend {

extern const char kOpenclBaseHeader[];  // made from Clang's opencl-c-base.h by embed_header.cmake

namespace {

constexpr char kSystemFolder[] = "/<weft>/include";  // opencl-c-base.h
constexpr char kLenientFile[] = "/lenient.h";
constexpr char kNewestFile[] = "/opencl-3.1.h";

// OpenCL C 3.1 is for Clang 19, which does not know it, 3.0: what 3.1 made mandatory, every version has here as an extension. The
// macro changes behind the header, which asks for 300 where it means 3.0.
constexpr char kNewestHeader[] = R"(
#pragma clang system_header
#undef __OPENCL_C_VERSION__
#define __OPENCL_C_VERSION__ 310
)";

std::string without_white_space(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    if (!llvm::isSpace(c)) result += c;
  return result;
}

/// Collects the attributes of each kernel as its source writes them.
class AttributeCollector : public clang::ASTConsumer {
 public:
  explicit AttributeCollector(llvm::StringMap<std::string>& attributes) : attributes_(attributes) {}

  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl* decl : group) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
      if (function == nullptr || !function->hasAttr<clang::OpenCLKernelAttr>()) continue;
      std::string text = describe(*function);
      if (!text.empty()) attributes_[function->getName()] = std::move(text);
    }
    return true;
  }

 private:
  std::string describe(const clang::FunctionDecl& function) const {
    llvm::SmallVector<const clang::Attr*, 4> attributes;
    for (const clang::Attr* attribute : function.attrs())
      if (!attribute->isImplicit() && !llvm::isa<clang::OpenCLKernelAttr>(attribute))
        attributes.push_back(attribute);
    const clang::SourceManager& sources = context_->getSourceManager();
    llvm::stable_sort(attributes, [&](const clang::Attr* a, const clang::Attr* b) {
      return sources.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
    std::string text;
    for (const clang::Attr* attribute : attributes) {
      if (!text.empty()) text += ' ';
      llvm::raw_string_ostream stream(text);
      // Sizes are often macros: their values say more than their names.
      if (const auto* size = llvm::dyn_cast<clang::ReqdWorkGroupSizeAttr>(attribute)) {
        stream << "reqd_work_group_size(" << size->getXDim() << ',' << size->getYDim() << ','
               << size->getZDim() << ')';
      } else if (const auto* hint = llvm::dyn_cast<clang::WorkGroupSizeHintAttr>(attribute)) {
        stream << "work_group_size_hint(" << hint->getXDim() << ',' << hint->getYDim() << ','
               << hint->getZDim() << ')';
      } else if (const auto* sub_group = llvm::dyn_cast<clang::OpenCLIntelReqdSubGroupSizeAttr>(attribute)) {
        stream << "intel_reqd_sub_group_size(" << sub_group->getSubGroupSize() << ')';
      } else {
        stream << without_white_space(clang::Lexer::getSourceText(
            clang::CharSourceRange::getTokenRange(attribute->getRange()), sources, context_->getLangOpts()));
      }
    }
    return text;
  }

  clang::ASTContext* context_ = nullptr;
  llvm::StringMap<std::string>& attributes_;
};

/// Puts swizzles within vector literals in parentheses. Clang 19 makes one shuffle of `(float4)((float2)(0), (a + b).xy)` and
/// takes its other operand for a shuffle too. Here that is a constant, and Clang crashes or does not end. With parentheses
/// it makes two shuffles.
class SwizzleFixer : public clang::ASTConsumer, public clang::RecursiveASTVisitor<SwizzleFixer> {
 public:
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) TraverseDecl(decl);
    return true;
  }

  bool shouldVisitImplicitCode() const { return true; }  // the lists that code is generated from, not only those written

  bool VisitInitListExpr(clang::InitListExpr* list) {
    if (!list->getType()->isExtVectorType()) return true;
    for (unsigned i = 0; i < list->getNumInits(); ++i) {
      clang::Expr* element = list->getInit(i);
      if (llvm::isa_and_nonnull<clang::ExtVectorElementExpr>(element))
        list->setInit(i, new (*context_) clang::ParenExpr(element->getBeginLoc(), element->getEndLoc(), element));
    }
    return true;
  }

 private:
  clang::ASTContext* context_ = nullptr;
};

/// Parses the source and generates the module, without a backend.
class CompileAction : public clang::ASTFrontendAction {
 public:
  CompileAction(llvm::LLVMContext& context, Lookups& lookups) : context_(context), lookups_(lookups) {}

  std::unique_ptr<llvm::Module> module;
  llvm::StringMap<std::string> attributes;

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    lookups_.watch(compiler.getPreprocessor());
    limit_nesting(compiler.getPreprocessor());
    std::unique_ptr<clang::CodeGenerator> generator(clang::CreateLLVMCodeGen(
        compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(), compiler.getHeaderSearchOpts(),
        compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), context_));
    generator_ = generator.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(make_builtin_overloads());
    consumers.push_back(make_extension_functions());
    consumers.push_back(std::make_unique<AttributeCollector>(attributes));
    consumers.push_back(std::make_unique<SwizzleFixer>());
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override {
    if (generator_ != nullptr) module.reset(generator_->ReleaseModule());
    generator_ = nullptr;
  }

 private:
  llvm::LLVMContext& context_;
  Lookups& lookups_;
  clang::CodeGenerator* generator_ = nullptr;
};

std::string extension_flag() {
  std::string flag = "-cl-ext=-all";
  for (const NamedVersion& extension : kLanguageExtensions) flag += std::string(",+") + extension.name;
  for (const NamedVersion& feature : kFeatures) flag += std::string(",+") + feature.name;
  return flag;
}

/// To be defined before those of the program's options. Not given as arguments: to parse them takes a fiftieth of a small build.
void define_features(const CompileOptions& options, clang::PreprocessorOptions& preprocessor) {
  std::vector<std::pair<std::string, bool>> macros;
  const auto add = [&](const std::string& name) { macros.emplace_back(name + "=1", /*is undefined=*/false); };
  // Clang leaves these to its header, which defines them for SPIR only.
  const auto is_header_s = [](llvm::StringRef name) {
    return name.starts_with("cl_khr_subgroup_") || name.starts_with("cl_intel_") || name == "cl_khr_extended_bit_ops" || name == "cl_khr_extended_async_copies" || name == "cl_nv_pragma_unroll" || name == "cl_khr_integer_dot_product" ||
           name == "cl_ext_float_atomics" || name.contains("kernel_clock") ||
           name.starts_with("__opencl_c_atomic_scope_") || name.starts_with("__opencl_c_work_group_") ||
           name.starts_with("__opencl_c_integer_dot_product_");
  };
  const auto define = [&](const NamedVersion& what) {
    if (is_header_s(what.name)) add(what.name);
  };
  llvm::for_each(kLanguageExtensions, define);
  // These are extensions' features, in every version.
  const auto is_extension_s = [](llvm::StringRef name) {
    return name.starts_with("__opencl_c_integer_dot_product_") || name.starts_with("__opencl_c_kernel_clock_");
  };
  for (const NamedVersion& feature : kFeatures)
    if (options.language_version >= 300 || is_extension_s(feature.name)) define(feature);
  // Where there are atomic types: all of cl_ext_float_atomics. Loads and stores of float and double are the language's own.
  if (options.language_version >= 200)
    for (const char* const what : {"fp16_global_atomic_load_store", "fp16_local_atomic_load_store", "fp16_global_atomic_add",
                                   "fp16_local_atomic_add", "fp16_global_atomic_min_max", "fp16_local_atomic_min_max",
                                   "fp32_global_atomic_add", "fp32_local_atomic_add", "fp32_global_atomic_min_max",
                                   "fp32_local_atomic_min_max", "fp64_global_atomic_add", "fp64_local_atomic_add",
                                   "fp64_global_atomic_min_max", "fp64_local_atomic_min_max"})
      add(std::string("__opencl_c_ext_") + what);
  // The extensions need the functions of sub-groups in every version; the feature is of 3.0 alone.
  add("__opencl_subgroup_builtins");
  preprocessor.Macros.insert(preprocessor.Macros.begin(), macros.begin(), macros.end());
}

std::vector<std::string> clang_arguments(const CompileOptions& options, bool lenient) {
  std::vector<std::string> arguments = {"-triple",
                                        "spir64-unknown-unknown",
                                        "-O1",
                                        "-fno-builtin",
                                        "-relaxed-aliasing",
                                        "-disable-lifetime-markers",
                                        "-fno-jump-tables", "-funroll-loops",
                                        "-ffp-contract=on",
                                        // By its whole name: -finclude-default-header looks along the path, in the
                                        // working folder first.
                                        "-include",
                                        std::string(kSystemFolder) + "/opencl-c-base.h",
                                        // Of a folder of its own Clang has none here, and would take the working folder's ./include for it.
                                        "-nobuiltininc",
                                        "-fdeclare-opencl-builtins",
                                        "-cl-kernel-arg-info",
                                        "-cl-std=" + (options.language == "CL3.1" ? "CL3.0" : options.language),
                                        extension_flag(),
                                        "-U__SPIR__",
                                        "-U__SPIR64__",
                                        "-fmessage-length=0",
                                        "-DCL_VERSION_3_1=310",
                                        std::string("-D__OPENCL_VERSION__=") + (support::has_translator() ? "310" : "300")};
  if (options.language_version == 310) arguments.insert(arguments.end(), {"-include", std::string(kSystemFolder) + kNewestFile});
  if (options.debug_info) {
    arguments.push_back("-debug-info-kind=line-tables-only");
    arguments.push_back("-dwarf-version=4");
  }
  arguments.insert(arguments.end(), options.clang_flags.begin(), options.clang_flags.end());
  arguments.push_back(std::string("-I") + kHeaderFolder);
  arguments.insert(arguments.end(), options.preprocessor.begin(), options.preprocessor.end());
  arguments.insert(arguments.end(), {"-iquote", ".", "-internal-isystem", kSystemFolder});
  // The header makes samplers const that are already.
  if (lenient)
    arguments.insert(arguments.end(), {"-include", std::string(kSystemFolder) + kLenientFile, "-Wno-duplicate-decl-specifier"});
  return arguments;
}

/// Ends in a new line, as C wants it: in a last line without one Clang counts columns from its start, for every location anew,
/// which is quadratic where a program is one long line.
std::unique_ptr<llvm::MemoryBuffer> whole_lines(const std::string& text) {
  return llvm::StringRef(text).ends_with("\n") ? llvm::MemoryBuffer::getMemBuffer(text)
                                               : llvm::MemoryBuffer::getMemBufferCopy(text + '\n');
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(const std::string& name, const std::string& source, const std::vector<Header>& headers,
                                                            const Leniency& lenient, Lookups& lookups) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(std::string(kSystemFolder) + "/opencl-c-base.h", 0,
                  llvm::MemoryBuffer::getMemBuffer(kOpenclBaseHeader));
  memory->addFile(std::string(kSystemFolder) + kNewestFile, 0, llvm::MemoryBuffer::getMemBuffer(kNewestHeader));
  memory->addFile(std::string(kSystemFolder) + kLenientFile, 0, llvm::MemoryBuffer::getMemBufferCopy(lenient.header()));
  for (const Header& header : headers)
    memory->addFile(std::string(kHeaderFolder) + "/" + header.name, 0, whole_lines(header.text));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(lookups.watch(llvm::vfs::createPhysicalFileSystem()));
  overlay->pushOverlay(memory);
  // A file, though it is on no disk: Clang asks for the file of the text that has an #embed. From the working folder, which the
  // overlay has told `memory`.
  memory->addFile(name, 0, whole_lines(source));
  return overlay;
}

/// One run of Clang. Null on error; `forgiven`: the errors that a header may cure, as warnings, which has to have what is `asked` for.
std::unique_ptr<llvm::Module> run_clang(const std::string& source, const std::vector<Header>& headers, const CompileOptions& options,
                                        const Leniency& lenient, llvm::LLVMContext& context, std::string& log, std::string& forgiven, Leniency& asked,
                                        std::vector<Dependency>& dependencies) {
  llvm::raw_string_ostream log_stream(log);
  const std::vector<std::string> arguments = clang_arguments(options, lenient.any());
  std::vector<const char*> argument_pointers;
  for (const std::string& argument : arguments) argument_pointers.push_back(argument.c_str());

  auto diagnostic_options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  LenientPrinter printer(log_stream, *diagnostic_options);
  Lookups lookups;
  clang::CompilerInstance compiler;
  compiler.setVerboseOutputStream(log_stream);  // "1 error generated."
  {
    clang::DiagnosticsEngine diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(),
                                         diagnostic_options, &printer, false);
    if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), argument_pointers, diagnostics))
      return nullptr;
  }
  define_features(options, compiler.getPreprocessorOpts());
  clang::FrontendOptions& frontend = compiler.getFrontendOpts();
  const std::string name = options.source_name.empty() ? kSourceName : options.source_name;
  frontend.Inputs.clear();
  frontend.Inputs.emplace_back(name, clang::InputKind(clang::Language::OpenCL));
  // `#pragma clang __debug crash` and its like do what they say.
  compiler.getPreprocessorOpts().DisablePragmaDebugCrash = true;
  frontend.DisableFree = false;
  frontend.SkipFunctionBodies = true;  // for make_builtin_overloads()
  compiler.getCodeGenOpts().DisableFree = false;
  compiler.getCodeGenOpts().MainFileName = name;

  compiler.createDiagnostics(&printer, false);
  compiler.createFileManager(file_system(name, source, headers, lenient, lookups));
  CompileAction action(context, lookups);
  const bool executed = compiler.ExecuteAction(action);
  if (compiler.hasSourceManager()) dependencies = lookups.dependencies(compiler.getSourceManager());
  forgiven = printer.forgiven();
  asked = printer.asked();
  if (!executed || action.module == nullptr) return nullptr;
  lower_to_plain_types(*action.module);
  prepare_blocks(*action.module, options.explains_enqueue);
  keep_exits_in_loops(*action.module);
  for (const auto& [kernel, text] : action.attributes)
    if (llvm::Function* function = action.module->getFunction(kernel))
      function->setMetadata(kAttributesMetadata,
                            llvm::MDNode::get(context, llvm::MDString::get(context, text)));
  if (llvm::NamedMDNode* ident = action.module->getNamedMetadata("llvm.ident")) ident->eraseFromParent();
  return std::move(action.module);
}

}  // namespace

std::unique_ptr<llvm::Module> compile_to_module(const std::string& source, const std::vector<Header>& headers,
                                                const CompileOptions& options, llvm::LLVMContext& context,
                                                std::string& log, std::vector<Dependency>& dependencies) {
  const auto has = [&](llvm::StringRef flag) { return llvm::is_contained(options.clang_flags, flag); };
  const std::string before = log;
  std::string warnings;  // in place of errors
  for (Leniency lenient;;) {
    std::string run_log, forgiven;
    std::vector<Dependency> run_dependencies;
    Leniency asked;
    auto module = run_clang(source, headers, options, lenient, context, run_log, forgiven, asked, run_dependencies);
    const bool is_final = module != nullptr || (lenient | asked) == lenient || has("-Werror");
    // What is wrong is said as it is without any header.
    if (module != nullptr || !lenient.any()) {
      log = before + (has("-w") ? "" : warnings) + run_log;
      dependencies = std::move(run_dependencies);
    }
    if (is_final) return module;
    warnings += forgiven;
    lenient = lenient | asked;
  }
}

namespace {

void mark_denormals(llvm::Module& module, const CompileOptions& options) {
  if (!options.flushes_denormals) return;
  for (llvm::Function& function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) function.addFnAttr(kFlushDenormalsAttribute);
}

}  // namespace

void mark_kernels(llvm::Module& module, const NvidiaOptions& options) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) continue;
    if (options.max_registers && !function.hasFnAttribute(kMaxRegistersAttribute))
      function.addFnAttr(kMaxRegistersAttribute, std::to_string(options.max_registers));
    if (options.is_verbose) function.addFnAttr(kVerboseAttribute);
  }
}

void note_options(llvm::Module& module, const CompileOptions& options) {
  mark_kernels(module, options.nvidia);
  mark_denormals(module, options);
  if (options.has_uniform_groups) module.getOrInsertNamedMetadata(kUniformGroupsMetadata);
}

void write_object(llvm::Module& module, const CompileOptions& options, CompileResult& result) {
  note_options(module, options);
  result.object = support::write_bitcode(module);
  result.ok = true;
}

std::unique_ptr<llvm::Module> compile_for_link(const std::string& source, const std::vector<Header>& headers, const std::string& options,
                                               bool line_tables, llvm::LLVMContext& context, std::string& log,
                                               std::vector<Dependency>& dependencies, bool* invalid_options) {
  auto parsed = parse_compile_options(options, log);
  if (invalid_options != nullptr) *invalid_options = !parsed.has_value();
  if (!parsed) return nullptr;
  parsed->debug_info |= line_tables;
  parsed->has_uniform_groups |= parsed->language_version < 200;
  const bool keeps_names = may_meet(source) || llvm::any_of(headers, [](const Header& header) { return may_meet(header.text); });
  context.setDiscardValueNames(!keeps_names);
  auto module = compile_to_module(source, headers, *parsed, context, log, dependencies);
  context.setDiscardValueNames(true);
  if (module != nullptr && keeps_names) drop_names(*module);
  if (module != nullptr) note_options(*module, *parsed);
  return module;
}

CompileResult compile(const std::string& source, const std::vector<Header>& headers,
                      const std::string& options, bool line_tables, bool* invalid_options) {
  CompileResult result;
  llvm::LLVMContext context;
  const auto module = compile_for_link(source, headers, options, line_tables, context, result.log, result.dependencies, invalid_options);
  if (module == nullptr) return result;
  result.object = support::write_bitcode(*module);
  result.ok = true;
  return result;
}

}  // namespace weft::compiler::frontend
