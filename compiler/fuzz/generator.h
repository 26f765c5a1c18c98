// Random kernels. Every kernel is well defined by construction, whatever the data and the local size:
//   - each work-item writes its own slots of buffers and of local memory, or what all write there; local memory is read across work-items only
//     between two barriers, while nobody writes to it;
//   - atomics on shared counters commute and their results are not used; those on own slots may be used;
//   - the functions of sub-groups stand where blocks nest, so that who takes part is clear; values are asked of lanes that take part;
//   - sums of floating-point numbers are of small integers, which no order of adding them changes;
//   - barriers stand where control flow is uniform by the language, provably so or not, for all work-items that have not returned;
//   - loops have counters of their own; indices are masked; divisors are not zero; signed numbers do not overflow;
//   - the bits of a NaN never get out.
// Warps must therefore compute, bit for bit, what work-items compute one after the other.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/fuzz/random.h"
#include "compiler/fuzz/tree.h"

namespace weft::fuzz {

/// Bytes of a buffer for each work-item of the launch, and of a __local argument for each of the group: what the
/// generator and whoever runs kernels agree on.
inline constexpr unsigned kBufferBytesPerItem = 64;
inline constexpr unsigned kLocalBytesPerItem = 16;
/// Buffers whose names begin with this hold zeroes at first, and others numbers of all kinds.
inline constexpr const char* kBeginsZero = "zero_";
/// Work-items of a group, at most.
inline constexpr unsigned kMostWorkItems = 512;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed * 2 + 1) {}

  /// A whole program with one kernel, `k`.
  NodePtr program();

 private:
  // ---- what is in scope ------------------------------------------------------------------------------------
  struct Variable {
    std::string name;
    Type type;
    bool uniform = false;     ///< assigned by uniform expressions in uniform control flow only
    bool assignable = true;
  };
  struct Array {
    std::string name;
    Type element;
    unsigned length;          ///< a power of two
  };
  /// Local memory with one or two slots a work-item.
  struct LocalArray {
    std::string name;
    Type element;
    std::string own;          ///< index of the own slot, with $ for which one
    unsigned slots;
    bool shared = false;      ///< between barriers: anyone may read any slot, nobody may write
  };
  /// Eight atomic counters of the group in local memory.
  struct Counters {
    std::string name;
    Type element;
  };
  struct Buffer {
    std::string name;
    Type element;
    bool constant = false;
  };
  /// Slots of an output that this work-item owns: NAME(k), any k.
  struct Output {
    std::string name;
    Type element;
    bool contiguous = false;  ///< the slots lie side by side, from NAME(0)
  };
  struct Field {
    std::string name;
    Type type;
    unsigned length;          ///< 0: no array
  };
  struct Struct {
    std::string name;
    std::vector<Field> fields;
  };
  struct StructVariable {
    std::string name;
    const Struct* type;
    unsigned length = 0;      ///< of an array of structs; 0: one
    bool assignable = true;
    bool uniform = false;
  };
  struct Function {
    std::string name;
    Type result;
    std::vector<Type> values;          ///< parameters by value
    bool varying = false;              ///< asks for its work-item's ids
    bool meets = false;                ///< may call the functions of sub-groups
    bool takes_pointer = false;        ///< a last parameter, `private T*` of result's type
    const Struct* takes_struct = nullptr;
  };
  struct Scope {
    std::vector<std::string> strides;  ///< counters of loops that go through the buffers in steps, below N
    std::vector<Variable> variables;
    std::vector<Array> arrays;
    std::vector<StructVariable> structs;
    std::vector<std::string> labels;   ///< behind loops that this point is in: `goto` leaves them
    std::vector<Counters> counters;    ///< while they count
  };
  /// Where a statement stands.
  struct Place {
    bool uniform = false;      ///< control flow is uniform here: barriers and uniform variables may be used
    bool breaks = false;       ///< in a loop that may be left here
    bool continues = false;
    bool returns = false;
    unsigned depth = 0;
    unsigned trips = 1;        ///< how often this runs, about
    Place inside() const {
      Place place = *this;
      ++place.depth;
      return place;
    }
  };

  // ---- types (kernel.cpp) ------------------------------------------------------------------------------------
  Type scalar_type();
  Type value_type();
  Type integer_scalar();
  Type element_type();         ///< of a buffer: at most 16 bytes, no 3-vector
  std::string fresh(const char* prefix) { return prefix + std::to_string(names_++); }

  // ---- expressions (expressions.cpp) ---------------------------------------------------------------------------
  NodePtr value(Type type, bool uniform, unsigned depth);
  NodePtr leaf(Type type, bool uniform, unsigned depth);
  NodePtr literal(Type type);
  NodePtr known(Type type, bool uniform);  ///< a variable, or null
  NodePtr convert(NodePtr from, Type to);
  NodePtr integer(Type type, bool uniform, unsigned depth);
  NodePtr integer_builtin(Type type, bool uniform, unsigned depth);
  NodePtr divide(Type type, bool uniform, unsigned depth);
  NodePtr floating(Type type, bool uniform, unsigned depth);
  NodePtr vector_shape(Type type, bool uniform, unsigned depth);
  NodePtr comparison(Type type, bool uniform, unsigned depth);
  NodePtr condition(bool uniform, unsigned depth);
  NodePtr call(const Function& function, bool uniform, unsigned depth);
  NodePtr bounded(unsigned bits, bool uniform, unsigned depth);
  // memory (memory.cpp)
  NodePtr load(Type type, bool uniform, unsigned depth);
  NodePtr buffer_load(Type type, bool uniform, unsigned depth);
  NodePtr load_before_wrap(const Buffer& buffer);
  NodePtr local_load(const LocalArray& array, Type type, bool uniform, unsigned depth);
  NodePtr index(unsigned limit_factor, bool uniform, unsigned depth);
  NodePtr column(unsigned limit_factor);
  NodePtr work_item_id(Type type, bool uniform);
  NodePtr field_of(const StructVariable& variable, Type type, bool uniform, unsigned depth);

  NodePtr half_value(Type type, bool uniform, unsigned depth);  // halves.cpp
  // sub-groups (sub_groups.cpp)
  bool lanes_meet() const;                 ///< their functions may stand here
  NodePtr lane_value(Type type, unsigned depth);
  NodePtr lane_sum(Type type, unsigned depth);
  NodePtr vote(unsigned depth);
  std::string lane_helper(Type type);
  std::string cluster();

  // ---- statements (statements.cpp, loops.cpp, memory.cpp, atomics.cpp, generic_pointers.cpp, group.cpp, collectives.cpp) ----
  NodePtr block(const Place& place, unsigned most = 3);
  NodePtr one(const Place& place);
  NodePtr apart(const Place& place);       ///< where lanes may part company
  NodePtr simple(const Place& place);
  NodePtr assign(const Place& place);
  NodePtr assign_of_lanes();
  NodePtr branch(const Place& place, bool uniform);
  NodePtr switch_over(const Place& place, bool uniform);
  NodePtr loop(const Place& place, bool uniform);
  NodePtr read_row(const Place& place);
  NodePtr jump_around(const Place& place);
  NodePtr leave(const Place& place, bool uniform);
  NodePtr leave_by_turns(const Place& place, const std::string& counter);
  NodePtr meet_and_leave(const Variable& target, const std::string& way, bool uniform, NodePtr test);
  std::optional<std::string> way_out(const Place& place);
  const Variable* own_variable();
  NodePtr leave_for_good();
  NodePtr declare(const Place& place);
  NodePtr pointer_choice(const Place& place);
  NodePtr struct_statement(const Place& place);
  NodePtr store(const Place& place);
  NodePtr store_column(const Place& place);
  NodePtr guarded_load(const Place& place);
  NodePtr own_atomic(const Place& place);
  NodePtr own_float_atomic(const Place& place);
  NodePtr counter_atomic(const Place& place);
  NodePtr shared_atomic(const Place& place);
  NodePtr summand(Type type);
  std::string atomic_call(Type type, const std::string& space, const std::string& operation, const std::string& address, unsigned child);
  NodePtr generic_store(const Place& place);
  NodePtr generic_load(const Place& place);
  std::vector<std::string> own_places(Type type, bool with_private);
  std::string either_place(const std::vector<std::string>& places, const std::string& pointer, std::vector<NodePtr>& children);
  NodePtr exchange(const Place& place);
  NodePtr compare_exchange(const Place& place);
  NodePtr group_counters(const Place& place);
  NodePtr collective(const Place& place);
  NodePtr set_uniform(const Place& place);

  // ---- the program (kernel.cpp) ------------------------------------------------------------------------------------
  void add_struct(Node& program);
  void add_function(Node& program);
  NodePtr kernel(Node& program);
  void declare_arguments(std::string& signature);
  void declare_outputs(Node& program, std::string& signature);
  void declare_ids(Node& body);
  void declare_locals(Node& body, std::string& signature);
  void declare_variables(Node& body, unsigned most);
  void digest(Node& body) const;  ///< folds all variables in scope into `h`
  Type numeric(bool integers_only);

  Random random_;
  unsigned names_ = 0;
  int budget_ = 0;             ///< statements left
  bool groups_ = false;        ///< the kernel has barriers
  bool ends_apart_ = false;  ///< of groups: some work-items may return before a barrier that others reach
  bool floats_ = false;
  bool vectors_ = false;
  bool narrow_ = false;
  bool wide_ = false;
  bool sub_groups_ = false;
  unsigned sub_group_size_ = 32;  ///< less: the kernel requires it
  bool collectives_ = false;
  bool new_atomics_ = false;   ///< of OpenCL C 2.0, of 64 bits, and of floating-point numbers
  bool generic_ = false;       ///< pointers without an address space
  bool lanes_meet_ = true;     ///< who executes something together is clear here
  bool in_kernel_ = false;
  bool ids_ = true;            ///< what is made may depend on work-item ids
  Scope scope_;
  std::optional<Type> own_floats_;  ///< of the elements of `zero_own`, if there is that
  Type shared_;                     ///< of the elements of `zero_shared`
  std::string shared_kind_;         ///< as counts_kind_, for `zero_shared`
  std::set<std::string> helpers_;   ///< functions that were asked for
  std::string counts_kind_;    ///< what `counts` are updated by: one operation, or "each" by its own; empty: not drawn yet
  std::vector<std::unique_ptr<Struct>> structs_;
  std::vector<Function> functions_;
  std::vector<LocalArray> locals_;
  std::vector<Buffer> buffers_;
  std::vector<Output> outputs_;
  std::optional<Type> columns_;  ///< of the elements of the buffer that columns are stored to, if there is one
  std::vector<std::string> returns_;  ///< what `return` is, here
  unsigned group_counters_ = 0;       ///< arrays of counters in use
};

}  // namespace weft::fuzz
