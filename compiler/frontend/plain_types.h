// Pipes, reservations, queues and events of the device as the functions of builtins/pipe.cl and builtins/enqueue.cl take them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace weft::compiler::frontend {

/// `bool is_valid_reserve_id(reserve_id_t)` as Clang and the SPIR-V translator mangle it, and as the library calls it.
inline constexpr llvm::StringLiteral kMangledIsValid = "_Z19is_valid_reserve_id13ocl_reserveid";
inline constexpr llvm::StringLiteral kIsValid = "__is_valid_reserve_id";

/// Clang's types of pipes become pointers to global memory, those of reservations, queues and events integers of 64 bits, wherever they
/// stand. Before the module is written: bitcode does not have Clang's CLK_NULL_RESERVE_ID, an integer cast to such a type.
void lower_to_plain_types(llvm::Module& module);

}  // namespace weft::compiler::frontend
