#include "compiler/linker/kernel_info.h"

#include <cstdint>
#include <optional>

#include "compiler/simt/analysis/buffer_places.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/codegen/loop_vectors.h"
#include "compiler/frontend/blocks.h"
#include "compiler/frontend/compile.h"
#include "compiler/linker/supported.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/arg_layout.h"
#include "compiler/simt/analysis/column_work.h"
#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/analysis/waiting_loops.h"
#include "compiler/simt/analysis/own_chunks.h"
#include "compiler/simt/analysis/registers.h"
#include "compiler/simt/analysis/row_access.h"
#include "compiler/simt/analysis/written_rows.h"
#include "compiler/simt/barriers/call_region.h"
#include "compiler/simt/ir/kernel_metadata.h"
#include "compiler/simt/ir/local_memory.h"
#include "compiler/simt/item/copied_tiles.h"
#include "compiler/simt/item/loop_tiles.h"
#include "compiler/simt/item/restrict_scopes.h"
#include "compiler/simt/item/single_items.h"
#include "compiler/simt/item/turned_ids.h"
#include "compiler/simt/item/bounded_counters.h"
#include "compiler/simt/item/unit_strides.h"
#include "compiler/target/target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"

namespace weft::compiler::linker {
namespace {

using simt::metadata_string;

std::uint32_t metadata_number(const llvm::MDNode* node, unsigned i) {
  if (node == nullptr || i >= node->getNumOperands()) return 0;
  const auto* value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(i));
  return value ? static_cast<std::uint32_t>(value->getZExtValue()) : 0;
}

ArgAccess parse_access(llvm::StringRef text) {
  if (text == "read_only") return ArgAccess::kReadOnly;
  if (text == "write_only") return ArgAccess::kWriteOnly;
  if (text == "read_write") return ArgAccess::kReadWrite;
  return ArgAccess::kNone;
}

std::uint8_t parse_qualifiers(llvm::StringRef text) {
  std::uint8_t bits = 0;
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.split(words, ' ', -1, false);
  for (llvm::StringRef word : words) {
    if (word == "const") bits |= kQualConst;
    if (word == "restrict") bits |= kQualRestrict;
    if (word == "volatile") bits |= kQualVolatile;
    if (word == "pipe") bits |= kQualPipe;
  }
  return bits;
}

/// Alignment that clSetKernelArg's local memory needs: of the pointee, which opaque pointers hide. Clang
/// notes it as the argument's alignment.
std::uint32_t pointee_align(const llvm::Argument& argument) {
  const llvm::MaybeAlign align = argument.getParamAlign();
  return align ? static_cast<std::uint32_t>(align->value()) : 1;
}

/// Of `type`, a `target("spirv.Image", ...)`: its dimensions, whether of depth values, whether an array, and more (SPIR-V
/// §3.3.6, OpTypeImage).
void describe_image(const llvm::TargetExtType& type, KernelArg& result) {
  enum Dim : unsigned { k1D = 0, k2D = 1, k3D = 2, kBuffer = 5 };
  result.kind = ArgKind::kImage;
  result.address_space = simt::kGlobalSpace;
  result.is_depth = type.getIntParameter(1) != 0;
  const bool is_array = type.getIntParameter(2) != 0;
  switch (type.getIntParameter(0)) {
    case k1D: result.image = is_array ? ImageShape::k1DArray : ImageShape::k1D; break;
    case k2D: result.image = is_array ? ImageShape::k2DArray : ImageShape::k2D; break;
    case k3D: result.image = ImageShape::k3D; break;
    case kBuffer: result.image = ImageShape::k1DBuffer; break;
    default: break;
  }
}

KernelArg describe_argument(const llvm::Argument& argument, const simt::ArgSlot& slot, bool scopes_serve) {
  const llvm::Function& kernel = *argument.getParent();
  const unsigned i = argument.getArgNo();
  KernelArg result;
  result.offset = slot.offset;
  result.size = slot.size;
  result.align = slot.align;
  if (argument.getType()->isPointerTy() && !argument.hasByValAttr()) {
    result.address_space = static_cast<std::uint8_t>(argument.getType()->getPointerAddressSpace());
    switch (result.address_space) {
      case simt::kGlobalSpace:
        result.kind = ArgKind::kGlobalPointer;
        break;
      case simt::kConstantSpace:
        result.kind = ArgKind::kConstantPointer;
        break;
      case simt::kLocalSpace:
        result.kind = ArgKind::kLocalPointer;
        result.align = pointee_align(argument);
        break;
      default:
        break;
    }
  } else if (const auto* target = llvm::dyn_cast<llvm::TargetExtType>(argument.getType())) {
    if (target->getName() == "spirv.Image") describe_image(*target, result);
    else result.kind = ArgKind::kSampler;
  }
  const auto stride = result.kind == ArgKind::kValue ? simt::stride_in(argument) : std::nullopt;
  if (stride && stride->offset + stride->size <= result.size) {
    result.has_fact = true;
    result.stride_offset = stride->offset;
    result.stride_size = stride->size;
  }
  result.is_bound = result.kind == ArgKind::kValue && simt::is_bound(argument);
  result.access = parse_access(metadata_string(kernel.getMetadata("kernel_arg_access_qual"), i));
  result.type_qualifiers = parse_qualifiers(metadata_string(kernel.getMetadata("kernel_arg_type_qual"), i));
  if (result.kind == ArgKind::kGlobalPointer && (result.type_qualifiers & kQualPipe)) result.kind = ArgKind::kPipe;
  if (argument.getType()->isIntegerTy(64) && metadata_string(kernel.getMetadata("kernel_arg_base_type"), i) == "queue_t")
    result.kind = ArgKind::kQueue;
  result.has_fact |= result.kind == ArgKind::kGlobalPointer && scopes_serve && !argument.hasNoAliasAttr() && !argument.use_empty();
  result.has_fact |= result.kind == ArgKind::kGlobalPointer && simt::has_places(argument);
  result.is_bound |= result.kind == ArgKind::kGlobalPointer && result.has_fact && simt::has_unsigned_places(argument);
  result.type_name = metadata_string(kernel.getMetadata("kernel_arg_type"), i).str();
  result.name = metadata_string(kernel.getMetadata("kernel_arg_name"), i).str();
  return result;
}

/// Whether no work-item can tell in which group it is, or how large that is.
bool knows_no_groups(const llvm::Function& kernel) {
  return llvm::none_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!call || (callee && callee->isIntrinsic())) return false;
    if (!callee) return true;
    const llvm::StringRef name = callee->getName();
    // These are told all that they know.
    if (name.starts_with(simt::primitive::kImageFunction)) return false;
    if (!callee->isDeclaration()) return true;
    return call->arg_empty() && !name.starts_with(simt::primitive::kGlobalId) && !name.starts_with("__weft_global_");
  });
}

