// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/graph/wl_colours.h"
#include "sgood/io/safetensors.h"

namespace sgood {

/// The colour counts of many graphs, stored by colour, so that a graph is compared with all of them
/// at the price of the colours they share.
class ColourIndex {
 public:
  ColourIndex() = default;
  /// Of graphs 0, 1, ...; counts of one graph are ascending by colour.
  explicit ColourIndex(const std::vector<std::vector<ColourCount>>& graphs);

  std::int64_t num_graphs() const { return static_cast<std::int64_t>(squared_norms_.size()); }
  std::int64_t num_colours() const { return static_cast<std::int64_t>(colours_.size()); }

  /// 1 - cosine between the counts of a graph and those of each graph of the index, [num_graphs].
  /// Without nodes a graph is at distance 0 from its like and 1 from all others. Products are sums
  /// of whole numbers, hence exact: equal counts give exactly 0 in whatever order.
  std::vector<double> cosine_distances(const std::vector<ColourCount>& counts) const;

  /// As tensors called `colours.*`.
  void save(TensorFile& file) const;
  /// Throws InvalidArgument on anything that save() could not have written.
  static ColourIndex load(const TensorFile& file);

 private:
  struct Entry {
    std::int32_t graph = 0;
    std::int32_t count = 0;
  };

  void add_norms(std::int64_t num_graphs);

  std::vector<std::uint64_t> colours_;  ///< Ascending.
  std::vector<std::int64_t> first_;     ///< [num_colours + 1]: where a colour's entries begin.
  std::vector<Entry> entries_;          ///< By colour, then by graph.
  std::vector<double> squared_norms_;   ///< [num_graphs], whole numbers.
};

}  // namespace sgood
