// What the line tables call texts that are in no file: a program's own, and the headers that clCompileProgram was given.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace weft::compiler {

inline constexpr char kSourceName[] = "<program source>";
inline constexpr char kHeaderFolder[] = "/<weft>/headers";

/// The source of one of several objects that are linked, by the hash of that object's bytes (XXH3 of 64 bits).
inline std::string source_name_of_object(std::uint64_t hash) {
  char name[40];
  std::snprintf(name, sizeof name, "<program source %08x>", static_cast<unsigned>(hash >> 32));
  return name;
}

}  // namespace weft::compiler