void describe_rows(const llvm::Function& kernel, KernelInfo& info) {
  const simt::PreferredRows rows = simt::preferred_rows(kernel);
  info.preferred_row = rows.of_any;
  info.preferred_single_row = rows.of_single;
}

/// How groups run: fused, in which order, with which stores. `plan`: simt::plan_single_items of the kernel.
void describe_groups(const llvm::Function& kernel, llvm::function_ref<std::optional<simt::Gathered>()> plan, KernelInfo& info) {
  info.has_sooner_code = simt::calls_outside_loops(kernel);
  info.may_wait_for_groups = simt::groups_may_wait(kernel);
  info.waits_for_groups = info.may_wait_for_groups && simt::waits_for_groups(kernel);
  if (info.may_wait_for_groups || simt::keeps_shared_calls(kernel)) return;
  const simt::WrittenRows written = simt::written_rows(kernel);
  info.streamed_bytes = written.streamed_bytes;
  info.read_bytes = written.read_bytes;
  info.by_columns = written.by_columns;
  const bool any = !simt::has_group_state(kernel);
  if (any) {
    info.fusion = GroupFusion::kAny;
    describe_rows(kernel, info);
    info.has_any_groups = !kernel.getMetadata("reqd_work_group_size") && knows_no_groups(kernel);
    if (info.private_bytes == 0 && info.has_any_groups) {
      if (simt::loop_tiles_serve(const_cast<llvm::Function&>(kernel), target::vectors())) info.tall_rows = simt::kFewestTileRows;
      else if (simt::columns_serve(kernel)) info.tall_rows = simt::kRowsOfColumns;
    }
  }
  info.may_lose_tiles = !any && simt::may_copy_tiles(kernel);
  if (info.may_lose_tiles) describe_rows(kernel, info);
  if (any && info.private_bytes == 0) return;
  if (const auto gathered = plan()) {
    if (!any) info.fusion = GroupFusion::kSingleItems;
    info.gathered_bytes = gathered->bytes;
    info.gathering_accesses = gathered->accesses;
  }
}

