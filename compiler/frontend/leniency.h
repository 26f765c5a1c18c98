// What other compilers take and OpenCL C does not.
#pragma once

#include <memory>
#include <string>

#include "clang/Basic/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"

namespace weft::compiler::frontend {

/// Which of these a source fails for. If for no other, it is compiled again, with a header before it that takes them, until it asks for no more. So a valid
/// program means what it would mean without: the header adds to no source that builds. It has no more than is asked for: the overloads take ten times as
/// long to read as most programs.
///  - calls of mul24, mad24, min, max and clamp with arguments of different types, or of types that mul24 does not have, between
///    whose overloads the language does not choose: `mul24(get_group_id(0), get_local_size(0))`;
///  - program-scope samplers without `const`;
///  - `asm`, which OpenCL C does not know: programs write PTX where `cl_nv_pragma_unroll` is defined, which they take for the name of
///    NVIDIA's compiler, and something else where it is not. So it is not.
struct Leniency {
  bool overloads = false;
  bool samplers = false;
  bool assembly = false;

  bool any() const { return overloads || samplers || assembly; }
  std::string header() const;
  Leniency operator|(const Leniency& other) const;
  bool operator==(const Leniency&) const = default;
};

/// Prints diagnostics to `log` as Clang does, and keeps those errors apart that may be forgiven.
class LenientPrinter : public clang::DiagnosticConsumer {
 public:
  LenientPrinter(llvm::raw_ostream& log, clang::DiagnosticOptions& options);
  ~LenientPrinter() override;

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

  /// The errors that a header may cure, as warnings, and what that has to have.
  const std::string& forgiven() const { return forgiven_; }
  const Leniency& asked() const { return asked_; }

 private:
  std::unique_ptr<clang::DiagnosticConsumer> printer_;
  std::string forgiven_;
  Leniency asked_;
};

}  // namespace weft::compiler::frontend
