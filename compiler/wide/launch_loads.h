// What a launch says of itself, loaded once a group.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Loads of what never changes while a group runs (the launch's and the group's structures, arguments, images' descriptors) go to the entry
/// of the group function, in front of its loops over warps, even if they stand under a condition: the memory is always there, as
/// `dereferenceable` says. LLVM hoists such a load only where it is executed anyway, and no load through a pointer that it has hoisted. With
/// them goes what is computed from them: an image's edges, and of coordinates all that the rows of a group share.
void load_once(llvm::Function& group);

}  // namespace weft::compiler::wide
