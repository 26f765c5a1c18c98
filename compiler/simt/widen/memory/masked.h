// Contiguous accesses of which some lanes are off.
#pragma once

#include <cstdint>

#include <llvm/ADT/ArrayRef.h>

#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

class Widening;
struct Access;

/// Memory is present or absent by pages of at least this size, in bytes.
inline constexpr std::uint64_t kPage = 4096;

/// The integer to access in place of `count` components of `element`, where a mask for the lanes serves better than one for their
/// components: an OpenCL vector of narrow components that is a word. Else null.
llvm::Type* as_word(Widening& w, llvm::Type* element, unsigned count);

/// How far behind a page's beginning `address` lies.
llvm::Value* place_in_page(Emitter& emitter, llvm::Value* address);
/// Whether `bytes` from that `place` on, at most a page's, lie in one page: where a live lane's element is among them, all of them can be read.
llvm::Value* lies_in_page(Emitter& emitter, llvm::Value* place, std::uint64_t bytes);

/// In front of a masked access, which has no way to be volatile: nothing before it is merged with it. No code.
void keep_apart(Emitter& emitter);

/// Loads `type` for the elements in `live`. `has_live`: at least one of them is. The others are poison, or what memory holds
/// there unless the program asks for volatile.
llvm::Value* load_some(Widening& w, const Access& access, llvm::FixedVectorType* type, llvm::Value* base, llvm::Value* live,
                       bool has_live);
/// Stores what the live lanes have in `value`, all lanes' packed elements, to packed memory at `base`, in these pieces of each lane, one lane after
/// the other out of memory: without mask registers less work than masked stores where a lane has several elements or some of a struct's alone.
void store_live_lanes(Widening& w, const Access& access, llvm::Value* value, llvm::Value* base, llvm::ArrayRef<FieldPiece> pieces);
/// Stores the elements of `value` that are in `live`.
void store_some(Widening& w, const Access& access, llvm::Value* value, llvm::Value* base, llvm::Value* live);

}  // namespace weft::compiler::simt
