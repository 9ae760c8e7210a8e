// SPDX-License-Identifier: MIT
#include "sgood/graph/batch_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/graph/batch_lists.h"
#include "tests/graph/random_graph.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Lists of none, few and many entries; complete blocks.
constexpr double kDensities[] = {0.1, 0.25, 0.8, 1.0};

/// Codes tell which node a row is; dense values tell it again.
NodeInput numbered_input(std::int32_t nodes) {
  NodeInput input;
  for (std::int32_t v = 0; v < nodes; ++v) {
    input.codes.insert(input.codes.end(), {v, 100 + v});
    input.dense.push_back(static_cast<float>(v) + 0.5f);
  }
  return input;
}

PackedGraph random_packed(std::int32_t nodes, Rng& rng, double density = 0.25) {
  const Graph graph = random_graph(nodes, density, rng);
  return pack_graph(graph, random_partition(nodes, 5, rng), random_order(nodes, rng),
                    numbered_input(nodes));
}

PackedBatch batch_of(const std::vector<PackedGraph>& graphs, bool self_loops) {
  std::vector<std::int32_t> positions(graphs.size());
  std::iota(positions.begin(), positions.end(), 0);
  return pack_batch(graphs, positions, 2, 1, self_loops);
}

void expect_equal(const PackedBatch& a, const PackedBatch& b) {
  EXPECT_EQ(a.num_graphs, b.num_graphs);
  EXPECT_EQ(a.num_blocks, b.num_blocks);
  EXPECT_EQ(a.num_nodes, b.num_nodes);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.dense, b.dense);
  EXPECT_EQ(all_neighbors(a), all_neighbors(b));
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.block_ptr, b.block_ptr);
  EXPECT_EQ(all_super_neighbors(a), all_super_neighbors(b));
  EXPECT_EQ(a.graph_ptr, b.graph_ptr);
}

TEST(PackedGraph, BlocksFollowTheirFirstNodeAndNodesKeepTheOrder) {
  const Graph path = GraphBuilder(4).add_edge(0, 1).add_edge(1, 2).add_edge(2, 3).build();
  const PackedGraph packed = pack_graph(path, Partition({0, 0, 1, 1}),
                                        std::vector<std::int32_t>{3, 0, 2, 1}, numbered_input(4));
  EXPECT_THAT(packed.node, ElementsAre(3, 2, 0, 1));
  EXPECT_THAT(packed.block_ptr, ElementsAre(0, 2, 4));
  EXPECT_THAT(packed.row_ptr, ElementsAre(0, 1, 3, 4, 6));
  EXPECT_THAT(packed.col, ElementsAre(1, 0, 3, 3, 1, 2));
  EXPECT_THAT(packed.codes, ElementsAre(3, 103, 2, 102, 0, 100, 1, 101));
  EXPECT_THAT(packed.dense, ElementsAre(3.5f, 2.5f, 0.5f, 1.5f));
  EXPECT_THAT(packed.super_row_ptr, ElementsAre(0, 1, 2));
  EXPECT_THAT(packed.super_col, ElementsAre(1, 0));
}

TEST(PackedGraph, DoesNotDependOnHowThePartitionNumbersItsBlocks) {
  Rng rng(5);
  const Graph graph = random_graph(20, 0.2, rng);
  const Partition partition = random_partition(20, 6, rng);
  const auto names = random_order(partition.num_blocks(), rng);
  std::vector<std::int32_t> renamed;
  for (const std::int32_t b : partition.blocks()) renamed.push_back(names[idx(b)]);
  const auto order = random_order(20, rng);
  const PackedGraph a = pack_graph(graph, partition, order, numbered_input(20));
  const PackedGraph b = pack_graph(graph, Partition(renamed), order, numbered_input(20));
  EXPECT_EQ(a.node, b.node);
  EXPECT_EQ(a.col, b.col);
  EXPECT_EQ(a.block_ptr, b.block_ptr);
  EXPECT_EQ(a.super_col, b.super_col);
}

