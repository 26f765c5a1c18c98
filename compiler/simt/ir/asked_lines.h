// Prefetches, of a line each.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

namespace weft::compiler::simt {

/// The nearest of the caches that a prefetch fills, as llvm.prefetch numbers them.
enum class AskedCache : unsigned { kSecond = 2, kFirst = 3 };

/// Asks for the line of `address`, to store there if it `stores`. No address does harm.
inline void ask_for_line(llvm::IRBuilderBase& builder, llvm::Value* address, bool stores, AskedCache nearest) {
  builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                          {address, builder.getInt32(stores), builder.getInt32(static_cast<unsigned>(nearest)), builder.getInt32(/*data*/ 1)});
}

}  // namespace weft::compiler::simt
