// Where an access lies in memory, as a sum: what its place grows by in each iteration of a loop, and from lane to lane.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PointerIntPair.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
class LoopInfo;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// How an integer becomes one of 64 bits.
enum class Extension : unsigned { kNone, kSigned, kUnsigned };

/// An integer of 64 bits, or one that is extended to such.
using Term = llvm::PointerIntPair<llvm::Value*, 2, Extension>;

/// `base` + `offset` + the terms, each times its factor, + `step` times the number of iterations before; in bytes, modulo 2^64.
struct RowPlace {
  llvm::Value* base = nullptr;
  llvm::MapVector<Term, std::int64_t> terms;
  std::int64_t offset = 0, step = 0;

  /// Bytes from `other`'s place to this one in one iteration, if that is a constant: then both have one step.
  std::optional<std::int64_t> behind(const RowPlace& other) const;
  /// Whether nothing of it but the step changes in `loop`.
  bool is_even(const llvm::Loop& loop) const;
  /// The address in the first iteration, where that is even.
  llvm::Value* emit_first(llvm::IRBuilderBase& builder) const;
};

/// The place of `pointer`, used in `loop`; none if a factor or offset is out of all proportion. Integers that wrap around, but for those that
/// say that they do not, are terms.
std::optional<RowPlace> row_place(llvm::Value& pointer, const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// What a value grows by from each lane to the next one: `constant` + the products of integers that all lanes have alike.
struct LaneStep {
  struct Product {
    std::int64_t factor;
    llvm::SmallVector<Term, 2> values;
  };
  std::int64_t constant = 0;
  llvm::SmallVector<Product, 2> products;

  /// The number, of 64 bits.
  llvm::Value* emit(llvm::IRBuilderBase& builder) const;
};

/// What is not known of integers that are known in front of a loop, and can be asked there.
struct Assumed {
  /// An integer is the one operand that is not a bound; or, of 32 bits, its extension is what its operation makes of extended operands, or
  /// of 64 bits.
  struct Exact {
    llvm::Instruction* value;
    Extension extension;
    llvm::Value* unbounded;  ///< of a minimum or maximum
  };
  /// They count evenly over the lanes, modulo 2^32, by so little that they do not wrap around among the lanes that run if none of these has
  /// a negative one.
  llvm::SmallSetVector<llvm::Value*, 4> not_negative;
  llvm::SmallVector<Exact, 4> exact;

  /// Whether it is so in a lane.
  llvm::Value* emit(llvm::IRBuilderBase& builder) const;
};

/// Of values used in one `loop`, over all lanes of a warp. What is found holds for the lanes that run; with `assumed`, if in each of these
/// what is added there is so.
class LaneSteps {
 public:
  LaneSteps(const Shapes& shapes, llvm::UniformityInfo& uniformity, const llvm::LoopInfo& loops, const llvm::Loop& loop, Assumed* assumed = nullptr)
      : shapes_(shapes), uniformity_(uniformity), loops_(loops), loop_(loop), assumed_(assumed) {}

  /// Of the lanes' places, which are even; none if lanes do not lie evenly apart.
  std::optional<LaneStep> of(const RowPlace& place);

 private:
  std::optional<LaneStep> of(llvm::Value& value, Extension extension, unsigned depth);
  std::optional<LaneStep> of_instruction(llvm::Instruction& instruction, Extension extension, unsigned depth);
  std::optional<LaneStep> of_arithmetic(llvm::Instruction& instruction, Extension extension, unsigned depth);
  std::optional<LaneStep> of_exact(llvm::Instruction& instruction, Extension extension, unsigned depth);
  std::optional<LaneStep> of_phi(llvm::PHINode& phi, Extension extension, unsigned depth);
  std::optional<LaneStep> of_gep(llvm::Instruction& gep, unsigned depth);
  std::optional<std::int64_t> modular(llvm::Value& value, unsigned depth);
  std::optional<std::int64_t> modular_phi(llvm::PHINode& phi, unsigned depth);
  llvm::Value* start_of(llvm::PHINode& phi, llvm::function_ref<bool(const llvm::Instruction& next)> grows) const;
  bool is_same(llvm::Value& value) const;
  bool has_shape(const llvm::Value& value, unsigned depth) const;

  const Shapes& shapes_;
  llvm::UniformityInfo& uniformity_;
  const llvm::LoopInfo& loops_;
  const llvm::Loop& loop_;
  Assumed* assumed_;
};

}  // namespace weft::compiler::simt
