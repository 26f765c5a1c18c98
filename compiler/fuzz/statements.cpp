// The generator's statements: assignments and branches.
#include "compiler/fuzz/generator.h"

#include <utility>

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr unsigned kDeepest = 4;

}  // namespace

NodePtr Generator::block(const Place& place, unsigned most) {
  NodePtr node = make_node(Node::kBlock, "");
  const Scope outer = scope_;
  const unsigned count = random_.between(1, most);
  for (unsigned i = 0; i < count; ++i) node->children.push_back(one(place));
  scope_ = outer;
  return node;
}

NodePtr Generator::one(const Place& place) {
  if (--budget_ < 0 || place.depth >= kDeepest + 1) return simple(place);
  Place divergent = place;
  if (place.uniform && place.returns && ends_apart_ && random_.chance(10)) return leave_for_good();
  if (place.uniform && random_.chance(60)) {
    // Lanes may part company from here on: not out of a loop in which the group stays together, but for those that end.
    divergent.uniform = divergent.breaks = divergent.continues = false;
    divergent.returns = place.returns && ends_apart_;
    const std::vector<std::string> labels = std::exchange(scope_.labels, {});
    NodePtr node = apart(divergent);
    scope_.labels = labels;
    return node;
  }
  if (place.uniform) {
    switch (random_.weighted({30, 15, 18, 10, 12, 6, 9, 8, collectives_ ? 40u : 0u})) {
      case 0:
        return exchange(place);
      case 1:
        return branch(place, true);
      case 2:
        return loop(place, true);
      case 3:
        return group_counters(place);
      case 4:
        return set_uniform(place);
      case 5:
        return switch_over(place, true);
      case 6:
        return leave(place, true);
      case 7:
        return compare_exchange(place);
      default:
        return collective(place);
    }
  }
  return apart(place);
}

NodePtr Generator::apart(const Place& divergent) {
  if (generic_ && random_.chance(15)) return random_.chance(60) ? generic_store(divergent) : generic_load(divergent);
  if (new_atomics_ && random_.chance(15)) return random_.chance(50) ? own_atomic(divergent) : counter_atomic(divergent);
  switch (random_.weighted({20, 19, 16, 8, 10, 9, 4, 3, 4, 3, 4})) {
    case 0:
      return simple(divergent);
    case 1:
      return branch(divergent, random_.chance(20));
    case 2:
      return loop(divergent, random_.chance(20));
    case 3:
      return switch_over(divergent, random_.chance(20));
    case 4:
      return jump_around(divergent);
    case 5:
      return leave(divergent, random_.chance(15));
    case 6:
      return declare(divergent);
    case 7:
      return pointer_choice(divergent);
    case 8:
      return struct_statement(divergent);
    case 9:
      return own_atomic(divergent);
    default:
      return counter_atomic(divergent);
  }
}

NodePtr Generator::simple(const Place& place) {
  switch (random_.weighted({55, 33, 6, 6})) {
    case 0:
      return assign(place);
    case 1:
      return store(place);
    case 2:
      return guarded_load(place);
    default:
      return struct_statement(place);
  }
}

/// Where lanes have parted company, in most cases.
NodePtr Generator::assign_of_lanes() {
  std::vector<const Variable*> found;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform) found.push_back(&variable);
  if (found.empty()) return statement(";");
  const Variable& variable = *random_.of(found);
  const Type type = random_.chance(70) ? variable.type.scalar() : variable.type;
  NodePtr made = type.is_vector() || random_.chance(40) ? lane_value(type, 1) : lane_sum(type, 1);
  return make_node(Node::kStatement, variable.name + " = $0;", convert(std::move(made), variable.type));
}

NodePtr Generator::assign(const Place& place) {
  if (lanes_meet() && random_.chance(35)) return assign_of_lanes();
  std::vector<const Variable*> found;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform) found.push_back(&variable);
  if (found.empty()) return statement(";");
  const Variable& variable = *random_.of(found);
  // Signed and floating compounds are written out: the one may overflow, the other is nothing special.
  const bool plain = variable.type.is_signed() || variable.type.is_float();
  const std::string op = plain ? "=" : random_.word({"=", "=", "+=", "^=", "-=", "*=", "|=", "&="});
  // ushort * ushort would be an int's product, which overflows.
  const bool narrow = !variable.type.is_vector() && variable.type.component_bytes() < 4;
  return make_node(Node::kStatement, variable.name + " " + (narrow && op == "*=" ? "+=" : op) + " $0;",
                   value(variable.type, false, place.depth > 2 ? 1 : 0));
}

NodePtr Generator::branch(const Place& place, bool uniform) {
  Place inside = place.inside();
  if (random_.chance(50))
    return make_node(Node::kStatement, "if ($0) $1", condition(uniform, 1), block(inside));
  NodePtr test = condition(uniform, 1);
  NodePtr first = block(inside);
  return make_node(Node::kStatement, "if ($0) $1 else $2", std::move(test), std::move(first), block(inside));
}

