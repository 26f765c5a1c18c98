// memcpy, memmove and memset as loads and stores, which is all that the widener knows.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Expands the memory intrinsics of `function`: with `shared_only` those that touch global or local memory,
/// else all. Short ones become a row of accesses, longer ones a loop; the unit is the largest power of two,
/// at most 8 bytes, that alignment and size allow. Volatile ones stay volatile. True when anything changed.
bool expand_copies(llvm::Function& function, bool shared_only);

}  // namespace weft::compiler::simt
