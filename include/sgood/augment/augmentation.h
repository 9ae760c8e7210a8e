// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/batch_writer.h"

namespace sgood {

/// Makes changed copies ("views") of graphs for contrastive training. The paper's own (Section 3.2)
/// keep most substructures as they are; the conventional ones that it compares with (Section 4)
/// change single nodes and edges. Partitions are inherited: no view is partitioned anew. A graph
/// that cannot be changed (one substructure, no edges, no nodes) is its own view. Safe to use from
/// several threads at once.
class Augmentation {
 public:
  virtual ~Augmentation() = default;

  /// Appends one random view of `graph` to the batch of `writer`. The same state of `rng` gives the
  /// same view.
  virtual void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const = 0;

  /// Whether every view is the graph as it is, so that nobody needs to write it.
  virtual bool is_identity() const { return false; }
};

/// What an augmentation is made from.
struct AugmentationContext {
  /// Graphs whose substructures may be borrowed; they must outlive the augmentation.
  std::span<const PackedGraph> training;
  /// Share of the substructures (conventional augmentations: nodes or edges) of a graph that is
  /// changed, in [0, 1]. Every augmentation but the two that sample changes at least one where it
  /// can, even at 0; something is always left, even at 1.
  double ratio = 0.3;
  /// Code that stands for "no value" in the first categorical column of a node; that of column c is
  /// `mask_code` + c. `attribute-mask` throws InvalidArgument without it when graphs have codes.
  std::optional<std::int32_t> mask_code = {};
};

/// One row of the registry.
struct AugmentationInfo {
  std::string_view name;  ///< On the command line and in model files, e.g. "substructure-drop".
  std::string_view short_name;  ///< The paper's, e.g. "SD"; accepted wherever `name` is.
  std::string_view summary;     ///< One sentence.
  std::string_view reference;   ///< Where it is described.
  std::unique_ptr<Augmentation> (*make)(const AugmentationContext& context);
};

/// Every augmentation: those of the paper's heat map, in its order, then the conventional ones.
std::span<const AugmentationInfo> augmentations();

/// The `name` of every augmentation, in the same order.
std::vector<std::string> augmentation_names();

/// The row called `name` (or its short name). Throws InvalidArgument that lists the known ones.
const AugmentationInfo& find_augmentation(std::string_view name);

/// Makes the augmentation called `name` (or its short name). Throws InvalidArgument for an unknown
/// name, which lists the known ones, and for a ratio outside [0, 1].
std::unique_ptr<Augmentation> make_augmentation(std::string_view name,
                                                const AugmentationContext& context);

}  // namespace sgood
