#include "compiler/simt/widen/wide_call.h"

#include "compiler/simt/barriers/call_region.h"
#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/widen/widening.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

Parts wide_call(Widening& w, llvm::CallBase& call, const WideCallee& callee) {
  llvm::AllocaInst*& frame = w.call_frames[callee.function];
  if (!frame) frame = w.new_variable(llvm::ArrayType::get(w.builder.getInt8Ty(), callee.frame.bytes), llvm::Align(abi::kLocalMemoryAlign), "call.frame");
  const auto place = [&](unsigned slot) { return w.builder.CreateConstInBoundsGEP1_64(w.builder.getInt8Ty(), frame, callee.frame.slots[slot].offset); };
  store_lanes(w, place(kRunsSlot), {w.mask ? w.mask.lanes() : llvm::Constant::getAllOnesValue(w.wide(w.builder.getInt1Ty()))});
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const unsigned slot = kFirstArgumentSlot + i;
    Value* argument = call.getArgOperand(i);
    if (callee.frame.slots[slot].uniform)
      store_scalar(w, place(slot), w.values.uniform(argument));
    else
      store_lanes(w, place(slot), w.values.vector(argument));
  }
  w.builder.CreateCall(callee.function, {w.function.getArg(0), w.function.getArg(1), frame, w.builder.getInt32(0)});
  if (call.getType()->isVoidTy()) return {};
  return load_lanes(w, place(result_slot(*call.getCalledFunction())), call.getType());
}

}  // namespace weft::compiler::simt
