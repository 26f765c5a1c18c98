#include "compiler/simt/item/byte_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft::compiler::simt {
namespace {

constexpr unsigned kMost = 65535;

/// With x shifted up by `up` bits, and the most precise multiplier.
std::optional<ByteScale> scale_with(double factor, unsigned most, unsigned up) {
  const double exact = factor * std::ldexp(1.0, 16 - static_cast<int>(up));
  ByteScale scale{.up = up};
  while (scale.down < 15 && exact * std::ldexp(1.0, static_cast<int>(scale.down) + 1) <= kMost) ++scale.down;
  const double multiplier = std::nearbyint(exact * std::ldexp(1.0, static_cast<int>(scale.down)));
  const double bias = std::floor(0.5 / factor * (1u << up));
  if (multiplier < 1 || multiplier > kMost || (most << up) + bias > kMost) return std::nullopt;
  scale.multiplier = static_cast<unsigned>(multiplier);
  scale.bias = static_cast<unsigned>(bias);
  // As little of both as there is to it: what is left of a power of two is one shift.
  while (scale.down && scale.multiplier % 2 == 0) scale.multiplier /= 2, --scale.down;
  return scale;
}

bool holds(const ByteScale& scale, double factor, unsigned most, double most_error) {
  for (unsigned x = 0; x <= most; ++x)
    if (scale.of(x) > 255 || std::fabs(scale.of(x) - factor * x) > most_error) return false;
  return true;
}

}  // namespace

std::optional<ByteScale> byte_scale(double factor, unsigned most, double most_error) {
  if (!(factor > 0) || most > kMost || factor * most >= 256) return std::nullopt;
  const unsigned room = static_cast<unsigned>(std::countl_zero(std::max(most, 1u))) - 16;
  for (const unsigned up : {0u, room, room - 1}) {
    if (up > room) continue;
    const auto scale = scale_with(factor, most, up);
    if (scale && holds(*scale, factor, most, most_error)) return scale;
  }
  return std::nullopt;
}

llvm::Value* scale_to_bytes(llvm::IRBuilder<>& builder, llvm::Value* pair, const ByteScale& scale) {
  // Neither half reaches into the other: they stay below 2^16.
  if (scale.up) pair = builder.CreateShl(pair, scale.up);
  if (scale.bias) pair = builder.CreateAdd(pair, builder.getInt32(scale.bias * 0x10001), "", true);
  if (std::has_single_bit(scale.multiplier)) {
    const unsigned down = 16 - static_cast<unsigned>(std::countr_zero(scale.multiplier)) + scale.down;
    return builder.CreateAnd(builder.CreateLShr(pair, down), 0xff00ff);
  }
  auto* halves = llvm::FixedVectorType::get(builder.getInt16Ty(), 2);
  auto* words = llvm::FixedVectorType::get(builder.getInt32Ty(), 2);
  llvm::Value* wide = builder.CreateZExt(builder.CreateBitCast(pair, halves), words);
  llvm::Value* product = builder.CreateNUWMul(wide, llvm::ConstantInt::get(words, scale.multiplier));
  // The second shift is of words: LLVM would make one of both, which is no upper half of a product any more.
  llvm::Value* upper = builder.CreateBitCast(builder.CreateTrunc(builder.CreateLShr(product, 16), halves), pair->getType());
  return scale.down ? builder.CreateAnd(builder.CreateLShr(upper, scale.down), 0xff00ff) : upper;
}

}  // namespace weft::compiler::simt
