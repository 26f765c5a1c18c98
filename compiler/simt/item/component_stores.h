// Stores of single components of OpenCL vectors in shared memory.
//
// For `p->x = a` Clang loads the whole vector, exchanges the component and stores the whole vector again. But the statement writes the component
// alone: another work-item may write `p->y` at the same time, whose number must not be lost.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// On a load or store of components: what the vector is aligned by, and their place in it, in bytes.
inline constexpr llvm::StringLiteral kComponentMetadata = "weft.component";

/// Of stores of `function` of vectors that have just been loaded from the same address, with components exchanged: stores these components, several that
/// lie beside each other at once where that is aligned. Not of private memory, nor where all components are exchanged. Where it does, single components that
/// are read of vectors in memory are loaded alone, too, so that what a store has written is what the next load asks for.
void store_components(llvm::Function& function);

/// Stores of components of one vector in one block of `function` stand together behind what is between them, as far as that may not access
/// what they write, and become one store where they lie beside each other. Returns whether there were any.
bool join_component_stores(llvm::Function& function);

}  // namespace weft::compiler::simt
