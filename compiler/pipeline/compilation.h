// The state that each pass hands to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/codegen/emit.h"
#include "compiler/compiler_api.h"
#include "compiler/passes/pass_control.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/analysis/written_rows.h"
#include "compiler/simt/barriers/frame.h"
#include "compiler/simt/barriers/regions.h"
#include "compiler/simt/widen/wide_call.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::pipeline {

/// What passes did that have code in several versions (fewer_versions.h).
struct Versions {
  /// Runs `pass`, and adds what it made.
  llvm::Error counted(passes::Pass pass, const llvm::Module& module, llvm::function_ref<llvm::Error()> run);
  bool are_many() const;

  unsigned instructions = 0;  ///< of a work-item, behind the last that takes copies
  unsigned copied = 0;        ///< of these, added by such passes
  unsigned branches = 0;      ///< of widened code alone
};

/// One module being compiled: a program (Scope::kProgram), or one kernel of it (the other scopes).
struct Compilation {
  Compilation(llvm::Module& module, passes::PassControl& control) : module(module), control(control) {}
  /// `specialization` must outlive this.
  Compilation(llvm::Module& module, llvm::StringRef kernel, const Specialization& specialization, llvm::TargetMachine& machine,
              passes::PassControl& control);

  llvm::Module& module;
  passes::PassControl& control;
  simt::Analyses analyses;

  std::string kernel;
  const Specialization* program_view = nullptr;  ///< as the program sees it
  Specialization specialization;                 ///< the same with fused groups as one
  Specialization unfused;                        ///< the program's view while groups are not fused, but may be later
  std::uint32_t fused = 1;                       ///< groups that are one
  std::uint32_t fuse_later = 1;                  ///< groups that become one if copied-tiles leaves nothing that they keep to themselves
  llvm::TargetMachine* machine = nullptr;

  llvm::Function* item = nullptr;      ///< from lower-args to split-regions
  llvm::Function* straight = nullptr;  ///< a copy of `item` with less control flow, for whole-group to choose or erase
  bool one_warp = false;               ///< a body may not run more than one (simt/ir/sub_groups.h)
  bool stacked = false;                ///< a lane runs several rows of the block: enough for a body (simt/item/stacked_rows.h)
  bool whole_group = false;            ///< one body runs the whole group
  simt::RegionSet set;                 ///< from split-regions on
  unsigned lanes = 0;                  ///< of a body: 32 * J; fewer for a group smaller than a warp
  bool flushes_denormals = false;      ///< of a program built with -cl-denorms-are-zero
  simt::WrittenRows written;           ///< of the kernel; nothing for Specialization::soon
  bool plain = false;                  ///< too large for passes whose time is not linear: code that works, soon
  bool full_warps = false;             ///< every body has work-items in all its lanes
  simt::WarpFrame frame;
  std::uint64_t private_bytes = 0;     ///< of a work-item, left in memory
  simt::WideCallees callees;           ///< that run for all lanes at once
  Versions versions;                   ///< of Specialization::soon
  bool leaves_out = false;             ///< something, for Specialization::soon: other code is better (sooner_code.h)
  bool is_call = false;                ///< of such a function, not of a kernel
  std::vector<llvm::Function*> wide;   ///< the regions, widened
  std::optional<std::uint64_t> local_bytes;  ///< of a group of known size, local memory known to the last byte, that waits for no other and is not counted
  std::uint32_t run = 1;               ///< most groups side by side along x that a call runs
  bool in_pairs = false;               ///< these are two, beside each other
  bool in_phases = false;              ///< these go through the regions together, each with frames and local memory of its own
  llvm::Function* group = nullptr;     ///< the abi::GroupFunction
  abi::CounterTable counters;          ///< of Specialization::counted
  codegen::FileKind file_kind = codegen::FileKind::kObject;
  std::vector<abi::UpdatedBuffer> updated;  ///< that workers may have copies of
  llvm::Function* fill = nullptr;      ///< from byte-tables to group: the item function that fills the kernel's tables
  bool has_tables = false;             ///< the group function fills and uses GroupInfo::tables
  llvm::SmallVector<char, 0> code;     ///< machine code, from emit on
  std::uint64_t stack_bytes = 0;       ///< of a thread that runs it

  /// Warps of a body, if that is not the compiler's to choose; else 0.
  unsigned forced_warps() const { return one_warp ? 1 : control.options().coarsening; }
  /// Makes one body run `warps` warps.
  void coarsen_to(unsigned warps);
  /// Runs fuse_later groups as one from here on: `item` has become the code of such blocks (simt/item/late_blocks.h).
  void fuse();
  void lay_out_frame();
  /// Bytes from a lane's copy of a private variable to the next one's.
  std::uint32_t private_stride(unsigned index) const { return static_cast<std::uint32_t>(frame.privates[index].stride); }
};

/// Runs the passes of `pass`'s scope that stand behind it, within another pass; up to `last`, if that is named.
llvm::Error run_passes_behind(passes::Pass pass, Compilation& compilation, std::optional<passes::Pass> last = std::nullopt);

/// The passes' functions, by their Id in passes.def. Those of Scope::kWidening have none.
#define WEFT_PASS(scope, id, name, kind, header, why) llvm::Error run_##id(Compilation& compilation);
#include "compiler/passes.def"
#undef WEFT_PASS

}  // namespace weft::compiler::pipeline
