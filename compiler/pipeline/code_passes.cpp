// The passes on widened code, to machine code (Scope::kCode).
#include "compiler/codegen/emit.h"
#include "compiler/codegen/kept_order.h"
#include "compiler/codegen/loop_vectors.h"
#include "compiler/codegen/optimize.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/simt/barriers/group_runs.h"
#include "compiler/target/target.h"
#include "compiler/wide/aligned_spills.h"
#include "compiler/wide/bit_merges.h"
#include "compiler/wide/bits_below.h"
#include "compiler/wide/byte_floats.h"
#include "compiler/wide/byte_indices.h"
#include "compiler/wide/constant_rotates.h"
#include "compiler/wide/decided_masks.h"
#include "compiler/wide/float_quotients.h"
#include "compiler/wide/fused_floats.h"
#include "compiler/wide/gather_indices.h"
#include "compiler/wide/group_prefetch.h"
#include "compiler/wide/half_compares.h"
#include "compiler/wide/half_floats.h"
#include "compiler/wide/indexed_lanes.h"
#include "compiler/wide/known_lanes.h"
#include "compiler/wide/lane_orders.h"
#include "compiler/wide/late_loads.h"
#include "compiler/wide/launch_loads.h"
#include "compiler/wide/high_products.h"
#include "compiler/wide/long_quotients.h"
#include "compiler/wide/number_extremes.h"
#include "compiler/wide/mask_width.h"
#include "compiler/wide/narrow_arithmetic.h"
#include "compiler/wide/near_places.h"
#include "compiler/wide/paired_stores.h"
#include "compiler/wide/piecewise_accesses.h"
#include "compiler/wide/prefetch.h"
#include "compiler/wide/rare_values.h"
#include "compiler/wide/register_blocking.h"
#include "compiler/wide/row_values.h"
#include "compiler/wide/saturated_bytes.h"
#include "compiler/wide/short_indices.h"
#include "compiler/wide/short_masks.h"
#include "compiler/wide/shuffled_masks.h"
#include "compiler/wide/spread_sums.h"
#include "compiler/wide/ternary_logic.h"
#include "compiler/wide/tripled_masks.h"
#include "compiler/wide/unread_local.h"
#include "compiler/wide/wait_calls.h"
#include "compiler/wide/word_parts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft::compiler::pipeline {
namespace {

llvm::Error for_each_definition(Compilation& c, llvm::function_ref<void(llvm::Function&)> work) {
  for (llvm::Function& function : c.module)
    if (!function.isDeclaration()) work(function);
  return llvm::Error::success();
}

}  // namespace

llvm::Error run_TargetAttributes(Compilation& c) {
  codegen::set_code_attributes(c.module, *c.machine);
  return llvm::Error::success();
}

llvm::Error run_CleanUp(Compilation& c) {
  c.plain ? codegen::clean_up_plainly(c.module, *c.machine) : codegen::clean_up(c.module, *c.machine);
  return llvm::Error::success();
}

llvm::Error run_LaunchLoads(Compilation& c) { return for_each_definition(c, wide::load_once); }

llvm::Error run_DecidedMasks(Compilation& c) { return c.plain ? llvm::Error::success() : for_each_definition(c, wide::decide_masks); }

llvm::Error run_LoopVectors(Compilation& c) {
  if (!c.plain && c.group && c.lanes == 1) codegen::vectorize_loops(*c.group, *c.machine);
  return llvm::Error::success();
}

llvm::Error run_Optimize(Compilation& c) {
  if (!c.plain) codegen::optimize(c.module, *c.machine);
  return llvm::Error::success();
}

llvm::Error run_RareValues(Compilation& c) { return for_each_definition(c, wide::move_rare_values); }

llvm::Error run_RowValues(Compilation& c) {
  if (c.plain) return llvm::Error::success();
  return for_each_definition(c, [](llvm::Function& function) {
    wide::join_what_stays(function);
    wide::add_lanes_alone(function);
    wide::compute_rows_at_once(function);
  });
}

llvm::Error run_NearPlaces(Compilation& c) { return c.plain ? llvm::Error::success() : for_each_definition(c, wide::join_near_places); }

llvm::Error run_Prune(Compilation& c) {
  if (c.group) codegen::keep_only(c.module, *c.group);
  return llvm::Error::success();
}

llvm::Error run_UnreadLocal(Compilation& c) {
  if (c.group) wide::drop_unread_stores(*c.group);
  return llvm::Error::success();
}

llvm::Error run_HalfFloats(Compilation& c) {
  return target::vectors().half_arithmetic ? llvm::Error::success() : for_each_definition(c, wide::compute_halves_in_float);
}

llvm::Error run_FusedFloats(Compilation& c) {
  return target::vectors().fused_products ? llvm::Error::success() : for_each_definition(c, wide::fuse_floats_in_double);
}

llvm::Error run_SaturatedBytes(Compilation& c) { return for_each_definition(c, wide::saturate_bytes); }

llvm::Error run_WordParts(Compilation& c) { return for_each_definition(c, wide::compute_parts_in_words); }

llvm::Error run_LongQuotients(Compilation& c) {
  // Of two lanes each alone is as fast.
  if (c.plain || target::vectors().register_bits < 256) return llvm::Error::success();
  return for_each_definition(c, [](llvm::Function& function) { wide::divide_longs_by_products(function, target::vectors()); });
}

llvm::Error run_FloatQuotients(Compilation& c) {
  if (c.plain || c.flushes_denormals || !target::vectors().fused_products) return llvm::Error::success();
  return for_each_definition(c, [](llvm::Function& function) { wide::divide_by_reciprocals(function, target::vectors()); });
}

llvm::Error run_NumberExtremes(Compilation& c) { return for_each_definition(c, wide::take_extremes_of_numbers); }

