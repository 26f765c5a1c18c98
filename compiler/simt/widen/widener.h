// The state of one widening, shared by widen*.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

#include "compiler/simt/analysis/tile_plan.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/widen/widen.h"

namespace weft::compiler::simt {

/// A value of W lanes: a vector for each component (one for a scalar, k for <k x T>, one a member of a struct).
using Parts = llvm::SmallVector<llvm::Value*, 4>;

/// Of a load or store: the program itself asks for volatile.
bool stays_volatile(const llvm::Instruction& access);
void copy_alias_metadata(llvm::Instruction& to, const llvm::Instruction& from);

/// The bits of `type`, a number or a vector of them, where an array of its elements in memory has no gaps; else 0:
/// aggregates, and elements such as i1 and i24, which instcombine and SROA make.
unsigned solid_bits(llvm::Type* type, const llvm::DataLayout& layout);

/// Where the columns of a block begin in memory.
struct TileColumns {
  llvm::Value* first = nullptr;
  llvm::Value* pitch = nullptr;  ///< bytes to the next one
  llvm::Value* holds = nullptr;  ///< null: for certain
};

class Widener {
 public:
  Widener(const WidenRequest& request, passes::PassControl& control);
  llvm::Expected<llvm::Function*> run();

 private:
  // widen.cpp: the walk
  void widen_block(llvm::BasicBlock& block);
  void widen_instruction(llvm::Instruction& instruction);
  void widen_phi(llvm::PHINode& phi);
  void complete_phis();
  void widen_terminator(llvm::Instruction& terminator);
  void widen_return(llvm::ReturnInst& instruction);
  void fail(const llvm::Instruction& where, const llvm::Twine& what);

  // widen_values.cpp: forms of values
  Shape shape(const llvm::Value* value) const { return shapes_[*value]; }
  bool is_uniform(const llvm::Value* value) const { return shapes_.is_uniform(*value); }
  llvm::Type* lowered(llvm::Type* type) const;  ///< all pointers in address space 0
  llvm::FixedVectorType* wide(llvm::Type* scalar) const;
  llvm::SmallVector<llvm::Type*, 4> components(llvm::Type* type) const;

  /// The value of an affine `value` in lane `lane`, as a scalar (or OpenCL vector).
  llvm::Value* scalar_at(llvm::Value* value, unsigned lane);
  /// As scalar_at, computed for that very lane although an extension may have wrapped.
  llvm::Value* exact_at(llvm::Value* value, unsigned lane);
  /// The value of any `value` in lane `lane`; keeps address arithmetic scalar.
  llvm::Value* value_in_lane(llvm::Value* value, unsigned lane, unsigned depth = 0);
  llvm::Value* uniform(llvm::Value* value) { return scalar_at(value, 0); }
  Parts vector(llvm::Value* value);
  llvm::Value* vector1(llvm::Value* value) { return vector(value).front(); }
  Parts from_segments(llvm::ArrayRef<llvm::Value*> bases, const Shape& shape, llvm::Type* type);
  llvm::Value* spread(llvm::ArrayRef<llvm::Value*> bases, llvm::Type* type);
  llvm::Value* clone_at(llvm::Instruction& instruction, unsigned lane, bool exact);
  llvm::Constant* lane_numbers(llvm::Type* integer, unsigned segment, std::int64_t stride) const;
  void set_vector(const llvm::Value& value, Parts parts) { vectors_[&value] = std::move(parts); }

  // widen_ops.cpp: instructions that work a lane at a time
  Parts elementwise(llvm::Instruction& instruction);
  Parts widen_call(llvm::CallBase& call);
  Parts widen_intrinsic(llvm::CallBase& call);
  Parts widen_bitcast(llvm::Instruction& instruction);
  Parts widen_extract(llvm::Instruction& instruction);
  Parts widen_insert(llvm::Instruction& instruction);
  Parts widen_shuffle(llvm::Instruction& instruction);
  Parts widen_gep(llvm::Instruction& instruction);
  llvm::Value* divide(llvm::Instruction& instruction, llvm::Value* dividend, llvm::Value* divisor);
  llvm::Value* compare_progression(llvm::Instruction& compare);
  llvm::Value* reduce(llvm::Value* mask, bool any);

