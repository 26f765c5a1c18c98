#include "compiler/simt/item/value_tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Intrinsic::ID;

float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float number) { return std::bit_cast<std::uint32_t>(number); }

std::uint32_t mask_of(unsigned width) { return width == 32 ? ~0u : (1u << width) - 1; }
/// The lower `width` bits as a signed number.
std::int32_t extended(std::uint32_t bits, unsigned width) { return static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width); }

unsigned width_of(const llvm::Value& value) { return value.getType()->getScalarSizeInBits(); }

/// Results one after the other; none once one has no place in a table.
class Results {
 public:
  explicit Results(std::size_t count) : table_(count) {}

  template <typename F>
  Results& each(F f) {
    for (std::size_t i = 0; i < table_.size(); ++i) table_[i] = f(i);
    return *this;
  }
  /// Of numbers, all of which have to be such.
  template <typename F>
  Results& each_number(F f) {
    return each([&](std::size_t i) { return bits_of(f(i)); }).check();
  }
  Results& check() {
    for (const std::uint32_t bits : table_) {
      const std::uint32_t exponent = bits >> 23 & 255;
      known_ &= exponent != 255 && (exponent != 0 || bits << 1 == 0);
    }
    return *this;
  }
  void require(bool condition) { known_ &= condition; }
  std::optional<ValueTable> take() { return known_ ? std::optional(std::move(table_)) : std::nullopt; }

 private:
  ValueTable table_;
  bool known_ = true;
};

bool holds(llvm::CmpInst::Predicate predicate, float a, float b) {
  switch (predicate) {  // of numbers, ordered or not
    case llvm::CmpInst::FCMP_OEQ: case llvm::CmpInst::FCMP_UEQ: return a == b;
    case llvm::CmpInst::FCMP_ONE: case llvm::CmpInst::FCMP_UNE: return a != b;
    case llvm::CmpInst::FCMP_OLT: case llvm::CmpInst::FCMP_ULT: return a < b;
    case llvm::CmpInst::FCMP_OLE: case llvm::CmpInst::FCMP_ULE: return a <= b;
    case llvm::CmpInst::FCMP_OGT: case llvm::CmpInst::FCMP_UGT: return a > b;
    case llvm::CmpInst::FCMP_OGE: case llvm::CmpInst::FCMP_UGE: return a >= b;
    case llvm::CmpInst::FCMP_ORD: case llvm::CmpInst::FCMP_TRUE: return true;
    default: return false;
  }
}

bool holds(llvm::CmpInst::Predicate predicate, std::uint32_t a, std::uint32_t b, unsigned width) {
  const std::int32_t x = extended(a, width), y = extended(b, width);
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return a == b;
    case llvm::CmpInst::ICMP_NE: return a != b;
    case llvm::CmpInst::ICMP_ULT: return a < b;
    case llvm::CmpInst::ICMP_ULE: return a <= b;
    case llvm::CmpInst::ICMP_UGT: return a > b;
    case llvm::CmpInst::ICMP_UGE: return a >= b;
    case llvm::CmpInst::ICMP_SLT: return x < y;
    case llvm::CmpInst::ICMP_SLE: return x <= y;
    case llvm::CmpInst::ICMP_SGT: return x > y;
    default: return x >= y;
  }
}

using Operands = llvm::ArrayRef<const ValueTable*>;

