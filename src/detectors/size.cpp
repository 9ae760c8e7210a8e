// SPDX-License-Identifier: MIT
#include "sgood/detectors/size.h"

#include <algorithm>
#include <cmath>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/graph/graph_statistics.h"

namespace sgood {

OptionTable SizeOptions::table() {
  OptionTable t;
  t.add("statistic", &statistic, {"nodes", "edges", "density"},
        "What is measured; density is edges over pairs of nodes.");
  t.add("tail", &tail, {"both", "upper", "lower"},
        "Which graphs are unusual: the large and the small ones, the large, or the small.");
  return t;
}

double SizeDetector::statistic(const Graph& graph) const {
  if (options_.statistic == "edges") return graph.num_edges();
  if (options_.statistic == "density") return edge_density(graph);
  return graph.num_nodes();
}

void SizeDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  std::vector<double> values(train.graphs.size());
  for_each_graph(std::ssize(values), context.threads, context.control, "measuring",
                 [&](std::int64_t i) {
                   const auto g = static_cast<std::size_t>(i);
                   values[g] = statistic(train.graphs[g]);
                 });
  std::sort(values.begin(), values.end());
  training_ = std::move(values);
}

std::vector<GraphScore> SizeDetector::score(const GraphSet& graphs, int threads,
                                            const RunControl& control) const {
  if (training_.empty()) throw NotFitted("size has not been fitted; call fit() or load a model");
  return score_each(graphs, threads, control, [&](const Graph& graph) {
    const double value = statistic(graph);
    if (options_.tail == "upper") return value;
    if (options_.tail == "lower") return -value;
    const auto [low, high] = std::equal_range(training_.begin(), training_.end(), value);
    const std::ptrdiff_t smaller = low - training_.begin(), larger = training_.end() - high;
    return static_cast<double>(std::abs(smaller - larger)) / static_cast<double>(training_.size());
  });
}

nlohmann::ordered_json SizeDetector::summary() const {
  nlohmann::ordered_json json{{"train_graphs", training_.size()}};
  if (!training_.empty()) {
    json["smallest"] = training_.front();
    json["median"] = training_[training_.size() / 2];
    json["largest"] = training_.back();
  }
  return json;
}

void SizeDetector::save(TensorFile& file) const {
  if (training_.empty()) throw NotFitted("size has not been fitted; call fit() or load a model");
  file.tensors["size.training"] = Tensor::of(training_);
}

void SizeDetector::load(const TensorFile& file) {
  std::vector<double> values = file.tensor("size.training").values<double>();
  SGOOD_CHECK(!values.empty() && std::is_sorted(values.begin(), values.end()) &&
                  std::isfinite(values.front()) && std::isfinite(values.back()),
              "the model file's size.training must hold finite numbers, ascending");
  training_ = std::move(values);
}

}  // namespace sgood
