// SPIR-V loads, stores and chooses whole structs and arrays; Clang's code, which the passes know, has their scalars and vectors.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::spirv {

/// Makes loads, stores, selects and phis of structs and arrays ones of their parts.
void split_aggregates(llvm::Function& function);

}  // namespace weft::compiler::spirv
