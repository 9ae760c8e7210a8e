// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/nn/network.h"

namespace sgood::testing {

/// One random graph of `num_nodes` nodes with about 1.9 edges a node, blocks of about
/// `nodes_per_block` consecutive nodes, and features for `shape`.
PackedGraph random_graph(Rng& rng, const NetworkShape& shape, std::int32_t num_nodes,
                         double edges_per_node = 1.9, std::int32_t nodes_per_block = 7);

/// `count` random graphs of about `mean_nodes` nodes; among the first are the awkward ones: a
/// single node, no edges, one block, every node a block, and (if `with_empty`) no nodes.
std::vector<PackedGraph> random_graphs(Rng& rng, const NetworkShape& shape, std::int32_t count,
                                       std::int32_t mean_nodes, bool with_empty);

/// A batch of all `graphs`.
PackedBatch batch_of(const std::vector<PackedGraph>& graphs, const NetworkShape& shape,
                     bool super_self_loops = true);

/// A batch of the same graphs, each with a random part of its blocks.
PackedBatch view_of(Rng& rng, const std::vector<PackedGraph>& graphs, const NetworkShape& shape,
                    bool super_self_loops = true);

/// Initial parameters, plus noise so that no bias is zero and no activation stands on a kink.
std::vector<float> noisy_parameters(const ParameterLayout& layout, std::uint64_t seed);

}  // namespace sgood::testing
