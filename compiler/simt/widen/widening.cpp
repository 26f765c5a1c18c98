#include "compiler/simt/widen/widening.h"

#include <llvm/IR/Module.h>

namespace weft::compiler::simt {

Widening::Widening(const WidenRequest& request, passes::PassControl& control, llvm::Function& function)
    : Emitter(function, request.lanes, request.traits),
      request(request),
      control(control),
      scalar(request.function),
      shapes(request.function, request.specialization, request.lanes,
             [&](unsigned index) { return request.frame.privates[index].stride; }),
      items(*this, request.specialization) {}

void Widening::fail(const llvm::Instruction& where, const llvm::Twine& what) {
  std::string text;
  llvm::raw_string_ostream(text) << "widen: " << what << ": " << where;
  error_ = llvm::joinErrors(std::move(error_), llvm::createStringError(text));
}

}  // namespace weft::compiler::simt
