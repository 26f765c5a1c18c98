// Which code serves a launch that other code is best for, and when the best is worth making.
#pragma once

#include <chrono>
#include <cstddef>

#include "compiler/compiler_api.h"

namespace weft::runtime {

/// Work-items of a block that code for `spec` runs in one call; 0: of any size.
std::size_t lanes(const compiler::Specialization& spec);

/// Words of formats in front of those of strides and bounds.
std::size_t images_and_samplers(const compiler::KernelInfo& info);

/// Whether code for `has` runs a launch that `wanted` is best for, if not as fast. `any_groups_of`: LaunchCode's.
bool serves(const compiler::KernelInfo& info, const compiler::Specialization& has, const compiler::Specialization& wanted, std::size_t any_groups_of);

/// Whether blocks fill a warp: others save calls, no more, and are made at a low priority, beside the launches that run these.
bool fills_warps(const compiler::Specialization& spec);

/// Whether code for `spec` is made. `launches`: that ran code for `has` in place of it; `time`: since the first of them. `expected`: what launches are
/// expected to come to.
/// `taken`: what the code that they ran took to make, in this run or an earlier one. A program that is over before its better code is there (hashcat's
/// benchmark of NTLM) ran beside the compiler for nothing, in each run anew, since what is not done at its end is given up.
bool is_worth_making(const compiler::Specialization& spec, const compiler::Specialization& has, const compiler::Specialization& expected, unsigned launches,
                     std::chrono::steady_clock::duration time, std::chrono::steady_clock::duration taken);

}  // namespace weft::runtime