/// Of a kernel as make_program() leaves it, whose launches are as it asks for them. `plan` is asked last: nothing else looks at the kernel then.
KernelInfo describe_kernel(const llvm::Function& kernel, llvm::function_ref<std::optional<simt::Gathered>()> plan) {
  KernelInfo info;
  info.name = kernel.getName().str();
  info.attributes = metadata_string(kernel.getMetadata(frontend::kAttributesMetadata), 0).str();
  const std::vector<simt::ArgSlot> slots = simt::layout_arguments(kernel);
  const bool scopes_serve = simt::scopes_serve(kernel);
  for (const llvm::Argument& argument : kernel.args())
    info.args.push_back(describe_argument(argument, slots[argument.getArgNo()], scopes_serve));
  info.argument_bytes = simt::argument_bytes(slots);
  info.local_bytes = simt::assign_local_globals(kernel).bytes;
  for (unsigned d = 0; d < 3; ++d) {
    info.reqd_work_group_size[d] = metadata_number(kernel.getMetadata("reqd_work_group_size"), d);
    info.work_group_size_hint[d] = metadata_number(kernel.getMetadata("work_group_size_hint"), d);
  }
  info.required_sub_group_size = required_sub_group_size(kernel);
  const llvm::DataLayout& layout = kernel.getDataLayout();
  for (const llvm::BasicBlock& block : kernel) {
    info.instructions += static_cast<std::uint32_t>(block.size());
    for (const llvm::Instruction& instruction : block) {
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        if (const auto size = variable->getAllocationSize(layout))
          info.private_bytes = llvm::SaturatingAdd<std::uint64_t>(info.private_bytes, size->getFixedValue());
      } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (const llvm::Function* callee = call->getCalledFunction()) {
          info.uses_barrier |= callee->getName() == "__weft_barrier";
          info.uses_printf |= callee->getName() == "printf";
          info.uses_queues |= simt::is_queue_function(*callee);
          info.asks_for_sizes |= callee->getName().starts_with("__weft_global_size_") || callee->getName().starts_with("__weft_num_groups_");
          info.asks_for_ids |= callee->getName() == "__weft_global_id_x" || callee->getName() == "__weft_group_id_x";
        }
      }
    }
  }
  if (std::uint32_t number = 0; kernel.hasFnAttribute(frontend::kBlockAttribute)) {
    info.is_block = !kernel.getFnAttribute(frontend::kBlockAttribute).getValueAsString().getAsInteger(10, number);
    info.block_number = number;
  }
  info.has_uniform_groups = kernel.getParent()->getNamedMetadata(frontend::kUniformGroupsMetadata) != nullptr;
  info.is_unusual = is_unusual(kernel);
  info.registers = simt::estimate_registers(kernel);
  info.along_y = simt::lies_along_y(kernel);
  describe_groups(kernel, plan, info);
  if (const simt::Chunks chunks = simt::own_chunks(kernel); chunks.any) {
    const bool alone = chunks.part_lanes || codegen::makes_vectors_of_all_loops(kernel, *target::take_target_machine());
    info.chunks = alone ? OwnChunks::kAlone : OwnChunks::kBeside;
  }
  if (unsigned bound = 0; kernel.hasFnAttribute(frontend::kMaxRegistersAttribute) &&
                          !kernel.getFnAttribute(frontend::kMaxRegistersAttribute).getValueAsString().getAsInteger(10, bound) &&
                          info.registers > bound) {
    info.private_bytes += (info.registers - bound) * 4;  // spilled
    info.registers = bound;
  }
  return info;
}

/// The same of a kernel whose launches may exchange dimensions, which is as before in the end, but for what `plan` does.
KernelInfo describe_turned(llvm::Function& kernel, llvm::function_ref<std::optional<simt::Gathered>()> plan) {
  const unsigned dimension = simt::dimension_to_turn(kernel);
  if (dimension == 0) return describe_kernel(kernel, plan);
  simt::turn_ids(kernel, dimension);
  KernelInfo info = describe_kernel(kernel, plan);
  simt::turn_ids(kernel, dimension);
  info.turned = dimension;
  return info;
}

}  // namespace

std::string report_resources(const KernelInfo& kernel) {
  return "info    : Compiling entry function '" + kernel.name + "'\ninfo    : Used " + std::to_string(kernel.registers) +
         " registers, " + std::to_string(kernel.private_bytes) + " bytes lmem, " + std::to_string(kernel.local_bytes) +
         " bytes smem, " + std::to_string(kernel.argument_bytes) + " bytes of arguments\n";
}

std::vector<KernelInfo> describe_kernels(llvm::Module& module) {
  std::vector<KernelInfo> kernels;
  for (llvm::Function& function : module)
    if (simt::is_kernel(function)) kernels.push_back(describe_turned(function, [&] { return simt::plan_single_items(function); }));
  return kernels;
}

std::vector<KernelInfo> describe_kernels(std::unique_ptr<llvm::Module> module) {
  std::vector<KernelInfo> kernels;
  for (llvm::Function& function : *module)
    if (simt::is_kernel(function)) kernels.push_back(describe_turned(function, [&] { return simt::plan_single_items_in_place(function); }));
  return kernels;
}

}  // namespace weft::compiler::linker
