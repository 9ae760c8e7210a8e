// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sgood/core/run_control.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/nn/engine.h"
#include "sgood/nn/network.h"

namespace sgood {

/// One stage of training. Paper: Section 3.4, "Two-stage model training".
struct TrainingStage {
  std::string name;  ///< "pre-training", "fine-tuning"
  int epochs = 0;
  double learning_rate = 0.001;
  bool classify = false;            ///< Adds the cross-entropy of the original graphs.
  double contrastive_weight = 1.0;  ///< 0 leaves the views out.
};

/// How a network is trained on a set of graphs.
struct TrainerOptions {
  std::vector<TrainingStage> stages;
  int batch_size = 128;
  double temperature = 0.2;
  std::string view0 = "random";  ///< An augmentation's name, or "random": two different ones of
  std::string view1 = "random";  ///< I, SD, SG, SS are drawn for every batch.
  double ratio = 0.3;
  std::optional<std::int32_t> mask_code = {};  ///< As in AugmentationContext.
  bool super_self_loops = true;
};

/// A trained network's numbers.
struct TrainedNetwork {
  std::vector<float> parameters;   ///< [ParameterLayout::num_parameters()]
  std::vector<double> statistics;  ///< [ParameterLayout::num_statistics()], over the clean graphs.
  struct StageResult {
    std::string name;
    int epochs = 0;
    double first_loss = 0;     ///< Mean total loss of the first epoch.
    double last_loss = 0;      ///< Mean total loss of the last epoch.
    double epoch_seconds = 0;  ///< Median over the epochs run in this process.
  };
  std::vector<StageResult> stages;
};

/// Where unfinished training is kept.
struct CheckpointFile {
  std::filesystem::path path;  ///< Empty: nowhere.
  std::uint64_t fingerprint =
      0;  ///< Of data, options and seed; a file with another one is refused.
};

/// Trains the network of `layout` on `graphs` through `engine`. Every epoch draws from a generator
/// of its own, so training that was interrupted and taken up again gives the same bits. Throws
/// Cancelled when a stop is requested, after keeping the checkpoint.
TrainedNetwork train_network(Engine& engine, const ParameterLayout& layout,
                             std::span<const PackedGraph> graphs, const TrainerOptions& options,
                             const Rng& rng, const RunControl& control,
                             const CheckpointFile& checkpoint);

}  // namespace sgood
