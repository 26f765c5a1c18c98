// The code that counts, of probes (item/probes.h): what one warp's run of a probe adds to the launch's counts.
//
// How often blocks run is summed up in variables of the wide function, which become registers, and added to memory once a run of
// the function. An access whose lanes follow a progression adds 1 to a word that says where it starts; all others go to
// abi::Services::count_access, with an address for each lane.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <llvm/ADT/DenseMap.h>

#include "device/counted_code.h"

namespace llvm {
class AllocaInst;
class CallBase;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;
struct Shape;

class Counting {
 public:
  explicit Counting(Widening& widening) : w_(widening) {}

  /// Widens `call` if it is a probe; false if it is none. Needs WidenRequest::counters, and bodies of one warp.
  bool widen(llvm::CallBase& call);
  /// When all blocks are there: returns add what was summed up to memory; LLVM is told that the program's accesses touch no counts.
  void finish();

 private:
  void block(std::uint32_t number);
  void branch(std::uint32_t number, llvm::Value* condition);
  void access(std::uint32_t site, llvm::Value* address);
  abi::CountedRecord describe(std::uint32_t site, std::uint32_t block, const Shape& shape) const;
  llvm::Value* distances_agree(const abi::CountedRecord& record, llvm::Value* address);
  void count_start(const abi::CountedRecord& record, llvm::Value* address);
  void call_service(std::uint32_t index, const abi::CountedRecord& record, llvm::Value* address);

  /// In front of a return.
  void flush();
  void separate_from_program();

  abi::CounterTable& table() const;
  /// The block as this piece of code has it; with words, once its probe is met.
  std::uint32_t here(std::uint32_t block);
  /// Live lanes as i32, lane 0 in the lowest bit.
  llvm::Value* live() const;
  std::uint32_t new_words(std::uint32_t count);
  llvm::Value* word(std::uint32_t index);
  void add(llvm::Value* address, llvm::Value* amount);
  /// Adds `amount` to `word` when the function returns. `full`: they are runs of a block with all lanes live, which all words of
  /// the block, of which `word` is the first, have a part of.
  void add_later(std::uint32_t word, bool full, llvm::Value* amount);
  /// The pointer at `offset` from `from`, read once, when the function starts.
  llvm::Value* loaded(llvm::Value*& cached, llvm::Value* from, std::uint64_t offset, const char* name);

  Widening& w_;
  llvm::DenseMap<std::uint32_t, std::uint32_t> blocks_;    ///< here()
  llvm::DenseMap<std::uint32_t, std::uint32_t> branches_;  ///< a branch as this piece of code has it
  std::map<std::pair<std::uint32_t, bool>, llvm::AllocaInst*> sums_;
  llvm::Value* words_ = nullptr;
  llvm::Value* counts_ = nullptr;
  llvm::Value* services_ = nullptr;
  llvm::Value* service_ = nullptr;
};

}  // namespace weft::compiler::simt
