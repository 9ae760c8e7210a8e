// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/core/rng.h"

namespace sgood {

/// Message passing of one layer. In each, BN is batch normalisation over all rows of the batch.
enum class Backbone {
  kGin,   ///< h' = ReLU(BN(ReLU(BN((h_v + sum_u h_u) W1)) W2))
  kGcn,   ///< h' = ReLU(BN(D~^-1/2 (A + I) D~^-1/2 h W))
  kSage,  ///< h' = ReLU(BN(h_v W_self + mean_u h_u W_neighbor)); no neighbours: mean = 0
};
Backbone parse_backbone(std::string_view name);
std::string_view backbone_name(Backbone backbone);

/// Sizes of the two-level network (Paper: Section 3.2, Eqs. (1)-(4)).
struct NetworkShape {
  Backbone backbone = Backbone::kGin;
  std::int32_t vocabulary = 1;    ///< One-hot codes over all columns.
  std::int32_t code_columns = 1;  ///< One-hot columns per node.
  std::int32_t num_dense = 0;     ///< Real columns per node.
  std::int32_t node_layers = 3;   ///< L1 >= 1
  std::int32_t super_layers = 2;  ///< L2 >= 0
  std::int32_t width = 16;        ///< d >= 1
  std::int32_t num_classes = 2;   ///< C >= 0; 0 leaves the classifier out.
  bool super_graph = true;        ///< false: the flat network, whose representation is h_G.

  std::int32_t input_width() const { return vocabulary + num_dense; }
  /// Width of h_v and h_G: L1 * d.
  std::int32_t node_width() const { return node_layers * width; }
  /// Width of h_g and of the super graph's representation: (L2 + 1) * d; 0 when flat.
  std::int32_t super_width() const { return super_graph ? (super_layers + 1) * width : 0; }
  /// Width of what the classifier and the projection head read.
  std::int32_t readout_width() const { return super_graph ? super_width() : node_width(); }
};

/// One tensor inside the flat parameter (or statistics) buffer.
struct Slot {
  std::string name;         ///< e.g. "node.0.linear1.weight"
  std::int64_t offset = 0;  ///< First element in the flat buffer.
  std::int32_t rows = 0;    ///< Inputs of a weight; 1 for vectors.
  std::int32_t cols = 0;    ///< Outputs.
  std::int64_t size() const { return static_cast<std::int64_t>(rows) * cols; }
};

/// Where each parameter stands in the one flat buffer that engines, Adam and the model file share.
/// Weights are [inputs, outputs] row-major, so y = x W and row i of the first weight is the
/// embedding of code i. Linears followed by BN have no bias (BN cancels it).
///
/// Names. Per layer P = node.{l} or super.{l}:
///   GIN   P.linear1.weight, P.bn1.weight, P.bn1.bias, P.linear2.weight, P.bn2.weight, P.bn2.bias
///   GCN   P.linear1.weight, P.bn1.weight, P.bn1.bias
///   SAGE  P.self.weight, P.neighbor.weight, P.bn1.weight, P.bn1.bias
/// DeepSets pool, h_g = ReLU((sum_v ReLU(h_v W_phi + b_phi)) W_rho + b_rho):
///   pool.phi.weight, pool.phi.bias, pool.rho.weight, pool.rho.bias
/// Heads: classifier.weight, classifier.bias (num_classes > 0);
///   projection.linear1.weight, .bias, projection.linear2.weight, .bias, both [readout, readout],
///   ReLU between.
/// Statistics (mean and biased variance of each BN's input): P.bn1.mean, P.bn1.var, ...
class ParameterLayout {
 public:
  explicit ParameterLayout(const NetworkShape& shape);

  const NetworkShape& shape() const { return shape_; }
  const std::vector<Slot>& slots() const { return slots_; }
  const std::vector<Slot>& statistics() const { return statistics_; }
  std::int64_t num_parameters() const { return num_parameters_; }
  std::int64_t num_statistics() const { return num_statistics_; }
  /// The parameter called `name`; throws InternalError when there is none.
  const Slot& slot(std::string_view name) const;
  const Slot& statistic(std::string_view name) const;

  /// Fresh parameters: weights and biases uniform in +-1/sqrt(inputs), BN weight 1 and bias 0.
  std::vector<float> initial_parameters(Rng rng) const;

 private:
  void add(std::string name, std::int32_t rows, std::int32_t cols);
  void add_batch_norm(const std::string& name);
  void add_layer(const std::string& prefix, std::int32_t inputs);

  NetworkShape shape_;
  std::vector<Slot> slots_;
  std::vector<Slot> statistics_;
  std::int64_t num_parameters_ = 0;
  std::int64_t num_statistics_ = 0;
};

/// Added to the variance in every batch normalisation.
inline constexpr double kBatchNormEpsilon = 1e-5;

}  // namespace sgood
