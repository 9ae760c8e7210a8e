// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "min_max_index.h"
#include "sgood/io/safetensors.h"

namespace sgood {

/// What a graph is compared by.
struct GraphFeatures {
  std::int32_t num_nodes = 0;
  std::vector<std::vector<ColourCount>> blocks;  ///< Multisets of colours.

  auto operator<=>(const GraphFeatures&) const = default;
};

/// Parts of a comparison: 0 is the number of nodes, 1 + b is block b.
struct ViewPlan {
  std::string name;
  std::vector<std::int32_t> parts;
};

/// The training graphs as views see them. The distance of two graphs in a view is the mean of the
/// distances of its parts: 1 - min/max of the numbers of nodes, or MinMaxIndex's. The view's score
/// is the soft-minimum over training graphs, -tau ln(mean exp(-distance / tau)). Equal training
/// graphs are kept once.
class TrainingDensity {
 public:
  TrainingDensity() = default;
  /// `graphs` all have the blocks that the views name.
  TrainingDensity(std::vector<GraphFeatures> graphs, std::vector<ViewPlan> views, bool idf);

  /// Takes the weights of colours from `training`, of which the blocks here are the first ones: the
  /// graphs here then stand for a batch, and only they can be compared with it.
  void weigh_as(const TrainingDensity& training);

  std::int32_t num_graphs() const { return static_cast<std::int32_t>(sizes_.size()); }
  const std::vector<ViewPlan>& views() const { return views_; }
  const MinMaxIndex& block(std::int32_t part) const {
    return blocks_[static_cast<std::size_t>(part - 1)];
  }
  /// Which profile of block(part) a training graph has.
  std::int32_t profile(std::int32_t part, std::int32_t graph) const;
  /// Colours in all blocks.
  std::int64_t num_colours() const;

  /// Score per view; `left_out`, if given, is a training graph that is not compared with.
  std::vector<double> scores(const GraphFeatures& graph, double tau,
                             std::optional<std::int32_t> left_out = {}) const;
  /// Distance to every training graph, [views][num_graphs].
  std::vector<std::vector<double>> distances(const GraphFeatures& graph) const;

  /// As tensors called `density.*`.
  void save(TensorFile& file) const;
  /// Throws InvalidArgument on anything that save() could not have written.
  static TrainingDensity load(const TensorFile& file, std::size_t num_blocks,
                              std::vector<ViewPlan> views, bool idf);

 private:
  /// Training graphs that are equal in all parts of a view, once.
  struct References {
    std::vector<std::vector<std::int32_t>> profiles;  ///< [parts][references]
    std::vector<std::int32_t> copies;                 ///< [references]: at least 1.
    std::vector<std::int32_t> of_graph;               ///< [num_graphs]
  };

  void add_references();
  std::vector<std::vector<double>> part_distances(const GraphFeatures& graph) const;
  std::vector<double> reference_distances(std::size_t view,
                                          const std::vector<std::vector<double>>& parts) const;

  std::vector<ViewPlan> views_;
  std::vector<std::int32_t> sizes_;            ///< [num_graphs]: numbers of nodes.
  std::vector<std::int32_t> different_sizes_;  ///< Ascending.
  std::vector<MinMaxIndex> blocks_;
  std::vector<std::vector<std::int32_t>> profiles_;  ///< [1 + blocks][num_graphs]
  std::vector<References> references_;               ///< [views]
};

}  // namespace sgood