NodePtr Generator::switch_over(const Place& place, bool uniform) {
  Place inside = place.inside();
  const unsigned cases = random_.between(1, 6);
  const bool sparse = random_.chance(25);
  const Type type = random_.chance(80) ? kUint : Type{Type::kUlong, 1};
  NodePtr node = make_node(Node::kStatement, "", value(type, uniform, 2));
  std::string text = "switch ($0 " + std::string(sparse ? "& 1023u" : random_.word({"& 7u", "% 5u", "& 3u", "% 7u"})) + ") {\n";
  unsigned label = random_.below(2);
  // Behind a case without a `break`, those that come from it may meet those that jump there, or not.
  const bool met = lanes_meet_, falls = !lanes_meet() || random_.chance(30);
  if (falls) lanes_meet_ = false;
  const unsigned last = random_.below(cases + 1);  // where `default` stands
  // A case's own `break` is part of the template; another would leave the switch, not the loop around it.
  inside.breaks = false;
  for (unsigned i = 0; i <= cases; ++i) {
    if (i == last) {
      text += "default:\n";
    } else {
      text += "case " + std::to_string(label) + ":\n";
      label += sparse ? random_.between(1, 300) : random_.chance(85) ? 1 : 2;
    }
    if (random_.chance(15)) continue;
    node->children.push_back(block(inside, 2));
    text += "$" + std::to_string(node->children.size() - 1) + "\n";
    if (!falls || random_.chance(65))
      text += "break;\n";
    else if (place.continues && random_.chance(20))
      text += "continue;\n";
  }
  lanes_meet_ = met;
  node->text = text + ";\n}";
  return node;
}

NodePtr Generator::declare(const Place& place) {
  const Scope outer = scope_;
  NodePtr list = make_node(Node::kBlock, "");
  const Type type = value_type();
  const std::string name = fresh("x");
  list->children.push_back(make_node(Node::kStatement, type.name() + " " + name + " = $0;", value(type, false, 1)));
  scope_.variables.push_back({name, type});
  const Place inside = place.inside();
  const unsigned count = random_.between(1, 3);
  for (unsigned i = 0; i < count; ++i) list->children.push_back(one(inside));
  // What was computed counts.
  for (const Variable& variable : outer.variables)
    if (variable.type == type && variable.assignable && !variable.uniform && random_.chance(50)) {
      list->children.push_back(statement(variable.name + " = " + name + ";"));
      break;
    }
  scope_ = outer;
  return list;
}

/// A pointer to one of several private variables, by a lane's own choice.
NodePtr Generator::pointer_choice(const Place& place) {
  const Type type = random_.chance(50) ? kUint : scalar_type();
  std::vector<std::string> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.type == type && variable.assignable && !variable.uniform) targets.push_back("&" + variable.name);
  std::vector<const Array*> arrays;
  for (const Array& array : scope_.arrays)
    if (array.element == type) arrays.push_back(&array);
  if (targets.size() < 2 && arrays.empty()) return simple(place);
  const auto target = [&](const char* child) {
    if (!arrays.empty() && (targets.empty() || random_.chance(50))) {
      const Array& array = *random_.of(arrays);
      return "&" + array.name + "[" + child + " & " + std::to_string(array.length - 1) + "u]";
    }
    return std::string(random_.of(targets));
  };
  const std::string name = fresh("q");
  const std::string first = target("$1"), second = target("$2");
  return make_node(Node::kStatement,
                   "{\nprivate " + type.name() + "* " + name + " = $0 ? " + first + " : " + second + ";\n*" + name + " = $3;\n}",
                   condition(false, 1), value(kUint, false, 3), value(kUint, false, 3), value(type, false, 1));
}

NodePtr Generator::struct_statement(const Place& place) {
  std::vector<const StructVariable*> found;
  for (const StructVariable& variable : scope_.structs)
    if (variable.assignable && !variable.uniform) found.push_back(&variable);
  if (found.empty()) return assign(place);
  const StructVariable& target = *random_.of(found);
  std::string text = target.name;
  std::vector<NodePtr> children;
  const auto subscript = [&](unsigned length) {
    if (length == 0) return std::string();
    children.push_back(random_.chance(50) ? literal(kUint) : value(kUint, false, 2));
    return "[$" + std::to_string(children.size() - 1) + " & " + std::to_string(length - 1) + "u]";
  };
  text += subscript(target.length);
  if (random_.chance(40)) {  // whole
    std::vector<const StructVariable*> sources;
    for (const StructVariable& variable : scope_.structs)
      if (variable.type == target.type && &variable != &target) sources.push_back(&variable);
    if (sources.empty()) return assign(place);
    const StructVariable& source = *random_.of(sources);
    text += " = " + source.name + subscript(source.length) + ";";
  } else {
    const Field& field = random_.of(target.type->fields);
    text += "." + field.name + subscript(field.length);
    children.push_back(value(field.type, false, 1));
    text += " = $" + std::to_string(children.size() - 1) + ";";
  }
  NodePtr node = statement(text);
  node->children = std::move(children);
  return node;
}

}  // namespace weft::fuzz
