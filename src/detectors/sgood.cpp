// SPDX-License-Identifier: MIT
#include "sgood/detectors/sgood.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "per_graph.h"
#include "sgood/augment/augmentation.h"
#include "sgood/core/error.h"
#include "sgood/core/hash.h"
#include "sgood/core/threads.h"
#include "sgood/detectors/engines.h"
#include "sgood/detectors/trainer.h"
#include "stored.h"

namespace sgood {
namespace {

constexpr std::int64_t kScoringBlock = 64;  // graphs encoded together; does not change any bit

std::vector<std::string> partitioner_names() {
  std::vector<std::string> names;
  for (const PartitionerInfo& row : partitioners()) names.push_back(row.name);
  return names;
}

std::vector<std::string> view_names() {
  std::vector<std::string> names = {"random"};
  for (const AugmentationInfo& row : augmentations())
    for (const std::string_view name : {row.name, row.short_name})
      if (!name.empty()) names.emplace_back(name);
  return names;
}

/// Whether a view hides features, for which the network needs a "no value" code for every column.
bool masks_attributes(const SgoodOptions& options) {
  const auto masks = [](const std::string& view) {
    return view == "attribute-mask" || view == "AM";
  };
  return masks(options.view0) || masks(options.view1);
}

MahalanobisOptions mahalanobis_options(const SgoodOptions& options) {
  MahalanobisOptions result;
  result.aggregation = options.aggregation == "closest"    ? MahalanobisAggregation::kClosest
                       : options.aggregation == "farthest" ? MahalanobisAggregation::kFarthest
                                                           : MahalanobisAggregation::kMean;
  result.covariance = options.covariance == "ledoit-wolf" ? CovarianceEstimate::kLedoitWolf
                      : options.covariance == "shrinkage" ? CovarianceEstimate::kFixedShrinkage
                                                          : CovarianceEstimate::kPseudoInverse;
  result.shrinkage = options.shrinkage;
  result.relative = options.relative;
  return result;
}

/// Identifies data, options and seed, so that a checkpoint is never taken up by another run.
std::uint64_t fingerprint(const std::vector<PackedGraph>& graphs, const std::string& options,
                          std::uint64_t seed) {
  std::uint64_t h = combine64(hash64(options), seed);
  for (const PackedGraph& graph : graphs) {
    h = combine64(h, static_cast<std::uint64_t>(graph.label.value_or(-1)));
    for (const auto* list : {&graph.codes, &graph.col, &graph.block_ptr})
      h = combine64(h, hash64({reinterpret_cast<const char*>(list->data()),
                               list->size() * sizeof(std::int32_t)}));
  }
  return h;
}

}  // namespace

OptionTable SgoodOptions::table() {
  OptionTable t;
  t.add("features", &features,
        {"auto", "labels", "first-label", "attributes", "both", "degree", "constant"},
        "What a node shows the network; auto: labels if any, else attributes, else a constant.");
  t.add(
      "degree_cap", &degree_cap, 1, 100000,
      "features=degree: degrees above share one bin; the bins end at the largest training degree.");
  t.add("partitioner", &partitioner, partitioner_names(), "How substructures are found.");
  t.add("graclus_levels", &graclus_levels, 1, 30,
        "partitioner=graclus: rounds of merging in pairs, so blocks have at most 2^levels nodes.");
  t.add("order", &order, {"canonical", "input"},
        "Order in which nodes are read; input depends on node numbering, as published.");
  t.add("substructures", &substructures,
        "Encodes the super graph too; false, with pretrain_epochs=0 and alpha=0, is the paper's "
        "SGOOD (base).");
  t.add("backbone", &backbone, {"gin", "gcn", "sage"}, "Message passing of both levels.");
  t.add("node_layers", &node_layers, 1, 16, "Layers over the nodes (L1).");
  t.add("super_layers", &super_layers, 0, 16, "Layers over the super graph (L2).");
  t.add("width", &width, 1, 1024, "Hidden width (d).");
  t.add("super_self_loops", &super_self_loops, "Adds the paper's self-loops to the super graph.");
  t.add("batch_size", &batch_size, 2, 1 << 20, "Graphs in a training batch (B).");
  t.add("pretrain_epochs", &pretrain_epochs, 0, 1000000, "Epochs of contrast alone (T_PT).");
  t.add("finetune_epochs", &finetune_epochs, 0, 1000000,
        "Epochs of classification and contrast (T_FT).");
  t.add("pretrain_lr", &pretrain_lr, 1e-8, 1, "Adam's learning rate in pre-training.");
  t.add("finetune_lr", &finetune_lr, 1e-8, 1, "Adam's learning rate in fine-tuning.");
  t.add("alpha", &alpha, 0, 1000, "Weight of the contrastive loss in fine-tuning.");
  t.add("tau", &tau, 0.001, 1000, "Temperature of the contrastive loss.");
  t.add("view0", &view0, view_names(),
        "First view; random: two different ones of I, SD, SG, SS for every batch.");
  t.add("view1", &view1, view_names(), "Second view.");
  t.add("ratio", &ratio, 0, 1, "Share of substructures, nodes or edges that a view changes.");
  t.add("normalize", &normalize, "Scales representations to length 1 before the distance.");
  t.add("aggregation", &aggregation, {"closest", "farthest", "mean"},
        "Which class's distance is the score; farthest is the paper's formula as printed.");
  t.add(
      "covariance", &covariance, {"shrinkage", "ledoit-wolf", "pseudo-inverse"},
      "How the shared covariance is made invertible; shrinkage explains held-out ID graphs best.");
  t.add("shrinkage", &shrinkage, 0, 1, "covariance=shrinkage: weight of the identity.");
  t.add("relative", &relative, "Subtracts the distance under one Gaussian for all classes.");
  t.add("engine", &engine, engine_names(), "What runs the network; auto: the fastest that fits.");
  t.add("device", &device, {"cpu", "cuda"},
        "engine=torch: where it trains; scoring uses the CPU. cuda does not repeat bit for bit.");
  return t;
}

/// The trained network in the form in which it is kept and used.
struct SgoodDetector::Network {
  ParameterLayout layout;
  std::vector<float> parameters;
  std::vector<double> statistics;
  std::unique_ptr<FrozenNetwork> frozen;

