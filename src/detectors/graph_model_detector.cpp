// SPDX-License-Identifier: MIT
#include "sgood/detectors/graph_model_detector.h"

#include <algorithm>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/detectors/posthoc.h"
#include "sgood/substructure/partitioner.h"
#include "stored.h"
#include "torch_plugin.h"

namespace sgood {
namespace {

/// Rows of `part` become rows of `all` from `first` on; `all` gets its width from the first part.
void copy_rows(const Matrix& part, std::int64_t first, Matrix& all) {
  std::copy(part.values.begin(), part.values.end(),
            all.values.begin() + static_cast<std::ptrdiff_t>(first * all.cols));
}

}  // namespace

OptionTable GraphModelDetector::options() {
  OptionTable t;
  t.add("features", &common_.features,
        {"auto", "labels", "first-label", "attributes", "both", "degree", "constant"},
        fallback_ == FeatureKind::kDegree
            ? "What a node shows the network; auto: labels if any, else attributes, else degree."
            : "What a node shows the network; auto: labels if any, else attributes, else a "
              "constant.");
  t.add("degree_cap", &common_.degree_cap, 1, 100000,
        "features=degree: degrees above share one bin; the bins end at the largest training "
        "degree.");
  t.add("order", &common_.order, {"canonical", "input"}, "Order in which nodes are read.");
  t.add("epochs", &common_.epochs, 0, 1000000, "Epochs of training.");
  t.add("batch_size", &common_.batch_size, 2, 1 << 20, "Graphs in a training batch.");
  t.add("learning_rate", &common_.learning_rate, 1e-8, 1, "Adam's learning rate.");
  add_options(t);
  t.add("device", &common_.device, {"cpu", "cuda"},
        "Where it trains; scoring uses the CPU. cuda does not repeat bit for bit.");
  return t;
}

void GraphModelDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  num_classes_ = 0;
  max_nodes_ = 0;
  for (const Graph& graph : train.graphs) {
    num_classes_ = std::max(num_classes_, graph.label().value_or(-1) + 1);
    max_nodes_ = std::max(max_nodes_, graph.num_nodes());
  }
  if (needs_classes()) check_classes(train, method());
  encoder_ = fit_encoder(train);
  const std::vector<PackedGraph> graphs = pack(train, context.threads, context.control);
  std::shared_ptr<GraphModel> model = make_plugin_model(
      fmt::format("method '{}'", method()), spec(num_classes_), common_.device == "cuda");
  const GraphModelTraining training = model->fit(graphs, Rng(context.seed), context.control);
  model_ = std::move(model);

  summary_ = {{"train_graphs", graphs.size()},
              {"classes", num_classes_},
              {"parameters", training.num_parameters},
              {"features", std::string(feature_kind_name(encoder_.kind()))},
              {"input_width", encoder_.vocabulary() + encoder_.num_dense()},
              {"stages", nlohmann::ordered_json::array()}};
  epoch_seconds_.clear();
  for (const auto& stage : training.stages) {
    summary_["stages"].push_back({{"name", stage.name},
                                  {"epochs", stage.epochs},
                                  {"first_loss", stage.first_loss},
                                  {"last_loss", stage.last_loss}});
    epoch_seconds_.emplace_back(stage.name, stage.epoch_seconds);
  }
  if (learns_from_output()) fit_output(evaluate(graphs, context.threads, context.control), train);
}

FeatureEncoder GraphModelDetector::fit_encoder(const GraphSet& train) const {
  FeatureEncoder encoder =
      FeatureEncoder::fit(train, parse_feature_kind(common_.features), common_.degree_cap);
  if (common_.features == "auto" && encoder.kind() == FeatureKind::kConstant)
    encoder = FeatureEncoder::fit(train, fallback_, common_.degree_cap);
  return encoder;
}

GraphModelSpec GraphModelDetector::spec(std::int32_t num_classes) const {
  GraphModelSpec spec;
  spec.model = method();
  // Reading the options does not change them, but a table can also write.
  spec.options = const_cast<GraphModelDetector*>(this)->options().values();
  spec.vocabulary = encoder_.vocabulary();
  spec.code_columns = encoder_.code_columns();
  spec.num_dense = encoder_.num_dense();
  spec.num_classes = num_classes;
  spec.max_nodes = max_nodes_;
  return spec;
}

