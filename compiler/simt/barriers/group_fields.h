// What code asks of the group that it runs for: loads of the fields of abi::GroupInfo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "device/kernel_abi.h"

namespace llvm {
class Function;
class LoadInst;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Bytes from the beginning of `group`, an abi::GroupInfo, that `load` reads; nothing if it reads something else.
std::optional<std::uint64_t> field_offset(const llvm::LoadInst& load, const llvm::Value& group);

/// Whether the field at `offset` is a part of the group's number along x.
inline bool is_group_id(std::uint64_t offset) { return offset < offsetof(abi::GroupInfo, group_id) + sizeof(std::uint64_t); }

/// Whether all that `region` does with its second argument, the group, is to load fields at known offsets, each of which `is_fine`.
bool loads_fields_alone(const llvm::Function& region, llvm::function_ref<bool(const llvm::LoadInst&, std::uint64_t offset)> is_fine);

/// `load`, of an integer of the group's number at `offset`, becomes that of `id`, an i64, and is erased.
void replace_group_id(llvm::LoadInst& load, std::uint64_t offset, llvm::Value& id);

}  // namespace weft::compiler::simt
