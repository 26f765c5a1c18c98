// How many threads oneTBB may have in this process for all engines together.
#pragma once

namespace weft::device {

/// Room for so many threads more, for good. oneTBB's limit is the process's: one that each engine set for itself would hold for
/// the others too.
void allow_threads(unsigned count);

}  // namespace weft::device
