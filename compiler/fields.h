// All members of a structure as a tuple of references, for whoever has to visit each: what is written down, what is a key.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>

#include "compiler/compiler_api.h"

namespace weft::compiler {

template <class T, class Structure>
concept IsOrIsConst = std::same_as<std::remove_const_t<T>, Structure>;

}  // namespace weft::compiler

/// Defines fields(x) for `structure`, in whose namespace it has to stand. The binding takes as many names as there are
/// members, so one that is added to the structure and not here does not compile.
#define WEFT_FIELDS(structure, ...)                            \
  template <::weft::compiler::IsOrIsConst<structure> Structure> \
  auto fields(Structure& value) {                               \
    auto& [__VA_ARGS__] = value;                                \
    return std::tie(__VA_ARGS__);                               \
  }

namespace weft::abi {

WEFT_FIELDS(SourcePlace, file, line)
WEFT_FIELDS(CountedOperations, place, arithmetic, memory, control, barriers)
WEFT_FIELDS(CountedBlock, word, lines, issued, predicated)
WEFT_FIELDS(CountedBranch, block, place, word)
WEFT_FIELDS(CountedSite, space, kind, width, align, block, place, image, joinable)
WEFT_FIELDS(CountedRecord, site, block, segment, stride, granule, slots, word, deltas, by_segment)
WEFT_FIELDS(CounterTable, files, blocks, branches, sites, records, words)
WEFT_FIELDS(UpdatedBuffer, argument_offset, kind, word_bytes, updates)

}  // namespace weft::abi

namespace weft::compiler {

WEFT_FIELDS(Header, name, text)
WEFT_FIELDS(SpecConstant, id, bits)
WEFT_FIELDS(Dependency, kind, path, content_hash)
WEFT_FIELDS(KernelArg, kind, access, image, is_depth, type_qualifiers, address_space, offset, size, align, has_fact, stride_offset, stride_size, is_bound, type_name, name)
WEFT_FIELDS(KernelInfo, name, attributes, args, argument_bytes, local_bytes, private_bytes, registers, reqd_work_group_size,
            work_group_size_hint, required_sub_group_size, instructions, uses_barrier, uses_printf, uses_queues, is_block, block_number, is_unusual,
            has_uniform_groups, has_sooner_code, may_wait_for_groups, waits_for_groups, asks_for_sizes, asks_for_ids, fusion, has_any_groups,
            may_lose_tiles, gathered_bytes, gathering_accesses, preferred_row, preferred_single_row, tall_rows, streamed_bytes, read_bytes, by_columns, along_y, chunks, turned)
WEFT_FIELDS(Specialization, local_size, ids_fit_31_bits, aligned_offsets, groups, whole_blocks, is_part, streams, soon, turned, required_only, counted, traced, formats)
WEFT_FIELDS(CompileResult, ok, log, object, dependencies)
WEFT_FIELDS(ProgramMemory, image, pointers)
WEFT_FIELDS(LinkResult, ok, log, program, kernels, memory, dependencies)
WEFT_FIELDS(GenerateResult, ok, log, object, symbol, scratch_fixed_bytes, scratch_warp_bytes, private_bytes, stack_bytes, run, groups,
            counters, updated, has_tables)

/// The list that made the structure makes this too.
template <IsOrIsConst<Options> Structure>
auto fields(Structure& options) {
#define WEFT_OPTION(type, name, variable, fallback, meaning) , std::tie(options.name)
  return std::tuple_cat(std::tuple<>()
#include "compiler/options.def"
  );
#undef WEFT_OPTION
}

}  // namespace weft::compiler
