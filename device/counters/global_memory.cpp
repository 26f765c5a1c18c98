#include "device/counters/global_memory.h"

namespace weft::device::counters {

GlobalCost& GlobalCost::operator+=(const GlobalCost& other) {
  requests += other.requests;
  transactions += other.transactions;
  transactions_32 += other.transactions_32;
  transactions_64 += other.transactions_64;
  transactions_128 += other.transactions_128;
  incoherent += other.incoherent;
  sectors += other.sectors;
  passes += other.passes;
  requested_bytes += other.requested_bytes;
  transferred_bytes += other.transferred_bytes;
  fewest += other.fewest;
  return *this;
}

namespace {

GlobalCost instruction(Capability capability, const WarpAccess& access, GlobalCaching caching) {
  if (capability < kCc12) return global_in_order(access);
  if (capability < kCc20) return global_segments(access);
  if (access.is_atomic()) return global_atomics(access);
  const bool lines = capability < kCc30 && access.kind == Kind::load && caching == GlobalCaching::first_level;
  return lines ? global_lines(access) : global_sectors(access);
}

}  // namespace

GlobalCost global_access(Capability capability, const WarpAccess& access, GlobalCaching caching) {
  GlobalCost cost;
  if (access.mask == 0) return cost;
  for_each_instruction(access,
                       [&](const WarpAccess& piece) { cost += instruction(capability, piece, caching); });
  return cost;
}

void for_each_transaction(Capability capability, const WarpAccess& access, const TransactionSink& sink) {
  if (access.mask == 0) return;
  for_each_instruction(access, [&](const WarpAccess& piece) {
    capability < kCc12 ? global_in_order(piece, &sink) : global_segments(piece, &sink);
  });
}

}  // namespace weft::device::counters