  // widen_primitives.cpp
  llvm::Value* scalar_primitive(llvm::CallBase& call, unsigned lane);
  Parts vector_primitive(llvm::CallBase& call);
  llvm::Value* local_id(unsigned dimension, llvm::Value* linear);
  llvm::Value* local_size(unsigned dimension);
  llvm::Value* group_base(unsigned dimension);

  // widen_lanes.cpp
  Parts shuffle_lanes(llvm::CallBase& call);

  // widen_memory.cpp
  /// One vector: of W lanes, or for an OpenCL vector its packed form.
  llvm::Value* widen_load(llvm::LoadInst& load);
  void widen_store(llvm::StoreInst& store);
  llvm::Value* load_segments(llvm::LoadInst& load, const Shape& pointer);
  llvm::Value* with_fields(llvm::Value* live, const llvm::Instruction& row, unsigned count, bool ends_only);
  void store_row_by_registers(llvm::Value* block, llvm::Value* base, llvm::Align align, llvm::Value* live,
                              const llvm::StoreInst& store);
  void check_row(llvm::Instruction& row, const Shape& pointer);
  bool is_own_row(const llvm::Instruction& access, const Shape& pointer) const;
  llvm::Align row_align(const llvm::Instruction& access) const;
  bool store_segments(llvm::StoreInst& store, const Shape& pointer);
  void store_last_lane(llvm::StoreInst& store);
  llvm::Value* progression_holds(llvm::Value* pointer, const Shape& shape);
  std::optional<llvm::SmallVector<llvm::Instruction*, 4>> extensions_of(llvm::Value& pointer);
  llvm::Value* extension_holds(llvm::Instruction& extension, unsigned lane);
  llvm::Value* in_live_lane(llvm::Value* value, llvm::Intrinsic::ID scan);
  llvm::Value* live_bits();
  llvm::Value* safe_pointer(llvm::Value* pointer, llvm::Value* condition, llvm::Type* type);
  llvm::Value* slot_address(unsigned slot);
  Parts load_slot(llvm::CallBase& call);
  void store_slot(llvm::CallBase& call);
  llvm::Value* segment_of_mask(unsigned first, unsigned count, unsigned components);

  // widen_strided.cpp
  std::optional<unsigned> known_prefix() const;
  unsigned strided_step(const llvm::Instruction& access, llvm::Type* type, const Shape& pointer, unsigned& live) const;
  llvm::Value* load_strided(llvm::LoadInst& load, const Shape& pointer);
  bool store_strided(llvm::StoreInst& store, const Shape& pointer);
  llvm::Value* load_windows(llvm::LoadInst& load, const Shape& pointer, unsigned lane, unsigned step, unsigned live);

  // widen_grid.cpp
  llvm::Value* tile_value_at(llvm::Value* value, unsigned lane);
  llvm::Value* tile_check_holds(const TileCheck& check);
  TileColumns tile_columns(llvm::Value* pointer, const TiledAccess& access, bool is_store);
  llvm::SmallVector<llvm::Value*, 32> column_bases(const TileColumns& columns);
  llvm::Type* tile_element(llvm::Type* type);
  unsigned tile_pieces(const TiledAccess& access, llvm::Type* element) const;
  void store_columns(llvm::StoreInst& store, llvm::Value* value, const TiledAccess& access, const TilePlan& plan,
                     const TileColumns& columns);
  llvm::Value* load_columns(llvm::LoadInst& load, const TiledAccess& access, const TilePlan& plan, const TileColumns& columns);
  llvm::Value* load_tiled(llvm::LoadInst& load);
  void or_scattered(llvm::StoreInst& store, llvm::BasicBlock* slow, llvm::BasicBlock* join);
  llvm::Value* or_gathered(llvm::LoadInst& load, llvm::Value* together, llvm::BasicBlock* slow, llvm::BasicBlock* join);
  bool store_tiled(llvm::StoreInst& store);

  // widen_masked.cpp
  struct TwoWays {
    llvm::BasicBlock* whole;
    llvm::BasicBlock* some;
    llvm::BasicBlock* join;
  };
  llvm::Type* as_word(llvm::Type* element, unsigned count);
  TwoWays split_ways(llvm::Value* condition);
  llvm::Instruction* load_some(llvm::FixedVectorType* type, llvm::Value* base, llvm::Align align, llvm::Value* live,
                               bool has_live, bool whole_allowed);
  void store_some(llvm::Value* value, llvm::Value* base, llvm::Align align, llvm::Value* live,
                  const llvm::StoreInst& store);