TEST(PackedGraph, KeepsEveryEdgeAndEverySuperEdge) {
  Rng rng(6);
  const Graph graph = random_graph(20, 0.2, rng);
  const Partition partition = random_partition(20, 6, rng);
  const PackedGraph packed =
      pack_graph(graph, partition, random_order(20, rng), numbered_input(20));
  for (std::int32_t b = 0; b < packed.num_blocks(); ++b)
    for (std::int32_t i = packed.block_ptr[idx(b)]; i < packed.block_ptr[idx(b) + 1]; ++i)
      EXPECT_EQ(partition.block(packed.node[idx(i)]),
                partition.block(packed.node[idx(packed.block_ptr[idx(b)])]));
  EXPECT_EQ(packed.col.size(), graph.col().size());
  for (std::int32_t i = 0; i < 20; ++i)
    for (std::int32_t e = packed.row_ptr[idx(i)]; e < packed.row_ptr[idx(i) + 1]; ++e)
      EXPECT_TRUE(graph.has_edge(packed.node[idx(i)], packed.node[idx(packed.col[idx(e)])]));
}

TEST(PackedGraph, AGraphWithoutNodesPacksToNothing) {
  const PackedGraph packed = pack_graph(Graph(), Partition(), {}, NodeInput());
  EXPECT_EQ(packed.num_nodes(), 0);
  EXPECT_EQ(packed.num_blocks(), 0);
}

TEST(PackedBatch, HoldsEachGraphsEdgesInListsPaddedToFours) {
  Rng rng(7);
  const std::vector<PackedGraph> graphs = {random_packed(9, rng), random_packed(14, rng),
                                           random_packed(20, rng, 1.0)};
  const PackedBatch batch = batch_of(graphs, true);
  EXPECT_EQ(batch.num_nodes, 43);
  EXPECT_EQ(batch.num_graphs, 3);
  EXPECT_EQ(batch.graph_node(1), 9);
  EXPECT_EQ(batch.graph_node(2), 23);
  EXPECT_FALSE(batch.complete.empty());
  for (const PaddedLists* lists : {&batch.lists, &batch.super_lists}) {
    for (const std::int32_t end : lists->row_ptr) EXPECT_EQ(end % 4, 0);
    EXPECT_EQ(lists->col.size(), idx(lists->row_ptr.back()));
  }
  NeighborTable nodes, blocks;
  for (const PackedGraph& graph : graphs) {
    const auto first_node = static_cast<std::int32_t>(nodes.size());
    const auto first_block = static_cast<std::int32_t>(blocks.size());
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
      nodes.emplace_back();
      for (std::int32_t e = graph.row_ptr[idx(v)]; e < graph.row_ptr[idx(v) + 1]; ++e)
        nodes.back().push_back(first_node + graph.col[idx(e)]);
    }
    for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
      blocks.push_back({first_block + b});
      for (std::int32_t e = graph.super_row_ptr[idx(b)]; e < graph.super_row_ptr[idx(b) + 1]; ++e)
        blocks.back().push_back(first_block + graph.super_col[idx(e)]);
      std::ranges::sort(blocks.back());
    }
  }
  EXPECT_EQ(all_neighbors(batch), nodes);
  EXPECT_EQ(all_super_neighbors(batch), blocks);
  for (std::size_t v = 0; v < nodes.size(); ++v)
    EXPECT_EQ(idx(batch.degrees()[v]), nodes[v].size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    EXPECT_EQ(idx(batch.super_degrees()[b]), blocks[b].size());
}