llvm::Error run_LaneOrders(Compilation& c) {
  return for_each_definition(c, [](llvm::Function& function) { wide::order_known_lanes(function, target::vectors()); });
}

llvm::Error run_BitsBelow(Compilation& c) {
  return for_each_definition(c, [](llvm::Function& function) { wide::look_up_bits_below(function, target::vectors()); });
}

llvm::Error run_ShuffledMasks(Compilation& c) {
  if (!target::vectors().mask_registers) return llvm::Error::success();
  return for_each_definition(c, [](llvm::Function& function) {
    wide::shuffle_what_is_compared(function);
    wide::split_tripled_masks(function);
  });
}

llvm::Error run_NarrowArithmetic(Compilation& c) { return for_each_definition(c, wide::narrow_arithmetic); }

llvm::Error run_MaskWidth(Compilation& c) {
  const VectorTraits& vectors = target::vectors();
  if (vectors.mask_registers) return llvm::Error::success();
  return for_each_definition(c, [&](llvm::Function& function) { wide::widen_masks(function, vectors.register_bits); });
}

llvm::Error run_ByteFloats(Compilation& c) {
  return target::vectors().mask_registers ? for_each_definition(c, wide::multiply_bytes) : llvm::Error::success();
}

llvm::Error run_IndexedLanes(Compilation& c) { return for_each_definition(c, wide::keep_indexed_lanes); }

llvm::Error run_Prefetch(Compilation& c) {
  if (c.plain) return llvm::Error::success();
  return for_each_definition(c, [&](llvm::Function& function) { wide::insert_prefetches(function, *c.machine); });
}

llvm::Error run_GroupPrefetch(Compilation& c) {
  if (c.plain || !c.group || c.run > 1 || c.specialization.turned || c.specialization.soon) return llvm::Error::success();
  wide::prefetch_next_group(*c.group, c.written.by_columns ? 1 : 0, c.written.goes_once);
  return llvm::Error::success();
}

llvm::Error run_LateLoads(Compilation& c) {
  if (c.plain) return llvm::Error::success();
  return for_each_definition(c, [](llvm::Function& function) { wide::load_in_loops(function, target::vectors()); });
}

llvm::Error run_RegisterBlocking(Compilation& c) {
  if (c.plain) return llvm::Error::success();
  return for_each_definition(c, [&](llvm::Function& function) {
    for (llvm::BasicBlock* block : wide::apply_register_blocking(function, *c.machine)) codegen::keep_order(*block);
  });
}

llvm::Error run_PiecewiseAccesses(Compilation& c) {
  return c.plain ? llvm::Error::success() : for_each_definition(c, wide::access_piecewise);
}

llvm::Error run_PairedStores(Compilation& c) {
  return c.plain ? llvm::Error::success() : for_each_definition(c, wide::pair_stores);
}

llvm::Error run_AlignedSpills(Compilation& c) { return for_each_definition(c, wide::align_spills); }

llvm::Error run_TernaryLogic(Compilation& c) {
  if (c.plain || !target::vectors().mask_registers) return llvm::Error::success();
  return for_each_definition(c, wide::join_ternary_logic);
}

llvm::Error run_SpreadSums(Compilation& c) {
  if (c.plain) return llvm::Error::success();
  return for_each_definition(c, [](llvm::Function& function) { wide::spread_sums(function, target::vectors()); });
}

llvm::Error run_ByteIndices(Compilation& c) {
  if (c.plain) return llvm::Error::success();
  return for_each_definition(c, [](llvm::Function& function) { wide::take_byte_indices(function, target::vectors()); });
}

llvm::Error run_OpaqueGroups(Compilation& c) {
  if (c.group) simt::hide_group_ids(*c.group);
  if (c.group && !c.plain) simt::hide_few_numbers(*c.group);
  return llvm::Error::success();
}

llvm::Error run_ShortIndices(Compilation& c) {
  if (c.plain || !target::vectors().masked_gather) return llvm::Error::success();
  return for_each_definition(c, wide::shorten_indices);
}

llvm::Error run_WaitCalls(Compilation& c) { return for_each_definition(c, wide::call_waits); }

llvm::Error run_GatherIndices(Compilation& c) { return for_each_definition(c, wide::define_gather_indices); }

llvm::Error run_BitMerges(Compilation& c) { return for_each_definition(c, wide::fence_bit_merges); }

llvm::Error run_HighProducts(Compilation& c) { return for_each_definition(c, wide::part_high_products); }

llvm::Error run_ConstantRotates(Compilation& c) {
  return for_each_definition(c, [](llvm::Function& function) { wide::hide_rotated_constants(function, target::vectors()); });
}

llvm::Error run_KnownLanes(Compilation& c) {
  return for_each_definition(c, [](llvm::Function& function) { wide::hide_known_lanes(function, target::vectors()); });
}

llvm::Error run_HalfCompares(Compilation& c) {
  return target::vectors().half_arithmetic ? for_each_definition(c, wide::compare_halves_as_floats) : llvm::Error::success();
}

llvm::Error run_ShortMasks(Compilation& c) {
  return target::vectors().mask_registers ? for_each_definition(c, wide::widen_short_masks) : llvm::Error::success();
}

llvm::Error run_Emit(Compilation& c) {
  // The allocator of registers at a higher level takes time that is not linear, most of all where values live across many blocks.
  if (c.plain) c.machine->setOptLevel(llvm::CodeGenOptLevel::None);
  auto code = codegen::emit(c.module, *c.machine, c.file_kind);
  if (!code) return code.takeError();
  c.code = std::move(code->bytes);
  c.stack_bytes = code->stack_bytes;
  return llvm::Error::success();
}

}  // namespace weft::compiler::pipeline
