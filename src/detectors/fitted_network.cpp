// SPDX-License-Identifier: MIT
#include "fitted_network.h"

#include <algorithm>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/core/hash.h"
#include "sgood/detectors/engines.h"
#include "sgood/detectors/network_cache.h"
#include "sgood/detectors/trainer.h"
#include "sgood/graph/batch_writer.h"
#include "stored.h"

namespace sgood {
namespace {

std::unique_ptr<Partitioner> partitioner_of(const NetworkOptions& options) {
  return make_partitioner(options.partitioner, {.graclus_levels = options.graclus_levels});
}

/// Whether a view hides features, for which the network needs a "no value" code for every column.
bool masks_attributes(const NetworkOptions& options) {
  const auto masks = [](const std::string& view) {
    return view == "attribute-mask" || view == "AM";
  };
  return masks(options.view0) || masks(options.view1);
}

NetworkShape shape_of(const FeatureEncoder& encoder, const NetworkOptions& options,
                      std::int32_t num_classes) {
  NetworkShape shape;
  shape.backbone = parse_backbone(options.backbone);
  shape.vocabulary = encoder.vocabulary();
  shape.code_columns = encoder.code_columns();
  if (masks_attributes(options)) shape.vocabulary += shape.code_columns;
  shape.num_dense = encoder.num_dense();
  shape.node_layers = options.node_layers;
  shape.super_graph = options.substructures;
  shape.super_layers = options.super_layers;
  shape.width = options.width;
  shape.num_classes = num_classes;
  return shape;
}

TrainerOptions trainer_options(const FeatureEncoder& encoder, const NetworkOptions& options,
                               bool classify) {
  TrainerOptions trainer;
  trainer.batch_size = options.batch_size;
  trainer.temperature = options.tau;
  trainer.view0 = options.view0;
  trainer.view1 = options.view1;
  trainer.ratio = options.ratio;
  if (masks_attributes(options)) trainer.mask_code = encoder.vocabulary();
  trainer.super_self_loops = options.super_self_loops;
  trainer.stages = {
      {"pre-training", options.pretrain_epochs, options.pretrain_lr, false, 1.0},
      {"fine-tuning", options.finetune_epochs, options.finetune_lr, classify, options.alpha}};
  return trainer;
}

template <typename T>
std::uint64_t hash_of(const std::vector<T>& values) {
  return hash64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

/// Identifies all that a training depends on, so that neither its checkpoint nor its network is
/// ever taken for another one's.
std::uint64_t fingerprint(const GraphPacker& packer, std::span<const PackedGraph> graphs,
                          NetworkOptions options, std::uint64_t seed) {
  OptionTable table;
  options.add_network_to(table);
  options.add_training_to(table);
  options.add_engine_to(table);
  std::uint64_t h = combine64(hash64(table.values().dump()), seed);
  h = combine64(h, hash64(packer.encoder().to_json().dump()));
  for (const PackedGraph& graph : graphs) {
    h = combine64(h, static_cast<std::uint64_t>(graph.label.value_or(-1)));
    for (const auto* list : {&graph.codes, &graph.row_ptr, &graph.col, &graph.block_ptr})
      h = combine64(h, hash_of(*list));
    h = combine64(h, hash_of(graph.dense));
  }
  return h;
}

template <typename T>
void store_slots(TensorFile& file, const std::string& prefix, const std::vector<Slot>& slots,
                 std::span<const T> values) {
  for (const Slot& slot : slots)
    file.tensors[prefix + slot.name] =
        Tensor::of(values.subspan(static_cast<std::size_t>(slot.offset),
                                  static_cast<std::size_t>(slot.size())),
                   {slot.rows, slot.cols});
}

template <typename T>
std::vector<T> stored_slots(const TensorFile& file, const std::string& prefix,
                            const std::vector<Slot>& slots) {
  std::vector<T> all;
  for (const Slot& slot : slots) {
    const auto values = stored_values<T>(file, prefix + slot.name, {slot.rows, slot.cols});
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

}  // namespace

Fragmentation fragmentation_of(const NetworkOptions& options) {
  return partitioner_of(options)->fragmentation();
}

GraphPacker::GraphPacker(const GraphSet& train, const NetworkOptions& options)
    : GraphPacker(
          FeatureEncoder::fit(train, parse_feature_kind(options.features), options.degree_cap),
          options) {}

GraphPacker::GraphPacker(FeatureEncoder encoder, const NetworkOptions& options)
    : encoder_(std::move(encoder)),
      partitioner_(partitioner_of(options)),
      order_(options.order == "canonical" ? NodeOrder::kCanonical : NodeOrder::kInput) {}

PackedGraph GraphPacker::pack(const Graph& graph) const {
  const Substructures found = find_substructures(graph, *partitioner_, order_);
  return pack_graph(graph, found.partition, found.order, encoder_.encode(graph));
}

std::vector<PackedGraph> GraphPacker::pack(const GraphSet& graphs, int threads,
                                           const RunControl& control) const {
  std::vector<PackedGraph> packed(graphs.graphs.size());
  for_each_graph(std::ssize(packed), threads, {{}, control.stop}, "", [&](std::int64_t i) {
    const auto g = static_cast<std::size_t>(i);
    packed[g] = pack(graphs.graphs[g]);
  });
  return packed;
}

FittedNetwork::FittedNetwork(std::shared_ptr<const GraphPacker> packer,
                             const NetworkOptions& options, std::int32_t num_classes,
                             std::vector<float> parameters, std::vector<double> statistics)
    : packer_(std::move(packer)),
      options_(options),
      layout_(shape_of(packer_->encoder(), options, num_classes)),
      parameters_(std::move(parameters)),
      statistics_(std::move(statistics)),
      frozen_(make_engine(options.engine, "cpu", shape())->freeze(parameters_, statistics_)) {}

std::shared_ptr<const FittedNetwork> FittedNetwork::fit(std::shared_ptr<const GraphPacker> packer,
                                                        std::span<const PackedGraph> graphs,
                                                        const NetworkOptions& options,
                                                        const FitContext& context) {
  const FeatureEncoder& encoder = packer->encoder();
  std::int32_t num_classes = 0;
  for (const PackedGraph& graph : graphs)
    num_classes = std::max(num_classes, graph.label.value_or(-1) + 1);
  const bool classify = num_classes >= 2;
  const ParameterLayout layout(shape_of(encoder, options, classify ? num_classes : 0));
  const std::uint64_t key = fingerprint(*packer, graphs, options, context.seed);

  const auto train = [&] {
    const auto engine = make_engine(options.engine, options.device, layout.shape());
    TrainedNetwork trained =
        train_network(*engine, layout, graphs, trainer_options(encoder, options, classify),
                      Rng(context.seed), context.control, {context.checkpoint, key});
    // Not make_shared: the constructor is private.
    std::shared_ptr<FittedNetwork> network(
        new FittedNetwork(packer, options, layout.shape().num_classes,
                          std::move(trained.parameters), std::move(trained.statistics)));
    network->summary_ = {{"train_graphs", graphs.size()},
                         {"classes", num_classes},
                         {"parameters", layout.num_parameters()},
                         {"features", std::string(feature_kind_name(encoder.kind()))},
                         {"input_width", layout.shape().input_width()},
                         {"stages", nlohmann::ordered_json::array()}};
    for (const auto& stage : trained.stages) {
      network->summary_["stages"].push_back({{"name", stage.name},
                                             {"epochs", stage.epochs},
                                             {"first_loss", stage.first_loss},
                                             {"last_loss", stage.last_loss}});
      network->epoch_seconds_.emplace_back(stage.name, stage.epoch_seconds);
    }
    return std::shared_ptr<const FittedNetwork>(std::move(network));
  };
  if (context.networks == nullptr) return train();
  return context.networks->get(key, context.control.stop, train);
}

std::shared_ptr<const FittedNetwork> FittedNetwork::load(const TensorFile& file,
                                                         const NetworkOptions& options) {
  auto packer = std::make_shared<const GraphPacker>(
      FeatureEncoder::from_json(stored_json(file, "sgood.encoder")), options);
  nlohmann::ordered_json summary = stored_json(file, "sgood.summary");
  const auto num_classes = static_cast<std::int32_t>(stored_integer(file, "sgood.num_classes"));
  const ParameterLayout layout(shape_of(packer->encoder(), options, num_classes));
  std::shared_ptr<FittedNetwork> network(
      new FittedNetwork(std::move(packer), options, num_classes,
                        stored_slots<float>(file, "network.", layout.slots()),
                        stored_slots<double>(file, "statistics.", layout.statistics())));
  network->summary_ = std::move(summary);
  return network;
}

void FittedNetwork::save(TensorFile& file) const {
  file.metadata["sgood.encoder"] = packer_->encoder().to_json().dump();
  file.metadata["sgood.num_classes"] = std::to_string(shape().num_classes);
  file.metadata["sgood.summary"] = summary_.dump();
  store_slots<float>(file, "network.", layout_.slots(), parameters_);
  store_slots<double>(file, "statistics.", layout_.statistics(), statistics_);
}

std::span<const float> FittedNetwork::parameter(const std::string& name) const {
  const Slot& slot = layout_.slot(name);
  return std::span(parameters_)
      .subspan(static_cast<std::size_t>(slot.offset), static_cast<std::size_t>(slot.size()));
}

PackedBatch FittedNetwork::batch(std::span<const PackedGraph> graphs) const {
  PackedBatch batch;
  BatchWriter writer(batch, packer_->encoder().code_columns(), shape().num_dense,
                     options_.super_self_loops);
  for (const PackedGraph& graph : graphs) writer.append(graph);
  writer.finish();
  return batch;
}

Encoding FittedNetwork::encode(std::span<const PackedGraph> graphs) const {
  const auto count = std::ssize(graphs);
  Encoding all{Matrix(count, shape().node_width()), Matrix(count, shape().super_width()),
               Matrix(count, shape().num_classes)};
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const auto size = static_cast<std::size_t>(std::min(kBlock, count - first));
    const Encoding part =
        frozen_->encode(batch(graphs.subspan(static_cast<std::size_t>(first), size)));
    for (auto [from, to] :
         {std::pair{&part.node_sum, &all.node_sum}, std::pair{&part.super_sum, &all.super_sum},
          std::pair{&part.logits, &all.logits}})
      std::copy(from->values.begin(), from->values.end(),
                to->values.begin() + static_cast<std::ptrdiff_t>(first * to->cols));
  }
  return all;
}

std::unique_ptr<FrozenNetwork> FittedNetwork::freeze_on_reals() const {
  NetworkShape reals = shape();
  reals.num_dense = reals.input_width();
  reals.vocabulary = 0;
  reals.code_columns = 0;
  return make_engine(options_.engine, "cpu", reals)->freeze(parameters_, statistics_);
}

}  // namespace sgood
