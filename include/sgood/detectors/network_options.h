// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/core/options.h"
#include "sgood/detectors/mahalanobis.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

/// What a trained network depends on, besides data and seed; the defaults are the paper's settings
/// (Paper: Section 4.1) where it gives one.
struct NetworkOptions {
  std::string features = "auto";
  int degree_cap = 64;
  std::string partitioner = "modularity";
  int graclus_levels = PartitionerOptions().graclus_levels;
  std::string order = "canonical";
  bool substructures = true;
  std::string backbone = "gin";
  int node_layers = 3;
  int super_layers = 2;
  int width = 16;
  bool super_self_loops = true;
  int batch_size = 128;
  int pretrain_epochs = 100;
  int finetune_epochs = 500;
  double pretrain_lr = 0.001;
  double finetune_lr = 0.001;
  double alpha = 0.1;
  double tau = 0.2;
  std::string view0 = "random";
  std::string view1 = "random";
  double ratio = 0.3;
  std::string engine = "auto";
  std::string device = "cpu";

  /// What the network is made of, how it is trained, and what runs it.
  void add_network_to(OptionTable& table);
  void add_training_to(OptionTable& table);
  void add_engine_to(OptionTable& table);
};

/// How far a representation is from those of the training graphs.
struct DistanceOptions {
  bool normalize = true;
  std::string aggregation = "closest";
  std::string covariance = "shrinkage";
  double shrinkage = 0.001;
  bool relative = false;

  void add_to(OptionTable& table);
  /// All but `normalize`.
  MahalanobisOptions mahalanobis() const;
};

/// Options of a detector on an ordinary classifier: SGOOD (base), which is a flat network trained
/// by cross-entropy alone.
struct ClassifierOptions {
  std::string features = "auto";
  int degree_cap = 64;
  std::string order = "canonical";
  std::string backbone = "gin";
  int node_layers = 3;
  int width = 16;
  int batch_size = 128;
  int epochs = 500;
  double learning_rate = 0.001;
  std::string engine = "auto";
  std::string device = "cpu";

  /// Adds everything but engine and device.
  void add_to(OptionTable& table);
  void add_engine_to(OptionTable& table);
  NetworkOptions network() const;
};

}  // namespace sgood
