// SPDX-License-Identifier: MIT
#include "sgood/detectors/network_detector.h"

#include <algorithm>
#include <atomic>

#include "fitted_network.h"
#include "nearest_graphs.h"
#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/core/rng.h"
#include "sgood/core/threads.h"
#include "sgood/detectors/posthoc.h"
#include "stored.h"

namespace sgood {
namespace {

/// Training graphs that a model file keeps to be nearest to, at most.
constexpr std::int32_t kReferences = 1000;

}  // namespace

Fragmentation NetworkDetector::fragmentation() const { return fragmentation_of(network_options()); }

std::unique_ptr<Partitioner> NetworkDetector::substructures() const {
  const NetworkOptions options = network_options();
  return options.substructures && options.partitioner != "none"
             ? make_partitioner(options.partitioner, {options.graclus_levels})
             : Detector::substructures();
}

void NetworkDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  if (needs_classes()) check_classes(train, method());
  const NetworkOptions options = network_options();
  SGOOD_CHECK(!trains() || options.pretrain_epochs + options.finetune_epochs > 0,
              "pretrain_epochs and finetune_epochs are both 0");
  const auto packer = std::make_shared<const GraphPacker>(train, options);
  const std::vector<PackedGraph> graphs = packer->pack(train, context.threads, context.control);
  auto network = FittedNetwork::fit(packer, graphs, options, context);
  learn(*network, graphs, train);
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

void DistanceDetector::learn(const FittedNetwork& network, std::span<const PackedGraph> graphs,
                             const GraphSet& train) {
  std::vector<std::int32_t> classes;
  for (const PackedGraph& graph : graphs) classes.push_back(graph.label.value_or(0));
  const std::int32_t num_classes = 1 + *std::max_element(classes.begin(), classes.end());
  const Matrix z = joint(network.encode(graphs));
  mahalanobis_.emplace(z, classes, num_classes, distance_options().mahalanobis());
  learn_references(z, train);
}

void DistanceDetector::learn_references(const Matrix& z, const GraphSet& train) {
  const auto count = static_cast<std::int32_t>(z.rows);
  positions_ = Rng(0).fork("references").sample(count, std::min(count, kReferences));
  std::ranges::sort(positions_);
  ids_.clear();
  references_ = Matrix(std::ssize(positions_), mahalanobis_->state().whitening.cols);
  for (std::int64_t i = 0; i < references_.rows; ++i) {
    const std::int32_t position = positions_[static_cast<std::size_t>(i)];
    ids_.push_back(train.graphs[static_cast<std::size_t>(position)].id());
    // As they are stored.
    std::ranges::transform(mahalanobis_->whitened(z.row(position)), references_.row(i).begin(),
                           [](double x) { return static_cast<double>(static_cast<float>(x)); });
  }
}

Explanation DistanceDetector::explain(const Graph& graph, int nearest) const {
  SGOOD_CHECK(nearest >= 1, "nearest is {} but must be at least 1", nearest);
  Explanation result = Detector::explain(graph, nearest);
  GraphSet alone;
  alone.graphs.push_back(graph);
  const Matrix z = represent(alone);
  const std::vector<double> own = mahalanobis_->whitened(z.row(0));
  std::vector<double> distances(static_cast<std::size_t>(references_.rows), 0.0);
  for (std::int64_t i = 0; i < references_.rows; ++i)
    for (std::int64_t c = 0; c < references_.cols; ++c) {
      const double difference = own[static_cast<std::size_t>(c)] - references_(i, c);
      distances[static_cast<std::size_t>(i)] += difference * difference;
    }
  ScoreTerm& term = result.terms[0];
  term.name = "Mahalanobis distance";
  term.nearest = nearest_graphs(distances, ids_, nearest);
  for (NearGraph& near : term.nearest)
    near.position = positions_[static_cast<std::size_t>(near.position)];
  return result;
}

std::vector<double> DistanceDetector::scores(const FittedNetwork&, const PackedBatch&,
                                             const Encoding& encoding) const {
  const Matrix z = joint(encoding);
  std::vector<double> values;
  for (std::int64_t g = 0; g < z.rows; ++g) values.push_back(mahalanobis_->score(z.row(g)));
  return values;
}

void DistanceDetector::save_learned(TensorFile& file) const {
  store(file, mahalanobis_->state());
  file.tensors["references.positions"] = Tensor::of(positions_);
  const std::vector<float> values(references_.values.begin(), references_.values.end());
  file.tensors["references.whitened"] =
      Tensor::of(std::span(values), {references_.rows, references_.cols});
  store_names(file, "sgood.references.ids", ids_);
}

void DistanceDetector::load_learned(const FittedNetwork& network, const TensorFile& file) {
  MahalanobisState state = stored_mahalanobis(file);
  const std::int32_t width = network.shape().node_width() + network.shape().super_width();
  SGOOD_CHECK(std::ssize(state.centre) == width,
              "the model file's representation is {} wide but the network's {}",
              state.centre.size(), width);
  mahalanobis_.emplace(std::move(state));
  ids_ = stored_texts(file, "sgood.references.ids");
  positions_ = stored_values<std::int32_t>(file, "references.positions", {std::ssize(ids_)});
  references_ = Matrix(std::ssize(ids_), mahalanobis_->state().whitening.cols);
  const auto values =
      stored_values<float>(file, "references.whitened", {references_.rows, references_.cols});
  std::ranges::copy(values, references_.values.begin());
}

}  // namespace sgood
