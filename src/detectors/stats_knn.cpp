// SPDX-License-Identifier: MIT
#include "sgood/detectors/stats_knn.h"

#include <algorithm>
#include <cmath>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/detectors/posthoc.h"
#include "sgood/graph/graph_statistics.h"
#include "stored.h"

namespace sgood {

OptionTable StatsKnnOptions::table() {
  std::vector<std::string> partitioner_names;
  for (const PartitionerInfo& row : partitioners()) partitioner_names.push_back(row.name);
  OptionTable t;
  t.add("k", &k, 1, 1000000, "Nearest training graphs whose mean distance is the score.");
  t.add("labels", &labels, {"first", "all", "none"},
        "Which categorical node columns are counted (molecules: the first is the element).");
  t.add("partitioner", &partitioner, std::move(partitioner_names),
        "How the substructures are found whose number and size are features.");
  t.add("order", &order, {"canonical", "input"},
        "Order in which the partitioner meets nodes; input depends on node numbering.");
  return t;
}

std::int64_t StatsKnnDetector::num_features() const {
  return std::ssize(kGraphStatistics) + (labels_ ? labels_->vocabulary() : 0);
}

std::vector<double> StatsKnnDetector::features(const Graph& graph,
                                               const Partitioner& partitioner) const {
  const NodeOrder order = options_.order == "canonical" ? NodeOrder::kCanonical : NodeOrder::kInput;
  const auto statistics =
      graph_statistics(graph, find_substructures(graph, partitioner, order).partition);
  std::vector<double> values(static_cast<std::size_t>(num_features()));
  std::copy(statistics.begin(), statistics.end(), values.begin());
  if (labels_ && graph.num_nodes() > 0) {
    const std::span<double> shares = std::span(values).subspan(statistics.size());
    for (const std::int32_t code : labels_->encode(graph).codes)
      ++shares[static_cast<std::size_t>(code)];
    // Division comes last: a value that all nodes have must have share 1 and not nearly 1.
    for (double& share : shares) share /= graph.num_nodes();
  }
  return values;
}

void StatsKnnDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  labels_.reset();
  if (options_.labels != "none" && label_columns_of(train) > 0)
    labels_ = FeatureEncoder::fit(
        train, options_.labels == "first" ? FeatureKind::kFirstLabel : FeatureKind::kLabels);

  const auto partitioner = make_partitioner(options_.partitioner);
  const auto count = std::ssize(train.graphs);
  Matrix training(num_features(), count);
  for_each_graph(count, context.threads, context.control, "measuring", [&](std::int64_t g) {
    const std::vector<double> values =
        features(train.graphs[static_cast<std::size_t>(g)], *partitioner);
    for (std::int64_t f = 0; f < training.rows; ++f)
      training(f, g) = values[static_cast<std::size_t>(f)];
  });

  columns_.clear();
  for (std::int64_t f = 0; f < training.rows; ++f) {
    const std::span<double> values = training.row(f);
    // Sums relative to the first value: then a constant column has exactly no deviation.
    double sum = 0, squares = 0;
    for (const double x : values) sum += x - values[0];
    Column column{values[0] + sum / static_cast<double>(count)};
    for (const double x : values) squares += (x - column.mean) * (x - column.mean);
    if (squares > 0) column.scale = std::sqrt(squares / static_cast<double>(count));
    for (double& x : values) x = (x - column.mean) / column.scale;
    columns_.push_back(column);
  }
  training_ = std::move(training);
}

std::vector<GraphScore> StatsKnnDetector::score(const GraphSet& graphs, int threads,
                                                const RunControl& control) const {
  require_fitted();
  const auto partitioner = make_partitioner(options_.partitioner);
  return score_each(graphs, threads, control, [&](const Graph& graph) {
    const std::vector<double> values = features(graph, *partitioner);
    std::vector<double> distances(static_cast<std::size_t>(training_.cols));
    // Feature by feature over all training graphs: a loop that the compiler turns into vectors.
    for (std::int64_t f = 0; f < training_.rows; ++f) {
      const Column& column = columns_[static_cast<std::size_t>(f)];
      const double value = (values[static_cast<std::size_t>(f)] - column.mean) / column.scale;
      const std::span<const double> others = training_.row(f);
      for (std::size_t g = 0; g < distances.size(); ++g)
        distances[g] += (others[g] - value) * (others[g] - value);
    }
    for (double& d : distances) d = std::sqrt(d);
    return nearest_mean(distances, options_.k);
  });
}

nlohmann::ordered_json StatsKnnDetector::summary() const {
  return {{"train_graphs", training_.cols}, {"statistics", training_.rows}};
}

void StatsKnnDetector::require_fitted() const {
  if (training_.cols == 0)
    throw NotFitted("stats-knn has not been fitted; call fit() or load a model first");
}

void StatsKnnDetector::save(TensorFile& file) const {
  require_fitted();
  file.metadata["sgood.labels"] = labels_ ? labels_->to_json().dump() : "null";
  std::vector<double> means, scales;
  for (const Column& column : columns_) {
    means.push_back(column.mean);
    scales.push_back(column.scale);
  }
  file.tensors["stats.means"] = Tensor::of(means);
  file.tensors["stats.scales"] = Tensor::of(scales);
  store(file, "stats.training", training_);
}

void StatsKnnDetector::load(const TensorFile& file) {
  const auto labels = stored_json(file, "sgood.labels");
  labels_.reset();
  if (!labels.is_null()) labels_ = FeatureEncoder::from_json(labels);
  const auto means = stored_values<double>(file, "stats.means", {num_features()});
  const auto scales = stored_values<double>(file, "stats.scales", {num_features()});
  Matrix training = stored_matrix(file, "stats.training");
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  SGOOD_CHECK(training.rows == num_features() && training.cols > 0 && finite(training.values) &&
                  finite(means) && finite(scales) &&
                  *std::min_element(scales.begin(), scales.end()) > 0,
              "the model file's stats.* must hold finite numbers of {} features, scales positive",
              num_features());
  columns_.clear();
  for (std::size_t f = 0; f < means.size(); ++f) columns_.push_back({means[f], scales[f]});
  training_ = std::move(training);
}

}  // namespace sgood
