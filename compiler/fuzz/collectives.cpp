// The generator's functions of work-groups: broadcasts, reductions, scans and votes of the whole group, where it is together.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr Type kInt{Type::kInt, 1};

}  // namespace

NodePtr Generator::collective(const Place& place) {
  if (!in_kernel_ || !collectives_ || place.trips > 15) return set_uniform(place);
  std::vector<Type> types = {kInt, kUint};
  if (wide_) types.insert(types.end(), {{Type::kLong, 1}, {Type::kUlong, 1}});
  if (floats_) types.insert(types.end(), {{Type::kHalf, 1}, {Type::kFloat, 1}, {Type::kDouble, 1}});
  const Type type = random_.of(types);
  const std::string cast = "(" + type.name() + ")";
  // Sums of floating-point numbers are of integers, which no order of adding them changes.
  const auto summand = [&]() -> NodePtr {
    if (!type.is_float()) return value(type, false, 1);
    return expression(type, false, cast + "($0 & 3u)", value(kUint, false, 1));
  };
  NodePtr result;
  bool uniform = true;
  switch (random_.below(4)) {
    case 0: {
      const auto id = [&](const char* child, const char* dimension) {
        return std::string("(size_t)") + child + " % get_local_size(" + dimension + ")";
      };
      result = expression(type, true, "work_group_broadcast(" + cast + "($0), " + id("$1", "0") + ", " + id("$2", "1") + ", " + id("$3", "2") + ")",
                          value(type, false, 1), value(kUint, true, 2), value(kUint, true, 2), value(kUint, true, 2));
      break;
    }
    case 1:
      result = expression(kInt, true, "(work_group_" + random_.word({"any", "all"}) + "($0) != 0)", condition(false, 1));
      break;
    case 2:
      result = expression(type, true, "work_group_reduce_" + random_.word({"add", "min", "max"}) + "(" + cast + "($0))", summand());
      break;
    default:
      uniform = false;
      result = expression(type, false, "work_group_scan_" + random_.word({"inclusive", "exclusive"}) + "_" + random_.word({"add", "min", "max"}) +
                                           "(" + cast + "($0))",
                          summand());
      break;
  }
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && (uniform || !variable.uniform)) targets.push_back(&variable);
  if (targets.empty()) return assign(place);
  const Variable& target = *random_.of(targets);
  NodePtr node = make_node(Node::kStatement, target.name + " = $0;", convert(std::move(result), target.type));
  // It stands for barriers: no part of it means anything alone.
  node->whole = true;
  return node;
}

}  // namespace weft::fuzz
