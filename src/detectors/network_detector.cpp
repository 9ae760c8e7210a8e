// SPDX-License-Identifier: MIT
#include "sgood/detectors/network_detector.h"

#include <algorithm>
#include <atomic>

#include "fitted_network.h"
#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/detectors/posthoc.h"
#include "stored.h"

namespace sgood {

Fragmentation NetworkDetector::fragmentation() const { return fragmentation_of(network_options()); }

void NetworkDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  if (needs_classes()) check_classes(train, method());
  const NetworkOptions options = network_options();
  SGOOD_CHECK(!trains() || options.pretrain_epochs + options.finetune_epochs > 0,
              "pretrain_epochs and finetune_epochs are both 0");
  const auto packer = std::make_shared<const GraphPacker>(train, options);
  const std::vector<PackedGraph> graphs = packer->pack(train, context.threads, context.control);
  auto network = FittedNetwork::fit(packer, graphs, options, context);
  learn(*network, graphs);
  network_ = std::move(network);
}

std::vector<GraphScore> NetworkDetector::score(const GraphSet& graphs, int threads,
                                               const RunControl& control) const {
  const FittedNetwork& network = this->network();
  std::vector<GraphScore> results(graphs.graphs.size());
  const std::int64_t count = std::ssize(results), size = FittedNetwork::kBlock;
  std::atomic<std::int64_t> done{0};
  parallel_for((count + size - 1) / size, threads, [&](std::int64_t block) {
    if (control.stop.stop_requested()) throw Cancelled("stopped");
    const std::int64_t first = block * size, last = std::min(count, first + size);
    std::vector<PackedGraph> packed;
    for (std::int64_t g = first; g < last; ++g)
      packed.push_back(network.packer().pack(graphs.graphs[static_cast<std::size_t>(g)]));
    const PackedBatch batch = network.batch(packed);
    const Encoding encoding = network.frozen().encode(batch);
    const std::vector<double> values = scores(network, batch, encoding);
    for (std::int64_t g = first; g < last; ++g) {
      GraphScore& result = results[static_cast<std::size_t>(g)];
      result.score = values[static_cast<std::size_t>(g - first)];
      if (!trains() || encoding.logits.cols == 0) continue;
      const ClassGuess guess = guess_class(encoding.logits.row(g - first));
      result.predicted = guess.predicted;
      result.probability = guess.probability;
    }
    done += last - first;
    if (control.progress && threads <= 1) control.report("scoring", done.load(), count);
  });
  return results;
}

const FittedNetwork& NetworkDetector::network() const {
  if (!network_)
    throw NotFitted(
        fmt::format("{} has not been fitted; call fit() or load a model first", method()));
  return *network_;
}

nlohmann::ordered_json NetworkDetector::summary() const {
  return network_ ? network_->summary() : nlohmann::ordered_json();
}

std::vector<std::pair<std::string, double>> NetworkDetector::epoch_seconds() const {
  if (!network_) return {};
  return network_->epoch_seconds();
}

void NetworkDetector::save(TensorFile& file) const {
  network().save(file);
  save_learned(file);
}

void NetworkDetector::load(const TensorFile& file) {
  auto network = FittedNetwork::load(file, network_options());
  SGOOD_CHECK(!needs_classes() || network->shape().num_classes >= 2,
              "the model file's network has {} classes but {} needs two at least",
              network->shape().num_classes, method());
  load_learned(*network, file);
  network_ = std::move(network);
}

Matrix DistanceDetector::joint(const Encoding& encoding) const {
  Matrix z(encoding.node_sum.rows, encoding.node_sum.cols + encoding.super_sum.cols);
  for (std::int64_t g = 0; g < z.rows; ++g) {
    const auto row = z.row(g);
    const auto node = encoding.node_sum.row(g);
    const auto super = encoding.super_sum.row(g);
    std::copy(super.begin(), super.end(), std::copy(node.begin(), node.end(), row.begin()));
    if (distance_options().normalize) normalize_length(row);
  }
  return z;
}

Matrix DistanceDetector::represent(const GraphSet& graphs, int threads) const {
  return joint(network().encode(network().packer().pack(graphs, threads, {})));
}

void DistanceDetector::learn(const FittedNetwork& network, std::span<const PackedGraph> graphs) {
  std::vector<std::int32_t> classes;
  for (const PackedGraph& graph : graphs) classes.push_back(graph.label.value_or(0));
  const std::int32_t num_classes = 1 + *std::max_element(classes.begin(), classes.end());
  mahalanobis_.emplace(joint(network.encode(graphs)), classes, num_classes,
                       distance_options().mahalanobis());
}

std::vector<double> DistanceDetector::scores(const FittedNetwork&, const PackedBatch&,
                                             const Encoding& encoding) const {
  const Matrix z = joint(encoding);
  std::vector<double> values;
  for (std::int64_t g = 0; g < z.rows; ++g) values.push_back(mahalanobis_->score(z.row(g)));
  return values;
}

void DistanceDetector::save_learned(TensorFile& file) const { store(file, mahalanobis_->state()); }

void DistanceDetector::load_learned(const FittedNetwork& network, const TensorFile& file) {
  MahalanobisState state = stored_mahalanobis(file);
  const std::int32_t width = network.shape().node_width() + network.shape().super_width();
  SGOOD_CHECK(std::ssize(state.centre) == width,
              "the model file's representation is {} wide but the network's {}",
              state.centre.size(), width);
  mahalanobis_.emplace(std::move(state));
}

}  // namespace sgood
