// What the generator's kernels do as a group: exchanges over barriers, counters in local memory, uniform variables.
#include "compiler/fuzz/generator.h"

#include <utility>

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr unsigned kCounterArrays = 2;
/// Of other types than uint, where atomics know them.
constexpr Type kCounterTypes[] = {{Type::kUlong, 1}, {Type::kFloat, 1}, {Type::kDouble, 1}};
constexpr const char* kBarrier = "barrier(CLK_LOCAL_MEM_FENCE);\n";

}  // namespace

/// Between the barriers all may read what each has written before; nobody may leave before the second, but for good.
NodePtr Generator::exchange(const Place& place) {
  std::vector<LocalArray*> found;
  for (LocalArray& array : locals_)
    if (!array.shared) found.push_back(&array);
  if (found.empty() || place.trips > 30) return set_uniform(place);
  LocalArray& array = *random_.of(found);
  std::string own = array.own;
  if (const std::size_t at = own.find('#'); at != std::string::npos) own.replace(at, 1, "0u");
  NodePtr put = make_node(Node::kStatement, array.name + "[" + own + "] = $0;", value(array.element, false, 1));
  Place inside = place.inside();
  inside.breaks = inside.continues = false;
  inside.returns = place.returns && ends_apart_;
  const std::vector<std::string> labels = std::exchange(scope_.labels, {});
  array.shared = true;
  NodePtr body = block(inside);
  // At least one look at another's slot.
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform) targets.push_back(&variable);
  if (!targets.empty()) {
    const Variable& target = *random_.of(targets);
    body->children.push_back(make_node(Node::kStatement, target.name + " = $0;", local_load(array, target.type, false, 1)));
  }
  array.shared = false;
  scope_.labels = labels;
  NodePtr node = make_node(Node::kStatement, std::string("$0\n") + kBarrier + "$1\n" + kBarrier, std::move(put), std::move(body));
  node->whole = true;
  return node;
}

/// Steps of a sorting network: between two barriers each slot is one work-item's.
NodePtr Generator::compare_exchange(const Place& place) {
  std::vector<const LocalArray*> found;
  for (const LocalArray& array : locals_)
    if (!array.shared && !array.element.is_vector()) found.push_back(&array);
  if (found.empty() || place.trips > 4) return set_uniform(place);
  const LocalArray& array = *random_.of(found);
  const std::string t = array.name, size = fresh("size"), step = fresh("step");
  const std::string slots = array.slots == 1 ? "n" : "n * " + std::to_string(array.slots) + "u";
  const std::string limit = random_.of<std::string>({slots, slots, "8u", "32u"});
  const std::string test = random_.of<std::string>({"(a > b) == ((low & " + size + ") == 0u)", "(a > b) == ((low & " + size + ") == 0u)",
                                                    "a > b", "(b > a) != ((lid & " + step + ") != 0u)"});
  const std::string swap = random_.of<std::string>(
      {"{ " + t + "[low] = b; " + t + "[high] = a; }", "{ " + t + "[low] = b; " + t + "[high] = a; }",
       "{ const " + array.element.name() + " c = " + t + "[low]; " + t + "[low] = " + t + "[high]; " + t + "[high] = c; }",
       t + "[high] = a;", "{ " + t + "[low] = b; } else { " + t + "[high] = a; }"});
  NodePtr node = make_node(
      Node::kStatement,
      "for (uint " + size + " = 2u; " + size + " <= " + limit + "; " + size + " *= 2u)\nfor (uint " + step + " = " + size + " / 2u; " +
          step + " > 0u; " + step + " /= 2u) {\n" + kBarrier + "const uint low = 2u * lid - (lid & (" + step +
          " - 1u)), high = low + " + step + ";\nif (high < " + slots + ") {\nconst " + array.element.name() + " a = " + t +
          "[low], b = " + t + "[high];\nif (" + test + ") " + swap + "\n}\n}\n" + kBarrier);
  node->whole = true;
  return node;
}

NodePtr Generator::group_counters(const Place& place) {
  if (group_counters_ >= kCounterArrays || place.trips > 30) return exchange(place);
  const unsigned which = group_counters_++;
  Counters counters{"c" + std::to_string(which), kUint};
  if (new_atomics_ && random_.chance(60)) {
    counters.element = random_.of({kCounterTypes[0], kCounterTypes[1], kCounterTypes[2]});
    counters.name = counters.element.name() + "_" + counters.name;
  }
  const std::string name = counters.name;
  Place inside = place.inside();
  inside.breaks = inside.continues = false;
  inside.returns = place.returns && ends_apart_;
  const std::vector<std::string> labels = std::exchange(scope_.labels, {});
  scope_.counters.push_back(counters);
  NodePtr body = block(inside);
  body->children.push_back(counter_atomic(inside));
  scope_.counters.pop_back();
  scope_.labels = labels;
  --group_counters_;
  std::string result = ";";
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && variable.type == kUint) targets.push_back(&variable);
  NodePtr slot = literal(kUint);
  if (!targets.empty()) {
    const Variable& target = *random_.of(targets);
    if (!target.uniform) slot = value(kUint, false, 2);
    result = target.name + " = " + (counters.element.is_float() ? "(uint)(int)" : "(uint)") + name + "[$1 & 7u];";
  }
  const std::string i = fresh("i");
  // Any work-item may have ended before: then each sets them all.
  const char* const first = ends_apart_ ? "0u" : "lid";
  const char* const step = ends_apart_ ? "1u" : "n";
  NodePtr node = make_node(Node::kStatement,
                           "for (uint " + i + " = " + first + "; " + i + " < 8u; " + i + " += " + step + ") " + name + "[" + i + "] = 0;\n" + kBarrier +
                               "$0\n" + kBarrier + result + "\n" + kBarrier,
                           std::move(body), std::move(slot));
  node->whole = true;
  return node;
}

NodePtr Generator::set_uniform(const Place& place) {
  std::vector<const Variable*> found;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && variable.uniform) found.push_back(&variable);
  if (found.empty()) return assign(place);
  const Variable& variable = *random_.of(found);
  return make_node(Node::kStatement, variable.name + " = $0;", value(variable.type, true, 0));
}

}  // namespace weft::fuzz
