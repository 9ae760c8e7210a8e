// SPDX-License-Identifier: MIT
#include "sgood/detectors/classifier_detectors.h"

#include <functional>

#include "fitted_network.h"
#include "sgood/detectors/posthoc.h"

namespace sgood {
namespace {

void add_temperature(OptionTable& t, double* temperature) {
  t.add("temperature", temperature, 1e-3, 1e6, "Divides the logits (T).");
}

std::vector<double> for_each_row(const Matrix& logits,
                                 const std::function<double(std::span<const double>)>& score) {
  std::vector<double> values;
  for (std::int64_t g = 0; g < logits.rows; ++g) values.push_back(score(logits.row(g)));
  return values;
}

/// The batch with its one-hot codes written out as reals, codes first.
PackedBatch with_codes_as_reals(const PackedBatch& batch, std::int32_t vocabulary) {
  PackedBatch reals = batch;
  reals.codes.clear();
  reals.code_columns = 0;
  reals.num_dense = vocabulary + batch.num_dense;
  reals.dense.assign(
      static_cast<std::size_t>(batch.num_nodes) * static_cast<std::size_t>(reals.num_dense), 0.0F);
  for (std::int32_t v = 0; v < batch.num_nodes; ++v) {
    const auto row = reals.dense.begin() + static_cast<std::ptrdiff_t>(v) * reals.num_dense;
    for (std::int32_t c = 0; c < batch.code_columns; ++c)
      row[batch.codes[static_cast<std::size_t>(v * batch.code_columns + c)]] += 1;
    const auto own = batch.dense.begin() + static_cast<std::ptrdiff_t>(v) * batch.num_dense;
    std::copy(own, own + batch.num_dense, row + vocabulary);
  }
  return reals;
}

/// e <- alpha e + (1 - alpha) (mean of the neighbours' e); nodes without neighbours keep theirs.
std::vector<double> propagated(const PackedBatch& batch, const std::vector<double>& energy,
                               double alpha) {
  std::vector<double> next(energy);
  for (std::size_t v = 0; v < energy.size(); ++v) {
    const std::vector<std::int32_t> neighbors = batch.neighbors(static_cast<std::int32_t>(v));
    if (neighbors.empty()) continue;
    double sum = 0;
    for (const std::int32_t u : neighbors) sum += energy[static_cast<std::size_t>(u)];
    next[v] = alpha * energy[v] + (1 - alpha) * sum / static_cast<double>(neighbors.size());
  }
  return next;
}

}  // namespace

OptionTable MspOptions::table() {
  OptionTable t;
  add_to(t);
  add_engine_to(t);
  return t;
}

std::vector<double> MspDetector::scores(const FittedNetwork&, const PackedBatch&,
                                        const Encoding& encoding) const {
  return for_each_row(encoding.logits,
                      [](std::span<const double> logits) { return max_softmax_score(logits); });
}

OptionTable EnergyOptions::table() {
  OptionTable t;
  add_to(t);
  add_temperature(t, &temperature);
  add_engine_to(t);
  return t;
}

std::vector<double> EnergyDetector::scores(const FittedNetwork&, const PackedBatch&,
                                           const Encoding& encoding) const {
  return for_each_row(encoding.logits, [&](std::span<const double> logits) {
    return energy_score(logits, options_.temperature);
  });
}

OptionTable OdinOptions::table() {
  OptionTable t;
  add_to(t);
  add_temperature(t, &temperature);
  t.add("epsilon", &epsilon, 0, 10, "How far every feature is moved; 0: not at all.");
  add_engine_to(t);
  return t;
}

void OdinDetector::learn(const FittedNetwork& network, std::span<const PackedGraph>,
                         const GraphSet&) {
  on_reals_ = network.freeze_on_reals();
}

void OdinDetector::load_learned(const FittedNetwork& network, const TensorFile&) {
  on_reals_ = network.freeze_on_reals();
}

std::vector<double> OdinDetector::scores(const FittedNetwork& network, const PackedBatch& batch,
                                         const Encoding&) const {
  PackedBatch moved = with_codes_as_reals(batch, network.shape().vocabulary);
  const Matrix gradient = on_reals_->input_gradient(moved, options_.temperature);
  for (std::size_t i = 0; i < moved.dense.size(); ++i) {
    const double slope = gradient.values[i];
    const int sign = (slope > 0) - (slope < 0);
    moved.dense[i] = static_cast<float>(moved.dense[i] - options_.epsilon * sign);
  }
  return for_each_row(on_reals_->encode(moved).logits, [&](std::span<const double> logits) {
    return max_softmax_score(logits, options_.temperature);
  });
}

OptionTable GnnSafeOptions::table() {
  OptionTable t;
  add_to(t);
  t.add("propagation_steps", &propagation_steps, 0, 1000,
        "Steps in which energies spread along edges (K); 0: not at all.");
  t.add("alpha", &alpha, 0, 1, "Share of its own energy that a node keeps in a step.");
  add_temperature(t, &temperature);
  add_engine_to(t);
  return t;
}

std::vector<double> GnnSafeDetector::scores(const FittedNetwork& network, const PackedBatch& batch,
                                            const Encoding&) const {
  const std::span<const float> weight = network.parameter("classifier.weight");
  const std::span<const float> bias = network.parameter("classifier.bias");
  const auto energy_of = [&](std::span<const double> h) {
    std::vector<double> logits(bias.begin(), bias.end());
    for (std::size_t k = 0; k < h.size(); ++k)
      for (std::size_t c = 0; c < logits.size(); ++c)
        logits[c] += h[k] * static_cast<double>(weight[k * logits.size() + c]);
    return energy_score(logits, options_.temperature);
  };
  std::vector<double> energy =
      for_each_row(network.frozen().node_representations(batch), energy_of);
  for (int step = 0; step < options_.propagation_steps; ++step)
    energy = propagated(batch, energy, options_.alpha);

  std::vector<double> values;
  for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
    const std::int32_t first = batch.graph_node(g), last = batch.graph_node(g + 1);
    double sum = 0;
    for (std::int32_t v = first; v < last; ++v) sum += energy[static_cast<std::size_t>(v)];
    values.push_back(first == last ? energy_of({}) : sum / (last - first));
  }
  return values;
}

OptionTable ClassifierDistanceOptions::table() {
  OptionTable t;
  ClassifierOptions::add_to(t);
  DistanceOptions::add_to(t);
  add_engine_to(t);
  return t;
}

}  // namespace sgood
