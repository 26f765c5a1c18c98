// What the machine itself can do, measured beside the kernels.
#pragma once

namespace weft::bench {

struct Peaks {
  int processors;   ///< that the process may use
  double gflops;    ///< float FMA of all processors
  double copy_gbs;  ///< memcpy of all processors, bytes read plus bytes written
};

/// Takes a few tenths of a second.
Peaks measure_peaks();

}  // namespace weft::bench
