// The generator's loops and jumps.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr unsigned kMostTrips = 60;

std::string number(unsigned value) { return std::to_string(value) + "u"; }

}  // namespace

/// Each lane reads on along a row of its own, as in a product with a sparse matrix.
NodePtr Generator::read_row(const Place& place) {
  std::vector<const Variable*> sums;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform && !variable.type.is_vector() && !variable.type.is_float() && !variable.type.is_signed()) sums.push_back(&variable);
  std::vector<const Buffer*> buffers;
  for (const Buffer& buffer : buffers_)
    if (!buffer.element.is_vector() && !buffer.element.is_float()) buffers.push_back(&buffer);
  if (sums.empty() || buffers.empty() || !in_kernel_) return simple(place);
  const Variable& sum = *random_.of(sums);
  const Buffer& row = *random_.of(buffers);
  const Buffer& other = *random_.of(buffers);
  const std::string n = fresh("n"), cast = "(" + sum.type.name() + ")";
  const std::string first = random_.word({"gid", "lid", "(gid * 2654435761u % N)", "(N - 1u - gid)"});
  const std::string type = random_.word({"int", "uint", "size_t"});
  std::string text = "for (" + type + " " + n + " = " + first + "; " + n + " < (" + type + ")min(N, " + first + " + $0 % " +
                     number(random_.of({5, 24, 60})) + "); ++" + n + ") ";
  if (random_.chance(25)) text += "if ($1) ";
  text += sum.name + " = " + cast + "(" + sum.name + " * " + cast + "3 + " + cast + row.name + "[" + n + "]";
  if (random_.chance(60)) text += " + " + cast + other.name + "[(uint)" + row.name + "[" + n + "] % N]";
  NodePtr trips = value(kUint, random_.chance(20), 2);
  NodePtr test = condition(false, 2);
  const bool tests = text.find("$1") != std::string::npos;
  return tests ? make_node(Node::kStatement, text + ");", std::move(trips), std::move(test))
               : make_node(Node::kStatement, text + ");", std::move(trips));
}

NodePtr Generator::loop(const Place& place, bool uniform) {
  if (place.trips > kMostTrips) return simple(place);
  if (!place.uniform && !uniform && random_.chance(lanes_meet() ? 10 : 30)) return read_row(place);
  const unsigned most = random_.of({1, 2, 3, 4, 5, 7, 9});
  const bool together = place.uniform;  // the group stays together, so there may be barriers inside
  Place inside = place.inside();
  inside.trips = place.trips * (most + 1) / 2 + 1;
  inside.breaks = inside.continues = true;
  const Scope outer = scope_;
  const std::string n = fresh("n");
  // Multi-level exits: a label behind this loop.
  std::string label;
  if (random_.chance(25)) {
    label = fresh("out");
    scope_.labels.push_back(label);
  }
  const std::string bound = std::to_string(most) + "u";
  NodePtr test = condition(uniform || together, 1);
  NodePtr limit = random_.chance(40) ? literal(kUint) : value(kUint, uniform || together, 2);
  const auto body = [&](const char* counter_type) {
    // The counter may be read, not written.
    scope_.variables.push_back({n, {counter_type[0] == 'u' ? Type::kUint : Type::kInt, 1}, together, false});
    NodePtr inner = block(inside);
    if (lanes_meet() && !together && random_.chance(60)) inner->children.push_back(leave_by_turns(inside, n));
    return inner;
  };
  NodePtr node;
  switch (random_.below(together || !in_kernel_ ? 5 : 6)) {
    case 5: {
      // As a grid-stride loop: its counter is a sum of size_t, cut down.
      const std::string type = random_.word({"int", "uint"});
      const std::string step = random_.word({"get_local_size(0)", "(get_local_size(0) + 3u)"});
      const std::string limit_text = "(" + type + ")min(N, (uint)get_local_size(0) * " + bound + ")";
      scope_.strides.push_back(n);
      NodePtr inner = body(type.c_str());
      node = make_node(Node::kStatement, "for (" + type + " " + n + " = get_local_id(0); " + n + " < " + limit_text + "; " + n +
                                             " += " + step + ") $0", std::move(inner));
      break;
    }
    case 0: {
      NodePtr inner = body("uint");
      node = make_node(Node::kStatement, "for (uint " + n + " = 0; " + n + " < $0 % " + std::to_string(most + 1) + "u; ++" + n + ") $1",
                       std::move(limit), std::move(inner));
      break;
    }
    case 1: {
      NodePtr inner = body("int");
      node = make_node(Node::kStatement, "for (int " + n + " = " + bound.substr(0, bound.size() - 1) + "; " + n + " > 0 && $0; --" + n + ") $1",
                       std::move(test), std::move(inner));
      break;
    }
    case 2: {
      NodePtr inner = body("uint");
      node = make_node(Node::kStatement, "{\nuint " + n + " = 0;\nwhile (" + n + "++ < " + bound + " && $0) $1\n}", std::move(test),
                       std::move(inner));
      break;
    }
    case 3: {
      NodePtr inner = body("uint");
      node = make_node(Node::kStatement, "{\nuint " + n + " = 0;\ndo $0 while (++" + n + " < " + bound + " && $1);\n}", std::move(inner),
                       std::move(test));
      break;
    }
    default: {
      // No condition at its head: it is left from inside alone.
      NodePtr inner = body("uint");
      node = make_node(Node::kStatement, "for (uint " + n + " = 0;; ++" + n + ") {\nif (" + n + " >= " + bound + ") break;\n$0\nif ($1) break;\n}",
                       std::move(inner), std::move(test));
      break;
    }
  }
  scope_ = outer;
  if (label.empty()) return node;
  return make_node(Node::kStatement, "{\n$0\n" + label + ":;\n}", std::move(node));
}

