// Atomic updates that keep the lesser or the greater number.
#pragma once

#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft::compiler::simt {

/// How what is found compares with the operand where `operation`, which keeps one of the two, keeps what is found; nothing for others.
inline std::optional<llvm::CmpInst::Predicate> keeping(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Min: return llvm::CmpInst::ICMP_SLE;
    case llvm::AtomicRMWInst::Max: return llvm::CmpInst::ICMP_SGE;
    case llvm::AtomicRMWInst::UMin: return llvm::CmpInst::ICMP_ULE;
    case llvm::AtomicRMWInst::UMax: return llvm::CmpInst::ICMP_UGE;
    default: return std::nullopt;
  }
}

}  // namespace weft::compiler::simt
