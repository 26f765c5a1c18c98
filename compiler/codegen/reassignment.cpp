#include "compiler/codegen/reassignment.h"

namespace weft::compiler::codegen {
namespace {

thread_local bool is_left_out = false;

}  // namespace

Reassignment::Reassignment(const bool left_out) { is_left_out = left_out; }
Reassignment::~Reassignment() { is_left_out = false; }

}  // namespace weft::compiler::codegen

/// In place of llvm::TargetSubtargetInfo::enableRALocalReassignment(CodeGenOptLevel) const, which is always true for x86: the linker
/// wraps it (compiler/CMakeLists.txt), since the option `enable-local-reassign` can only add to it.
/// That the program links says that LLVM has it still.
extern "C" bool __real__ZNK4llvm19TargetSubtargetInfo25enableRALocalReassignmentENS_15CodeGenOptLevelE(const void*, int);
extern "C" bool __wrap__ZNK4llvm19TargetSubtargetInfo25enableRALocalReassignmentENS_15CodeGenOptLevelE(const void* target, int level) {
  return !weft::compiler::codegen::is_left_out &&
         __real__ZNK4llvm19TargetSubtargetInfo25enableRALocalReassignmentENS_15CodeGenOptLevelE(target, level);
}
