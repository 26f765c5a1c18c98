// Calls of primitives that passes add to a kernel before lower-args gives them their values.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class CallInst;
class IRBuilderBase;
class Type;
}  // namespace llvm

namespace weft::compiler::simt {

/// A call, where `builder` stands, of the primitive `name`, which takes nothing and only says what is known of a launch, a group or a lane.
llvm::CallInst* call_primitive(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type& type);

}  // namespace weft::compiler::simt
