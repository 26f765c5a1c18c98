// What instructions cost: the one table of every pass that weighs one form of code against another.
//
// The unit is a cycle of a core. Arithmetic comes from LLVM's tables for the host (TargetTransformInfo), as far as they are
// sound. The rest stands here, each number with its source:
//   tables    common values of the instruction tables (uops.info, Agner Fog) for Skylake-X to Golden Cove and Zen 2 to 4
//   measured  on Golden Cove at rest: 2,000 of them in a loop, operands in the nearest cache, the shortest of 400 runs; a chain
//             of multiplications (3 cycles each) beside it gives the clock
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>

#include <cstdint>
#include <optional>

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
class Instruction;
class TargetMachine;
class Type;
}  // namespace llvm

namespace weft::compiler::target {

// ---- One lane, as plain code ------------------------------------------------------------------------
/// A simple instruction; tables: six begin in a cycle.
inline constexpr double kScalarOperation = 1.0 / 6;
/// Floating-point arithmetic where there is little else to do: as a register of it. Measured on Zen 4, by tanh of doubles: 32 lanes one by one take 1.4 times as long as
/// 16 registers of two, 4 times as long as 8 of four.
inline constexpr double kScalarFloat = 1;
/// And on integers, of which a cycle does four, or three registers.
inline constexpr double kScalarInteger = 1.0 / 2;
/// A component of an OpenCL vector brought to another place, where the rest is arithmetic on vectors; tables: one or two begin in a cycle.
inline constexpr double kScalarShuffle = 1.0 / 2;
/// Tables: two or three loads and one or two stores in a cycle. They hide behind each other's addresses.
inline constexpr double kScalarLoad = 0.3, kScalarStore = 0.5;
/// Tables: division of 32 bits, 6 on Golden Cove and Zen 4, 20 on Skylake; LLVM says 1.
inline constexpr double kScalarDivision = 6;
/// From an address to what is loaded; tables: 5 in the nearest cache.
inline constexpr double kLoadLatency = 5;
/// Floating-point arithmetic: 4 by the tables. LLVM's know it of a sum and a product, not of fma, comparison and conversion.
inline constexpr double kFloatLatency = 4;
/// A branch that goes the other way; measured: 21 to 25, with random bytes against equal ones; tables: 13 (Zen) to 20.
inline constexpr double kMispredicted = 20;

// ---- A warp's registers -------------------------------------------------------------------------------
/// An element of a gather instruction; measured: 10.5 to 11.3 a gather of 16 x 4 bytes, 5.5 to 5.9 of 8 x 4 or 8 x 8, whatever
/// its mask and wherever it reads. LLVM says 1.25.
inline constexpr double kGatheredElement = 0.7;
/// Zen 4; measured: 17.7 a gather of 16 x 4 bytes, 8.0 of 8 x 4.
inline constexpr double kZen4GatheredElement = 1.1;
/// Up to Zen 3; measured there: 13.6 a gather of 8 x 4 bytes, 7.6 of 4 x 8.
inline constexpr double kZenGatheredElement = 1.7;
/// Of a scatter instruction; measured: 18 to 19 for 16 x 4 bytes, 10.5 to 12.5 for 8 x 8.
inline constexpr double kScatteredElement = 1.15;
/// Up to Zen 4; measured there: 22.2 for 16 x 4 bytes, 10.3 for 8 x 8.
inline constexpr double kZenScatteredElement = 1.4;
/// Of a gather or scatter written out by lane: extract address and mask bit, test, access, insert; tables: 10 simple ones.
inline constexpr double kElementByLane = 2;
/// Of a scatter of 1 or 2 bytes, whose addresses and elements are loaded again from where the vectors lie: two loads and a store.
inline constexpr double kNarrowStoredByLane = 1.25;
/// The same where gathers leave the addresses in vectors: out of words of several elements; measured on Emerald Rapids, and not up to Zen 4.
inline constexpr double kNarrowStoredByWord = 0.95;
/// A lane's 16 bytes, put together with those of other lanes and transposed; measured on Zen 5: 8.0 for 16 lanes, 14.7 where the
/// addresses come out of vectors.
inline constexpr double kPieceOfLane = 0.5;
/// Of an OpenCL vector by lane: it is put together.
inline constexpr double kVectorByLane = 3;
/// Of vectors of four halves or bytes, more to part their components, where they are gathered as words; measured on Zen 4, four halves: 2.0 in all.
inline constexpr double kTakenApart = 0.9;
/// A load of 16 bytes by each of all lanes: put together by transposing, if at all (row-pieces). Measured on Zen 4, addresses out of vectors: 1.5 to 1.8, of which
/// extracting the address is most.
inline constexpr double kPieceByLane = 1.75;
/// Operations on each register more for elements of 1 or 2 bytes, out of the gathered 4 bytes around them: address, its low
/// bits, shift, mask.
inline constexpr double kNarrowOperations = 4;
/// The same of a private array, whose lanes' copies lie side by side: shift and truncation.
inline constexpr double kOwnNarrowOperations = 2;
/// Division of integers, a register; no processor has it for vectors. Tables: a division of doubles for each half (8 cycles).
inline constexpr double kIntegerDivision = 16;
/// A rotation by numbers of the lanes' own where no instruction does it: two shifts, what the other shifts by, and both together.
inline constexpr double kRotation = 4;
/// From 16-bit floats to float or back, a register of floats, whether for one lane or for all that it holds; tables: one or two operations, of which one
/// begins in a cycle. LLVM takes one of a vector apart. And a division of floats, a register.
inline constexpr double kHalfConversion = 1, kHalfDivision = 8;
/// A call of a builtin that stays one, a register: the few operations that such are made of.
inline constexpr double kCall = 4;

// ---- Memory ---------------------------------------------------------------------------------------------
/// What caches move.
inline constexpr std::int64_t kLineBytes = 64;
/// A line from beyond the nearest cache, many of them on their way; measured with 32 lanes that each walk through a row of 64
/// floats: an iteration, which newly touches two lines, takes 24 cycles in the nearest cache, 31 in 3 MiB, 39 in 16 MiB.
inline constexpr double kFreshLine = 3;
/// How long before its use a line of a far row should be asked for. What lies in a far cache takes longer, but in a matrix with
/// rows of a power of two all lines in flight share a set of the nearest cache, and the first would be gone.
inline constexpr unsigned kPrefetchLead = 100;
/// Of Intel's servers from Skylake on, whose far cache is spread over all cores; measured on Emerald Rapids: a walk by 16 KiB takes 1.54 times as long as
/// one byte after the other where its lines are asked for 45 cycles before, 1.03 times 180 before, and 1.06 times 360.
inline constexpr unsigned kMeshPrefetchLead = 200;
/// Memory that neither all second-level caches together hold, nor a part of a third-level cache that others use, too: a run over more asks for its
/// lines far ahead. Measured on Zen 4: sums of fewer bytes took up to 1.3 times as long with prefetches, sums of more 0.5 to 0.7 times as long.
inline constexpr std::uint64_t kFarBytes = std::uint64_t{24} << 20;
/// Of Intel's servers, whose own prefetchers keep up with what their far cache holds; measured on Emerald Rapids: 32 and 64 MiB take 1.1 times as
/// long with prefetches, 128 MiB in pieces of 128 and 256 bytes 0.5 to 0.9 times as long.
inline constexpr std::uint64_t kMeshFarBytes = std::uint64_t{96} << 20;
/// Vector units: operations that begin in a cycle; tables: two.
inline constexpr unsigned kVectorsEachCycle = 2;
/// Zen 4 and later, integers of 512 bits; measured: a sum, a rotation or a merge takes two cycles to its result, and four of them begin in a
/// cycle (Zen 5); a rotation takes two, others one or two, and two begin in a cycle, of whose schedulers one chain fills what they hold (Zen 4).
/// So each operation of a chain needs that many operations in all, of chains beside it: two of SHA-1 take 0.88 of the time of one after the other
/// on Zen 4, of SHA-256 0.92, of SHA-512 0.97 (within noise).
inline constexpr unsigned kZenOperationsBesideChain = 8;
/// Zen up to 3, integers of 256 bits; tables: a cycle to the result, four sums and two shifts begin in one.
inline constexpr unsigned kOldZenOperationsBesideChain = 3;
/// Operations that a processor has in view to find some that wait for nothing; tables: 224 (Skylake) to 512 (Golden Cove).
inline constexpr unsigned kInView = 256;

// ---- Registers -------------------------------------------------------------------------------------------
/// Vector registers left for broadcasts and for operands on their way from memory.
inline constexpr unsigned kTemporaryRegisters = 4;
/// A register that is written to memory and read again, a bit; tables: a store of 512 bits in one or two cycles, of 256 in half of one or one, and two loads.
inline constexpr double kSpilledBit = 1.5 / 512;
/// How often over the values live at once may outgrow the registers where nothing repeats: each that spills is written and
/// read once, two of some twenty operations on it.
inline constexpr unsigned kStraightSpills = 4;
/// Bytes of values live at once where nothing repeats and the other way is through local memory, most of them in memory: what
/// spills is written and read no more often than local memory would be, whatever registers the processor has, as long as the nearest cache
/// holds all of it.
inline constexpr unsigned kStraightBytes = 8 << 10;

/// kPrefetchLead or kMeshPrefetchLead, by the machine's processor.
unsigned prefetch_lead(const llvm::TargetMachine& machine);

/// kFarBytes or kMeshFarBytes, likewise.
std::uint64_t far_bytes(const llvm::TargetMachine& machine);

/// Whether there are so many vector registers that the parts of a load are ordered by address (codegen/ascending_accesses.h): with 16, sums that were to be
/// loaded together would be spilled.
bool orders_loads();

/// The costs of instructions of one work-item, alone or for many lanes.
class Costs {
 public:
  Costs(const llvm::Function& function, const llvm::TargetMachine& machine, const VectorTraits& traits);

