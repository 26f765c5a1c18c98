// When the processor's own gathers and scatters serve.
#pragma once

namespace weft::compiler::simt {

class Widening;
struct Access;

/// Whether the processor gathers, or scatters, faster than lanes go one after the other, and lanes enough run. Of the size of the
/// elements it says nothing.
bool gathers(const Widening& w, const Access& access);

}  // namespace weft::compiler::simt