void tabulate_call(const llvm::IntrinsicInst& call, Operands in, Results& results) {
  auto f = [&](unsigned k, std::size_t i) { return number((*in[k])[i]); };
  const unsigned width = width_of(call);
  auto s = [&](unsigned k, std::size_t i) { return extended((*in[k])[i], width); };
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd: results.each_number([&](auto i) { return std::fma(f(0, i), f(1, i), f(2, i)); }); return;
    case llvm::Intrinsic::fabs: results.each_number([&](auto i) { return std::fabs(f(0, i)); }); return;
    case llvm::Intrinsic::floor: results.each_number([&](auto i) { return std::floor(f(0, i)); }); return;
    case llvm::Intrinsic::ceil: results.each_number([&](auto i) { return std::ceil(f(0, i)); }); return;
    case llvm::Intrinsic::trunc: results.each_number([&](auto i) { return std::trunc(f(0, i)); }); return;
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::roundeven: results.each_number([&](auto i) { return std::nearbyint(f(0, i)); }); return;
    case llvm::Intrinsic::round: results.each_number([&](auto i) { return std::round(f(0, i)); }); return;
    case llvm::Intrinsic::minnum: results.each_number([&](auto i) { return std::min(f(0, i), f(1, i)); }); return;
    case llvm::Intrinsic::maxnum: results.each_number([&](auto i) { return std::max(f(0, i), f(1, i)); }); return;
    case llvm::Intrinsic::umin: results.each([&](auto i) { return std::min((*in[0])[i], (*in[1])[i]); }); return;
    case llvm::Intrinsic::umax: results.each([&](auto i) { return std::max((*in[0])[i], (*in[1])[i]); }); return;
    case llvm::Intrinsic::smin: results.each([&](auto i) { return std::min(s(0, i), s(1, i)) & mask_of(width); }); return;
    case llvm::Intrinsic::smax: results.each([&](auto i) { return std::max(s(0, i), s(1, i)) & mask_of(width); }); return;
    default: results.require(false);
  }
}

bool is_tabulated_call(ID id) {
  switch (id) {
    case llvm::Intrinsic::fma: case llvm::Intrinsic::fmuladd: case llvm::Intrinsic::fabs: case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil: case llvm::Intrinsic::trunc: case llvm::Intrinsic::rint: case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::roundeven: case llvm::Intrinsic::round: case llvm::Intrinsic::minnum: case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::umin: case llvm::Intrinsic::umax: case llvm::Intrinsic::smin: case llvm::Intrinsic::smax: return true;
    default: return false;
  }
}

}  // namespace

bool has_tables(const llvm::Type& type) { return type.isFloatTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= 32); }

bool is_tabulated(const Instruction& operation) {
  if (!has_tables(*operation.getType()->getScalarType())) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&operation)) return is_tabulated_call(call->getIntrinsicID());
  switch (operation.getOpcode()) {
    case Instruction::Add: case Instruction::Sub: case Instruction::Mul: case Instruction::And: case Instruction::Or: case Instruction::Xor:
    case Instruction::Shl: case Instruction::LShr: case Instruction::AShr:
    case Instruction::FAdd: case Instruction::FSub: case Instruction::FMul: case Instruction::FDiv: case Instruction::FNeg:
    case Instruction::ICmp: case Instruction::FCmp: case Instruction::Select: case Instruction::Freeze:
    case Instruction::ZExt: case Instruction::SExt: case Instruction::Trunc:
    case Instruction::UIToFP: case Instruction::SIToFP: case Instruction::FPToUI: case Instruction::FPToSI: return true;
    case Instruction::BitCast: return width_of(operation) == width_of(*operation.getOperand(0));
    default: return false;
  }
}

