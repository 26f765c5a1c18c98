// What a kernel's counted variant counts: made by the compiler, read by device/counters.
//
// Counted code adds to words of its own (GroupInfo::count_words) and hands what it cannot classify to
// Services::count_access. Neither knows of compute capabilities: an access whose lanes are known to lie in a progression is
// counted by where the progression starts, and the models turn counts into transactions when the launch is over.
//
// Shared by compiler/ and device/, like kernel_abi.h; knows neither LLVM nor OpenCL API types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::abi {

inline constexpr std::uint32_t kNoWord = ~std::uint32_t{0};
inline constexpr std::uint16_t kNoImage = 0xffff;  ///< not known

enum class CountedSpace : std::uint8_t { kGlobal, kConstant, kLocal, kPrivate, kImage };
/// An atomic without result is a reduction.
enum class CountedKind : std::uint8_t { kLoad, kStore, kAtomic, kReduction };

/// A place in the program's source. `file` counts CounterTable::files; line 0 is unknown.
struct SourcePlace {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  bool operator==(const SourcePlace&) const = default;
};

/// Operations of one source line in a block, each counted once a run of the block.
struct CountedOperations {
  SourcePlace place;
  std::uint32_t arithmetic = 0;  ///< IR operations that compute; conversions and selects too
  std::uint32_t memory = 0;      ///< loads, stores, atomics
  std::uint32_t control = 0;     ///< branches, barriers, returns
  std::uint32_t barriers = 0;    ///< of these, barriers
};

/// A part of one work-item's code that runs as a whole, between branches and barriers, as one piece of widened code has it: code
/// that is copied, as behind barriers, has more than one. Its words, from `word` on: runs with one live lane at least; live
/// lanes, summed over runs; runs in which all 32 lanes were live. kNoWord: it never runs.
struct CountedBlock {
  std::uint32_t word = kNoWord;
  std::vector<CountedOperations> lines;
  /// Of blocks behind this one that run under a predicate: a GPU issues their operations in each run of this block, to all its lanes.
  std::vector<CountedOperations> issued;
  /// If this block runs under a predicate: its own operations, which its runs execute and another block's issue.
  std::vector<CountedOperations> predicated;
};
inline constexpr std::uint32_t kBlockWords = 3;

/// A conditional branch at the end of `block`. `word`, unless it is kNoWord: runs in which some live lanes took it and some did
/// not. A branch on a value that lanes share has no word.
struct CountedBranch {
  std::uint32_t block = 0;
  SourcePlace place;
  std::uint32_t word = kNoWord;
};

/// A memory instruction of one work-item's code.
struct CountedSite {
  CountedSpace space = CountedSpace::kGlobal;
  CountedKind kind = CountedKind::kLoad;
  std::uint16_t width = 0;      ///< bytes of one lane
  std::uint16_t align = 1;      ///< bytes that divide every address as the compiler knows; a GPU's loads and stores are no wider
  std::uint32_t block = 0;
  SourcePlace place;
  std::uint16_t image = kNoImage;  ///< of kImage: the number of the kernel's argument
  /// The address and the operand of a reduction are the same in all lanes, as the compiler can tell (counters::joined).
  bool joinable = false;
};

/// A site as one piece of widened code has it; code that is copied has more than one of a site. Addresses are bytes: in global
/// and constant memory from the start of the argument that they derive from (if that is known, else absolute), in local
/// memory from the start of the group's (or absolute: it starts at a multiple of 128), in private memory from the start of
/// the work-item's own. A texel of an image is a
/// number made of its column (bits 0 to 27), its row, counted on from slice to slice (28 to 55), and the logarithm to base 2
/// of its bytes (from 56 on); it is always counted by count_access.
///
/// How a run with all 32 lanes live is counted:
/// - `segment` 0: by count_access.
/// - else lane l is at start(l / segment) + stride * (l mod segment). The code compares the starts' distances from the first
///   with the `32 / segment - 1` words from `deltas` on (signed), and if they are equal adds 1 to the word
///   `word` + (start(0) / granule mod `slots`). `slots` * granule is what the costs repeat after, or granule alone where they do
///   not depend on the start. If distances differ, by count_access, which may set them.
/// - with one slot and no deltas `word` may be kNoWord: each full run of `block` is one of these.
/// Other runs are counted by count_access, which gets each lane's address, or if `by_segment` that of each segment's first lane
/// (32 / segment of them), from which the other lanes' follow.
struct CountedRecord {
  std::uint32_t site = 0;
  std::uint32_t block = 0;    ///< the same block as the site's, in the same piece of code
  std::uint32_t segment = 0;  ///< lanes
  std::int64_t stride = 0;    ///< bytes
  std::uint32_t granule = 1;  ///< bytes, a power of two
  std::uint32_t slots = 1;    ///< a power of two
  std::uint32_t word = kNoWord;
  std::uint32_t deltas = 0;   ///< word; meaningless with one segment
  bool by_segment = false;
};
/// Segments that a record may have; accesses of more are counted lane by lane.
inline constexpr std::uint32_t kMostSegments = 4;
/// What a delta holds until one is known.
inline constexpr std::int64_t kNoDelta = INT64_MIN;

/// All of a kernel's counted variant.
struct CounterTable {
  std::vector<std::string> files;
  std::vector<CountedBlock> blocks;
  std::vector<CountedBranch> branches;
  std::vector<CountedSite> sites;
  std::vector<CountedRecord> records;
  std::uint32_t words = 0;  ///< of GroupInfo::count_words; zeros at first, but for deltas
};

}  // namespace weft::abi
