#include "compiler/simt/item/restrict_scopes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

#include "compiler/simt/analysis/buffer_places.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/least_updates.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/item/component_stores.h"
#include "compiler/simt/item/copied_tiles.h"
#include "compiler/simt/item/unit_strides.h"

namespace weft::compiler::simt {
namespace {

/// Of an argument: a buffer of its own.
constexpr llvm::StringLiteral kApartAttribute = "weft.apart";

using llvm::Argument;
using llvm::Value;

struct Promise {
  const Argument* pointer;
  llvm::MDNode* scope;
  bool captured;  ///< a pointer of unknown origin may be a copy of it
};

/// What an access's pointer may be based on.
struct Origin {
  llvm::SmallPtrSet<const Argument*, 4> promised;  ///< these arguments
  bool only_promised = true;  ///< and nothing else
  bool from_anywhere = false;  ///< also, say, a loaded pointer: a copy of an argument, if one was stored
  bool known = true;
};

const Value* pointer_of(const llvm::Instruction& instruction) {
  if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) return pointer;
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return exchange->getPointerOperand();
  return nullptr;
}

Origin origin_of(const Value& pointer, llvm::ArrayRef<Promise> promises) {
  Origin origin;
  llvm::SmallVector<const Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  for (const Value* object : objects) {
    if (llvm::isa<llvm::ConstantData>(object)) continue;  // null and undef point to no object
    const auto* argument = llvm::dyn_cast<Argument>(object);
    if (argument && llvm::any_of(promises, [&](const Promise& promise) { return promise.pointer == argument; })) {
      origin.promised.insert(argument);
      continue;
    }
    origin.only_promised = false;
    if (llvm::isEscapeSource(object))
      origin.from_anywhere = true;
    else if (!argument && !llvm::isIdentifiedObject(object))
      origin.known = false;
  }
  return origin;
}

/// Adds `scopes` to those that `access` already has, such as scopes of inlined functions.
void add_scopes(llvm::Instruction& access, unsigned kind, llvm::ArrayRef<llvm::Metadata*> scopes) {
  if (scopes.empty()) return;
  access.setMetadata(kind, llvm::MDNode::concatenate(access.getMetadata(kind), llvm::MDNode::get(access.getContext(), scopes)));
}

}  // namespace

/// Whether it loads between stores of narrow numbers, which may be of one pixel (simt/memory/byte_rows.h).
static bool stores_pixels(const llvm::BasicBlock& block) {
  bool stored = false, loads = false;
  for (const llvm::Instruction& instruction : block) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->getPointerAddressSpace() == kGlobalSpace) loads |= stored;
    if (!store || store->isAtomic() || store->getPointerAddressSpace() != kGlobalSpace) continue;
    const llvm::Type* type = store->getValueOperand()->getType();
    if (type->isVectorTy() || type->getPrimitiveSizeInBits() > 16) continue;
    if (loads) return true;
    stored = true;
  }
  return false;
}

/// Whether it stores so many bytes for each work-item that those of a warp take as many registers as a processor without AVX-512 has
/// (wide/register_blocking.h).
static bool stores_many_bytes(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && is_plain_access(*store) && store->getPointerAddressSpace() == kGlobalSpace &&
           store->getValueOperand()->getType()->getPrimitiveSizeInBits().getFixedValue() >= 128;
  });
}

/// Whether it stores components of vectors, which stores join where no load stands between them (component_stores.h).
static bool stores_components(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::StoreInst>(instruction) && instruction.hasMetadata(kComponentMetadata);
  });
}

bool scopes_serve(const llvm::Function& kernel) {
  if (llvm::count_if(kernel.args(), [](const Argument& argument) { return argument.getType()->isPointerTy(); }) < 2) return false;
  const auto stores = [](const llvm::BasicBlock& block) {
    return llvm::any_of(block, [](const llvm::Instruction& instruction) {
      // What updates that keep the least may be moved with is scalarize-loops' to ask.
      if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        return keeping(update->getOperation()) && update->use_empty() && update->getPointerAddressSpace() == kGlobalSpace;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store && !store->isAtomic() && store->getPointerAddressSpace() == kGlobalSpace;
    });
  };
  if (llvm::none_of(kernel, stores)) return false;
  if (llvm::any_of(kernel, stores_pixels) || llvm::any_of(kernel, stores_components) || llvm::any_of(kernel, stores_many_bytes)) return true;
  if (may_copy_tiles(kernel)) return true;
  llvm::DominatorTree dominators(const_cast<llvm::Function&>(kernel));
  const llvm::LoopInfo loops(dominators);
  return llvm::any_of(kernel, [&](const llvm::BasicBlock& block) { return loops.getLoopFor(&block) && stores(block); });
}

bool mark_buffers_apart(llvm::Function& kernel, const ArgumentFormats& formats) {
  const std::uint32_t word = facts_word(kernel, formats), small = bounds_word(kernel, formats);
  const bool serve = scopes_serve(kernel);
  bool any = false;
  for (Argument& argument : kernel.args()) {
    if (argument.getArgNo() >= ArgumentFormats::kMostFacts || !(word >> argument.getArgNo() & 1) || !argument.getType()->isPointerTy())
      continue;
    kernel.addParamAttr(argument.getArgNo(), llvm::Attribute::get(kernel.getContext(), kStartAttribute));
    if (small >> argument.getArgNo() & 1) kernel.addParamAttr(argument.getArgNo(), llvm::Attribute::get(kernel.getContext(), kSmallAttribute));
    if (serve) kernel.addParamAttr(argument.getArgNo(), llvm::Attribute::get(kernel.getContext(), kApartAttribute));
    any = true;
  }
  return any;
}

bool scope_restrict_arguments(llvm::Function& kernel) {
  llvm::MDBuilder builder(kernel.getContext());
  llvm::MDNode* domain = nullptr;
  llvm::SmallVector<Promise, 8> promises;
  for (const Argument& argument : kernel.args()) {
    const bool is_apart = argument.getParent()->getAttributes().hasParamAttr(argument.getArgNo(), kApartAttribute);
    if ((!argument.hasNoAliasAttr() && !is_apart) || argument.use_empty()) continue;
    if (!domain) domain = builder.createAnonymousAliasScopeDomain(kernel.getName());
    promises.push_back({&argument, builder.createAnonymousAliasScope(domain, argument.getName()),
                        !argument.hasNoAliasAttr() ||
                            llvm::PointerMayBeCaptured(&argument, /*ReturnCaptures=*/false, /*StoreCaptures=*/true)});
  }
  if (promises.empty()) return false;
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const Value* pointer = pointer_of(instruction);
    if (!pointer) continue;
    const Origin origin = origin_of(*pointer, promises);
    if (!origin.known) continue;
    llvm::SmallVector<llvm::Metadata*, 8> in, not_in;
    for (const Promise& promise : promises) {
      if (origin.promised.contains(promise.pointer)) {
        if (origin.only_promised) in.push_back(promise.scope);
      } else if (!origin.from_anywhere || !promise.captured) {
        not_in.push_back(promise.scope);
      }
    }
    add_scopes(instruction, llvm::LLVMContext::MD_alias_scope, in);
    add_scopes(instruction, llvm::LLVMContext::MD_noalias, not_in);
    changed |= !in.empty() || !not_in.empty();
  }
  return changed;
}

}  // namespace weft::compiler::simt
