// How deep a source may nest, whatever it nests.
#pragma once

namespace clang {
class Preprocessor;
}

namespace weft::compiler::frontend {

/// Ends the parse of a source with an error once it has taken a sixteenth of the thread's stack: Clang's own bound
/// (-fbracket-depth) counts brackets and nothing else, and what is parsed has still to be walked by all that follows. For a thread
/// of support/deep_thread.h.
void limit_nesting(clang::Preprocessor& preprocessor);

}  // namespace weft::compiler::frontend
