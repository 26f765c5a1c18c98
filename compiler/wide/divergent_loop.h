// A loop of one block over wide values whose end each lane decides for itself, and its instructions for fewer lanes.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace llvm {
class BasicBlock;
class Instruction;
class IntrinsicInst;
class Loop;
class PHINode;
class Type;
class Value;
}  // namespace llvm

namespace weft::compiler::wide {

/// Values of the wide loop, and what stands for them.
using LaneMap = llvm::DenseMap<const llvm::Value*, llvm::Value*>;

/// Lanes count: a lane stays while what `phi` is in the next round compares so with `bound`, which does not change.
struct LaneCount {
  llvm::PHINode* phi;
  std::int64_t step;
  llvm::CmpInst::Predicate predicate;
  llvm::Value* bound;
};

/// Linearized control flow left it so: `live` says which lanes run; the next round's mask is a part of it; the loop ends when
/// that is empty; a value used behind the loop is that of each lane's own last round.
class DivergentLoop {
 public:
  /// None if the loop is another or does more than read memory.
  static std::optional<DivergentLoop> match(llvm::Loop& loop);

  llvm::BasicBlock* block = nullptr;
  llvm::BasicBlock* before = nullptr;
  llvm::BasicBlock* exit = nullptr;
  llvm::PHINode* live = nullptr;
  unsigned lanes = 0;
  llvm::SmallVector<llvm::IntrinsicInst*, 8> gathers;
  /// Used behind the loop, with the phi that holds each for lanes that have left.
  llvm::SmallVector<std::pair<llvm::Instruction*, llvm::PHINode*>, 4> results;

  llvm::Value* next(const llvm::PHINode& phi) const;
  llvm::Value* first(const llvm::PHINode& phi) const;
  bool contains(const llvm::Value* value) const;
  /// Of what the loop computes, not of how it ends.
  bool is_work(const llvm::Instruction& instruction) const;
  /// By how much `value`, a number or, in bytes, an address, grows in each round, in all lanes that live; none if it does not
  /// by a constant.
  std::optional<std::int64_t> step(const llvm::Value* value) const { return step(value, Wrap::kMay); }
  /// None where something else ends the loop.
  std::optional<LaneCount> count() const;

 private:
  enum class Wrap { kMay, kNotSigned, kNotUnsigned };
  bool find_end();
  bool can_narrow(const llvm::Instruction& instruction) const;
  bool find_results();
  std::optional<std::int64_t> step(const llvm::Value* value, Wrap wrap) const;
};

/// Makes `loop`'s instructions for `lanes` lanes.
class Narrower {
 public:
  Narrower(const DivergentLoop& loop, unsigned lanes, llvm::IRBuilder<>& builder)
      : loop_(loop), lanes_(lanes), builder_(builder) {}

  llvm::Type* type(llvm::Type* wide) const;
  /// What stands for `value`; made at the builder's place, with all that it is made of, if `map` lacks it.
  llvm::Value* value(llvm::Value* value, LaneMap& map);
  /// A round. `map` holds the phis and what is not to be made; then only the phis' next values.
  void round(LaneMap& map);

 private:
  llvm::Value* make(llvm::Instruction& instruction, LaneMap& map);

  const DivergentLoop& loop_;
  unsigned lanes_;
  llvm::IRBuilder<>& builder_;
};

}  // namespace weft::compiler::wide
