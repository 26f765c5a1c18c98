// Cuts kernels in front of and behind an update that takes places of one counter.
//
// Where each warp asks a counter of the whole launch for places, as programs do that append what they find to a list, the counter's line goes
// from processor to processor with every warp: two workers took three times as long as one. Barriers around the update make a region of
// it, so that those of several warps and groups stand one behind the other (group_phases.h). A barrier of which the program does not know orders no more
// than warps that run one after the other are ordered anyway.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Whether something has changed. Cuts where `item`, whose groups wait for nobody, has no barriers, no private memory and no more than a few
/// hundred instructions, and asks for the old value of a word that is the same for all work-items, once and in no loop, under no
/// conditions but such as lead past all that follows from it.
bool cut_around_places(llvm::Function& item);

}  // namespace weft::compiler::simt
