// Buffers that a kernel does nothing but update, as histograms and sums are made, have a copy a worker.
//
// Where all accesses through an argument are atomic updates by one operation, of which nobody asks for the old value, nobody sees
// what becomes of the buffer before the launch is over. Then a worker may update a copy of its own, with no lock and no line that
// passes between processors; device/worker_copies.h adds the copies up at the end. Only the launch knows whether other arguments lead
// to the same memory and whether there are enough updates to pay for the copies, of which the compiler says how many a work-item
// makes: the code has both ways, and abi::GroupInfo::copies decides.
#pragma once

#include <vector>

#include "device/kernel_abi.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// `regions` are linearized. The buffers whose updates got a second way, in the order of GroupInfo::copies; if there are none, nothing
/// has changed.
std::vector<abi::UpdatedBuffer> update_worker_copies(llvm::ArrayRef<llvm::Function*> regions, Analyses& analyses);

}  // namespace weft::compiler::simt
