#include "compiler/simt/analysis/buffer_places.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <string>

#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::GetElementPtrInst;
using llvm::Value;

/// Bytes: far less than an index that has wrapped around is away from 0.
constexpr std::uint64_t kMostConstant = 1 << 20;

/// Offsets in the launch's arguments, with commas.
constexpr llvm::StringLiteral kStartsAttribute = "weft-starts", kSmallStartsAttribute = "weft-small-starts";

/// What `pointer` points to, and how far behind it that lies.
std::pair<const Value*, std::uint64_t> base_of(const Value& pointer, const llvm::DataLayout& layout) {
  llvm::APInt offset(64, 0);
  const Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getZExtValue()};
}

bool adds_constant(const GetElementPtrInst& place) {
  llvm::APInt offset(64, 0);
  return place.accumulateConstantOffset(place.getModule()->getDataLayout(), offset) && offset.abs().ult(kMostConstant);
}

/// Whether work-items that get to `pointer` access what it points to before anything else: as a rule a loop that goes on from there.
bool is_accessed_at_once(const llvm::PHINode& pointer) {
  return llvm::any_of(*pointer.getParent(), [&](const llvm::Instruction& access) { return llvm::getLoadStorePointerOperand(&access) == &pointer; });
}

/// The lanes of `block`; null where it does not say so.
const Value* lanes_of(const llvm::BasicBlock& block) {
  const llvm::CallInst* mask = mask_call(const_cast<llvm::BasicBlock&>(block));
  return mask ? mask->getArgOperand(0) : nullptr;
}

/// Whether work-items that get to `pointer` only ask whether they go on, and if so access what it points to: a loop that asks in front of each iteration.
bool is_accessed_where_it_goes_on(const llvm::PHINode& pointer) {
  const llvm::BasicBlock& asks = *pointer.getParent();
  return llvm::any_of(pointer.users(), [&](const llvm::User* user) {
    if (llvm::getLoadStorePointerOperand(user) != &pointer) return false;
    const llvm::BasicBlock* body = llvm::cast<llvm::Instruction>(user)->getParent();
    return body->getSinglePredecessor() == &asks && lanes_of(*body) == lanes_of(asks) && llvm::all_of(pointer.blocks(), [&](const llvm::BasicBlock* from) {
      const auto* step = llvm::dyn_cast<GetElementPtrInst>(pointer.getIncomingValueForBlock(from));
      return from == body || !step || step->getPointerOperand() != &pointer;
    });
  });
}

using Pointers = llvm::SmallPtrSet<const llvm::PHINode*, 4>;
/// Whether `place`, and what is a constant away, are only accessed, if need be by a loop's first iteration. `loops`: the pointers that are being asked about.
bool is_only_accessed(const llvm::Instruction& place, Pointers& loops) {
  return llvm::all_of(place.users(), [&](const llvm::User* user) {
    if (llvm::getLoadStorePointerOperand(user) == &place)
      return !llvm::isa<llvm::StoreInst>(user) || llvm::cast<llvm::StoreInst>(user)->getValueOperand() != &place;
    if (const auto* pointer = llvm::dyn_cast<llvm::PHINode>(user)) {
      if (is_accessed_at_once(*pointer) || !loops.insert(pointer).second) return true;
      return is_accessed_where_it_goes_on(*pointer) && is_only_accessed(*pointer, loops);
    }
    const auto* next = llvm::dyn_cast<GetElementPtrInst>(user);
    return next && next->getPointerOperand() == &place && adds_constant(*next) && is_only_accessed(*next, loops);
  });
}

}  // namespace

void add_buffer_start(llvm::Function& item, std::uint64_t offset, bool is_small) {
  const auto add = [&](llvm::StringRef attribute) {
    const llvm::StringRef known = item.getFnAttribute(attribute).getValueAsString();
    item.addFnAttr(attribute, known.empty() ? std::to_string(offset) : (known + "," + std::to_string(offset)).str());
  };
  add(kStartsAttribute);
  if (is_small) add(kSmallStartsAttribute);
}

/// Whether `value` is the load of an argument that `attribute` lists.
static bool is_listed_start(const Value& value, llvm::StringRef attribute) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  const llvm::StringRef starts = load ? load->getFunction()->getFnAttribute(attribute).getValueAsString() : "";
  if (starts.empty()) return false;
  const llvm::DataLayout& layout = load->getDataLayout();
  const auto [block, offset] = base_of(*load->getPointerOperand(), layout);
  const auto* arguments = llvm::dyn_cast<llvm::LoadInst>(block);
  if (!arguments || base_of(*arguments->getPointerOperand(), layout) !=
                        std::pair<const Value*, std::uint64_t>(load->getFunction()->getArg(0), offsetof(abi::LaunchInfo, arguments)))
    return false;
  llvm::SmallVector<llvm::StringRef, 8> offsets;
  starts.split(offsets, ',');
  return llvm::is_contained(offsets, std::to_string(offset));
}

bool is_buffer_start(const Value& value) { return is_listed_start(value, kStartsAttribute); }

static bool is_place(const llvm::Instruction& index, llvm::StringRef attribute) {
  return !index.use_empty() && llvm::all_of(index.users(), [&](const llvm::User* user) {
    const auto* place = llvm::dyn_cast<GetElementPtrInst>(user);
    if (!place || place->getType()->isVectorTy()) return false;
    const Value* start = place->getPointerOperand();
    if (const auto* before = llvm::dyn_cast<GetElementPtrInst>(start); before && adds_constant(*before)) start = before->getPointerOperand();
    llvm::MapVector<Value*, llvm::APInt> parts;
    llvm::APInt offset(64, 0);
    if (!is_listed_start(*start, attribute) || !place->collectOffset(place->getModule()->getDataLayout(), 64, parts, offset)) return false;
    const bool is_alone = parts.size() == 1 && parts.front().first == &index && parts.front().second.isStrictlyPositive();
    Pointers loops;
    return is_alone && offset.abs().ult(kMostConstant) && is_only_accessed(*place, loops);
  });
}

bool is_place_in_buffer(const llvm::Instruction& index) { return is_place(index, kStartsAttribute); }
bool is_place_in_small_buffer(const llvm::Instruction& index) { return is_place(index, kSmallStartsAttribute); }

/// Whether `argument` is indexed by what `is_meant` takes.
static bool has_index(const llvm::Argument& argument, llvm::function_ref<bool(const llvm::Instruction& index)> is_meant) {
  return llvm::any_of(argument.users(), [&](const llvm::User* user) {
    const auto* place = llvm::dyn_cast<GetElementPtrInst>(user);
    return place && llvm::any_of(place->indices(), [&](const llvm::Use& index) {
      const auto* operation = llvm::dyn_cast<llvm::Instruction>(index.get());
      return operation && is_meant(*operation);
    });
  });
}

bool has_places(const llvm::Argument& argument) {
  return has_unsigned_places(argument) || has_index(argument, [](const llvm::Instruction& index) {
           return index.getOpcode() == llvm::Instruction::SExt || index.getOpcode() == llvm::Instruction::AShr;
         });
}

bool has_unsigned_places(const llvm::Argument& argument) {
  return has_index(argument, [](const llvm::Instruction& index) {
    const auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&index);
    return extension && extension->getSrcTy()->isIntegerTy(32) && !extension->hasNonNeg();
  });
}

}  // namespace weft::compiler::simt
