// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/packed_graph.h"

namespace sgood {

/// Makes changed copies ("views") of graphs that keep most substructures as they are, for
/// contrastive training. Partitions are inherited: no view is partitioned anew. A graph that cannot
/// be changed (one substructure, no nodes) is its own view. Safe to use from several threads at
/// once. Paper: Section 3.2.
class Augmentation {
 public:
  virtual ~Augmentation() = default;

  /// Appends one random view of `graph` to the batch of `writer`. The same state of `rng` gives the
  /// same view.
  virtual void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const = 0;
};

/// What an augmentation is made from.
struct AugmentationContext {
  /// Graphs whose substructures may be borrowed; they must outlive the augmentation.
  std::span<const PackedGraph> training;
  /// Share of the substructures of a graph that is changed, in [0, 1]. Every augmentation but
  /// `supergraph-sample` changes at least one substructure where it can, even at 0; some
  /// substructure is always left, even at 1.
  double ratio = 0.3;
};

/// One row of the registry.
struct AugmentationInfo {
  std::string_view name;  ///< On the command line and in model files, e.g. "substructure-drop".
  std::string_view short_name;  ///< The paper's, e.g. "SD"; accepted wherever `name` is.
  std::string_view summary;     ///< One sentence.
  std::string_view reference;   ///< Where it is described.
  std::unique_ptr<Augmentation> (*make)(const AugmentationContext& context);
};

/// Every augmentation, in the order of the paper's heat map.
std::span<const AugmentationInfo> augmentations();

/// The `name` of every augmentation, in the same order.
std::vector<std::string> augmentation_names();

/// Makes the augmentation called `name` (or its short name). Throws InvalidArgument for an unknown
/// name, which lists the known ones, and for a ratio outside [0, 1].
std::unique_ptr<Augmentation> make_augmentation(std::string_view name,
                                                const AugmentationContext& context);

}  // namespace sgood
