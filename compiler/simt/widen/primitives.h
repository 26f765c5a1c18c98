// The primitives that a work-item calls (ir/primitives.h): its ids, votes, slots and private memory, in one lane or in all.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class CallBase;
class Function;
}

namespace weft::compiler::simt {

class Widening;

/// A primitive's value in lane `lane`, or null where `call` is of no primitive that has one.
llvm::Value* scalar_primitive(Widening& w, llvm::CallBase& call, unsigned lane);
/// A primitive's value in all lanes, or nothing where `call` is of no primitive that has one.
Parts vector_primitive(Widening& w, llvm::CallBase& call);

/// A primitive that only computes (is_arithmetic_primitive), of numbers or vectors of a multiple of 16 lanes; null for any other.
llvm::Value* arithmetic_primitive(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments,
                                  const VectorTraits& traits);
/// Puts them in place of the calls in a function that runs for one lane (item/kept_calls.h), to the bit what widened code computes.
void expand_arithmetic_primitives(llvm::Function& function, const VectorTraits& traits);

/// Values that other lanes hold (weft.lanes, ir/source_lanes.h), as shuffles of registers.
Parts shuffle_lanes(Widening& w, llvm::CallBase& call);
/// Of an OpenCL vector, as a packed value.
llvm::Value* shuffle_packed_lanes(Widening& w, const llvm::CallBase& call);

/// Slots hold values across barriers: a vector for each body, or one scalar where all lanes agree (frame.h). A packed one's is one vector.
llvm::Value* slot_address(Widening& w, unsigned slot);
/// A value of all lanes at an `address` in a frame; of a store, where `mask` is null or holds.
Parts load_lanes(Widening& w, llvm::Value* address, llvm::Type* type_of_lane, const llvm::Twine& name = "");
void store_lanes(Widening& w, llvm::Value* address, llvm::ArrayRef<llvm::Value*> parts, llvm::Value* mask = nullptr);
/// One that is the same in all.
void store_scalar(Widening& w, llvm::Value* address, llvm::Value* scalar);
Parts load_slot(Widening& w, llvm::CallBase& call);
llvm::Value* load_packed_slot(Widening& w, llvm::CallBase& call);
void store_slot(Widening& w, llvm::CallBase& call);

/// The program's own prefetch() of OpenCL C 3.0 §6.15.11.
void widen_prefetch(Widening& w, llvm::CallBase& call);

}  // namespace weft::compiler::simt
