#include "compiler/simt/ir/sub_groups.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

std::optional<SubGroupCall> sub_group_primitive(llvm::StringRef name) {
  using Kind = SubGroupCall::Kind;
  using Operation = SubGroupCall::Operation;
  if (!name.consume_front(primitive::kSubGroup) && !name.consume_front(primitive::kWarp)) return std::nullopt;
  name.consume_front("segment_");
  const auto [kind_name, rest] = name.split('_');
  const auto kind = llvm::StringSwitch<std::optional<Kind>>(kind_name)
                        .Case("lane", Kind::kLane)
                        .Case("id", Kind::kId)
                        .Case("ballot", Kind::kBallot)
                        .Case("first", Kind::kFirst)
                        .Case("broadcast", Kind::kBroadcast)
                        .Case("shuffle", Kind::kShuffle)
                        .Case("reduce", Kind::kReduce)
                        .Case("cluster", Kind::kCluster)
                        .Case("inclusive", Kind::kInclusive)
                        .Case("exclusive", Kind::kExclusive)
                        .Default(std::nullopt);
  if (!kind) return std::nullopt;
  const auto operation = llvm::StringSwitch<Operation>(rest.split('_').first)
                             .Case("add", Operation::kAdd)
                             .Case("mul", Operation::kMul)
                             .Case("min", Operation::kMin)
                             .Case("max", Operation::kMax)
                             .Case("umin", Operation::kMinUnsigned)
                             .Case("umax", Operation::kMaxUnsigned)
                             .Case("and", Operation::kAnd)
                             .Case("or", Operation::kOr)
                             .Case("xor", Operation::kXor)
                             .Default(Operation::kNone);
  return SubGroupCall{*kind, operation};
}

std::optional<SubGroupCall> sub_group_call(const llvm::Value& value) { return sub_group_primitive(called_name(value)); }

bool uses_sub_groups(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) { return sub_group_call(i).has_value(); });
}

}  // namespace weft::compiler::simt
