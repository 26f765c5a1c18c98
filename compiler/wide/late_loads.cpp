#include "compiler/wide/late_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/target/vectors.h"
#include "compiler/wide/loop_analyses.h"

namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;

/// As a group has bodies of warps. A longer loop pays a value's way to the stack back with those that keep their registers.
constexpr unsigned kMostIterations = 32;

/// A load and the shuffles that are made of it alone, each behind what it is made of.
using Loaded = llvm::SmallSetVector<Instruction*, 4>;

class LateLoads : LoopAnalyses {
 public:
  LateLoads(llvm::Function& function, const VectorTraits& vectors) : LoopAnalyses(function), vectors_(vectors) {}

  void run() {
    for (Loop* loop : loops_.getLoopsInPreorder()) visit(*loop);
  }

 private:
  void visit(Loop& loop) {
    BasicBlock* front = loop.getLoopPreheader();
    const unsigned trips = front ? evolution_.getSmallConstantMaxTripCount(&loop) : 0;
    if (!trips || trips > kMostIterations) return;
    llvm::SmallVector<std::pair<Loaded, BasicBlock*>, 16> all;
    unsigned registers = 0;
    // From the end: what is written behind a load may be what it reads.
    for (Instruction& instruction : llvm::reverse(*front)) {
      if (instruction.mayWriteToMemory()) break;
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !load->isSimple() || !load->getType()->isVectorTy()) continue;
      const unsigned own = layout_.getTypeSizeInBits(load->getType()).getFixedValue() / vectors_.register_bits;
      Loaded loaded;
      if (!own || !take_shuffles(*load, loop, loaded)) continue;
      BasicBlock* block = block_of_uses(loaded, loop);
      if (!block || is_written(*load, loop)) continue;
      registers += own;
      all.emplace_back(std::move(loaded), block);
    }
    if (registers <= vectors_.registers) return;
    for (const auto& [loaded, block] : all) move(loaded, *block);
  }

  /// `value` and the shuffles of it alone in its block; false if something else in front of the loop, or behind it, uses one of them.
  static bool take_shuffles(Instruction& value, const Loop& loop, Loaded& loaded) {
    loaded.insert(&value);
    return llvm::all_of(value.users(), [&](llvm::User* user) {
      auto* instruction = llvm::cast<Instruction>(user);
      if (loop.contains(instruction)) return true;
      return llvm::isa<llvm::ShuffleVectorInst>(instruction) && instruction->getParent() == value.getParent() &&
             llvm::all_of(instruction->operands(), [&](llvm::Value* part) { return part == &value || llvm::isa<llvm::Constant>(part); }) &&
             take_shuffles(*instruction, loop, loaded);
    });
  }

  /// The block of `loop`, and of no loop in it, that alone uses what is `loaded`, which not all iterations need come to; null if there is none.
  BasicBlock* block_of_uses(const Loaded& loaded, const Loop& loop) const {
    BasicBlock* only = nullptr;
    for (Instruction* value : loaded)
      for (llvm::User* user : value->users()) {
        auto* instruction = llvm::cast<Instruction>(user);
        if (loaded.contains(instruction)) continue;
        BasicBlock* block = instruction->getParent();
        if (llvm::isa<llvm::PHINode>(instruction) || loops_.getLoopFor(block) != &loop || (only && block != only)) return nullptr;
        only = block;
      }
    return only;
  }

  bool is_written(const llvm::LoadInst& load, const Loop& loop) {
    const llvm::MemoryLocation location = llvm::MemoryLocation::get(&load);
    return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
      return llvm::any_of(*block, [&](const Instruction& instruction) {
        return instruction.mayWriteToMemory() && llvm::isModSet(aliases_.getModRefInfo(&instruction, location));
      });
    });
  }

  static void move(const Loaded& loaded, BasicBlock& block) {
    for (Instruction& instruction : block) {
      if (llvm::none_of(instruction.operands(), [&](llvm::Value* operand) { return loaded.contains(llvm::dyn_cast<Instruction>(operand)); })) continue;
      for (Instruction* value : loaded) value->moveBefore(&instruction);
      return;
    }
  }

  const VectorTraits& vectors_;
};

}  // namespace

void load_in_loops(llvm::Function& function, const VectorTraits& vectors) { LateLoads(function, vectors).run(); }

}  // namespace weft::compiler::wide
