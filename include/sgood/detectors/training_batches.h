// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sgood/augment/augmentation.h"
#include "sgood/core/rng.h"
#include "sgood/detectors/trainer.h"
#include "sgood/graph/batch_writer.h"
#include "sgood/graph/code_table.h"
#include "sgood/nn/engine.h"

namespace sgood {

/// Makes the batches that training steps read: graphs as they are, and two views of each.
class TrainingBatches {
 public:
  /// Copies `graphs`, whose codes have the columns of `shape`. Throws InvalidArgument for an
  /// unknown view and for a ratio outside [0, 1].
  TrainingBatches(std::span<const PackedGraph> graphs, const NetworkShape& shape,
                  const TrainerOptions& options);

  std::int32_t num_graphs() const { return static_cast<std::int32_t>(graphs_.size()); }

  /// What `stage` reads of the graphs at `positions`; valid until the next call.
  TrainingStep write(const TrainingStage& stage, std::span<const std::int32_t> positions, Rng& rng);

  /// The graphs at `positions` as they are; valid until the next call.
  const PackedBatch& write_plain(std::span<const std::int32_t> positions);

 private:
  using Pair = std::array<std::string_view, 2>;  // short names of two augmentations
  Pair draw_pair(Rng& rng) const;
  /// Steps drive the graphs out of the caches, and to wait for the arrays of one graph after the
  /// other would take longer than to write the batches.
  void prefetch_graphs(std::span<const std::int32_t> positions) const;
  void write_view(const Augmentation& augmentation, std::span<const std::int32_t> positions,
                  Rng& rng, PackedBatch& batch) const;
  BatchWriter start(PackedBatch& batch) const;

  std::vector<PackedGraph> graphs_;
  std::optional<CodeTable> table_;  // what the codes of `graphs_` stand for
  std::int32_t code_columns_, num_dense_;
  double temperature_;
  bool super_self_loops_;
  std::map<std::string_view, std::unique_ptr<Augmentation>> augmentations_;  // by short name
  Pair pair_;  // no name: one drawn for every batch
  PackedBatch plain_;
  std::array<PackedBatch, 2> views_;
  std::vector<std::int32_t> labels_;
};

}  // namespace sgood