/// Forward, backward (bounded), into the middle of a loop, into a branch.
NodePtr Generator::jump_around(const Place& place) {
  if (place.trips > kMostTrips) return simple(place);
  // Who runs together is what structurizing finds, not what the program says.
  struct Restore {
    bool& value;
    const bool before;
    ~Restore() { value = before; }
  } restore{lanes_meet_, lanes_meet_};
  lanes_meet_ = false;
  const std::string l = fresh("l");
  const std::string n = fresh("n");
  Place inside = place.inside();
  Place again = inside;
  again.trips = place.trips * 4;
  // A `break` or `continue` in these blocks is the enclosing loop's.
  const auto test = [&] { return condition(false, 1); };
  switch (random_.below(6)) {
    case 0: {
      NodePtr c = test();
      return make_node(Node::kStatement, "{\nif ($0) goto " + l + ";\n$1\n" + l + ":;\n}", std::move(c), block(inside));
    }
    case 1: {
      NodePtr body = block(again);
      return make_node(Node::kStatement, "{\nuint " + n + " = 0;\n" + l + ":;\n$0\nif (++" + n + " < 5u && $1) goto " + l + ";\n}",
                       std::move(body), test());
    }
    case 2: {  // two entries
      NodePtr c = test();
      NodePtr first = block(again);
      NodePtr second = block(again);
      return make_node(Node::kStatement, "{\nuint " + n + " = 0;\nif ($0) goto " + l + "b;\n" + l + "a:;\n$1\n" + l + "b:;\n$2\nif (++" + n +
                                             " < 4u && $3) goto " + l + "a;\n}",
                       std::move(c), std::move(first), std::move(second), test());
    }
    case 3: {  // into a loop
      again.breaks = again.continues = true;
      NodePtr c = test();
      NodePtr first = block(again);
      NodePtr second = block(again);
      return make_node(Node::kStatement, "{\nuint " + n + " = 0;\nif ($0) goto " + l + ";\nwhile (" + n + "++ < 4u && $1) {\n$2\n" + l +
                                             ":;\n$3\n}\n}",
                       std::move(c), test(), std::move(first), std::move(second));
    }
    case 4: {  // into a branch
      NodePtr c = test();
      NodePtr first = block(inside);
      NodePtr second = block(inside);
      NodePtr third = block(inside);
      return make_node(Node::kStatement, "{\nif ($0) goto " + l + ";\nif ($1) {\n$2\n" + l + ":;\n$3\n} else $4\n}", std::move(c), test(),
                       std::move(first), std::move(second), std::move(third));
    }
    default: {  // three blocks that jump among each other, as a state machine does
      NodePtr first = block(again, 2);
      NodePtr second = block(again, 2);
      NodePtr third = block(again, 2);
      return make_node(Node::kStatement, "{\nuint " + n + " = 0;\n" + l + "a:;\n$0\nif ($3) goto " + l + "c;\n" + l + "b:;\n$1\nif (++" + n +
                                             " < 4u && $4) goto " + l + "a;\n" + l + "c:;\n$2\nif (++" + n + " < 4u && $5) goto " + l +
                                             "b;\n}",
                       std::move(first), std::move(second), std::move(third), test(), test(), test());
    }
  }
}

