// SPDX-License-Identifier: MIT
#include "sgood/detectors/wl_density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/core/matrix.h"
#include "sgood/core/rng.h"
#include "stored.h"
#include "wl_density_fitted.h"

namespace sgood {
namespace {

/// Training graphs that are scored against the others, at most.
constexpr std::int32_t kLeftOut = 1000;

constexpr std::array<std::string_view, 3> kViews = {"size", "whole", "core"};

/// Names joined by '+', in any order.
std::vector<std::string_view> chosen_views(const std::string& views) {
  std::vector<std::string_view> chosen;
  for (std::string_view rest = views; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('+'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (std::ranges::find(kViews, name) == kViews.end()) return {};
    chosen.push_back(name);
  }
  return chosen;
}

struct Plan {
  GraphBlocks blocks;
  std::vector<ViewPlan> views;
};

Plan make_plan(const WlDensityOptions& options, BlockLabels labels) {
  const std::vector<std::string_view> chosen = chosen_views(options.views);
  SGOOD_CHECK(!chosen.empty(), "option views is '{}' but must be one or more of {}, joined by +",
              options.views, fmt::join(kViews, ", "));
  const auto has = [&](std::string_view name) {
    return std::ranges::find(chosen, name) != chosen.end();
  };
  Plan plan{GraphBlocks(std::move(labels), options.depth, has("whole"), has("core")), {}};
  ViewPlan size{"size", {0}}, whole{"whole", {0}}, core{"core", {}};
  std::int32_t part = 0;
  for (const Block& block : plan.blocks.blocks())
    (block.core ? core : whole).parts.push_back(++part);
  for (ViewPlan& view : std::array{size, whole, core})
    if (has(view.name)) plan.views.push_back(std::move(view));
  return plan;
}

/// Graphs of the training set that are scored against the others.
std::vector<std::int32_t> left_out(std::int32_t num_graphs, std::uint64_t seed) {
  if (num_graphs > kLeftOut) return Rng(seed).fork("leave-one-out").sample(num_graphs, kLeftOut);
  std::vector<std::int32_t> all(static_cast<std::size_t>(num_graphs));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

OptionTable WlDensityOptions::table() {
  OptionTable t;
  t.add("views", &views, {},
        "What is compared, joined by +: size (number of nodes), whole (graph), core (2-core).");
  t.add("depth", &depth, 0, 20, "Rounds of colouring: the radius of the neighbourhoods.");
  t.add("tau", &tau, 1e-6, 1e3, "Temperature of the soft-minimum over training graphs.");
  t.add("idf", &idf, "Whether rare colours weigh more than common ones.");
  t.add("combine", &combine, {"clip", "fisher"},
        "How views add up: deviations from the mean cut at -1, or logarithms of p-values.");
  t.add("columns", &columns, {},
        "Categorical node columns that are read: all, first (molecules: the element), none, "
        "no-chirality (all but that column), or positions such as 0,2-8.");
  t.add("edge_labels", &edge_labels,
        "Whether the first edge label is read (molecules: the bond type).");
  t.add(
      "batch", &batch,
      "Whether bench ranks the test graphs by batch scores: each then depends on all test graphs, "
      "ID and OOD together.");
  return t;
}

void WlDensityDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  auto fitted = std::make_shared<Fitted>();
  Plan plan =
      make_plan(options_, choose_block_labels(train, options_.columns, options_.edge_labels));
  fitted->blocks = std::move(plan.blocks);
  std::vector<GraphFeatures> features(train.graphs.size());
  for_each_graph(std::ssize(features), context.threads, context.control, "colouring",
                 [&](std::int64_t i) {
                   const auto g = static_cast<std::size_t>(i);
                   features[g] = fitted->features(train.graphs[g]);
                 });
  fitted->density = TrainingDensity(std::move(features), std::move(plan.views), options_.idf);
  for (const Graph& graph : train.graphs) fitted->ids.push_back(graph.id());

  const std::vector<std::int32_t> graphs = left_out(fitted->density.num_graphs(), context.seed);
  std::vector<std::vector<double>> scores(fitted->density.views().size(),
                                          std::vector<double>(graphs.size()));
  for_each_graph(
      std::ssize(graphs), context.threads, context.control, "leaving one out", [&](std::int64_t i) {
        const std::int32_t g = graphs[static_cast<std::size_t>(i)];
        const auto of_graph = fitted->density.scores(
            fitted->features(train.graphs[static_cast<std::size_t>(g)]), options_.tau, g);
        for (std::size_t v = 0; v < scores.size(); ++v)
          scores[v][static_cast<std::size_t>(i)] = of_graph[v];
      });
  fitted->calibration =
      ViewCalibration(std::move(scores), options_.tau, options_.combine == "fisher");
  fitted_ = std::move(fitted);
}

std::vector<GraphScore> WlDensityDetector::score(const GraphSet& graphs, int threads,
                                                 const RunControl& control) const {
  const Fitted& training = fitted();
  return score_each(graphs, threads, control, [&](const Graph& graph) {
    return training.calibration.score(
        training.density.scores(training.features(graph), options_.tau));
  });
}

std::vector<double> WlDensityDetector::training_scores() const {
  return fitted().calibration.training_scores();
}

nlohmann::ordered_json WlDensityDetector::summary() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!fitted_) return json;
  const BlockLabels& labels = fitted_->blocks.labels();
  json["train_graphs"] = fitted_->density.num_graphs();
  json["colours"] = fitted_->density.num_colours();
  json["node_columns"] = labels.node_columns;
  json["edge_labels"] = labels.edges;
  json["left_out_graphs"] = fitted_->calibration.training()[0].size();
  for (std::size_t v = 0; v < fitted_->density.views().size(); ++v)
    json["views"][fitted_->density.views()[v].name] = {
        {"mean", fitted_->calibration.mean(v)}, {"deviation", fitted_->calibration.deviation(v)}};
  return json;
}

const WlDensityDetector::Fitted& WlDensityDetector::fitted() const {
  if (!fitted_) throw NotFitted("wl-density has not been fitted; call fit() or load a model first");
  return *fitted_;
}

void WlDensityDetector::save(TensorFile& file) const {
  const Fitted& training = fitted();
  store(file, training.blocks.labels());
  training.density.save(file);
  store_names(file, "sgood.density.ids", training.ids);
  const auto& scores = training.calibration.training();
  Matrix matrix(std::ssize(scores), std::ssize(scores[0]));
  for (std::int64_t v = 0; v < matrix.rows; ++v)
    std::ranges::copy(scores[static_cast<std::size_t>(v)], matrix.row(v).begin());
  store(file, "density.left_out", matrix);
}

void WlDensityDetector::load(const TensorFile& file) {
  auto fitted = std::make_shared<Fitted>();
  Plan plan = make_plan(options_, stored_block_labels(file));
  const std::size_t num_views = plan.views.size();
  fitted->blocks = std::move(plan.blocks);
  fitted->density = TrainingDensity::load(file, fitted->blocks.blocks().size(),
                                          std::move(plan.views), options_.idf);
  fitted->ids = stored_texts(file, "sgood.density.ids");
  SGOOD_CHECK(std::ssize(fitted->ids) == fitted->density.num_graphs(),
              "the model file's sgood.density.ids must name {} graphs",
              fitted->density.num_graphs());
  const Matrix matrix = stored_matrix(file, "density.left_out");
  SGOOD_CHECK(matrix.rows == static_cast<std::int64_t>(num_views) && matrix.cols >= 1 &&
                  std::ranges::all_of(matrix.values, [](double s) { return std::isfinite(s); }),
              "the model file's density.left_out must hold finite numbers for {} views", num_views);
  std::vector<std::vector<double>> scores;
  for (std::int64_t v = 0; v < matrix.rows; ++v)
    scores.emplace_back(matrix.row(v).begin(), matrix.row(v).end());
  fitted->calibration =
      ViewCalibration(std::move(scores), options_.tau, options_.combine == "fisher");
  fitted_ = std::move(fitted);
}

}  // namespace sgood
