// Memory of the wide function's own, for lanes that go through memory one by one.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Support/Alignment.h>

namespace llvm {
class AllocaInst;
class Type;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Emitter;

/// Of the arrays below: that of the widest vectors.
inline const llvm::Align kScratchAlign(64);

/// Variables that one instruction after the other uses.
class Scratch {
 public:
  explicit Scratch(Emitter& emitter) : emitter_(emitter) {}

  /// The address of a zero of `type` that nobody else reads.
  llvm::Value* nowhere(llvm::Type* type);
  /// `pointer` where `condition` holds, else `nowhere`.
  llvm::Value* safe_pointer(llvm::Value* pointer, llvm::Value* condition, llvm::Type* type);
  /// Room for `count` elements for each lane, without gaps; aligned to 64 bytes.
  llvm::AllocaInst* lane_array(llvm::Type* element, unsigned count);
  /// Room for a pointer for each lane; aligned to 64 bytes.
  llvm::AllocaInst* lane_pointers();

 private:
  Emitter& emitter_;
  llvm::DenseMap<llvm::Type*, llvm::AllocaInst*> nowhere_;
  llvm::DenseMap<llvm::Type*, llvm::AllocaInst*> lane_arrays_;
  llvm::AllocaInst* lane_pointers_ = nullptr;
};

}  // namespace weft::compiler::simt