TEST(PackedBatch, SumsOverCompleteBlocksReplaceTheirEdges) {
  Rng rng(12);
  for (int round = 0; round < 40; ++round) {
    const PackedBatch batch =
        batch_of({random_packed(16, rng, kDensities[round % 4]), random_packed(9, rng, 1.0)}, true);
    std::vector<std::int64_t> value;
    for (std::int32_t v = 0; v < batch.num_nodes; ++v)
      value.push_back(static_cast<std::int64_t>(rng.below(1000)));
    const auto row = [&](std::int32_t r) {
      if (r >= 0) return value[idx(r)];
      std::int64_t sum = 0;
      if (r == kNoNeighbor) return sum;
      const std::int32_t block = batch.complete[idx(kNoNeighbor - 1 - r)];
      for (std::int32_t u = batch.block_ptr[idx(block)]; u < batch.block_ptr[idx(block) + 1]; ++u)
        sum += value[idx(u)];
      return sum;
    };
    for (std::int32_t v = 0; v < batch.num_nodes; ++v) {
      std::int64_t expected = value[idx(v)], sum = row(batch.start[idx(v)]);
      for (const std::int32_t u : batch.neighbors(v)) expected += value[idx(u)];
      for (std::int32_t e = batch.lists.row_ptr[idx(v)]; e < batch.lists.row_ptr[idx(v) + 1]; ++e)
        sum += row(batch.lists.col[idx(e)]);
      EXPECT_EQ(sum, expected);
    }
  }
}

TEST(PackedBatch, WithoutSelfLoopsNoBlockListsItself) {
  Rng rng(8);
  const PackedBatch batch = batch_of({random_packed(12, rng)}, false);
  for (std::int32_t b = 0; b < batch.num_blocks; ++b)
    EXPECT_EQ(std::ranges::count(batch.super_neighbors(b), b), 0);
}

TEST(BatchWriter, AppendBlocksWritesTheInducedSubgraph) {
  Rng rng(9);
  for (int round = 0; round < 90; ++round) {
    const bool self_loops = round % 2 == 0;
    const Graph graph = random_graph(16, kDensities[round % 4], rng);
    const Partition partition = random_partition(16, 6, rng);
    const auto order = random_order(16, rng);
    const PackedGraph packed = pack_graph(graph, partition, order, numbered_input(16));
    std::vector<char> keep(idx(packed.num_blocks()));
    for (char& k : keep) k = rng.uniform() < 0.6;
    keep[rng.below(keep.size())] = 1;

    // The same by hand: induce the subgraph first, then pack it.
    std::vector<std::int32_t> new_index(16, -1), blocks, names(idx(partition.num_blocks()), -1);
    NodeInput input;
    std::int32_t kept_nodes = 0;
    for (std::int32_t b = 0, kept = 0; b < packed.num_blocks(); ++b) {
      if (!keep[idx(b)]) continue;
      for (std::int32_t i = packed.block_ptr[idx(b)]; i < packed.block_ptr[idx(b) + 1]; ++i) {
        const std::int32_t v = packed.node[idx(i)];
        new_index[idx(v)] = kept_nodes++;
        blocks.push_back(kept);
        input.codes.insert(input.codes.end(), {v, 100 + v});
        input.dense.push_back(static_cast<float>(v) + 0.5f);
      }
      ++kept;
    }
    GraphBuilder builder(kept_nodes);
    for (std::int32_t v = 0; v < 16; ++v)
      for (const std::int32_t u : graph.neighbors(v))
        if (new_index[idx(u)] >= 0 && new_index[idx(v)] >= 0)
          builder.add_edge(new_index[idx(u)], new_index[idx(v)]);
    std::vector<std::int32_t> plain(idx(kept_nodes));
    std::iota(plain.begin(), plain.end(), 0);
    const PackedGraph induced = pack_graph(builder.build(), Partition(blocks), plain, input);

    PackedBatch batch;
    BatchWriter writer(batch, 2, 1, self_loops);
    writer.append(packed);
    writer.append_blocks(packed, keep);
    writer.finish();
    expect_equal(batch, batch_of({packed, induced}, self_loops));
  }
}

