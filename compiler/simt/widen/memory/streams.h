// Stores past the caches, in code for launches that write more than these hold (Specialization::streams): whole registers of whole lines.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Widening;
struct Access;

/// Whether runs of `bytes` that `access` stores go past the caches if they begin where a line does.
bool may_stream(const Widening& w, const Access& access, std::uint64_t bytes);

/// `streamed` where all of `starts`, addresses or distances of them, are of whole lines, else `plain`.
void stream_or(Widening& w, llvm::ArrayRef<llvm::Value*> starts, llvm::function_ref<void()> streamed, llvm::function_ref<void()> plain);

/// Stores `block` at `base`, where a line begins, by registers past the caches.
void store_past_caches(Widening& w, const Access& access, llvm::Value* block, llvm::Value* base);

}  // namespace weft::compiler::simt
