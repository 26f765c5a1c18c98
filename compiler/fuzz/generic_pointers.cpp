// The generator's pointers that name no address space: what they point into, global, local or private memory, each lane decides.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};

std::string number(unsigned value) { return std::to_string(value) + "u"; }

}  // namespace

/// A chain of ?: over two or three of the places, each as a pointer of unqualified type; adds the conditions to `children`.
std::string Generator::either_place(const std::vector<std::string>& places, const std::string& pointer, std::vector<NodePtr>& children) {
  const unsigned count = random_.between(2, 3);
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    if (i + 1 < count) {
      children.push_back(condition(random_.chance(15), 2));
      text += "$" + std::to_string(children.size() - 1) + " ? ";
    }
    text += "(" + pointer + ")&" + random_.of(places) + (i + 1 < count ? " : " : "");
  }
  return text;
}

/// Elements of this work-item's own: outputs, slots of local memory, variables, arrays.
std::vector<std::string> Generator::own_places(Type type, bool with_private) {
  std::vector<std::string> places;
  if (in_kernel_) {
    for (const Output& output : outputs_)
      if (output.element == type) places.push_back(output.name + "(" + number(random_.below(8)) + ")");
    for (const LocalArray& array : locals_) {
      if (array.element != type || array.shared) continue;
      std::string own = array.own;
      if (const std::size_t at = own.find('#'); at != std::string::npos) own.replace(at, 1, number(random_.below(array.slots)));
      places.push_back(array.name + "[" + own + "]");
    }
  }
  if (!with_private) return places;
  for (const Variable& variable : scope_.variables)
    if (variable.type == type && variable.assignable && !variable.uniform) places.push_back(variable.name);
  for (const Array& array : scope_.arrays)
    if (array.element == type) places.push_back(array.name + "[(ua + " + number(random_.below(16)) + ") & " + number(array.length - 1) + "]");
  return places;
}

NodePtr Generator::generic_store(const Place& place) {
  if (!in_kernel_) return simple(place);
  std::vector<Type> types = {kUint};
  for (const Output& output : outputs_) types.push_back(output.element);
  for (const LocalArray& array : locals_) types.push_back(array.element);
  const Type type = random_.of(types);
  const bool atomic = type == kUint && random_.chance(20);
  const std::vector<std::string> places = own_places(type, !atomic);
  if (places.size() < 2) return generic_load(place);
  std::vector<NodePtr> children;
  const std::string q = fresh("q"), pointer = type.name() + "*";
  std::string text = "{\n" + pointer + " " + q + " = " + either_place(places, pointer, children) + ";\n";
  children.push_back(value(type, false, 1));
  const std::string x = "$" + std::to_string(children.size() - 1);
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.type == type && variable.assignable && !variable.uniform) targets.push_back(&variable);
  const std::string result = targets.empty() ? "" : random_.of(targets)->name + " = ";
  if (atomic) {
    text += result + "atomic_" + random_.word({"fetch_add", "fetch_xor", "fetch_max", "fetch_min", "exchange"}) + "((volatile atomic_uint*)" + q + ", " + x +
            ");\n}";
  } else if (random_.chance(40)) {
    const std::string name = "put_" + type.name() + (random_.chance(30) ? "_apart" : "");
    helpers_.insert(std::string(name.ends_with("apart") ? "__attribute__((noinline)) " : "") + type.name() + " " + name + "(" + type.name() +
                    "* p, " + type.name() + " x) {\nconst " + type.name() + " old = *p;\n*p = x;\nreturn old;\n}");
    text += result + name + "(" + q + ", " + x + ");\n}";
  } else if (!type.is_vector() && random_.chance(25)) {
    // Where it points is asked.
    std::string asked = random_.word({"to_global(%) != 0", "to_local(%) != 0", "to_private(%) != 0", "get_fence(%) == CLK_LOCAL_MEM_FENCE"});
    asked.replace(asked.find('%'), 1, q);
    text += "if (" + asked + ") *" + q + " = " + x + ";\n}";
  } else {
    text += (result.empty() ? "" : result + "*" + q + ";\n") + "*" + q + " = " + x + ";\n}";
  }
  NodePtr node = statement(text);
  node->children = std::move(children);
  return node;
}

/// One or more elements from where a lane chooses to read: inputs, local memory while all may read it, what is its own.
NodePtr Generator::generic_load(const Place& place) {
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform) targets.push_back(&variable);
  std::vector<const Buffer*> inputs;
  for (const Buffer& buffer : buffers_)
    if (!buffer.constant) inputs.push_back(&buffer);
  if (!in_kernel_ || targets.empty() || inputs.empty()) return simple(place);
  const Variable& target = *random_.of(targets);
  const Type type = random_.of(inputs)->element;
  std::vector<std::string> places = own_places(type, true);
  for (const Buffer* buffer : inputs)
    if (buffer->element == type)
      for (const char* at : {"gid", "lid", "ua % N", "(gid * 2654435761u % N)"}) places.push_back(buffer->name + "[" + at + "]");
  for (const LocalArray& array : locals_)
    if (array.element == type && array.shared)
      for (const char* at : {"n - 1u - lid", "lid ^ 0u", "ua % n"}) places.push_back(array.name + "[" + at + "]");
  std::vector<NodePtr> children;
  const std::string q = fresh("q"), pointer = "const " + type.name() + "*";
  std::string text = "{\n" + pointer + " " + q + " = " + either_place(places, pointer, children) + ";\n";
  children.push_back(convert(expression(type, false, "*" + q), target.type));
  text += target.name + " = $" + std::to_string(children.size() - 1) + ";\n}";
  NodePtr node = statement(text);
  node->children = std::move(children);
  return node;
}

}  // namespace weft::fuzz
