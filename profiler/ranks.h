// weftprof under an MPI launcher (`mpirun -n 4 weftprof ./app`): the ranks of a node leave one report together.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace weft::profiler {

struct Rank {
  unsigned rank = 0;
  unsigned on_node = 1;    ///< ranks of this node, which write one report
  bool everywhere = true;  ///< they are all that there are
  std::string job;         ///< the same for all ranks of a launch, and for those alone
};

/// What the launcher's environment says: Open MPI's, or that of MPICH and Intel MPI. Nothing without one, or for a single rank.
std::optional<Rank> this_rank();

/// The folder beside the report in which ranks leave their records. Ranks of a node see the same.
class RankFolder {
 public:
  /// Throws std::runtime_error if it cannot be made.
  RankFolder(const Rank& rank, const std::filesystem::path& report);
  const std::filesystem::path& path() const { return path_; }

  /// Says how this rank's program ended. To the last rank of the node it returns how all did, by rank; to the others nothing. From
  /// then on the folder is the last one's.
  std::optional<std::map<unsigned, std::string>> leave(const std::string& ending);
  /// By the last.
  void remove() noexcept;

 private:
  const Rank rank_;
  std::filesystem::path path_;
};

/// "exit 0", or "exit 0; rank 2: SIGSEGV (...)" where they differ.
std::string ending_of_ranks(const std::map<unsigned, std::string>& endings);

}  // namespace weft::profiler
