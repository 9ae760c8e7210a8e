// SPDX-License-Identifier: MIT
#include "sgood/detectors/wl_knn.h"

#include <algorithm>

#include "colour_index.h"
#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/detectors/posthoc.h"
#include "sgood/graph/wl_colours.h"
#include "stored.h"

namespace sgood {
namespace {

/// Which node labels start the colours.
struct LabelChoice {
  std::int32_t needed = 0;  // columns that a graph must have; 0 when none are used
  std::int32_t used = 0;
};

LabelChoice choose_labels(const std::string& labels, std::int32_t columns) {
  if (labels == "none" || columns == 0) return {};
  return {columns, labels == "first" ? 1 : columns};
}

std::vector<ColourCount> features(const Graph& graph, int iterations, const LabelChoice& labels) {
  SGOOD_CHECK(
      labels.used == 0 || graph.num_nodes() == 0 || graph.num_label_columns() == labels.needed,
      "graph {} has {} node labels per node but training graphs have {}", graph.id(),
      graph.num_label_columns(), labels.needed);
  return count_colours(wl_colours(graph, iterations, graph.num_nodes() == 0 ? 0 : labels.used));
}

}  // namespace

struct WlKnnDetector::Fitted {
  LabelChoice labels;
  ColourIndex index;
};

OptionTable WlKnnOptions::table() {
  OptionTable t;
  t.add("k", &k, 1, 1000000, "Nearest training graphs whose mean distance is the score.");
  t.add("iterations", &iterations, 0, 100, "Rounds of colouring: the depth of the subtrees.");
  t.add("labels", &labels, {"first", "all", "none"},
        "Categorical node columns that start the colours (molecules: the first is the element).");
  return t;
}

void WlKnnDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  const LabelChoice labels = choose_labels(options_.labels, label_columns_of(train));
  std::vector<std::vector<ColourCount>> counts(train.graphs.size());
  for_each_graph(std::ssize(counts), context.threads, context.control, "colouring",
                 [&](std::int64_t i) {
                   const auto g = static_cast<std::size_t>(i);
                   counts[g] = features(train.graphs[g], options_.iterations, labels);
                 });
  fitted_ = std::make_shared<const Fitted>(Fitted{labels, ColourIndex(counts)});
}

std::vector<GraphScore> WlKnnDetector::score(const GraphSet& graphs, int threads,
                                             const RunControl& control) const {
  const Fitted& training = fitted();
  return score_each(graphs, threads, control, [&](const Graph& graph) {
    std::vector<double> distances =
        training.index.cosine_distances(features(graph, options_.iterations, training.labels));
    return nearest_mean(distances, options_.k);
  });
}

nlohmann::ordered_json WlKnnDetector::summary() const {
  if (!fitted_) return nlohmann::ordered_json::object();
  return {{"train_graphs", fitted_->index.num_graphs()}, {"colours", fitted_->index.num_colours()}};
}

const WlKnnDetector::Fitted& WlKnnDetector::fitted() const {
  if (!fitted_) throw NotFitted("wl-knn has not been fitted; call fit() or load a model first");
  return *fitted_;
}

void WlKnnDetector::save(TensorFile& file) const {
  file.metadata["sgood.label_columns"] = std::to_string(fitted().labels.needed);
  fitted().index.save(file);
}

void WlKnnDetector::load(const TensorFile& file) {
  const std::int64_t columns = stored_integer(file, "sgood.label_columns");
  SGOOD_CHECK(columns >= 0 && columns <= 1 << 20,
              "the model file's sgood.label_columns is {} but must be in [0, 2^20]", columns);
  fitted_ = std::make_shared<const Fitted>(Fitted{
      choose_labels(options_.labels, static_cast<std::int32_t>(columns)), ColourIndex::load(file)});
}

}  // namespace sgood
