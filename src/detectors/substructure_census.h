// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/core/run_control.h"
#include "sgood/graph/graph_set.h"
#include "sgood/io/safetensors.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

/// Which substructures the training graphs have, and in how many of them: what an unusual
/// substructure is compared with. Substructures with equal block_fingerprints() count as one.
class SubstructureCensus {
 public:
  SubstructureCensus() = default;
  SubstructureCensus(const GraphSet& train, const Partitioner& partitioner, int threads,
                     const RunControl& control);

  std::int32_t num_graphs() const { return static_cast<std::int32_t>(sizes_.size()); }
  /// Numbers of nodes of the training graphs, ascending.
  const std::vector<std::int32_t>& sizes() const { return sizes_; }
  /// How many training graphs have the substructure.
  std::int32_t graphs_with(std::uint64_t fingerprint) const;
  /// Training graphs with a substructure that no other training graph has: how often "never seen"
  /// is true of graphs that are in distribution.
  std::int32_t graphs_with_unique() const { return graphs_with_unique_; }

  /// As tensors and entries called `census.*`.
  void save(TensorFile& file) const;
  /// Throws InvalidArgument on anything that save() could not have written.
  static SubstructureCensus load(const TensorFile& file);

 private:
  std::vector<std::uint64_t> fingerprints_;  ///< Ascending.
  std::vector<std::int32_t> graphs_with_;    ///< [fingerprints]: at least 1.
  std::vector<std::int32_t> sizes_;
  std::int32_t graphs_with_unique_ = 0;
};

}  // namespace sgood
