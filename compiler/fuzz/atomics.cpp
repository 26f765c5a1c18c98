// The generator's atomics: on slots of a work-item's own, whose results are known, and on counters that many share, whose are not.
//
// What counters hold at the end depends on no order: each has one operation of its own, or all of a kernel's the same one; floating-point
// numbers are integers small enough that every sum of them is exact.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr Type kUlong{Type::kUlong, 1};

std::string number(unsigned value) { return std::to_string(value) + "u"; }

}  // namespace

/// A call of an atomic function on `address`, with $`child` for its operand: by one of the names that there are for it. `operation`: add,
/// sub, min, max, and, or, xor, xchg.
std::string Generator::atomic_call(Type type, const std::string& space, const std::string& operation, const std::string& address,
                                   unsigned child) {
  const std::string operand = "$" + std::to_string(child);
  const bool old_name = type == kUint || type == kUlong;
  if (old_name && (!new_atomics_ || random_.chance(40)))
    return (type == kUlong ? "atom_" : "atomic_") + operation + "(" + address + ", " + operand + ")";
  std::string name = operation == "xchg" ? "atomic_exchange" : "atomic_fetch_" + operation;
  const std::string object = "(volatile " + space + " atomic_" + type.name() + "*)" + address;
  if (random_.chance(40)) return name + "(" + object + ", " + operand + ")";
  name += "_explicit(" + object + ", " + operand + ", " + random_.word({"memory_order_relaxed", "memory_order_acq_rel", "memory_order_seq_cst"});
  return name + (random_.chance(50) ? ")" : random_.word({", memory_scope_device)", ", memory_scope_work_group)"}));
}

/// On a slot of this work-item's own: what it returns is known.
NodePtr Generator::own_atomic(const Place& place) {
  if (new_atomics_ && own_floats_ && random_.chance(40)) return own_float_atomic(place);
  std::vector<const Output*> found;
  for (const Output& output : outputs_)
    if (output.element == kUint || (new_atomics_ && output.element == kUlong)) found.push_back(&output);
  if (!in_kernel_ || found.empty()) return store(place);
  const Output& output = *random_.of(found);
  const Type type = output.element;
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.type == type && variable.assignable && !variable.uniform) targets.push_back(&variable);
  if (targets.empty()) return store(place);
  const std::string address = "&" + output.name + "(" + number(random_.below(kBufferBytesPerItem / type.bytes())) + ")";
  const std::string target = random_.of(targets)->name;
  const std::string result = target + random_.word({" = ", " ^= ", " += "});
  const std::string old = type == kUlong ? "atom_" : "atomic_";
  switch (random_.below(3)) {
    case 0:
      return make_node(Node::kStatement, result + old + random_.word({"inc", "dec"}) + "(" + address + ");");
    case 1:
      if (new_atomics_ && random_.chance(50)) {
        const std::string seen = fresh("x");
        return make_node(Node::kStatement, "{\n" + type.name() + " " + seen + " = $0;\nif (atomic_compare_exchange_" + random_.word({"strong", "weak"}) +
                                               "((volatile global atomic_" + type.name() + "*)" + address + ", &" + seen + ", $1)) " + target +
                                               " ^= 1u;\n" + result + seen + ";\n}",
                         value(type, false, 2), value(type, false, 2));
      }
      return make_node(Node::kStatement, result + old + "cmpxchg(" + address + ", $0, $1);", value(type, false, 2), value(type, false, 2));
    default: {
      const std::string operation = random_.word({"add", "sub", "xchg", "min", "max", "and", "or", "xor"});
      return make_node(Node::kStatement, result + atomic_call(type, "global", operation, address, 0) + ";", value(type, false, 2));
    }
  }
}

