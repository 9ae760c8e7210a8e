// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "sgood/detectors/network_detector.h"

namespace sgood {

// Post-hoc scores of a trained classifier. The classifier is SGOOD (base): a flat network with sum
// readout, trained by cross-entropy alone. Detectors with equal data, network options and seed
// train it once when they share a NetworkCache. Each needs graphs of two classes at least.

/// A classifier's score that learns nothing of its own.
class ClassifierDetector : public NetworkDetector {
 protected:
  void learn(const FittedNetwork&, std::span<const PackedGraph>, const GraphSet&) override {}
  void save_learned(TensorFile&) const override {}
  void load_learned(const FittedNetwork&, const TensorFile&) override {}
};

struct MspOptions : ClassifierOptions {
  OptionTable table();
};

/// Maximum softmax probability: see max_softmax_score().
class MspDetector : public ClassifierDetector {
 public:
  explicit MspDetector(MspOptions options = {}) : options_(std::move(options)) {}
  std::string_view method() const override { return "msp"; }
  OptionTable options() override { return options_.table(); }

 protected:
  NetworkOptions network_options() const override { return options_.network(); }
  std::vector<double> scores(const FittedNetwork& network, const PackedBatch& batch,
                             const Encoding& encoding) const override;

 private:
  MspOptions options_;
};

struct EnergyOptions : ClassifierOptions {
  double temperature = 1;
  OptionTable table();
};

/// Energy of the logits: see energy_score(). With a sum readout logits grow with the graph, so
/// larger graphs look less unusual, whatever they are.
class EnergyDetector : public ClassifierDetector {
 public:
  explicit EnergyDetector(EnergyOptions options = {}) : options_(std::move(options)) {}
  std::string_view method() const override { return "energy"; }
  OptionTable options() override { return options_.table(); }

 protected:
  NetworkOptions network_options() const override { return options_.network(); }
  std::vector<double> scores(const FittedNetwork& network, const PackedBatch& batch,
                             const Encoding& encoding) const override;

 private:
  EnergyOptions options_;
};

struct OdinOptions : ClassifierOptions {
  double temperature = 1000;
  double epsilon = 0.0014;
  OptionTable table();
};

/// ODIN: max_softmax_score() at a high temperature of x - epsilon sign(d CE(f(x)/T, argmax) / dx),
/// inputs moved towards their predicted class. x [num_nodes, input_width] are the node features,
/// one-hot codes as reals; batch normalisation is frozen. Reference: Liang, Li and Srikant, 2018.
class OdinDetector : public ClassifierDetector {
 public:
  explicit OdinDetector(OdinOptions options = {}) : options_(std::move(options)) {}
  std::string_view method() const override { return "odin"; }
  OptionTable options() override { return options_.table(); }

 protected:
  NetworkOptions network_options() const override { return options_.network(); }
  void learn(const FittedNetwork& network, std::span<const PackedGraph> graphs,
             const GraphSet& train) override;
  void load_learned(const FittedNetwork& network, const TensorFile& file) override;
  std::vector<double> scores(const FittedNetwork& network, const PackedBatch& batch,
                             const Encoding& encoding) const override;

 private:
  OdinOptions options_;
  std::shared_ptr<const FrozenNetwork> on_reals_;  // the classifier, reading reals alone
};

struct GnnSafeOptions : ClassifierOptions {
  int propagation_steps = 2;
  double alpha = 0.5;
  double temperature = 1;
  OptionTable table();
};

/// GNNSafe for graphs: the energies e_v of the node logits h_v W + b (the graph's own head) are
/// propagated, e <- alpha e + (1 - alpha) D^-1 A e, and averaged over the nodes. A graph without
/// nodes has the energy of b alone. Reference: Wu, Chen, Yang and Yan, 2023.
/// Deviation: the published method scores nodes of one graph, and its propagation multiplies the
/// energy of an isolated node by alpha in every step; here such a node keeps its energy.
class GnnSafeDetector : public ClassifierDetector {
 public:
  explicit GnnSafeDetector(GnnSafeOptions options = {}) : options_(std::move(options)) {}
  std::string_view method() const override { return "gnnsafe"; }
  OptionTable options() override { return options_.table(); }

 protected:
  NetworkOptions network_options() const override { return options_.network(); }
  std::vector<double> scores(const FittedNetwork& network, const PackedBatch& batch,
                             const Encoding& encoding) const override;

 private:
  GnnSafeOptions options_;
};

struct ClassifierDistanceOptions : ClassifierOptions, DistanceOptions {
  OptionTable table();
};

/// Mahalanobis distance in the classifier's last representation h_G: SGOOD (base).
/// Reference: Lee, Lee, Lee and Shin, 2018.
/// Deviation: no input perturbation and one layer, for both would be tuned on OOD data.
class MahalanobisDetector : public DistanceDetector {
 public:
  explicit MahalanobisDetector(ClassifierDistanceOptions options = {})
      : options_(std::move(options)) {}
  std::string_view method() const override { return "mahalanobis"; }
  OptionTable options() override { return options_.table(); }

 protected:
  NetworkOptions network_options() const override { return options_.network(); }
  const DistanceOptions& distance_options() const override { return options_; }

 private:
  ClassifierDistanceOptions options_;
};

}  // namespace sgood
