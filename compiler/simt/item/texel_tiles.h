// Texels that many work-items of a group read are converted once for the group.
//
// A filter of 5x5 taps reads each texel 25 times, by as many work-items, and makes numbers of its channels each time. Where the texels that
// a group reads are a rectangle, known but for the group's place, the work-items read it together first, through the same sampler,
// so that edges and borders are met there alone, and keep its channels in local memory: a plane of numbers each, so that what
// neighbouring work-items read of a channel is one vector. Each tap is then a load, whose address is the work-item's own plus a constant.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Makes tiles of the images of which `kernel`, whose image functions are calls still (lower_images), reads whole texels at its global id
/// plus numbers in known ranges (kMostReach). Does nothing to
///  - images of formats that are not known, or whose channels are numbers in memory already;
///  - images that are read so seldom that reading them together costs half as much;
///  - kernels with `local` arguments, whose places follow those of the local variables that the runtime knows of;
///  - local sizes that are not known or whose rows do not fill a warp evenly, and blocks of groups of which some may be missing.
/// Returns whether it made any.
bool make_texel_tiles(llvm::Function& kernel, const Specialization& specialization, Analyses& analyses);

}  // namespace weft::compiler::simt
