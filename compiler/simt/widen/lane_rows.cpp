#include "compiler/simt/widen/lane_rows.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/simt/ir/lane_rows.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

unsigned row_of(const Widening& w) { return lanes_of_row(w.request.specialization); }

bool is_shared(const Widening& w, const Value& value) {
  const Shape shape = w.shape(&value);
  return shape.is_constant_in_segment() && shape.segment >= row_of(w);
}

/// The first place of the row that begins at `lane`: that of its first lane or its last one, but as far from the end as there are lanes.
Value* first_place(Widening& w, llvm::CallBase& call, unsigned lane) {
  const unsigned row = row_of(w);
  Value* low = call.getArgOperand(0);
  llvm::IRBuilder<>& builder = w.builder;
  Value* least = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, w.values.value_in_lane(low, lane), w.values.value_in_lane(low, lane + row - 1));
  Value* last = builder.CreateSub(w.values.value_in_lane(call.getArgOperand(2), lane), builder.getInt32(row));
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, least, last), builder.getInt32(0));
}

Value* first_places(Widening& w, llvm::CallBase& call) {
  const unsigned row = row_of(w);
  llvm::SmallVector<Value*, 4> rows;
  for (unsigned lane = 0; lane < w.lanes; lane += row) rows.push_back(w.builder.CreateVectorSplat(row, first_place(w, call, lane)));
  return rows.size() == 1 ? rows.front() : llvm::concatenateVectors(w.builder, rows);
}

Value* fits(Widening& w, llvm::CallBase& call) {
  llvm::IRBuilder<>& builder = w.builder;
  const unsigned row = row_of(w);
  if (!row || w.lanes % row != 0 || !w.traits.mask_registers) return builder.getFalse();
  for (const unsigned shared : {2u, 3u, 4u})
    if (!is_shared(w, *call.getArgOperand(shared))) return builder.getFalse();
  Value* first = first_places(w, call);
  Value* size = llvm::ConstantInt::get(first->getType(), row);
  const auto is_within = [&](Value* place) { return builder.CreateICmpULT(builder.CreateSub(w.values.vector1(place), first), size); };
  Value* holds = w.reduce(builder.CreateAnd(is_within(call.getArgOperand(0)), is_within(call.getArgOperand(1))), /*any=*/false);
  for (unsigned lane = 0; lane < w.lanes; lane += row)
    holds = builder.CreateAnd(holds, builder.CreateICmpSGE(w.values.value_in_lane(call.getArgOperand(2), lane), builder.getInt32(row)));
  return w.mask ? builder.CreateAnd(w.reduce(w.mask.lanes(), /*any=*/false), holds) : holds;
}

/// Asked once a row of what its lanes share.
Value* holds_in_any(Widening& w, llvm::CallBase& call) {
  const unsigned row = row_of(w);
  Value* holds = call.getArgOperand(0);
  if (!row || w.lanes % row != 0 || !is_shared(w, *holds)) return w.reduce(w.values.vector1(holds), /*any=*/true);
  Value* any = w.values.value_in_lane(holds, 0);
  for (unsigned lane = row; lane < w.lanes; lane += row) any = w.builder.CreateOr(any, w.values.value_in_lane(holds, lane));
  return any;
}

/// A row is one register of these or two.
Value* take(Widening& w, llvm::CallBase& call) {
  llvm::IRBuilder<>& builder = w.builder;
  Value *values = w.values.vector1(call.getArgOperand(0)), *lanes = w.values.vector1(call.getArgOperand(1));
  const unsigned row = row_of(w);
  if (!row || w.lanes % row != 0 || !w.traits.mask_registers) return values;  // never runs: no row fits
  const auto part = [&](Value* all, unsigned first) {
    return builder.CreateShuffleVector(all, llvm::createSequentialMask(first, kFewestOfRow, 0));
  };
  llvm::SmallVector<Value*, 4> registers;
  for (unsigned lane = 0; lane < w.lanes; lane += kFewestOfRow) {
    Value* low = part(values, lane / row * row);
    Value* from = part(lanes, lane);
    if (row == kFewestOfRow) registers.push_back(builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_sf_512, {}, {low, from}));
    else
      registers.push_back(builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_ps_512, {},
                                                  {low, from, part(values, lane / row * row + kFewestOfRow)}));
  }
  return registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder, registers);
}

}  // namespace

Value* row_value(Widening& w, llvm::CallBase& call, unsigned lane) {
  const llvm::StringRef name = called_name(call);
  const unsigned row = row_of(w);
  if (name == primitive::kRowFits) return fits(w, call);
  if (name == primitive::kRowAny) return holds_in_any(w, call);
  if (name == primitive::kRowLane) return w.builder.getInt32(row ? lane % row : 0);
  if (name == primitive::kRowFirst) return row && w.lanes % row == 0 ? first_place(w, call, lane / row * row) : w.builder.getInt32(0);
  return nullptr;
}

Value* row_values(Widening& w, llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  const unsigned row = row_of(w);
  if (name == primitive::kRowTake) return take(w, call);
  if (name != primitive::kRowLane && name != primitive::kRowFirst) return nullptr;
  llvm::Type* type = w.wide(call.getType());
  if (!row || w.lanes % row != 0) return llvm::Constant::getNullValue(type);
  return name == primitive::kRowLane ? w.lane_numbers(call.getType(), row, 1) : first_places(w, call);
}

}  // namespace weft::compiler::simt
