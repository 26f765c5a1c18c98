// The generator's functions of sub-groups: votes, ballots, values of other lanes, reductions and scans. All are expressions, and stand
// wherever one may, in divergent control flow too, where those take part that execute the call together (docs/lockstep.md). Who they are is
// clear where blocks nest. So there are none where a `goto` or a case without a `break` leads. LAST is a sub-group's last lane.
#include <bit>

#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr Type kInt{Type::kInt, 1};

/// `text` with the type's name for each @.
std::string with_type(std::string text, Type type) {
  for (std::size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, type.name());
  return text;
}

}  // namespace

bool Generator::lanes_meet() const { return sub_groups_ && lanes_meet_ && ids_; }

/// Lanes of a cluster.
std::string Generator::cluster() {
  return std::to_string(1u << random_.below(static_cast<unsigned>(std::countr_zero(sub_group_size_)) + 1)) + "u";
}

/// Of another lane, if that takes part, or else its own. A way is how the other lane is told.
std::string Generator::lane_helper(Type type) {
  struct Way {
    const char* name;
    const char* from;    ///< the lane that is asked
    const char* value;
  };
  static const std::vector<Way> kWays = {
      {"shuffle_@", "by & LAST", "sub_group_shuffle(x, by & LAST)"},
      {"shuffle_@", "by & LAST", "sub_group_shuffle(x, by & LAST)"},
      {"xor_@", "lane ^ (by & LAST)", "sub_group_shuffle_xor(x, by & LAST)"},
      {"xor_@", "lane ^ (by & LAST)", "sub_group_shuffle_xor(x, by & LAST)"},
      {"up_@", "lane - (by & 15u)", "sub_group_shuffle_up(x, by & 15u)"},
      {"down_@", "lane + (by & 15u)", "sub_group_shuffle_down(x, by & 15u)"},
      {"rotate_@", "(lane + (by & 31u)) % get_sub_group_size()", "sub_group_rotate(x, (int)(by & 31u))"},
      {"rotate_back_@", "(lane + get_sub_group_size() - (by & 31u) % get_sub_group_size()) % get_sub_group_size()",
       "sub_group_rotate(x, -(int)(by & 31u))"},
      {"rotate_4_@", "(lane & ~3u) | ((lane + by) & 3u)", "sub_group_clustered_rotate(x, (int)(by & 3u), 4u)"},
      {"rotate_8_@", "(lane & ~7u) | ((lane + by) & 7u)", "sub_group_clustered_rotate(x, (int)(by & 7u), 8u)"},
      {"from_@", "by & LAST", "intel_sub_group_shuffle(x, by & LAST)"},
  };
  const Way& way = random_.of(kWays);
  const std::string name = "lane_" + with_type(way.name, type);
  helpers_.insert(with_type("@ " + name + "(@ x, uint by) {\nconst uint lane = get_sub_group_local_id();\nconst uint from = " +
                                std::string(way.from) + ";\nconst uint4 here = sub_group_ballot(1);\nconst @ other = " + way.value +
                                ";\nreturn from <= LAST && sub_group_ballot_bit_extract(here, from & LAST) ? other : x;\n}",
                            type));
  return name;
}

