// SPDX-License-Identifier: MIT
#include "tests/nn/random_batch.h"

#include <algorithm>
#include <numeric>

#include "sgood/graph/batch_writer.h"
#include "sgood/graph/graph_builder.h"

namespace sgood::testing {

PackedGraph random_graph(Rng& rng, const NetworkShape& shape, std::int32_t num_nodes,
                         double edges_per_node, std::int32_t nodes_per_block) {
  GraphBuilder builder(num_nodes);
  const auto node = [&] {
    return static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(num_nodes)));
  };
  for (int e = 0; e < static_cast<int>(edges_per_node * num_nodes) && num_nodes > 1; ++e)
    builder.add_edge(node(), node());
  builder.set_label(static_cast<std::int32_t>(
      rng.below(static_cast<std::uint64_t>(std::max(shape.num_classes, 1)))));

  NodeInput input;
  std::vector<std::int32_t> block, order(static_cast<std::size_t>(num_nodes));
  for (std::int32_t v = 0; v < num_nodes; ++v) {
    block.push_back(v / nodes_per_block);
    const std::int32_t columns = shape.vocabulary > 0 ? shape.code_columns : 0;
    for (std::int32_t c = 0; c < columns; ++c) {  // each column has its share of the codes
      const std::int32_t first = c * shape.vocabulary / columns;
      const std::int32_t end = (c + 1) * shape.vocabulary / columns;
      input.codes.push_back(
          first + static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(end - first))));
    }
    for (std::int32_t c = 0; c < shape.num_dense; ++c)
      input.dense.push_back(static_cast<float>(rng.normal()));
  }
  std::iota(order.begin(), order.end(), 0);
  return pack_graph(builder.build(), Partition(std::move(block)), order, input);
}

std::vector<PackedGraph> random_graphs(Rng& rng, const NetworkShape& shape, std::int32_t count,
                                       std::int32_t mean_nodes, bool with_empty) {
  std::vector<PackedGraph> graphs;
  if (with_empty) graphs.push_back(random_graph(rng, shape, 0));
  graphs.push_back(random_graph(rng, shape, 1));
  graphs.push_back(random_graph(rng, shape, 5, 0.0));
  graphs.push_back(random_graph(rng, shape, 6, 1.5, 100));
  graphs.push_back(random_graph(rng, shape, 5, 1.5, 1));
  graphs.push_back(random_graph(rng, shape, 9, 60, 5));  // complete, in two complete blocks
  while (static_cast<std::int32_t>(graphs.size()) < count) {
    const auto spread = static_cast<std::uint64_t>(mean_nodes);
    graphs.push_back(random_graph(
        rng, shape, mean_nodes / 2 + 1 + static_cast<std::int32_t>(rng.below(spread))));
  }
  graphs.resize(static_cast<std::size_t>(count));
  return graphs;
}

PackedBatch batch_of(const std::vector<PackedGraph>& graphs, const NetworkShape& shape,
                     bool super_self_loops) {
  std::vector<std::int32_t> all(graphs.size());
  std::iota(all.begin(), all.end(), 0);
  return pack_batch(graphs, all, shape.vocabulary > 0 ? shape.code_columns : 0, shape.num_dense,
                    super_self_loops);
}

PackedBatch view_of(Rng& rng, const std::vector<PackedGraph>& graphs, const NetworkShape& shape,
                    bool super_self_loops) {
  PackedBatch batch;
  BatchWriter writer(batch, shape.vocabulary > 0 ? shape.code_columns : 0, shape.num_dense,
                     super_self_loops);
  for (const PackedGraph& graph : graphs) {
    std::vector<char> keep(static_cast<std::size_t>(graph.num_blocks()));
    for (char& k : keep) k = rng.uniform() < 0.7;
    if (keep.empty()) {
      writer.append(graph);
      continue;
    }
    keep[rng.below(keep.size())] = 1;
    writer.append_blocks(graph, keep);
  }
  writer.finish();
  return batch;
}

std::vector<float> noisy_parameters(const ParameterLayout& layout, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> parameters = layout.initial_parameters(rng.fork("parameters"));
  for (float& p : parameters) p += static_cast<float>(0.2 * rng.normal());
  return parameters;
}

}  // namespace sgood::testing