  Network(const NetworkShape& shape, const std::string& engine, std::vector<float> weights,
          std::vector<double> moments)
      : layout(shape),
        parameters(std::move(weights)),
        statistics(std::move(moments)),
        frozen(make_engine(engine, "cpu", shape)->freeze(parameters, statistics)) {}
};

void SgoodDetector::fit(const GraphSet& train, const FitContext& context) {
  check_training_set(train);
  SGOOD_CHECK(options_.pretrain_epochs + options_.finetune_epochs > 0,
              "pretrain_epochs and finetune_epochs are both 0");
  encoder_ = FeatureEncoder::fit(train, parse_feature_kind(options_.features), options_.degree_cap);
  partitioner_ = partitioner();
  const std::vector<PackedGraph> graphs = prepare_all(train, context.threads, context.control);

  std::int32_t num_classes = 0;
  for (const PackedGraph& graph : graphs)
    num_classes = std::max(num_classes, graph.label.value_or(-1) + 1);
  // One class leaves nothing to classify: the network is then trained by contrast alone.
  const bool classify = num_classes >= 2;

  const NetworkShape shape = network_shape(classify ? num_classes : 0);
  const ParameterLayout layout(shape);

  TrainerOptions trainer;
  trainer.batch_size = options_.batch_size;
  trainer.temperature = options_.tau;
  trainer.view0 = options_.view0;
  trainer.view1 = options_.view1;
  trainer.ratio = options_.ratio;
  if (masks_attributes(options_)) trainer.mask_code = encoder_.vocabulary();
  trainer.super_self_loops = options_.super_self_loops;
  trainer.stages = {
      {"pre-training", options_.pretrain_epochs, options_.pretrain_lr, false, 1.0},
      {"fine-tuning", options_.finetune_epochs, options_.finetune_lr, classify, options_.alpha}};

  const auto engine = make_engine(options_.engine, options_.device, shape);
  const CheckpointFile checkpoint{
      context.checkpoint,
      context.checkpoint.empty()
          ? 0
          : fingerprint(graphs, options_.table().values().dump(), context.seed)};
  TrainedNetwork trained = train_network(*engine, layout, graphs, trainer, Rng(context.seed),
                                         context.control, checkpoint);

  summary_ = {{"train_graphs", graphs.size()},
              {"classes", num_classes},
              {"parameters", layout.num_parameters()},
              {"features", std::string(feature_kind_name(encoder_.kind()))},
              {"input_width", shape.input_width()},
              {"stages", nlohmann::ordered_json::array()}};
  epoch_seconds_.clear();
  for (const auto& stage : trained.stages) {
    summary_["stages"].push_back({{"name", stage.name},
                                  {"epochs", stage.epochs},
                                  {"first_loss", stage.first_loss},
                                  {"last_loss", stage.last_loss}});
    epoch_seconds_.emplace_back(stage.name, stage.epoch_seconds);
  }
  network_ = std::make_shared<const Network>(shape, options_.engine, std::move(trained.parameters),
                                             std::move(trained.statistics));

  std::vector<std::int32_t> classes;
  for (const PackedGraph& graph : graphs) classes.push_back(graph.label.value_or(0));
  mahalanobis_.emplace(joint(encode(graphs)), classes, std::max(num_classes, 1),
                       mahalanobis_options(options_));
}

std::unique_ptr<Partitioner> SgoodDetector::partitioner() const {
  return make_partitioner(options_.partitioner, {.graclus_levels = options_.graclus_levels});
}

NetworkShape SgoodDetector::network_shape(std::int32_t num_classes) const {
  NetworkShape shape;
  shape.backbone = parse_backbone(options_.backbone);
  shape.vocabulary = encoder_.vocabulary();
  shape.code_columns = encoder_.code_columns();
  if (masks_attributes(options_)) shape.vocabulary += shape.code_columns;
  shape.num_dense = encoder_.num_dense();
  shape.node_layers = options_.node_layers;
  shape.super_graph = options_.substructures;
  shape.super_layers = options_.super_layers;
  shape.width = options_.width;
  shape.num_classes = num_classes;
  return shape;
}

PackedGraph SgoodDetector::prepare(const Graph& graph) const {
  const Substructures found =
      find_substructures(graph, *partitioner_,
                         options_.order == "canonical" ? NodeOrder::kCanonical : NodeOrder::kInput);
  return pack_graph(graph, found.partition, found.order, encoder_.encode(graph));
}

std::vector<PackedGraph> SgoodDetector::prepare_all(const GraphSet& graphs, int threads,
                                                    const RunControl& control) const {
  std::vector<PackedGraph> packed(graphs.graphs.size());
  constexpr std::int64_t kChunk = 32;
  const auto count = static_cast<std::int64_t>(packed.size());
  parallel_for((count + kChunk - 1) / kChunk, threads, [&](std::int64_t chunk) {
    if (control.stop.stop_requested()) throw Cancelled("stopped");
    for (std::int64_t i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i)
      packed[static_cast<std::size_t>(i)] = prepare(graphs.graphs[static_cast<std::size_t>(i)]);
  });
  return packed;
}

Encoding SgoodDetector::encode(std::span<const PackedGraph> graphs) const {
  const NetworkShape& shape = network_->layout.shape();
  const auto count = static_cast<std::int64_t>(graphs.size());
  Encoding all{Matrix(count, shape.node_width()), Matrix(count, shape.super_width()),
               Matrix(count, shape.num_classes)};
  PackedBatch batch;
  for (std::int64_t first = 0; first < count; first += kScoringBlock) {
    BatchWriter writer(batch, shape.code_columns, shape.num_dense, options_.super_self_loops);
    for (std::int64_t g = first; g < std::min(count, first + kScoringBlock); ++g)
      writer.append(graphs[static_cast<std::size_t>(g)]);
    writer.finish();
    const Encoding part = network_->frozen->encode(batch);
    for (auto [from, to] :
         {std::pair{&part.node_sum, &all.node_sum}, std::pair{&part.super_sum, &all.super_sum},
          std::pair{&part.logits, &all.logits}})
      std::copy(from->values.begin(), from->values.end(),
                to->values.begin() + static_cast<std::ptrdiff_t>(first * to->cols));
  }
  return all;
}

Matrix SgoodDetector::joint(const Encoding& encoding) const {
  Matrix z(encoding.node_sum.rows, encoding.node_sum.cols + encoding.super_sum.cols);
  for (std::int64_t g = 0; g < z.rows; ++g) {
    const auto row = z.row(g);
    const auto node = encoding.node_sum.row(g);
    const auto super = encoding.super_sum.row(g);
    std::copy(super.begin(), super.end(), std::copy(node.begin(), node.end(), row.begin()));
    if (!options_.normalize) continue;
    const double norm = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    // A graph without nodes has the zero vector, which has no direction and stays as it is.
    if (norm > 0)
      for (double& value : row) value /= norm;
  }
  return z;
}

Matrix SgoodDetector::represent(const GraphSet& graphs, int threads) const {
  require_fitted();
  return joint(encode(prepare_all(graphs, threads, {})));
}

std::vector<GraphScore> SgoodDetector::score(const GraphSet& graphs, int threads,
                                             const RunControl& control) const {
  require_fitted();
  std::vector<GraphScore> scores(graphs.graphs.size());
  const auto count = static_cast<std::int64_t>(scores.size());
  std::atomic<std::int64_t> done{0};
  parallel_for((count + kScoringBlock - 1) / kScoringBlock, threads, [&](std::int64_t block) {
    if (control.stop.stop_requested()) throw Cancelled("stopped");
    const std::int64_t first = block * kScoringBlock;
    const std::int64_t last = std::min(count, first + kScoringBlock);
    std::vector<PackedGraph> packed;
    for (std::int64_t g = first; g < last; ++g)
      packed.push_back(prepare(graphs.graphs[static_cast<std::size_t>(g)]));
    const Encoding encoding = encode(packed);
    const Matrix z = joint(encoding);
    for (std::int64_t g = first; g < last; ++g) {
      GraphScore& result = scores[static_cast<std::size_t>(g)];
      result.score = mahalanobis_->score(z.row(g - first));
      if (encoding.logits.cols == 0) continue;
      const auto logits = encoding.logits.row(g - first);
      const auto best = std::max_element(logits.begin(), logits.end());
      double sum = 0;
      for (const double logit : logits) sum += std::exp(logit - *best);
      result.predicted = static_cast<std::int32_t>(best - logits.begin());
      result.probability = 1.0 / sum;
    }
    done += last - first;
    if (control.progress && threads <= 1) control.report("scoring", done.load(), count);
  });
  return scores;
}

void SgoodDetector::require_fitted() const {
  if (!network_ || !mahalanobis_)
    throw NotFitted("sgood has not been fitted; call fit() or load a model first");
}

void SgoodDetector::save(TensorFile& file) const {
  require_fitted();
  const ParameterLayout& layout = network_->layout;
  file.metadata["sgood.encoder"] = encoder_.to_json().dump();
  file.metadata["sgood.num_classes"] = std::to_string(layout.shape().num_classes);
  file.metadata["sgood.summary"] = summary_.dump();
  for (const Slot& slot : layout.slots())
    file.tensors["network." + slot.name] = Tensor::of(
        std::span(network_->parameters).subspan(std::size_t(slot.offset), std::size_t(slot.size())),
        {slot.rows, slot.cols});
  for (const Slot& slot : layout.statistics())
    file.tensors["statistics." + slot.name] = Tensor::of(
        std::span(network_->statistics).subspan(std::size_t(slot.offset), std::size_t(slot.size())),
        {slot.rows, slot.cols});
  store(file, mahalanobis_->state());
}

void SgoodDetector::load(const TensorFile& file) {
  encoder_ = FeatureEncoder::from_json(stored_json(file, "sgood.encoder"));
  summary_ = stored_json(file, "sgood.summary");
  partitioner_ = partitioner();
  const NetworkShape shape =
      network_shape(static_cast<std::int32_t>(stored_integer(file, "sgood.num_classes")));
  const ParameterLayout layout(shape);
  std::vector<float> parameters;
  for (const Slot& slot : layout.slots()) {
    const auto values = stored_values<float>(file, "network." + slot.name, {slot.rows, slot.cols});
    parameters.insert(parameters.end(), values.begin(), values.end());
  }
  std::vector<double> statistics;
  for (const Slot& slot : layout.statistics()) {
    const auto values =
        stored_values<double>(file, "statistics." + slot.name, {slot.rows, slot.cols});
    statistics.insert(statistics.end(), values.begin(), values.end());
  }
  network_ = std::make_shared<const Network>(shape, options_.engine, std::move(parameters),
                                             std::move(statistics));
  MahalanobisState state = stored_mahalanobis(file);
  SGOOD_CHECK(
      static_cast<std::int32_t>(state.centre.size()) == shape.node_width() + shape.super_width(),
      "the model file's representation is {} wide but the network's {}", state.centre.size(),
      shape.node_width() + shape.super_width());
  mahalanobis_.emplace(std::move(state));
}

}  // namespace sgood
