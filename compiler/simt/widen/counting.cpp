#include "compiler/simt/widen/counting.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Metadata.h>

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/memory/checked.h"
#include "compiler/simt/widen/widening.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr std::uint32_t kAllLanes = ~0u;
/// What the costs of an access repeat after when its start moves on (device/counters): global memory's transactions have at most
/// 128 bytes, but a half-warp of 16-byte words is aligned to 256 on 1.0; a row of local memory's banks has 128, or 256 on 3.x.
std::uint32_t period(const abi::CountedSite& site) {
  return site.space == abi::CountedSpace::kLocal || site.width >= 16 ? 256 : 128;
}

bool is_plain(abi::CountedKind kind) { return kind == abi::CountedKind::kLoad || kind == abi::CountedKind::kStore; }

/// Whether an access that all 32 lanes make in this progression costs the same wherever it starts.
bool costs_ignore_start(const abi::CountedSite& site, const Shape& shape) {
  if (site.space == abi::CountedSpace::kConstant) return true;
  if (!std::has_single_bit(site.width) || site.width > 16 || site.align < site.width) return false;
  if (shape.stride == 0) return true;
  // Neighbouring words of 4 bytes lie in a bank each, wherever the first is; of wider ones 3.x has two rows in some banks where they
  // cross a multiple of 256.
  return site.space == abi::CountedSpace::kLocal && site.width == 4 && shape.stride == 4;
}

}  // namespace

abi::CounterTable& Counting::table() const { return *w_.request.counters; }

bool Counting::widen(llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  if (!name.starts_with("weft.count.")) return false;
  if (!w_.request.counters || w_.lanes != abi::kWarpSize) {
    w_.fail(call, "a probe in code that does not count");
    return true;
  }
  const auto number = static_cast<std::uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
  if (name == primitive::kCountBlock) block(number);
  if (name == primitive::kCountBranch) branch(number, call.getArgOperand(1));
  if (name == primitive::kCountAccess) access(number, call.getArgOperand(1));
  return true;
}

Value* Counting::live() const { return w_.mask ? w_.mask.bits() : w_.builder.getInt32(kAllLanes); }

std::uint32_t Counting::new_words(std::uint32_t count) {
  const std::uint32_t first = table().words;
  table().words += count;
  return first;
}

Value* Counting::loaded(Value*& cached, Value* from, std::uint64_t offset, const char* name) {
  if (cached) return cached;
  const llvm::IRBuilder<>::InsertPointGuard guard(w_.builder);
  w_.builder.SetInsertPoint(w_.entry_point);
  auto* load = w_.builder.CreateLoad(w_.builder.getPtrTy(),
                                     w_.builder.CreateConstInBoundsGEP1_64(w_.builder.getInt8Ty(), from, offset), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(w_.context, {}));
  return cached = load;
}

Value* Counting::word(std::uint32_t index) {
  Value* words = loaded(words_, w_.function.getArg(1), offsetof(abi::GroupInfo, count_words), "count_words");
  return w_.builder.CreateConstInBoundsGEP1_64(w_.builder.getInt64Ty(), words, index);
}

void Counting::add(Value* address, Value* amount) {
  auto* integer = w_.builder.getInt64Ty();
  llvm::MDNode* mark = llvm::MDNode::get(w_.context, {});
  auto* before = w_.builder.CreateLoad(integer, address, "counted");
  auto* after = w_.builder.CreateStore(w_.builder.CreateAdd(before, amount), address);
  before->setMetadata(primitive::kCountMetadata, mark);
  after->setMetadata(primitive::kCountMetadata, mark);
}

void Counting::add_later(std::uint32_t word, bool full, Value* amount) {
  auto* integer = w_.builder.getInt64Ty();
  llvm::AllocaInst*& variable = sums_[{word, full}];
  if (!variable) {
    variable = w_.new_variable(integer, llvm::Align(8), "count");
    const llvm::IRBuilder<>::InsertPointGuard guard(w_.builder);
    w_.builder.SetInsertPoint(w_.entry_point);
    w_.builder.CreateStore(w_.builder.getInt64(0), variable);
  }
  w_.builder.CreateStore(w_.builder.CreateAdd(w_.builder.CreateLoad(integer, variable), amount), variable);
}

void Counting::finish() {
  // Not when a return is widened: a block that comes later may run before it.
  for (llvm::BasicBlock& block : w_.function)
    if (auto* end = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator())) {
      w_.builder.SetInsertPoint(end);
      flush();
    }
  separate_from_program();
}

