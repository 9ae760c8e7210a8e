// SPDX-License-Identifier: MIT
#include "sgood/suites/motif.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "sgood/core/error.h"
#include "sgood/metrics/ood_metrics.h"

namespace sgood {
namespace {

double auroc_of(const MotifData& data, const std::function<double(const Graph&)>& score) {
  std::vector<double> id, ood;
  for (const Graph& graph : data.id.graphs) id.push_back(score(graph));
  for (const Graph& graph : data.ood.graphs) ood.push_back(score(graph));
  return 100 * ood_metrics(id, ood).auroc;
}

std::vector<std::int32_t> degrees(const Graph& graph) {
  std::vector<std::int32_t> result;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) result.push_back(graph.degree(v));
  std::sort(result.begin(), result.end());
  return result;
}

/// Simple cycles of `length` nodes.
std::int32_t count_cycles(const Graph& graph, std::size_t length) {
  std::int32_t walks = 0;
  std::vector<std::int32_t> path;
  const std::function<void(std::int32_t)> extend = [&](std::int32_t v) {
    path.push_back(v);
    for (const std::int32_t u : graph.neighbors(v)) {
      if (path.size() == length && u == path.front()) ++walks;
      if (path.size() < length && u > path.front() &&
          std::find(path.begin(), path.end(), u) == path.end())
        extend(u);
    }
    path.pop_back();
  };
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) extend(v);
  return walks / 2;  // each cycle was walked in both directions
}

struct Pieces {
  std::int32_t total, two_squares, triangle_pentagon, two_triangles, square_pentagon;
};

/// How often each piece occurs, from the numbers of short cycles: edges between pieces close none.
Pieces count_pieces(const Graph& graph) {
  const std::int32_t total = graph.num_nodes() / 6;
  const std::int32_t triangles = count_cycles(graph, 3);  // b + 2 c
  const std::int32_t squares = count_cycles(graph, 4);    // 2 a + d
  const std::int32_t pentagons = count_cycles(graph, 5);  // b + 2 d
  const std::int32_t c = (2 * squares + pentagons + 3 * triangles - 4 * total) / 2;
  const std::int32_t d = (pentagons - triangles) / 2 + c;
  return {total, (squares - d) / 2, triangles - 2 * c, c, d};
}

bool connected(const Graph& graph) {
  std::set<std::int32_t> seen = {0};
  std::vector<std::int32_t> queue = {0};
  while (!queue.empty()) {
    const std::int32_t v = queue.back();
    queue.pop_back();
    for (const std::int32_t u : graph.neighbors(v))
      if (seen.insert(u).second) queue.push_back(u);
  }
  return static_cast<std::int32_t>(seen.size()) == graph.num_nodes();
}

TEST(Motif, SizeDensityAndDegreesDoNotTellOodFromId) {
  const MotifData data = make_motif_data({});
  ASSERT_EQ(data.id.graphs.size(), 1000u);
  ASSERT_EQ(data.ood.graphs.size(), 300u);
  const auto nodes = [](const Graph& g) { return static_cast<double>(g.num_nodes()); };
  const auto edges = [](const Graph& g) { return static_cast<double>(g.num_edges()); };
  const auto density = [&](const Graph& g) { return edges(g) / (nodes(g) * (nodes(g) - 1)); };
  const auto max_degree = [](const Graph& g) { return static_cast<double>(degrees(g).back()); };
  const auto mean_degree = [&](const Graph& g) { return edges(g) / nodes(g); };
  for (const std::function<double(const Graph&)>& score :
       {std::function<double(const Graph&)>(nodes), std::function<double(const Graph&)>(edges),
        std::function<double(const Graph&)>(density),
        std::function<double(const Graph&)>(max_degree),
        std::function<double(const Graph&)>(mean_degree)})
    EXPECT_NEAR(auroc_of(data, score), 50, 1);
}

TEST(Motif, GraphsOfEquallyManyPiecesHaveTheSameDegrees) {
  const MotifData data = make_motif_data({});
  std::map<std::int32_t, std::vector<std::int32_t>> expected;
  for (const GraphSet* set : {&data.id, &data.ood})
    for (const Graph& graph : set->graphs) {
      EXPECT_TRUE(connected(graph));
      EXPECT_EQ(graph.num_nodes() % 6, 0);
      EXPECT_EQ(graph.num_edges(), graph.num_nodes() / 6 * 8 - 1);
      const auto [entry, fresh] = expected.try_emplace(graph.num_nodes(), degrees(graph));
      EXPECT_EQ(degrees(graph), entry->second);
    }
  EXPECT_EQ(expected.size(), 6u);
  EXPECT_EQ(expected.begin()->first, 18);
  EXPECT_EQ(expected.rbegin()->first, 48);
}

