// What other compilers take and OpenCL C does not.
#pragma once

#include <memory>
#include <string>

#include "clang/Basic/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"

namespace weft::compiler::frontend {

/// A source that fails for one of these alone is compiled once more, with kLenientHeader before it. So a valid program means what it
/// would mean without: the header adds to no source that builds.
///  - calls of mul24, mad24, min, max and clamp with arguments of different types, or of types that mul24 does not have, between
///    whose overloads the language does not choose: `mul24(get_group_id(0), get_local_size(0))`;
///  - program-scope samplers without `const`;
///  - `asm`, which OpenCL C does not know: programs write PTX where `cl_nv_pragma_unroll` is defined, which they take for the name of
///    NVIDIA's compiler, and something else where it is not. So it is not.
extern const char kLenientHeader[];

/// Prints diagnostics to `log` as Clang does, and keeps those errors apart that may be forgiven.
class LenientPrinter : public clang::DiagnosticConsumer {
 public:
  LenientPrinter(llvm::raw_ostream& log, clang::DiagnosticOptions& options);
  ~LenientPrinter() override;

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

  /// The errors that the header may cure, as warnings.
  const std::string& forgiven() const { return forgiven_; }

 private:
  std::unique_ptr<clang::DiagnosticConsumer> printer_;
  std::string forgiven_;
};

}  // namespace weft::compiler::frontend
