// The program's own prefetches: asks once for each line of what a warp names.
#include <algorithm>
#include <cstdlib>

#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/ir/asked_lines.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr std::uint64_t kLine = 64;

/// A processor waits for one or two dozen lines at a time. More requests would only hold up the loads behind them.
constexpr unsigned kMostLines = 32;

}  // namespace

void widen_prefetch(Widening& w, llvm::CallBase& call) {
  Value* pointer = call.getArgOperand(0);
  const Shape shape = w.shape(pointer);
  // To ask for a line for each lane takes as long as to load them. (Addresses of a checked shape are not checked here: to ask in
  // vain does no harm.)
  if (!shape.is_affine()) {
    w.control.remark(&call, "prefetch: addresses are varying: left out");
    return;
  }
  // Of a size that the compiler does not know, the first element's line.
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  const std::uint64_t each = size ? std::min(size->getZExtValue(), kMostLines * kLine) : 1;
  const auto apart = static_cast<std::uint64_t>(std::abs(shape.stride));
  const bool together = apart <= std::max(each, kLine);
  unsigned lines = 0;
  const auto ask = [&](unsigned lane, std::int64_t from, std::uint64_t bytes) {
    Value* start = w.values.scalar_at(pointer, lane);
    for (std::uint64_t offset = 0; offset < bytes && lines < kMostLines; offset += kLine, ++lines) {
      Value* distance = w.builder.getInt64(static_cast<std::uint64_t>(from) + offset);
      Value* line = w.builder.CreateGEP(w.builder.getInt8Ty(), start, distance);
      // Lanes that are not live are asked for, too.
      ask_for_line(w.builder, line, /*stores=*/false, AskedCache::kFirst);
    }
  };
  for (unsigned first = 0; first < w.lanes; first += shape.segment) {
    const std::int64_t span = shape.stride * (shape.segment - 1);
    if (together)
      ask(first, std::min<std::int64_t>(span, 0), each == 0 ? 0 : static_cast<std::uint64_t>(std::abs(span)) + each);
    else
      for (unsigned lane = first; lane < first + shape.segment; ++lane) ask(lane, 0, each);
  }
}

}  // namespace weft::compiler::simt
