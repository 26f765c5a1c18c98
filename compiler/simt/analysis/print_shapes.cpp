#include "compiler/simt/analysis/print_shapes.h"

#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/FormattedStream.h>

#include "compiler/simt/analysis/shape.h"

namespace weft::compiler::simt {
namespace {

class ShapeComments : public llvm::AssemblyAnnotationWriter {
 public:
  explicit ShapeComments(const Shapes& shapes) : shapes_(shapes) {}

  void printInfoComment(const llvm::Value& value, llvm::formatted_raw_ostream& out) override {
    if (!llvm::isa<llvm::Instruction>(value) || value.getType()->isVoidTy()) return;
    const Shape shape = shapes_[value];
    out << " ; ";
    if (shape.is_uniform(shapes_.lanes())) {
      out << "uniform";
    } else if (!shape.is_affine()) {
      out << "varying";
    } else {
      out << "stride " << shape.stride;
      if (shape.segment != shapes_.lanes()) out << " in " << shape.segment;
    }
    if (shape.is_affine() && shape.stride != 0)
      out << (shape.no_signed_wrap ? " nsw" : "") << (shape.no_unsigned_wrap ? " nuw" : "");
    if (shape.is_affine() && shape.checked) out << " checked";
  }

 private:
  const Shapes& shapes_;
};

}  // namespace

void print_shapes(llvm::Function& function, const Specialization& specialization, unsigned lanes,
                  llvm::function_ref<std::uint32_t(unsigned)> private_stride, llvm::raw_ostream& out) {
  const Shapes shapes(function, specialization, lanes, private_stride);
  ShapeComments comments(shapes);
  function.print(out, &comments);
}

}  // namespace weft::compiler::simt
