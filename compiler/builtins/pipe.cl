// Pipes (OpenCL C 3.0 §6.15.16), under the names that Clang and the SPIR-V translator call.
//
// A pipe is a ring of slots. Packets have positions, counted from the pipe's creation; `written` and `read` are the next ones to be
// reserved. A slot's state says what became of the last position that lay there, so a reservation is a look at the slots of its packets and
// one exchange of `written` or `read`, and a commitment is a store for each packet. No side ever waits for the other, or for a reservation
// that somebody holds: where a slot is not ready the pipe is full, or empty, for now. Reservations may be committed in any order; packets
// become visible in the order of positions, so those behind a reservation that is open stay unseen until it is committed.
//
// What a slot says while `written` (`read`) is what it was before the look holds until that moves: only who reserves a position
// changes its slot. So when the exchange succeeds, everything is as it would be had all happened at the time of the look.
//
// The work-items of a sub-group that reserve together do so in one exchange, each its share in order of their lanes.
//
// Exchanges are of 64 bits, so that nobody sleeps through all values of a counter. For the rest the lower half of a position does, for a
// pipe has 2^30 packets at most and what is live spans less than three laps.
#include "sub_group.h"

#pragma clang diagnostic ignored "-Watomic-alignment"

WEFT_LANES uint __weft_sub_group_broadcast_i32(uint, uint);
WEFT_LANES uint __weft_sub_group_exclusive_add_i32(uint);
__local ulong* __weft_group_parts(void) __attribute__((const));

// As abi::PipeSlot and abi::PipeHeader have it (device/kernel_abi.h).
struct Slot {
  uint state;
  uint length;
};
struct Pipe {
  __global struct Slot* slots;
  __global uchar* packets;
  uint max_packets, mask;
  uchar other_lines[104];
  ulong written;
  uchar other_line[120];
  ulong read;
};
typedef __global struct Pipe* PipeAt;

/// A reservation is its first position, marked. Neither Clang's CLK_NULL_RESERVE_ID nor 0, which is SPIR-V's null, is one.
#define NO_RESERVATION (~0ul)
WEFT_HELPER ulong reservation_of(uint position) { return 1ul << 32 | position; }
bool __is_valid_reserve_id(ulong reservation) { return (reservation >> 32) == 1; }

/// What never changes, read once a call: a kernel's loads from global memory all take place.
struct Slots {
  __global struct Slot* first;
  uint mask, max_packets;
};
WEFT_HELPER struct Slots slots_of(PipeAt ring) {
  const struct Slots slots = {ring->slots, ring->mask, ring->max_packets};
  return slots;
}
WEFT_HELPER __global struct Slot* slot_of(struct Slots slots, uint position) { return slots.first + (position & slots.mask); }
WEFT_HELPER uint length_of(PipeAt ring, ulong reservation) { return slot_of(slots_of(ring), (uint)reservation)->length; }
/// The state of a position's slot when its packet has been written, or read.
WEFT_HELPER uint state_of(struct Slots slots, uint position, bool is_written) { return (position & ~slots.mask) - (is_written ? 1 : 0); }

/// Whether the other side has done with what lay, or lies, at a position that is asked for.
WEFT_HELPER bool is_ready(struct Slots slots, uint position, bool writes) {
  // A position may be written when that of max_packets before has been read, and read when it has been written itself.
  const uint asked = position - (writes ? slots.max_packets : 0);
  return __atomic_load_n(&slot_of(slots, asked)->state, __ATOMIC_ACQUIRE) == state_of(slots, asked, !writes);
}

