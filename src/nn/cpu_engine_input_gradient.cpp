// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sgood/core/error.h"
#include "src/nn/cpu_engine_step.h"

namespace sgood::cpu {
namespace {

/// Gradient of the readouts [num_graphs, readout_width] of the sum over graphs of
/// CE(logits / temperature, most probable class).
std::vector<double> readout_gradient(const Model<double>& model, const double* parameters,
                                     const double* readout, std::int32_t num_graphs,
                                     double temperature) {
  const Index inputs = model.shape.readout_width(), classes = model.shape.num_classes;
  const double* weight = parameters + model.classifier;
  std::vector<double> gradient(static_cast<std::size_t>(num_graphs * inputs));
  std::vector<double> p(static_cast<std::size_t>(classes));
  for (Index g = 0; g < num_graphs; ++g) {
    model.kernels.linear(readout + g * inputs, 1, inputs, weight,
                         parameters + model.classifier_bias, classes, Write::kSet, p.data());
    const auto best = std::max_element(p.begin(), p.end());
    const double largest = *best;
    double sum = 0;
    for (double& logit : p) sum += logit = std::exp((logit - largest) / temperature);
    for (double& share : p) share /= sum;
    *best -= 1;
    for (Index k = 0; k < inputs; ++k)
      for (Index c = 0; c < classes; ++c)
        gradient[static_cast<std::size_t>(g * inputs + k)] +=
            p[static_cast<std::size_t>(c)] * weight[k * classes + c] / temperature;
  }
  return gradient;
}

std::vector<BatchNorm<double>> fixed_norms(const GnnStack<double>& stack, const double* parameters,
                                           const double* statistics) {
  std::vector<BatchNorm<double>> norms = stack.norms();
  for (BatchNorm<double>& norm : norms) norm.use_statistics(parameters, statistics);
  return norms;
}

}  // namespace

Matrix input_gradient(const NetworkShape& shape, std::span<const float> parameters,
                      std::span<const double> statistics, const PackedBatch& batch,
                      double temperature) {
  SGOOD_CHECK(shape.num_classes > 0, "a network without classes has no input gradient");
  SGOOD_CHECK(shape.vocabulary == 0, "a network that reads codes has no input gradient");
  SGOOD_CHECK(temperature > 0, "temperature is {} but must be positive", temperature);
  const Model<double> model(shape, kernels::plain_kernels<double>(), Folding::kNone);
  const std::vector<double> exact(parameters.begin(), parameters.end());
  std::vector<double> transposed(exact.size()), unused(exact.size());
  for (const Weight& w : model.transposed_weights(true))
    transpose(exact.data() + w.offset, w.rows, w.cols, transposed.data() + w.offset);
  const auto nodes = fixed_norms(model.nodes, exact.data(), statistics.data());
  const auto supers = fixed_norms(model.supers, exact.data(), statistics.data());

  PassScratch<double> scratch;
  Pass<double> pass(model, scratch);
  const double* readout = pass.forward(batch, exact.data(), {&nodes, &supers, true});
  const std::vector<double> slope =
      readout_gradient(model, exact.data(), readout, batch.num_graphs, temperature);
  Matrix gradient(batch.num_nodes, shape.num_dense);
  pass.backward(slope.data(), transposed.data(), unused.data(), gradient.values.data());
  return gradient;
}

}  // namespace sgood::cpu