void Counting::flush() {
  auto& builder = w_.builder;
  for (const auto& [key, variable] : sums_) {
    const auto [first, full] = key;
    Value* sum = builder.CreateLoad(builder.getInt64Ty(), variable);
    add(word(first), sum);
    if (!full) continue;
    add(word(first + 1), builder.CreateMul(sum, builder.getInt64(abi::kWarpSize)));
    add(word(first + 2), sum);
  }
}

std::uint32_t Counting::here(std::uint32_t number) {
  const auto [entry, created] = blocks_.try_emplace(number, number);
  if (!created) return entry->second;
  auto& blocks = table().blocks;
  if (blocks[number].word != abi::kNoWord) {  // another piece of code has it too
    entry->second = static_cast<std::uint32_t>(blocks.size());
    blocks.push_back(blocks[number]);
  }
  blocks[entry->second].word = new_words(abi::kBlockWords);
  return entry->second;
}

void Counting::block(std::uint32_t number) {
  auto& builder = w_.builder;
  const abi::CountedBlock& block = table().blocks[here(number)];
  if (!w_.mask) return add_later(block.word, true, builder.getInt64(1));
  auto* integer = builder.getInt64Ty();
  Value* lanes = live();
  add_later(block.word, false, builder.CreateZExt(builder.CreateICmpNE(lanes, builder.getInt32(0)), integer));
  add_later(block.word + 1, false, builder.CreateZExt(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, lanes), integer));
  add_later(block.word + 2, false, builder.CreateZExt(builder.CreateICmpEQ(lanes, builder.getInt32(kAllLanes)), integer));
}

void Counting::branch(std::uint32_t number, Value* condition) {
  auto& branches = table().branches;
  const auto [entry, created] = branches_.try_emplace(number, number);
  if (created) {
    const std::uint32_t block = here(branches[number].block);
    if (block != branches[number].block) {
      entry->second = static_cast<std::uint32_t>(branches.size());
      branches.push_back(branches[number]);
      branches.back().block = block;
      branches.back().word = abi::kNoWord;
    }
  }
  if (w_.is_uniform(condition)) return;
  auto& builder = w_.builder;
  std::uint32_t& word = branches[entry->second].word;
  if (word == abi::kNoWord) word = new_words(1);
  Value* lanes = live();
  Value* taken = builder.CreateAnd(builder.CreateBitCast(w_.values.vector1(condition), builder.getInt32Ty()), lanes);
  Value* parts = builder.CreateAnd(builder.CreateICmpNE(taken, builder.getInt32(0)), builder.CreateICmpNE(taken, lanes));
  add_later(word, false, builder.CreateZExt(parts, builder.getInt64Ty()));
}

abi::CountedRecord Counting::describe(std::uint32_t number, std::uint32_t block, const Shape& shape) const {
  const abi::CountedSite& site = table().sites[number];
  abi::CountedRecord record{.site = number, .block = block};
  if (w_.control.options().count_lanes || !is_plain(site.kind) || site.space == abi::CountedSpace::kImage || !shape.is_affine() || w_.lanes / shape.segment > abi::kMostSegments) return record;
  record.segment = shape.segment;
  record.stride = shape.stride;
  record.granule = std::min(std::max<std::uint32_t>(site.align, 1u << std::min<unsigned>(shape.base_log2, 8)), period(site));
  if (shape.segment == w_.lanes && costs_ignore_start(site, shape))
    record.slots = 1;
  else
    record.slots = period(site) / record.granule;
  return record;
}

void Counting::access(std::uint32_t number, Value* address) {
  auto& builder = w_.builder;
  const Shape shape = w_.shape(address);
  abi::CountedRecord record = describe(number, here(table().sites[number].block), shape);
  const auto index = static_cast<std::uint32_t>(table().records.size());
  const unsigned segments = record.segment ? w_.lanes / record.segment : 0;
  // Each full run of the block is one of these, which the block's own words say.
  const bool is_implied = segments == 1 && record.slots == 1 && !shape.checked;
  if (segments && !is_implied) record.word = new_words(record.slots);
  if (segments > 1) record.deltas = new_words(segments - 1);
  record.by_segment = segments && !shape.checked;
  table().records.push_back(record);
  if (!segments) return call_service(index, record, address);

  Value* simple = nullptr;
  const auto need = [&](Value* condition) { simple = simple ? builder.CreateAnd(simple, condition) : condition; };
  if (w_.mask) need(builder.CreateICmpEQ(live(), builder.getInt32(kAllLanes)));
  if (shape.checked)
    if (Value* holds = progression_holds(w_, address, shape)) need(holds);
  if (segments > 1) need(distances_agree(record, address));
  if (!simple) {
    if (!is_implied) count_start(record, address);
    return;
  }
  auto* usual = is_implied ? nullptr : w_.new_block("count.start");
  auto* other = w_.new_block("count.lanes");
  auto* counted = w_.new_block("counted");
  builder.CreateCondBr(simple, usual ? usual : counted, other, llvm::MDBuilder(w_.context).createLikelyBranchWeights());
  if (usual) {
    builder.SetInsertPoint(usual);
    count_start(record, address);
    builder.CreateBr(counted);
  }
  builder.SetInsertPoint(other);
  call_service(index, record, address);
  builder.CreateBr(counted);
  builder.SetInsertPoint(counted);
}