  enum class Form { kScalar, kVector };
  /// Cycles from its operands to its result, in a register of that kind; 0: it is no instruction of the processor.
  double latency(const llvm::Instruction& instruction, Form form) const;
  /// Cycles for which it keeps the processor busy: of one work-item, or of `lanes` of them in vector registers. Of memory
  /// and control flow it says nothing: 0.
  double scalar(const llvm::Instruction& instruction) const;
  double wide(const llvm::Instruction& instruction, unsigned lanes) const;

  /// Registers of `type` for `lanes` lanes, parts of one counted as one.
  double registers(llvm::Type& type, unsigned lanes) const;
  /// Whether chains of integers in vectors need kZenOperationsBesideChain.
  bool waits_for_integers() const { return operations_beside_chain_ == kZenOperationsBesideChain; }
  /// How many operations each of a chain of integers in vectors needs in all, of chains beside it; 0: not known to matter.
  unsigned operations_beside_chain() const { return operations_beside_chain_; }
  /// A load or store of `lanes` addresses in all directions.
  double scattered(const llvm::Instruction& access, unsigned lanes) const;

 private:
  using Kind = llvm::TargetTransformInfo::TargetCostKind;
  /// What LLVM says of `elements` of it; none where it says nothing.
  /// Of conversions between 16-bit floats and float, and of arithmetic in these where the processor has none.
  std::optional<double> halves(const llvm::Instruction& instruction, unsigned lanes) const;
  std::optional<double> table(const llvm::Instruction& instruction, unsigned elements, Kind kind) const;

  const llvm::DataLayout& layout_;
  const VectorTraits& traits_;
  llvm::TargetTransformInfo info_;
  double gathered_, scattered_, narrow_scattered_;  ///< an element, of this processor
  unsigned operations_beside_chain_;
};

}  // namespace weft::compiler::target