/// A return of some work-items, whatever barriers the others meet behind it.
NodePtr Generator::leave_for_good() {
  return make_node(Node::kStatement, "if ($0) { " + random_.of(returns_) + " }", condition(false, 1));
}

/// On their way out, those that leave in one iteration meet.
NodePtr Generator::meet_and_leave(const Variable& target, const std::string& way, bool uniform, NodePtr test) {
  // Mostly what depends on who meets.
  NodePtr met = target.type.is_vector() || random_.chance(30) ? lane_value(target.type, 1) : lane_sum(target.type, 1);
  const std::string meets = "if ($0) {\n" + target.name + " = $1;\n";
  if (random_.chance(30)) return make_node(Node::kStatement, meets + way + "\n}", std::move(test), std::move(met));
  // Whether they leave is another question, which a compiler may know the answer to.
  NodePtr leaves = random_.chance(50) ? condition(uniform, 1)
                                      : expression(Type{Type::kInt, 1}, uniform, "(($0 & 7u) < 8u)", value(kUint, uniform, 2));
  if (random_.chance(50))
    return make_node(Node::kStatement, meets + "if ($2) " + way + "\n}", std::move(test), std::move(met), std::move(leaves));
  const std::string flag = fresh("flag");
  return make_node(Node::kStatement, "{\nint " + flag + " = 0;\n" + meets + flag + " = $2;\n}\nif (" + flag + ") " + way + "\n}",
                   std::move(test), std::move(met), std::move(leaves));
}

/// What `break`, `continue`, `return` or `goto` leads out of here, if any.
std::optional<std::string> Generator::way_out(const Place& place) {
  std::vector<std::string> ways;
  if (place.breaks) ways.insert(ways.end(), {"break;", "break;"});
  if (place.continues) ways.push_back("continue;");
  if (place.returns) ways.push_back("{ " + random_.of(returns_) + " }");
  for (const std::string& label : scope_.labels) ways.push_back("goto " + label + ";");
  return ways.empty() ? std::nullopt : std::optional(random_.of(ways));
}

/// A variable that each lane may set for itself, if there is one.
const Generator::Variable* Generator::own_variable() {
  std::vector<const Variable*> found;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform) found.push_back(&variable);
  return found.empty() ? nullptr : random_.of(found);
}

NodePtr Generator::leave(const Place& place, bool uniform) {
  const auto way = way_out(place);
  if (!way) return place.uniform ? set_uniform(place) : simple(place);
  uniform |= place.uniform;
  NodePtr test = condition(uniform, 1);
  const Variable* target = own_variable();
  if (lanes_meet() && target && random_.chance(50)) return meet_and_leave(*target, *way, uniform, std::move(test));
  return make_node(Node::kStatement, "if ($0) " + *way, std::move(test));
}

/// Each lane leaves in an iteration of its own choice.
NodePtr Generator::leave_by_turns(const Place& place, const std::string& counter) {
  const auto way = place.breaks && random_.chance(60) ? std::optional<std::string>("break;") : way_out(place);
  const Variable* target = own_variable();
  if (!way || !target) return simple(place);
  NodePtr test = expression(Type{Type::kInt, 1}, false, "(((uint)" + counter + " & 3u) == ($0 & 3u))", value(kUint, false, 1));
  return meet_and_leave(*target, *way, false, std::move(test));
}

}  // namespace weft::fuzz
