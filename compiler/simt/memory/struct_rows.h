// Structs whose fields are accessed one after the other, by lanes that lie side by side: whole structs as rows.
//
// Loads of fields at one address and constant distances from it, of which the next lane's lies a struct further, become one
// load of an OpenCL vector as long as the struct, at the first of them, and stores likewise one store, at the last of them.
// Widened, those are whole registers from memory and shuffles that transpose them, where a gather or a scatter a field would
// touch each line as often as it has fields.
//
// A load or store may only be moved over what cannot touch the same bytes: other fields of the same structs, reads over reads,
// other address spaces. What a lane has stored in a field itself it reads back from the register.
//
// `!weft.fields` says which elements of the vector the program accesses: nothing else is written, and of the last lane's struct
// nothing behind the last field is read.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Shapes;

/// Of a linearized `function` whose values have `shapes`. `masked_stores`: stores of a part of a register are cheap. True when
/// anything changed.
bool make_struct_rows(llvm::Function& function, const Shapes& shapes, bool masked_stores);

}  // namespace weft::compiler::simt