NodePtr Generator::lane_value(Type type, unsigned depth) {
  const unsigned next = depth + 1;
  const std::string cast = type.is_vector() ? "" : "(" + type.name() + ")";
  const auto argument = [&] { return value(type, false, next); };
  if (type.is_vector() || random_.chance(12)) {
    const std::string lane = random_.word({"lsb", "msb"});
    if (!type.is_vector() && random_.chance(40))
      return expression(type, false, "sub_group_broadcast_first(" + cast + "($0))", argument());
    const std::string name = random_.word({"sub_group_broadcast", "sub_group_non_uniform_broadcast"});
    return expression(type, false, name + "($0, sub_group_ballot_find_" + lane + "(sub_group_ballot(1)))", argument());
  }
  if (type == kUint && random_.chance(25)) {
    NodePtr predicate = condition(false, next);
    switch (random_.below(6)) {
      case 0:
        return expression(type, false, random_.word({"get_sub_group_local_id()", "get_sub_group_id()", "get_sub_group_size()",
                                                     "get_num_sub_groups()", "get_max_sub_group_size()"}));
      case 1:
        return expression(type, false, "get_sub_group_" + random_.word({"eq", "ge", "gt", "le", "lt"}) + "_mask().x");
      case 2:
        return expression(type, false, "sub_group_ballot($0).x", std::move(predicate));
      case 3:
        return expression(type, false, "(sub_group_ballot($0) & get_sub_group_" + random_.word({"eq", "ge", "gt", "le", "lt"}) + "_mask()).x",
                          std::move(predicate));
      case 4:
        // Of no lane there is none.
        return expression(type, false, "sub_group_ballot_find_" + random_.word({"lsb", "msb"}) + "(sub_group_ballot($0) | (uint4)(1u << LAST, 0u, 0u, 0u))",
                          std::move(predicate));
      default:
        return expression(type, false, "sub_group_ballot_" + random_.word({"bit_count", "inclusive_scan", "exclusive_scan"}) +
                                           "(sub_group_ballot($0))",
                          std::move(predicate));
    }
  }
  if (random_.chance(45)) {
    NodePtr by = random_.chance(60) ? literal(kUint) : value(kUint, false, next);
    return expression(type, false, lane_helper(type) + "(" + cast + "($0), $1)", argument(), std::move(by));
  }
  return lane_sum(type, depth);
}

/// Reductions and scans. Sums of floating-point numbers are of integers, which no order of adding them changes.
NodePtr Generator::lane_sum(Type type, unsigned depth) {
  std::string operation = random_.word({"add", "min", "max"});
  std::string prefix = random_.word({"sub_group_", "sub_group_non_uniform_"});
  const std::string kind = random_.word({"reduce", "reduce", "scan_inclusive", "scan_exclusive", "cluster"});
  if (kind == "cluster") prefix = "sub_group_clustered_";
  if (prefix != "sub_group_" && random_.chance(40)) operation = type.is_float() ? "mul" : random_.word({"mul", "and", "or", "xor"});
  const std::string name = prefix + (kind == "cluster" ? "reduce" : kind) + "_" + operation;
  const std::string size = kind == "cluster" ? ", " + cluster() : "";
  const std::string cast = "(" + type.name() + ")";
  if (!type.is_float()) return expression(type, false, cast + name + "(" + cast + "($0)" + size + ")", value(type, false, depth + 1));
  const std::string number = operation == "mul" ? "(1u + ($0 & 1u))" : "($0 & 15u)";
  return expression(type, false, name + "(" + cast + number + size + ")", value(kUint, false, depth + 1));
}

NodePtr Generator::vote(unsigned depth) {
  const unsigned next = depth + 1;
  switch (random_.below(8)) {
    case 0:
      return expression(kInt, false, "sub_group_elect()");
    case 1:
      return expression(kInt, false, "sub_group_inverse_ballot(sub_group_ballot($0))", condition(false, next));
    case 2: {
      const Type type = integer_scalar();
      return expression(kInt, false, "(sub_group_non_uniform_all_equal((" + type.name() + ")($0)) != 0)", value(type, false, next));
    }
    case 3: {
      const std::string logic = random_.word({"and", "or", "xor"});
      const std::string kind = random_.word({"non_uniform_reduce", "non_uniform_scan_inclusive", "non_uniform_scan_exclusive"});
      if (random_.chance(30))
        return expression(kInt, false, "(sub_group_clustered_reduce_logical_" + logic + "($0, " + cluster() + ") != 0)",
                          condition(false, next));
      return expression(kInt, false, "(sub_group_" + kind + "_logical_" + logic + "($0) != 0)", condition(false, next));
    }
    case 4:
      return expression(kInt, false, "(sub_group_ballot_bit_extract(sub_group_ballot($0), $1 & LAST) != 0)", condition(false, next),
                        value(kUint, false, next));
    default:
      return expression(kInt, false, "(sub_group_" + random_.word({"", "non_uniform_"}) + random_.word({"any", "all"}) + "($0) != 0)",
                        condition(false, next));
  }
}

}  // namespace weft::fuzz
