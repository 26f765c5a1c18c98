// Loops in which each lane reads on from where it read last: a few lanes at a time, four elements of each with one load.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// A sparse matrix's row an item: each lane runs along a row of its own, so every load of the widened loop is a gather, one
/// element a lane, and all lanes wait for the longest row. Where such a loop only reads memory, nobody can tell in which
/// order lanes run, nor when within the loop. So where some lane has many rounds before it, eight lanes run after
/// the other: the longest row of eight is shorter than that of all. What a lane reads in four rounds is one
/// load of 16 bytes; four lanes' loads are transposed in registers. The processor does an element of a gather, a load, in
/// the time that it takes for these 16 bytes.
///
/// Bytes that a lane does not ask for lie in the same page as one that it does: else the round is done alone, as it was.
/// Rounds for which no lane lives change nothing, so only every fourth looks whether the loop ends.
///
/// For processors with masks in registers (AVX-512). To be run after LLVM's passes, which know the loop's form by then.
/// With `always` also where there is nothing to gain, for tests.
void read_streams(llvm::Function& function, bool always = false);

}  // namespace weft::compiler::wide