  // widen_gather.cpp
  llvm::Value* gather(llvm::LoadInst& load);
  llvm::Value* side_by_side(llvm::SmallVectorImpl<llvm::Value*>& vectors, llvm::FixedVectorType& type);
  void scatter(llvm::StoreInst& store);
  llvm::Value* gather_words(llvm::LoadInst& load);
  llvm::Value* word_pointers(llvm::Value* pointer);
  bool scatter_words(llvm::StoreInst& store);
  llvm::Value* gather_parts_of_words(llvm::LoadInst& load, unsigned bits);
  llvm::Value* pointer_in_lane(llvm::Value* pointer, unsigned lane, llvm::Value* bits_live, llvm::Type* type);
  llvm::AllocaInst* lane_array(llvm::Type* element, unsigned count);
  llvm::Value* lane_address(llvm::Value* array, llvm::Type* type, llvm::Value* lane);
  void count_lane_accesses();
  bool loops_over_lanes(const llvm::Value& pointer, llvm::Type* type) const;
  void for_each_lane(llvm::Value* pointer, llvm::Type* type, bool in_loop,
                     llvm::function_ref<void(llvm::Value* pointer, llvm::Value* lane)> access);

  // widen_packed.cpp
  void choose_packed();
  bool can_be_packed(const llvm::Instruction& instruction) const;
  llvm::FixedVectorType* packed_type(llvm::Type* type) const;
  llvm::Value* packed(llvm::Value* value);
  Parts unpack(const llvm::Value& instruction, llvm::Value* value);
  llvm::Value* packed_operation(llvm::Instruction& instruction);
  void deinterleave(llvm::Value* vector, unsigned count, Parts& parts);
  llvm::Value* interleave(llvm::ArrayRef<llvm::Value*> parts);

  // widen_prefetch.cpp
  void widen_prefetch(llvm::CallBase& call);

  // lane_loop.cpp
  Parts lane_loop(llvm::Instruction& instruction);

  // widen_atomic.cpp
  Parts widen_atomic(llvm::AtomicRMWInst& update);
  Parts update_once(llvm::AtomicRMWInst& update);
  Parts update_in_turn(llvm::AtomicRMWInst& update);
  llvm::Value* rank_of_lanes(llvm::IntegerType* type);

  llvm::Value* mask_ = nullptr;  ///< lanes for which the block runs, <W x i1>; null: all
  bool mask_is_prefix_ = false;       ///< only lanes past the last work-item are off

  const WidenRequest& request_;
  passes::PassControl& control_;
  llvm::Function& scalar_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  const unsigned lanes_;
  Shapes shapes_;
  const std::optional<LaneBlock> block_;  ///< of the lanes of a body
  std::optional<TiledAccesses> tiled_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*> tile_values_;  ///< by lane, at this very place
  llvm::Function* wide_ = nullptr;
  llvm::IRBuilder<> builder_;
  llvm::Instruction* entry_point_ = nullptr;  ///< allocas and values of the whole warp go in front of this
  llvm::Value* first_ = nullptr;              ///< linear local id of lane 0, i32
  llvm::DenseMap<const llvm::Value*, Parts> vectors_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<llvm::Value*, 2>> bases_;  ///< W / S of them
  llvm::DenseSet<const llvm::Value*> packed_form_;                 ///< values that are kept packed
  llvm::DenseMap<const llvm::Value*, llvm::Value*> packed_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> entry_of_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> exit_of_;
  llvm::SmallVector<llvm::PHINode*, 16> phis_;
  llvm::DenseMap<llvm::Type*, llvm::Value*> dummies_;
  llvm::DenseMap<llvm::Type*, llvm::AllocaInst*> lane_arrays_;  ///< by their types; for one access after the other
  llvm::AllocaInst* lane_pointers_ = nullptr;
  bool off_the_shape_ = false;       ///< emitting what runs only where an index wrapped around
  unsigned lanes_written_out_ = 0;   ///< of accesses a lane, so far
  bool many_lane_accesses_ = false;  ///< accesses a lane are loops: there are too many to write out
  llvm::Value* group_base_[3] = {};
  llvm::Error error_ = llvm::Error::success();
};

/// `atomic` becomes plain accesses where `address_space` is local memory's.
void relax_local_atomic(llvm::Instruction& atomic, unsigned address_space);

}  // namespace weft::compiler::simt
