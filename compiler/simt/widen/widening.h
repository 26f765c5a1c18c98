// One function that is being widened: what the parts of widening share.
#pragma once

#include <llvm/Support/Error.h>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/widen/counted_quotients.h"
#include "compiler/simt/widen/counting.h"
#include "compiler/simt/widen/emitter.h"
#include "compiler/simt/widen/lane_mask.h"
#include "compiler/simt/widen/memory/state.h"
#include "compiler/simt/widen/scratch.h"
#include "compiler/simt/widen/values.h"
#include "compiler/simt/widen/widen.h"
#include "compiler/simt/widen/work_items.h"

namespace weft::compiler::simt {

/// Everything that emits wide code takes this by reference, or of its members those that it needs.
class Widening : public Emitter {
 public:
  /// Wide code goes into `function`, which has a block that ends at `entry_point` already.
  Widening(const WidenRequest& request, passes::PassControl& control, llvm::Function& function);

  Shape shape(const llvm::Value* value) const { return shapes[*value]; }
  bool is_uniform(const llvm::Value* value) const { return shapes.is_uniform(*value); }

  /// Widening goes on, so that code need not look for errors everywhere, and fails at the end.
  void fail(const llvm::Instruction& where, const llvm::Twine& what);
  llvm::Error take_error() { return std::move(error_); }

  const WidenRequest& request;
  passes::PassControl& control;
  llvm::Function& scalar;  ///< one lane's code
  const Shapes shapes;     ///< of the values in `scalar`
  LaneMask mask{*this};    ///< of the block that is being widened
  Scratch scratch{*this};
  WorkItems items;
  WideValues values{*this};
  Counting counting{*this};
  llvm::DenseMap<const llvm::Function*, llvm::AllocaInst*> call_frames;  ///< of wide_call.h
  llvm::DenseMap<const llvm::Value*, CountedRows> counted_rows;  ///< of quotients
  MemoryState memory;  ///< of the strategies for loads and stores
  /// Where the wide code of a block of `scalar` ends, of those that are complete.
  llvm::BasicBlock* wide_end(const llvm::BasicBlock& block) const { return ends.lookup(&block); }
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> ends;

 private:
  llvm::Error error_ = llvm::Error::success();
};

}  // namespace weft::compiler::simt