std::optional<ValueTable> tabulate(const Instruction& operation, Operands in) {
  const unsigned width = width_of(operation), from = width_of(*operation.getOperand(0));
  const std::uint32_t mask = mask_of(width);
  Results results(in.front()->size());
  auto u = [&](unsigned k, std::size_t i) { return (*in[k])[i]; };
  auto f = [&](unsigned k, std::size_t i) { return number((*in[k])[i]); };
  auto in_range = [&](double least, double end) {
    for (std::size_t i = 0; i < in[0]->size(); ++i) results.require(std::trunc(f(0, i)) >= least && std::trunc(f(0, i)) < end);
  };
  switch (operation.getOpcode()) {
    case Instruction::Add: results.each([&](auto i) { return (u(0, i) + u(1, i)) & mask; }); break;
    case Instruction::Sub: results.each([&](auto i) { return (u(0, i) - u(1, i)) & mask; }); break;
    case Instruction::Mul: results.each([&](auto i) { return (u(0, i) * u(1, i)) & mask; }); break;
    case Instruction::And: results.each([&](auto i) { return u(0, i) & u(1, i); }); break;
    case Instruction::Or: results.each([&](auto i) { return u(0, i) | u(1, i); }); break;
    case Instruction::Xor: results.each([&](auto i) { return u(0, i) ^ u(1, i); }); break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      results.require(*std::max_element(in[1]->begin(), in[1]->end()) < width);
      results.each([&](auto i) {
        const std::uint32_t count = u(1, i) & 31;
        if (operation.getOpcode() == Instruction::Shl) return u(0, i) << count & mask;
        if (operation.getOpcode() == Instruction::LShr) return u(0, i) >> count;
        return static_cast<std::uint32_t>(extended(u(0, i), width) >> count) & mask;
      });
      break;
    case Instruction::FAdd: results.each_number([&](auto i) { return f(0, i) + f(1, i); }); break;
    case Instruction::FSub: results.each_number([&](auto i) { return f(0, i) - f(1, i); }); break;
    case Instruction::FMul: results.each_number([&](auto i) { return f(0, i) * f(1, i); }); break;
    case Instruction::FDiv: results.each_number([&](auto i) { return f(0, i) / f(1, i); }); break;
    case Instruction::FNeg: results.each_number([&](auto i) { return -f(0, i); }); break;
    case Instruction::ICmp:
      results.each([&](auto i) { return holds(llvm::cast<llvm::ICmpInst>(operation).getPredicate(), u(0, i), u(1, i), from); });
      break;
    case Instruction::FCmp:
      results.each([&](auto i) { return holds(llvm::cast<llvm::FCmpInst>(operation).getPredicate(), f(0, i), f(1, i)); });
      break;
    case Instruction::Select: results.each([&](auto i) { return u(0, i) ? u(1, i) : u(2, i); }); break;
    case Instruction::Freeze:
    case Instruction::ZExt: results.each([&](auto i) { return u(0, i); }); break;
    case Instruction::BitCast:
      results.each([&](auto i) { return u(0, i); });
      if (operation.getType()->getScalarType()->isFloatTy()) results.check();
      break;
    case Instruction::SExt: results.each([&](auto i) { return static_cast<std::uint32_t>(extended(u(0, i), from)) & mask; }); break;
    case Instruction::Trunc: results.each([&](auto i) { return u(0, i) & mask; }); break;
    case Instruction::UIToFP: results.each_number([&](auto i) { return static_cast<float>(u(0, i)); }); break;
    case Instruction::SIToFP: results.each_number([&](auto i) { return static_cast<float>(extended(u(0, i), from)); }); break;
    case Instruction::FPToUI:
      in_range(0, std::ldexp(1.0, static_cast<int>(width)));
      results.each([&](auto i) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(f(0, i))); });
      break;
    case Instruction::FPToSI:
      in_range(-std::ldexp(1.0, static_cast<int>(width) - 1), std::ldexp(1.0, static_cast<int>(width) - 1));
      results.each([&](auto i) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(f(0, i))) & mask; });
      break;
    default: tabulate_call(llvm::cast<llvm::IntrinsicInst>(operation), in, results);
  }
  return results.take();
}

std::optional<NarrowFunction> narrow_function(const ValueTable& table, unsigned bits) {
  const std::uint32_t most = mask_of(bits);
  const auto [least, greatest] = std::minmax_element(table.begin(), table.end());
  if (*greatest > most) return std::nullopt;
  NarrowFunction function{.least = *least, .greatest = *greatest};
  if (*least == *greatest) {
    function.add = most;
    function.subtract = most - *least;
    return function;
  }
  if (table.front() > table.back()) function.flip = most;
  // Where neighbours differ by one there is no bound: that is the distance everywhere.
  auto flipped = [&](std::size_t x) { return static_cast<std::int64_t>(static_cast<std::uint32_t>(x) ^ function.flip); };
  std::size_t x = 0;
  while (x + 1 < table.size() && table[x + 1] == table[x]) ++x;
  const std::int64_t distance = table[x + 1] - flipped(x + 1);
  for (std::size_t i = 0; i < table.size(); ++i)
    if (std::clamp<std::int64_t>(flipped(i) + distance, *least, *greatest) != table[i]) return std::nullopt;
  (distance < 0 ? function.subtract : function.add) = static_cast<std::uint32_t>(std::abs(distance));
  return function;
}

std::optional<Step> only_step(const ValueTable& table) {
  const auto change = std::adjacent_find(table.begin(), table.end(), std::not_equal_to<>());
  if (change == table.end()) return Step{0, table.front(), table.front()};
  if (std::adjacent_find(change + 1, table.end(), std::not_equal_to<>()) != table.end()) return std::nullopt;
  return Step{static_cast<std::uint32_t>(change - table.begin()) + 1, change[0], change[1]};
}

}  // namespace weft::compiler::simt
