// Accesses of loops that walk along rows, made accesses to pieces of 16 bytes.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class BasicBlock;
class DataLayout;
class Function;
class Instruction;
class Loop;
class ScalarEvolution;
class Type;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;
struct LaneStep;

/// Bytes of a row that a lane accesses at once: what one register takes from one address.
inline constexpr std::int64_t kRowPiece = 16;
/// Elements from a lane's to the next one's up to which whole vectors and shuffles serve all lanes (strided.cpp).
inline constexpr std::int64_t kNearLanes = 4;

/// A load or store that every iteration of a loop runs. In the next iteration it reads or writes its row's next element, or the one before.
struct Walk {
  llvm::Instruction* access;
  bool goes_down = false;
  unsigned row = 0;  ///< of a piece: the walk that it is of
};

/// Bytes of what pieces are made of: numbers and OpenCL vectors without gaps, of a power of two of bytes; 0 for any other type.
std::int64_t bytes_in_rows(llvm::Type& type, const llvm::DataLayout& layout);

/// Whether `type` is as large as a piece, and of words: pieces of its own, several of which make a line.
bool is_element_of_lines(const llvm::Type& type);

/// Whether iterations of `loop` may be taken together: innermost, with one way out, at its end, and their number known before the
/// first; not those that have a copy for all lanes (masks/full_copy.h), which hardly ever run.
bool may_take_pieces(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// How many iterations of `loop` fill pieces of all of `walks`, as far as the code of as many is not too large; 1 if that is not worth it.
unsigned iterations_of_pieces(const llvm::Loop& loop, llvm::ArrayRef<Walk> walks, llvm::ScalarEvolution& evolution);

/// Whether lines alone are a reason to take `walks`: each is of pieces already.
bool gain_as_lines(llvm::ArrayRef<Walk> walks, const Specialization& specialization);

/// Whether first code (Specialization::soon) does without a loop of lines beside that of pieces of `walks`, whose lanes' rows are `rows`: it takes as long to
/// make as all else where a line is several registers.
bool leaves_lines_out(llvm::ArrayRef<Walk> walks, llvm::ArrayRef<LaneStep> rows, const Specialization& specialization);

/// Unrolls the loop of `region` that begins with `header` `count` times. What each of its `walks` reads or writes in as many iterations becomes
/// pieces: loads stand where the first of their elements was loaded, stores where the last was stored. A loop behind it runs what is left
/// over. The caller knows that the order of accesses allows this. `rows`: from each lane's row to the next one's, of all walks, where that is
/// known. Where such rows lie a large power of two apart, so that few of their lines are in the first-level cache together, and walks are few,
/// a lane accesses a whole line of 64 bytes at once. The order has to allow this, too, of rows that lie multiples of 1024 bytes apart. True if
/// `region` changed; its analyses are invalid then.
bool access_pieces(llvm::Function& region, llvm::BasicBlock& header, llvm::ArrayRef<Walk> walks, unsigned count, llvm::ArrayRef<LaneStep> rows,
                   const Specialization& specialization, Analyses& analyses);

/// Of `loop`, all of whose ends meet in one block, makes a copy, which runs where `condition` is false; its blocks have `name`. Returns the copy's header. Analyses
/// are invalid then.
llvm::BasicBlock* copy_loop(llvm::Loop& loop, llvm::Value& condition, llvm::StringRef name, Analyses& analyses);

}  // namespace weft::compiler::simt