NodePtr Generator::own_float_atomic(const Place& place) {
  const Type type = *own_floats_;
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform) targets.push_back(&variable);
  if (!in_kernel_ || targets.empty()) return store(place);
  const Variable& target = *random_.of(targets);
  const unsigned each = kBufferBytesPerItem / type.bytes();
  const std::string address = "&zero_own[gid * " + number(each) + " + " + number(random_.below(each)) + "]";
  const std::string operation = random_.word({"add", "sub", "min", "max", "xchg"});
  NodePtr summand = expression(type, false, "(" + type.name() + ")((int)($0 & 63u) - 31)", value(kUint, false, 2));
  NodePtr call = expression(type, false, atomic_call(type, "global", operation, address, 0), std::move(summand));
  return make_node(Node::kStatement, target.name + " = $0;", convert(std::move(call), target.type));
}

/// On a counter that all share, each with one operation of its own, or all of a kernel's with one: then workers may have copies of them.
NodePtr Generator::counter_atomic(const Place& place) {
  if (!in_kernel_) return assign(place);
  if (!scope_.counters.empty() && random_.chance(60)) {
    const Counters& counters = random_.of(scope_.counters);
    if (counters.element == kUint && !new_atomics_)
      return make_node(Node::kStatement, "atomic_add(&" + counters.name + "[$0 & 7u], $1);", value(kUint, false, 2), value(kUint, false, 2));
    return make_node(Node::kStatement, atomic_call(counters.element, "local", "add", "&" + counters.name + "[$0 & 7u]", 1) + ";",
                     value(kUint, false, 2), summand(counters.element));
  }
  if (new_atomics_ && random_.chance(60)) return shared_atomic(place);
  if (counts_kind_.empty()) counts_kind_ = random_.word({"each", "each", "add", "add", "min", "max", "and", "or", "xor"});
  if (counts_kind_ != "each" && counts_kind_ != "add")
    return make_node(Node::kStatement, "atomic_" + counts_kind_ + "(&counts[$0 & 31u], $1);", value(kUint, false, 2), value(kUint, false, 2));
  switch (random_.below(counts_kind_ == "add" ? 2 : 4)) {
    case 0:
      return make_node(Node::kStatement, "atomic_" + random_.word({"inc", "dec"}) + "(&counts[$0 & 3u]);", value(kUint, false, 2));
    case 1:
      return make_node(Node::kStatement, "atomic_" + random_.word({"add", "sub"}) + "(&counts[$0 & 3u], $1);", value(kUint, false, 2),
                       value(kUint, false, 2));
    default: {
      static const std::vector<std::string> kOperations = {"min", "max", "and", "or", "xor"};
      const unsigned which = random_.below(kOperations.size());
      return make_node(Node::kStatement, "atomic_" + kOperations[which] + "(&counts[" + number(4 + which) + "], $0);",
                       value(kUint, false, 2));
    }
  }
}

/// What may be added to a shared counter.
NodePtr Generator::summand(Type type) {
  if (!type.is_float()) return value(type, false, 2);
  return expression(type, false, "(" + type.name() + ")((int)($0 & 15u) - 7)", value(kUint, false, 2));
}

/// On the shared counters that are no uints.
NodePtr Generator::shared_atomic(const Place&) {
  const Type type = shared_;
  // Of halves no long sum is exact.
  const bool adds = type.kind != Type::kHalf;
  if (shared_kind_.empty())
    shared_kind_ = !adds ? random_.word({"each", "min", "max"})
                   : type.is_float() ? random_.word({"each", "add", "add", "min", "max"})
                                     : random_.word({"each", "add", "add", "min", "max", "and", "or", "xor"});
  std::string operation = shared_kind_, at = "$0 & 7u";
  if (operation == "each") {
    const unsigned which = random_.below(type.is_float() ? 3 : 6);
    static const char* const kOperations[] = {"min", "max", "add", "and", "or", "xor"};
    operation = which == 2 && !adds ? "min" : kOperations[which];
    // The operation's own counter.
    at = number(operation == "min" ? 0 : operation == "max" ? 1 : which) + " + ($0 & 0u)";
  }
  if (operation == "add" && random_.chance(30)) operation = "sub";
  return make_node(Node::kStatement, atomic_call(type, "global", operation, "&zero_shared[" + at + "]", 1) + ";", value(kUint, false, 2),
                   summand(type));
}

}  // namespace weft::fuzz
