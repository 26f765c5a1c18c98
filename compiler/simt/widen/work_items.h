// The ids and sizes of the work-items in the lanes.
#pragma once

#include <cstddef>

#include <llvm/ADT/StringRef.h>

#include "compiler/compiler_api.h"

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Emitter;

/// Work-items are numbered along x, then y, then z: lane l of a body holds the one with the linear local id first() + l.
class WorkItems {
 public:
  WorkItems(Emitter& emitter, const Specialization& specialization) : emitter_(emitter), specialization_(specialization) {}

  /// To be called before any other, with lane 0's linear local id, an i32.
  void set_first(llvm::Value* first) { first_ = first; }
  llvm::Value* first() const { return first_; }

  /// Of the group, i32.
  llvm::Value* local_size(unsigned dimension);
  /// Work-items of a group, i32.
  llvm::Value* group_size();
  /// The local id in `dimension` of a lane, i32, and of all lanes, <W x i32>. Constants where every body of the group has the same, as along
  /// x in groups of 16x16.
  llvm::Value* local_id(unsigned dimension, unsigned lane);
  llvm::Value* local_ids(unsigned dimension);
  /// The global id of the group's first work-item, i64.
  llvm::Value* group_base(unsigned dimension);

  /// The linear local ids of a lane, i32, and of all lanes, <W x i32>.
  llvm::Value* linear_id(unsigned lane);
  llvm::Value* linear_ids();

 private:
  bool repeats_in_bodies(unsigned dimension) const;
  llvm::Value* local_id_of(unsigned dimension, llvm::Value* linear);
  llvm::Value* load_field(llvm::Value* base, std::size_t offset, llvm::StringRef name);

  Emitter& emitter_;
  const Specialization& specialization_;
  llvm::Value* first_ = nullptr;
  llvm::Value* group_base_[3] = {};
};

}  // namespace weft::compiler::simt
