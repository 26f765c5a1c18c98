#include "compiler/frontend/nesting.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "compiler/support/deep_thread.h"

namespace weft::compiler::frontend {

void limit_nesting(clang::Preprocessor& preprocessor) {
  clang::DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
  const unsigned message = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "the source is nested too deep");
  // The parser asks for each token from where it stands in its recursion.
  preprocessor.setTokenWatcher([&diagnostics, message, is_over = false](const clang::Token& token) mutable {
    if (!is_over) {
      if (support::stack_used() <= support::kStackBytes / 16) return;
      is_over = true;
      diagnostics.Report(token.getLocation(), message);
    }
    // From here on there is nothing to parse. The token is the parser's own variable.
    const_cast<clang::Token&>(token).setKind(clang::tok::eof);
  });
}

}  // namespace weft::compiler::frontend
