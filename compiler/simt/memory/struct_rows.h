// Combines accesses to the fields of structs, adjacent in memory from lane to lane, into accesses to whole structs: rows.
//
// Lane l + 1 accesses the struct right behind that of lane l. Loads at constant distances from one address become one load
// of an OpenCL vector as long as the struct, at the first of them; stores likewise become one store, at the last. Widening
// makes them whole registers from memory and shuffles that transpose them. A gather or scatter for each field would touch
// each line as often as it has fields.
//
// One load of an OpenCL vector that is part of a struct of up to 32 bytes becomes a row, too, where some lanes run it: masked registers, in place of
// one lane after the other.
//
// Of a group of two dimensions the same goes for each row that a warp has of it, where rows are whole structs apart and all fields are accessed.
//
// A load or store only moves over accesses that cannot touch the same bytes (to other fields of the same structs or to other
// address spaces), and a load over loads. A lane that reads a field it has stored takes the value from the register.
//
// Structs of more than eight units are not transposed as a whole: what all lanes load or store of these is combined by pieces
// of 16 bytes, wherever two units or more of a piece are used, which widen/memory/row_pieces.cpp unpacks, each lane's on its
// own; of less than that, by pairs. Not beside so much arithmetic that gathers are done in time.
//
// `!weft.fields` marks the elements of the vector that the program accesses: no other is written, and nothing behind the
// last field of the last lane's struct is read.
#pragma once

#include "compiler/compiler_api.h"
#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Shapes;

/// `function` is linearized, and its values have `shapes`. Where masked stores are not cheap, fields are stored by rows if pieces of them
/// (field_pieces) are half as many as they are, or fewer. True if anything changed.
bool make_struct_rows(llvm::Function& function, const Shapes& shapes, const VectorTraits& vectors);

}  // namespace weft::compiler::simt