/// The next position to be reserved, and a try to make it the one `count` behind: of all participants, of which one `leads`.
WEFT_HELPER __attribute__((convergent)) ulong next_position(__global ulong* next, bool leads) {
  ulong start = 0;
  if (leads) start = __atomic_load_n(next, __ATOMIC_SEQ_CST);
  return __weft_sub_group_first_i64(start);
}
WEFT_HELPER __attribute__((convergent)) bool advance(__global ulong* next, ulong start, uint count, bool leads) {
  bool done = false;
  if (leads) done = __atomic_compare_exchange_n(next, &start, start + count, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return __weft_sub_group_ballot(done) != 0;
}
#define NEXT(ring, writes) (writes ? &ring->written : &ring->read)

/// Reserves `count` packets in a row for each work-item, to be written or read. False if there are not so many, else `position` is that of
/// the first. `of_one`: every work-item asks for one.
WEFT_HELPER __attribute__((convergent)) bool reserve(PipeAt ring, bool writes, bool of_one, uint count, uint* position) {
  const struct Slots slots = slots_of(ring);
  bool has = false;
  bool waits = count - 1 < slots.max_packets;
  while (waits) {
    const uint lane = __weft_sub_group_lane(), participants = WEFT_PARTICIPANTS;
    const bool leads = lane == (uint)__builtin_ctz(participants);
    const ulong start = next_position(NEXT(ring, writes), leads);
    // Sums that are too large for 32 bits are of lanes behind one whose share does not fit.
    const uint offset = of_one ? (uint)popcount(participants & ~(~0u << lane)) : __weft_sub_group_exclusive_add_i32(count);
    const uint own = (uint)start + offset;
    bool fits = true;
    for (uint i = 0; fits && i < count; ++i) fits = is_ready(slots, own + i, writes);
    // Those in front of the first that finds too few get theirs.
    const uint misfits = __weft_sub_group_ballot(!fits);
    const uint last = misfits ? (uint)__builtin_ctz(misfits) : 31 - (uint)__builtin_clz(participants);
    if (advance(NEXT(ring, writes), start, __weft_sub_group_broadcast_i32(fits ? offset + count : offset, last), leads)) {
      has = misfits == 0 || lane < last;
      *position = own;
      // It has failed, and so have those behind it that ask for as many. Others may be content with what there is.
      waits = !has && !of_one && count < __weft_sub_group_broadcast_i32(count, last);
    }
  }
  if (has && !of_one) slot_of(slots, *position)->length = count;
  return has;
}

/// One reservation of `count` packets, the same in all work-items of a sub-group, who look at the slots together.
WEFT_HELPER __attribute__((convergent)) ulong reserve_together(PipeAt ring, bool writes, uint count) {
  const struct Slots slots = slots_of(ring);
  const uint participants = WEFT_PARTICIPANTS;
  const uint rank = popcount(participants & ~(~0u << __weft_sub_group_lane())), step = popcount(participants);
  bool fits = count - 1 < slots.max_packets;
  ulong start = 0;
  for (bool waits = fits; waits;) {
    start = next_position(NEXT(ring, writes), rank == 0);
    fits = true;
    for (uint i = rank; fits && i < count; i += step) fits = is_ready(slots, (uint)start + i, writes);
    fits = __weft_sub_group_ballot(!fits) == 0;
    waits = !advance(NEXT(ring, writes), start, fits ? count : 0, rank == 0);
  }
  if (!fits) return NO_RESERVATION;
  if (rank == 0) slot_of(slots, (uint)start)->length = count;
  return reservation_of((uint)start);
}

/// Says that `length` packets, of which this work-item has every step-th from `first`, have been written or read.
WEFT_HELPER void commit(PipeAt ring, bool writes, uint position, uint length, uint first, uint step) {
  const struct Slots slots = slots_of(ring);
  for (uint i = first; i < length; i += step)
    __atomic_store_n(&slot_of(slots, position + i)->state, state_of(slots, position + i, writes), __ATOMIC_RELEASE);
}

// Packets are copied in the largest units that divide their size and alignment, both constants of the call. Large ones stay loops: other
// work-items' units lie far away, so that each is code for a gather.
#define COPY_UNITS(U, T, F) \
  for (uint i = 0; i < size; i += sizeof(U)) *(T U*)(to + i) = *(const F U*)(from + i);
#define COPY_AS(U, T, F)                                      \
  if (size <= 8 * sizeof(U)) {                                \
    COPY_UNITS(U, T, F)                                       \
  } else {                                                    \
    _Pragma("clang loop unroll(disable)") COPY_UNITS(U, T, F) \
  }
#define COPY_PACKET(T, F)                                                                 \
  WEFT_HELPER void copy_packet(T uchar* to, const F uchar* from, uint size, uint align) { \
    const uint units = size | align;                                                      \
    if (units % 8 == 0) {                                                                 \
      COPY_AS(ulong, T, F)                                                                \
    } else if (units % 4 == 0) {                                                          \
      COPY_AS(uint, T, F)                                                                 \
    } else if (units % 2 == 0) {                                                          \
      COPY_AS(ushort, T, F)                                                               \
    } else {                                                                              \
      COPY_AS(uchar, T, F)                                                                \
    }                                                                                     \
  }
COPY_PACKET(__global, __generic)
COPY_PACKET(__generic, __global)

#define PACKET_OF(position) (ring->packets + (ulong)(position & ring->mask) * size)

// Of single packets all work-items are told together, behind the commitments. With `has` alone the compiler would move these behind a loop
// that ends with success, where those who have a packet wait, reserved and not committed, for others who try until it comes out of the pipe.
//
// Of reading and writing: name, whether it writes, the type of the packet, and the copy's operands.
#define SIDE(name, writes, Packet, to, from)                                                                                  \
  __attribute__((convergent)) int __##name##_pipe_2(PipeAt ring, Packet packet, uint size, uint align) {                      \
    uint position;                                                                                                            \
    const bool has = reserve(ring, writes, true, 1, &position);                                                               \
    if (has) {                                                                                                                \
      copy_packet(to, from, size, align);                                                                                     \
      commit(ring, writes, position, 1, 0, 1);                                                                                \
    }                                                                                                                         \
    return (__weft_sub_group_ballot(has) >> __weft_sub_group_lane() & 1) - 1;                                                 \
  }                                                                                                                           \
  int __##name##_pipe_4(PipeAt ring, ulong reservation, uint index, Packet packet, uint size, uint align) {                   \
    if (!__is_valid_reserve_id(reservation) || index >= length_of(ring, reservation)) return -1;                              \
    const uint position = (uint)reservation + index;                                                                          \
    copy_packet(to, from, size, align);                                                                                       \
    return 0;                                                                                                                 \
  }                                                                                                                           \
  __attribute__((convergent)) ulong __reserve_##name##_pipe(PipeAt ring, uint count, uint size, uint align) {                 \
    uint position;                                                                                                            \
    return reserve(ring, writes, false, count, &position) ? reservation_of(position) : NO_RESERVATION;                        \
  }                                                                                                                           \
  void __commit_##name##_pipe(PipeAt ring, ulong reservation, uint size, uint align) {                                        \
    if (__is_valid_reserve_id(reservation)) commit(ring, writes, reservation, length_of(ring, reservation), 0, 1);            \
  }                                                                                                                           \
  __attribute__((convergent)) ulong __sub_group_reserve_##name##_pipe(PipeAt ring, uint count, uint size, uint align) {       \
    return reserve_together(ring, writes, count);                                                                             \
  }                                                                                                                           \
  __attribute__((convergent)) void __sub_group_commit_##name##_pipe(PipeAt ring, ulong reservation, uint size, uint align) {  \
    if (__is_valid_reserve_id(reservation))                                                                                   \
      commit(ring, writes, reservation, length_of(ring, reservation), __weft_sub_group_lane(), sub_group_items());            \
  }                                                                                                                           \
  __attribute__((convergent)) ulong __work_group_reserve_##name##_pipe(PipeAt ring, uint count, uint size, uint align) {      \
    __local ulong* const place = __weft_group_parts();                                                                        \
    if (__weft_sub_group_id() == 0) *place = reserve_together(ring, writes, count);                                           \
    __weft_barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    const ulong first = *place;                                                                                               \
    __weft_barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    return first;                                                                                                             \
  }                                                                                                                           \
  /* The length is read while all is reserved: behind the first packet that is committed the other side may change it. */     \
  __attribute__((convergent)) void __work_group_commit_##name##_pipe(PipeAt ring, ulong reservation, uint size, uint align) { \
    const uint length = __is_valid_reserve_id(reservation) ? length_of(ring, reservation) : 0;                                \
    __weft_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                                               \
    commit(ring, writes, reservation, length, get_local_linear_id(), group_size());                                           \
  }
SIDE(read, false, __generic uchar*, packet, PACKET_OF(position))
SIDE(write, true, const __generic uchar*, PACKET_OF(position), packet)

// Reserved packets count as those that are there: a pipe's readers find so many once all is committed, and its writers find room for
// the others. `read` first, since it is never ahead of `written`.
#define QUERIES(access)                                                           \
  uint __get_pipe_num_packets_##access(PipeAt ring, uint size, uint align) {      \
    const ulong read = __atomic_load_n(&ring->read, __ATOMIC_SEQ_CST);            \
    const ulong count = __atomic_load_n(&ring->written, __ATOMIC_SEQ_CST) - read; \
    return (uint)min(count, (ulong)ring->max_packets);                            \
  }                                                                               \
  uint __get_pipe_max_packets_##access(PipeAt ring, uint size, uint align) { return ring->max_packets; }
QUERIES(ro)
QUERIES(wo)
