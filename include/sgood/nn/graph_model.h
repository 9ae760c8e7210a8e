// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sgood/core/matrix.h"
#include "sgood/core/rng.h"
#include "sgood/core/run_control.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/io/safetensors.h"

namespace sgood {

/// What a graph model is made from.
struct GraphModelSpec {
  std::string model;               ///< "ocgtl", ...
  nlohmann::ordered_json options;  ///< Every option of the method, by name.
  std::int32_t vocabulary = 1;     ///< One-hot codes over all columns.
  std::int32_t code_columns = 1;   ///< One-hot columns per node.
  std::int32_t num_dense = 0;      ///< Real columns per node.
  std::int32_t num_classes = 0;    ///< Classes of the training graphs; 0: not labelled.
  std::int32_t max_nodes = 0;      ///< Nodes of the largest training graph.

  std::int32_t input_width() const { return vocabulary + num_dense; }
};

/// What a model says of graphs; what it does not say has no columns.
struct GraphModelOutput {
  Matrix score;           ///< [num_graphs, 1], higher = more OOD.
  Matrix representation;  ///< [num_graphs, width]
  Matrix logits;          ///< [num_graphs, num_classes]
};

/// How training went.
struct GraphModelTraining {
  struct Stage {
    std::string name;
    int epochs = 0;            ///< Run, which is less than asked for after an early stop.
    double first_loss = 0;     ///< Mean loss of the first epoch.
    double last_loss = 0;      ///< Mean loss of the last epoch.
    double epoch_seconds = 0;  ///< Median.
  };
  std::vector<Stage> stages;
  std::int64_t num_parameters = 0;
};

/// A network with a training of its own, for methods whose networks differ from SGOOD's: what they
/// need of LibTorch, behind an interface without it.
class GraphModel {
 public:
  virtual ~GraphModel() = default;

  /// Trains on `graphs`, at least two, from fresh parameters. The same input gives the same bits on
  /// the CPU. Throws Cancelled when a stop is requested.
  virtual GraphModelTraining fit(std::span<const PackedGraph> graphs, const Rng& rng,
                                 const RunControl& control) = 0;

  /// What the trained model says of `graphs`, taken as one batch. Given one graph at a time, the
  /// answer depends on that graph alone, to the last bit. Safe to call from several threads.
  virtual GraphModelOutput evaluate(std::span<const PackedGraph> graphs) const = 0;

  /// The trained state as tensors called `model.*`.
  virtual void save(TensorFile& file) const = 0;
  /// Throws InvalidArgument when a tensor is missing or has another shape.
  virtual void load(const TensorFile& file) = 0;
};

}  // namespace sgood
