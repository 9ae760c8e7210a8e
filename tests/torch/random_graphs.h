// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/batch_writer.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/nn/engine.h"
#include "sgood/nn/network.h"

namespace sgood::testing {

inline std::int32_t random_below(Rng& rng, std::int32_t bound) {
  return static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(bound)));
}

/// A partition of [0, num_nodes) into `num_blocks` non-empty blocks, spread at random.
inline Partition random_partition(std::int32_t num_nodes, std::int32_t num_blocks, Rng& rng) {
  std::vector<std::int32_t> block;
  for (std::int32_t v = 0; v < num_nodes; ++v)
    block.push_back(v < num_blocks ? v : random_below(rng, num_blocks));
  rng.shuffle(block);
  return Partition(std::move(block));
}

/// `num_edges` tries at a random edge (repeated ones merge) and random features for `shape`.
inline PackedGraph random_graph(const NetworkShape& shape, std::int32_t num_nodes,
                                std::int32_t num_edges, std::int32_t num_blocks, Rng& rng) {
  GraphBuilder builder(num_nodes);
  for (std::int32_t e = 0; e < num_edges; ++e)
    builder.add_edge(random_below(rng, num_nodes), random_below(rng, num_nodes));
  NodeInput input;
  for (std::int32_t i = 0; i < num_nodes * shape.code_columns; ++i)
    input.codes.push_back(random_below(rng, shape.vocabulary));
  for (std::int32_t i = 0; i < num_nodes * shape.num_dense; ++i)
    input.dense.push_back(static_cast<float>(rng.normal()));
  std::vector<std::int32_t> order(static_cast<std::size_t>(num_nodes));
  std::iota(order.begin(), order.end(), 0);
  return pack_graph(builder.build(), random_partition(num_nodes, num_blocks, rng), order, input);
}

/// Ordinary graphs and every odd one: empty, one node, no edges, one block, singleton blocks.
inline std::vector<PackedGraph> odd_graphs(const NetworkShape& shape, Rng& rng) {
  std::vector<PackedGraph> graphs;
  graphs.push_back(random_graph(shape, 9, 14, 3, rng));
  graphs.push_back(random_graph(shape, 1, 0, 1, rng));
  graphs.push_back(random_graph(shape, 5, 0, 2, rng));
  graphs.push_back(random_graph(shape, 0, 0, 0, rng));
  graphs.push_back(random_graph(shape, 6, 8, 1, rng));
  graphs.push_back(random_graph(shape, 5, 9, 5, rng));
  graphs.push_back(random_graph(shape, 12, 15, 4, rng));
  return graphs;
}

inline PackedBatch pack_all(const std::vector<PackedGraph>& graphs, const NetworkShape& shape,
                            bool super_self_loops = true) {
  std::vector<std::int32_t> positions(graphs.size());
  std::iota(positions.begin(), positions.end(), 0);
  return pack_batch(graphs, positions, shape.code_columns, shape.num_dense, super_self_loops);
}

/// Every graph without about a third of its blocks.
inline PackedBatch random_view(const std::vector<PackedGraph>& graphs, const NetworkShape& shape,
                               Rng& rng) {
  PackedBatch batch;
  BatchWriter writer(batch, shape.code_columns, shape.num_dense, true);
  for (const PackedGraph& graph : graphs) {
    if (graph.num_blocks() == 0) {
      writer.append(graph);
      continue;
    }
    std::vector<char> keep;
    for (std::int32_t b = 0; b < graph.num_blocks(); ++b) keep.push_back(rng.uniform() < 0.67);
    keep[static_cast<std::size_t>(random_below(rng, graph.num_blocks()))] = 1;
    writer.append_blocks(graph, keep);
  }
  writer.finish();
  return batch;
}

enum class Stage : std::uint8_t { kPreTraining, kFineTuning, kClassification };

/// Everything that one training step points to.
struct StepData {
  PackedBatch original, view0, view1;
  std::vector<std::int32_t> labels;

  StepData(const std::vector<PackedGraph>& graphs, const NetworkShape& shape, Rng& rng)
      : original(pack_all(graphs, shape)),
        view0(random_view(graphs, shape, rng)),
        view1(random_view(graphs, shape, rng)) {
    for (std::size_t g = 0; g < graphs.size(); ++g)
      labels.push_back(random_below(rng, shape.num_classes));
  }

  TrainingStep step(Stage stage) const {
    TrainingStep step;
    step.contrastive_weight = stage == Stage::kFineTuning ? 0.3 : 1.0;
    step.temperature = 0.4;
    if (stage != Stage::kPreTraining) {
      step.original = &original;
      step.labels = labels;
    }
    if (stage != Stage::kClassification) {
      step.view0 = &view0;
      step.view1 = &view1;
    }
    return step;
  }
};

inline NetworkShape small_shape(Backbone backbone, bool super_graph) {
  NetworkShape shape;
  shape.backbone = backbone;
  shape.vocabulary = 5;
  shape.code_columns = 2;
  shape.num_dense = 2;
  shape.node_layers = 2;
  shape.super_layers = 2;
  shape.width = 4;
  shape.num_classes = 3;
  shape.super_graph = super_graph;
  return shape;
}

/// Parameters with every tensor random, BN's weights and biases too, so that no ReLU sits on its
/// kink, and larger on average than fresh ones, so that few ReLUs are dead.
inline std::vector<float> random_parameters(const ParameterLayout& layout, Rng& rng) {
  std::vector<float> parameters = layout.initial_parameters(rng.fork("initial"));
  for (float& p : parameters) p += static_cast<float>(rng.uniform(-0.1, 0.5));
  return parameters;
}

inline std::vector<double> random_statistics(const ParameterLayout& layout, Rng& rng) {
  std::vector<double> statistics(static_cast<std::size_t>(layout.num_statistics()));
  for (const Slot& slot : layout.statistics())
    for (std::int64_t i = slot.offset; i < slot.offset + slot.size(); ++i)
      statistics[static_cast<std::size_t>(i)] =
          slot.name.ends_with(".var") ? rng.uniform(0.1, 1.5) : rng.uniform(-0.5, 0.5);
  return statistics;
}

inline constexpr Backbone kBackbones[] = {Backbone::kGin, Backbone::kGcn, Backbone::kSage};

}  // namespace sgood::testing