Value* Counting::distances_agree(const abi::CountedRecord& record, Value* address) {
  auto& builder = w_.builder;
  Value* agree = nullptr;
  Value* start = w_.values.scalar_at(address, 0);
  for (unsigned segment = 1; segment < w_.lanes / record.segment; ++segment) {
    Value* distance = builder.CreateSub(w_.values.scalar_at(address, segment * record.segment), start);
    // The service may have set it since it was last read.
    auto* known = builder.CreateLoad(builder.getInt64Ty(), word(record.deltas + segment - 1), /*isVolatile=*/true, "distance");
    Value* equal = builder.CreateICmpEQ(distance, known);
    agree = agree ? builder.CreateAnd(agree, equal) : equal;
  }
  return agree;
}

void Counting::count_start(const abi::CountedRecord& record, Value* address) {
  auto& builder = w_.builder;
  Value* place = word(record.word);
  if (record.slots > 1) {
    Value* start = builder.CreateLShr(w_.values.scalar_at(address, 0), static_cast<std::uint64_t>(std::countr_zero(record.granule)));
    Value* slot = builder.CreateAnd(start, builder.getInt64(record.slots - 1));
    place = builder.CreateInBoundsGEP(builder.getInt64Ty(), place, slot);
  }
  add(place, builder.getInt64(1));
}

void Counting::call_service(std::uint32_t index, const abi::CountedRecord& record, Value* address) {
  auto& builder = w_.builder;
  Value* services = loaded(services_, w_.function.getArg(0), offsetof(abi::LaunchInfo, services), "services");
  Value* service = loaded(service_, services, offsetof(abi::Services, count_access), "count_access");
  Value* counts = loaded(counts_, w_.function.getArg(1), offsetof(abi::GroupInfo, counts), "counts");
  llvm::AllocaInst* addresses = w_.scratch.lane_array(builder.getInt64Ty(), 1);
  if (record.by_segment) {
    for (unsigned segment = 0; segment < w_.lanes / record.segment; ++segment)
      builder.CreateStore(w_.values.scalar_at(address, segment * record.segment),
                          builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), addresses, segment));
  } else {
    builder.CreateAlignedStore(w_.values.vector1(address), addresses, addresses->getAlign());
  }
  auto* type = llvm::FunctionType::get(
      builder.getVoidTy(), {builder.getPtrTy(), builder.getInt32Ty(), builder.getInt32Ty(), builder.getPtrTy()}, false);
  auto* call = builder.CreateCall(type, service, {counts, builder.getInt32(index), live(), addresses});
  // It reads and writes nothing of the program's.
  call->setMemoryEffects(llvm::MemoryEffects::argMemOnly() | llvm::MemoryEffects::inaccessibleMemOnly());
  call->setDoesNotThrow();
}

void Counting::separate_from_program() {
  if (!words_) return;
  llvm::MDBuilder metadata(w_.context);
  llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain("counts");
  llvm::MDNode* scopes = llvm::MDNode::get(w_.context, metadata.createAnonymousAliasScope(domain, "counts"));
  for (llvm::Instruction& instruction : llvm::instructions(w_.function)) {
    if (instruction.hasMetadata(primitive::kCountMetadata)) {
      instruction.setMetadata(primitive::kCountMetadata, nullptr);
      instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, scopes);
    } else if (instruction.mayReadOrWriteMemory()) {
      instruction.setMetadata(llvm::LLVMContext::MD_noalias,
                              llvm::MDNode::concatenate(instruction.getMetadata(llvm::LLVMContext::MD_noalias), scopes));
    }
  }
}

}  // namespace weft::compiler::simt
