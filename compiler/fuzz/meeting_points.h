// Where the work-items of a sub-group meet: the calls of its primitives in a kernel, and how each says where it is.
//
// A position is the number of the outermost loop around the call, the iteration, the same of each loop within, and the call's own number.
// Numbers go up along every path through the program, a loop being one step of it. So of two work-items the one with the lower
// position is further back, and those with the same one have come by the same iterations: as programs without `goto` are read, and as
// work-items reconverge.
#pragma once

#include <memory>
#include <vector>

#include "compiler/fuzz/meetings.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
}

namespace weft::fuzz {

/// Of std::uint64_t(const MeetingPoint*, std::uint64_t value, std::uint32_t argument, const std::uint32_t* position).
using MeetFunction = std::uint64_t (*)(const MeetingPoint*, std::uint64_t, std::uint32_t, const std::uint32_t*);

/// Whether the function of this name is a primitive at which work-items wait for others.
bool is_meeting_point(llvm::StringRef name);

/// Replaces the calls of primitives in `kernel`, which is to hold all there are, by calls of `meet` with one of the points returned.
llvm::Expected<std::vector<std::unique_ptr<MeetingPoint>>> make_meeting_points(llvm::Function& kernel, MeetFunction meet);

}  // namespace weft::fuzz
