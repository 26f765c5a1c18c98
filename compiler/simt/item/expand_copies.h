// Expands memcpy, memmove and memset to loads and stores, the only accesses that the widener knows.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Expands the memory intrinsics of `function`: with `shared_only` those that touch global or local memory,
/// else all. Short ones become straight-line accesses, longer ones a loop; the unit is the largest power of
/// two, at most 4 bytes, that alignment and size allow. Whole private variables of few fields, or of up to 64 that promotion may find registers for, are copied
/// field by field. Volatile ones stay volatile. True if anything changed.
bool expand_copies(llvm::Function& function, bool shared_only);

}  // namespace weft::compiler::simt