TEST(BatchWriter, AppendSubstitutedPutsForeignBlocksInPlace) {
  Rng rng(10);
  for (int round = 0; round < 90; ++round) {
    const bool self_loops = round % 2 == 0;
    const PackedGraph graph = random_packed(14, rng, kDensities[round % 4]);
    const PackedGraph other = random_packed(10, rng, kDensities[round / 4 % 4]);
    std::vector<BlockRef> substitutes(idx(graph.num_blocks()));
    for (BlockRef& substitute : substitutes)
      if (rng.uniform() < 0.5)
        substitute = {&other, static_cast<std::int32_t>(rng.below(idx(other.num_blocks())))};

    // The same by hand. Each new node remembers its block and where it came from.
    struct Origin {
      const PackedGraph* source;
      std::int32_t node, block;
    };
    std::vector<Origin> nodes;
    std::vector<std::int32_t> start, blocks;
    NodeInput input;
    for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
      const BlockRef from = substitutes[idx(b)].graph ? substitutes[idx(b)] : BlockRef{&graph, b};
      start.push_back(static_cast<std::int32_t>(nodes.size()));
      for (std::int32_t v = from.graph->block_ptr[idx(from.block)];
           v < from.graph->block_ptr[idx(from.block) + 1]; ++v) {
        nodes.push_back({from.graph, v, b});
        blocks.push_back(b);
        input.codes.push_back(from.graph->codes[idx(v) * 2]);
        input.codes.push_back(from.graph->codes[idx(v) * 2 + 1]);
        input.dense.push_back(from.graph->dense[idx(v)]);
      }
    }
    const auto n = static_cast<std::int32_t>(nodes.size());
    GraphBuilder builder(n);
    for (std::int32_t u = 0; u < n; ++u)
      for (std::int32_t v = 0; v < n; ++v) {
        const Origin &a = nodes[idx(u)], &b = nodes[idx(v)];
        const bool kept = a.block == b.block ||
                          (!substitutes[idx(a.block)].graph && !substitutes[idx(b.block)].graph);
        const auto first = a.source->col.begin();
        if (kept && std::count(first + a.source->row_ptr[idx(a.node)],
                               first + a.source->row_ptr[idx(a.node) + 1], b.node))
          builder.add_edge(u, v);
      }
    start.push_back(n);
    const auto random_node = [&](std::int32_t b) {
      const auto size = static_cast<std::uint64_t>(start[idx(b) + 1] - start[idx(b)]);
      return start[idx(b)] + static_cast<std::int32_t>(rng.below(size));
    };
    std::set<std::pair<std::int32_t, std::int32_t>> joined;
    std::vector<DirectedEdge> joints;
    for (std::int32_t b = 0; b < graph.num_blocks(); ++b)
      for (std::int32_t e = graph.super_row_ptr[idx(b)]; e < graph.super_row_ptr[idx(b) + 1]; ++e) {
        const std::int32_t c = graph.super_col[idx(e)];
        if (!substitutes[idx(b)].graph && !substitutes[idx(c)].graph) continue;
        for (int i = 0; i < 3; ++i) {
          const std::int32_t u = random_node(b), v = random_node(c);
          if (!joined.insert(std::minmax(u, v)).second) continue;
          joints.push_back({u, v});
          builder.add_edge(u, v);
        }
      }
    rng.shuffle(joints);
    std::vector<std::int32_t> plain(idx(n));
    std::iota(plain.begin(), plain.end(), 0);
    const PackedGraph expected = pack_graph(builder.build(), Partition(blocks), plain, input);

    PackedBatch batch;
    BatchWriter writer(batch, 2, 1, self_loops);
    writer.append(other);
    writer.append_substituted(graph, substitutes, joints);
    writer.finish();
    expect_equal(batch, batch_of({other, expected}, self_loops));
  }
}

TEST(BatchWriter, ReusingABatchLeavesNothingOfTheOldOne) {
  Rng rng(11);
  const std::vector<PackedGraph> graphs = {random_packed(20, rng), random_packed(6, rng)};
  PackedBatch batch = batch_of(graphs, true);
  BatchWriter writer(batch, 2, 1, true);
  writer.append(graphs[1]);
  writer.finish();
  expect_equal(batch, batch_of({graphs[1]}, true));
}

}  // namespace
}  // namespace sgood
