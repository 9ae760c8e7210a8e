// SPDX-License-Identifier: MIT
#include "sgood/substructure/graclus.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sgood/core/error.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// A neighbour and the number of edges to it.
struct Link {
  std::int32_t to;
  std::int64_t edges;
};

/// The graph of the blocks, numbered by their first nodes.
struct BlockGraph {
  std::vector<std::vector<Link>> links;  ///< Of each block, ascending.
  std::vector<std::int64_t> degree;      ///< Of each block: the sum over its nodes.

  std::int32_t num_blocks() const { return static_cast<std::int32_t>(links.size()); }
};

BlockGraph single_nodes(const Graph& graph) {
  BlockGraph blocks;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    auto& links = blocks.links.emplace_back();
    for (const std::int32_t u : graph.neighbors(v)) links.push_back({u, 1});
    blocks.degree.push_back(graph.degree(v));
  }
  return blocks;
}

/// The partner of each block; itself for one that stays alone.
std::vector<std::int32_t> match(const BlockGraph& blocks) {
  std::vector<std::int32_t> partner(idx(blocks.num_blocks()), -1);
  for (std::int32_t u = 0; u < blocks.num_blocks(); ++u) {
    if (partner[idx(u)] >= 0) continue;
    std::int32_t best = u;
    double best_weight = 0;
    for (const Link& link : blocks.links[idx(u)]) {
      if (partner[idx(link.to)] >= 0) continue;
      // w (1/d_u + 1/d_v) times d_u, with one rounding: equal weights are equal doubles.
      const std::int64_t other = blocks.degree[idx(link.to)];
      const double weight = static_cast<double>(link.edges * (blocks.degree[idx(u)] + other)) /
                            static_cast<double>(other);
      if (weight <= best_weight) continue;
      best = link.to;
      best_weight = weight;
    }
    partner[idx(u)] = best;
    partner[idx(best)] = u;
  }
  return partner;
}

/// The number that each block gets when partners become one.
std::vector<std::int32_t> merged_numbers(const std::vector<std::int32_t>& partner) {
  std::vector<std::int32_t> number(partner.size());
  std::int32_t next = 0;
  for (std::size_t u = 0; u < partner.size(); ++u)
    number[u] = idx(partner[u]) < u ? number[idx(partner[u])] : next++;
  return number;
}

BlockGraph merged(const BlockGraph& blocks, const std::vector<std::int32_t>& number) {
  BlockGraph result;
  for (std::int32_t u = 0; u < blocks.num_blocks(); ++u) {
    const std::int32_t block = number[idx(u)];
    if (block == result.num_blocks()) {
      result.links.emplace_back();
      result.degree.push_back(0);
    }
    result.degree[idx(block)] += blocks.degree[idx(u)];
    for (const Link& link : blocks.links[idx(u)])
      if (number[idx(link.to)] != block)
        result.links[idx(block)].push_back({number[idx(link.to)], link.edges});
  }
  for (auto& links : result.links) {
    std::ranges::sort(links, {}, &Link::to);
    std::size_t kept = 0;
    for (const Link& link : links) {
      if (kept > 0 && links[kept - 1].to == link.to)
        links[kept - 1].edges += link.edges;
      else
        links[kept++] = link;
    }
    links.resize(kept);
  }
  return result;
}

}  // namespace

GraclusPartitioner::GraclusPartitioner(int levels) : levels_(levels) {
  SGOOD_CHECK(levels >= 1 && levels <= 30, "levels is {} but must be in [1, 30]", levels);
}

Partition GraclusPartitioner::partition(const Graph& graph) const {
  BlockGraph blocks = single_nodes(graph);
  std::vector<std::int32_t> block_of(idx(graph.num_nodes()));
  std::iota(block_of.begin(), block_of.end(), 0);
  for (int level = 0; level < levels_; ++level) {
    const std::vector<std::int32_t> number = merged_numbers(match(blocks));
    BlockGraph next = merged(blocks, number);
    if (next.num_blocks() == blocks.num_blocks()) break;
    for (std::int32_t& block : block_of) block = number[idx(block)];
    blocks = std::move(next);
  }
  return Partition(std::move(block_of));
}

}  // namespace sgood