std::vector<PackedGraph> GraphModelDetector::pack(const GraphSet& graphs, int threads,
                                                  const RunControl& control) const {
  const auto whole = make_partitioner("none");
  const NodeOrder order = common_.order == "canonical" ? NodeOrder::kCanonical : NodeOrder::kInput;
  std::vector<PackedGraph> packed(graphs.graphs.size());
  for_each_graph(std::ssize(packed), threads, control, "preparing", [&](std::int64_t i) {
    const Graph& graph = graphs.graphs[static_cast<std::size_t>(i)];
    const Substructures found = find_substructures(graph, *whole, order);
    packed[static_cast<std::size_t>(i)] =
        pack_graph(graph, found.partition, found.order, encoder_.encode(graph));
  });
  return packed;
}

GraphModelOutput GraphModelDetector::evaluate(const std::vector<PackedGraph>& graphs, int threads,
                                              const RunControl& control) const {
  if (graphs.empty()) return {};
  if (scores_together()) return model_->evaluate(graphs);
  GraphModelOutput all = model_->evaluate(std::span(graphs).first(1));
  const auto count = std::ssize(graphs);
  for (Matrix* matrix : {&all.score, &all.representation, &all.logits}) {
    matrix->rows = count;
    matrix->values.resize(static_cast<std::size_t>(count * matrix->cols));
  }
  for_each_graph(count - 1, threads, control, "scoring", [&](std::int64_t i) {
    const GraphModelOutput one =
        model_->evaluate(std::span(graphs).subspan(static_cast<std::size_t>(i) + 1, 1));
    copy_rows(one.score, i + 1, all.score);
    copy_rows(one.representation, i + 1, all.representation);
    copy_rows(one.logits, i + 1, all.logits);
  });
  return all;
}

std::vector<GraphScore> GraphModelDetector::score(const GraphSet& graphs, int threads,
                                                  const RunControl& control) const {
  if (!model_)
    throw NotFitted(
        fmt::format("{} has not been fitted; call fit() or load a model first", method()));
  const GraphModelOutput output = evaluate(pack(graphs, threads, control), threads, control);
  std::vector<GraphScore> scores(graphs.graphs.size());
  for (std::int64_t g = 0; g < std::ssize(scores); ++g) {
    GraphScore& score = scores[static_cast<std::size_t>(g)];
    score.score = score_of(output, g);
    if (output.logits.cols < 2) continue;
    const ClassGuess guess = guess_class(output.logits.row(g));
    score.predicted = guess.predicted;
    score.probability = guess.probability;
  }
  return scores;
}

double GraphModelDetector::score_of(const GraphModelOutput& output, std::int64_t g) const {
  return output.score(g, 0);
}

void GraphModelDetector::save(TensorFile& file) const {
  if (!model_)
    throw NotFitted(
        fmt::format("{} has not been fitted; call fit() or load a model first", method()));
  file.metadata["sgood.encoder"] = encoder_.to_json().dump();
  file.metadata["sgood.num_classes"] = std::to_string(num_classes_);
  file.metadata["sgood.max_nodes"] = std::to_string(max_nodes_);
  file.metadata["sgood.summary"] = summary_.dump();
  model_->save(file);
}

void GraphModelDetector::load(const TensorFile& file) {
  encoder_ = FeatureEncoder::from_json(stored_json(file, "sgood.encoder"));
  summary_ = stored_json(file, "sgood.summary");
  num_classes_ = static_cast<std::int32_t>(stored_integer(file, "sgood.num_classes"));
  SGOOD_CHECK(num_classes_ >= 0 && num_classes_ <= 1 << 20,
              "the model file's sgood.num_classes is {} but must be in [0, 2^20]", num_classes_);
  max_nodes_ = static_cast<std::int32_t>(stored_integer(file, "sgood.max_nodes"));
  std::shared_ptr<GraphModel> model = make_plugin_model(
      fmt::format("method '{}'", method()), spec(num_classes_), common_.device == "cuda");
  model->load(file);
  model_ = std::move(model);
}

}  // namespace sgood