TEST(Motif, ClassesAreBalancedAndNamedAfterTheMajorityOfThePieces) {
  const MotifData data = make_motif_data({});
  EXPECT_TRUE(data.id.labelled());
  EXPECT_EQ(data.id.class_names.size(), 2u);
  std::map<std::pair<std::int32_t, std::int32_t>, int> counts;
  for (const Graph& graph : data.id.graphs) {
    const Pieces pieces = count_pieces(graph);
    EXPECT_EQ(pieces.two_squares + pieces.triangle_pentagon, pieces.total);
    EXPECT_EQ(pieces.two_triangles + pieces.square_pentagon, 0);
    EXPECT_EQ(*graph.label(), pieces.triangle_pentagon > pieces.two_squares ? 1 : 0);
    EXPECT_NE(pieces.triangle_pentagon, pieces.two_squares);
    ++counts[{*graph.label(), pieces.total}];
  }
  EXPECT_EQ(counts.size(), 12u);
  for (const auto& [key, count] : counts) EXPECT_NEAR(count, 1000.0 / 12, 1);
}

TEST(Motif, AtLeastHalfOfThePiecesOfAnOodGraphAreNew) {
  const MotifData data = make_motif_data({});
  Pieces sum = {};
  for (const Graph& graph : data.ood.graphs) {
    EXPECT_FALSE(graph.label().has_value());
    const Pieces pieces = count_pieces(graph);
    EXPECT_GE(2 * (pieces.two_triangles + pieces.square_pentagon), pieces.total);
    EXPECT_EQ(pieces.two_squares + pieces.triangle_pentagon + pieces.two_triangles +
                  pieces.square_pentagon,
              pieces.total);
    for (auto member : {&Pieces::total, &Pieces::two_squares, &Pieces::triangle_pentagon,
                        &Pieces::two_triangles, &Pieces::square_pentagon})
      sum.*member += pieces.*member;
  }
  EXPECT_NEAR(sum.two_triangles, sum.square_pentagon, 0.1 * sum.total);
  EXPECT_NEAR(sum.two_squares, sum.triangle_pentagon, 0.1 * sum.total);
  EXPECT_GT(sum.two_squares + sum.triangle_pentagon, 0.1 * sum.total);
}

TEST(Motif, NewNodesAreThoseOfNewPieces) {
  const MotifData data = make_motif_data({.num_id = 2, .num_ood = 60});
  ASSERT_EQ(data.new_nodes.size(), 60u);
  for (std::size_t g = 0; g < 60; ++g) {
    const Graph& graph = data.ood.graphs[g];
    const std::vector<std::int32_t>& fresh = data.new_nodes[g];
    EXPECT_TRUE(std::ranges::is_sorted(fresh));
    const Pieces pieces = count_pieces(graph);
    EXPECT_EQ(std::ssize(fresh), 6 * (pieces.two_triangles + pieces.square_pentagon));
    // Pieces have seven edges each; the edges of the tree are the others.
    std::int32_t inside = 0, across = 0;
    for (const std::int32_t v : fresh)
      for (const std::int32_t u : graph.neighbors(v))
        (std::ranges::binary_search(fresh, u) ? inside : across) += 1;
    EXPECT_GE(inside / 2, std::ssize(fresh) / 6 * 7);
    EXPECT_LT(inside / 2 + across, std::ssize(fresh) / 6 * 7 + graph.num_nodes() / 6);
  }
}

TEST(Motif, TheSeedDecidesEverythingAndSetsDoNotDependOnEachOther) {
  const auto same = [](const GraphSet& a, const GraphSet& b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (!std::ranges::equal(a.graphs[i].col(), b.graphs[i].col())) return false;
    return true;
  };
  const MotifData data = make_motif_data({60, 30, 5});
  const MotifData again = make_motif_data({60, 20, 5});
  const MotifData other = make_motif_data({60, 30, 6});
  EXPECT_TRUE(same(data.id, again.id, 60));
  EXPECT_TRUE(same(data.ood, again.ood, 20));
  EXPECT_FALSE(same(data.id, other.id, 60));
  EXPECT_FALSE(same(data.ood, other.ood, 30));
  EXPECT_EQ(data.id.graphs[7].id(), "id-7");
  EXPECT_EQ(data.ood.graphs[7].row(), 7);
}

TEST(Motif, NumbersBelowOneAreRefused) {
  EXPECT_THROW(make_motif_data({0, 10, 0}), InvalidArgument);
  EXPECT_THROW(make_motif_data({10, -1, 0}), InvalidArgument);
}

}  // namespace
}  // namespace sgood
