// The list of passes (compiler/passes.def) as data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace weft::compiler::passes {

enum class Pass : std::uint8_t {
#define WEFT_PASS(scope, id, name, kind, header, why) k##id,
#include "compiler/passes.def"
#undef WEFT_PASS
};

enum class Scope : std::uint8_t { kProgram, kKernel, kWidening, kCode };
enum class Kind : std::uint8_t { kRequired, kOptimization, kGuard };

struct PassInfo {
  Pass pass;
  Scope scope;
  Kind kind;
  llvm::StringLiteral name;
  llvm::StringLiteral header;  ///< below compiler/
  llvm::StringLiteral why;     ///< why it stands where it stands
};

/// In order.
llvm::ArrayRef<PassInfo> all_passes();
const PassInfo& info(Pass pass);
/// Null: no pass has this name.
const PassInfo* find_pass(llvm::StringRef name);
llvm::StringRef spelled(Kind kind);

/// The list for people: a line a pass, or docs/passes.md's table.
std::string describe_passes(bool markdown);

}  // namespace weft::compiler::passes
