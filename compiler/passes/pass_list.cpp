#include "compiler/passes/pass_list.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace weft::compiler::passes {
namespace {

constexpr PassInfo kPasses[] = {
#define WEFT_PASS(scope, id, name, kind, header, why) \
  {Pass::k##id, Scope::k##scope, Kind::k##kind, llvm::StringLiteral(name), llvm::StringLiteral(header), llvm::StringLiteral(why)},
#include "compiler/passes.def"
#undef WEFT_PASS
};

llvm::StringRef spelled(Scope scope) {
  switch (scope) {
    case Scope::kProgram: return "program";
    case Scope::kKernel: return "kernel";
    case Scope::kWidening: return "widening";
    default: return "code";
  }
}

}  // namespace

llvm::ArrayRef<PassInfo> all_passes() { return kPasses; }

const PassInfo& info(Pass pass) { return kPasses[static_cast<std::size_t>(pass)]; }

const PassInfo* find_pass(llvm::StringRef name) {
  const auto* found = llvm::find_if(kPasses, [&](const PassInfo& pass) { return pass.name == name; });
  return found == std::end(kPasses) ? nullptr : found;
}

llvm::StringRef spelled(Kind kind) {
  switch (kind) {
    case Kind::kRequired: return "required";
    case Kind::kOptimization: return "optimization";
    default: return "guard";
  }
}

std::string describe_passes(bool markdown) {
  std::string text;
  if (markdown)
    text += "# Passes\n\n"
            "Every pass of the compiler, in the order in which they run. Made from [`compiler/passes.def`](../compiler/passes.def), the list\n"
            "that the pipeline runs, by `weftc --list-passes=markdown` (target `docs-passes`).\n\n"
            "Scope: once a *program*, once for each specialization of a *kernel*, a step within *widening*, or on widened *code*.\n"
            "Kind: what is *required* is in every variant; an *optimization* may be left out, by name (`WEFT_DISABLE`, `weftc --disable`) or all\n"
            "of them (`WEFT_REQUIRED_ONLY`, `weftc --required-only`); a *guard* keeps LLVM from a fault of its own.\n\n"
            "| pass | scope | kind | in `compiler/` | why it stands there |\n|---|---|---|---|---|\n";
  for (const PassInfo& pass : kPasses) {
    const llvm::StringRef scope = spelled(pass.scope), kind = spelled(pass.kind);
    text += markdown ? llvm::formatv("| `{0}` | {1} | {2} | [{3}](../compiler/{3}) | {4} |\n", pass.name, scope, kind, pass.header, pass.why).str()
                     : llvm::formatv("{0,-22} {1,-9} {2,-13} {3}\n", pass.name, scope, kind, pass.why).str();
  }
  return text;
}

}  // namespace weft::compiler::passes
