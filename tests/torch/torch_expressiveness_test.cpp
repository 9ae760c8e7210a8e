// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sgood/substructure/modularity.h"
#include "sgood/substructure/partitioner.h"
#include "sgood/torch/torch_engine.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using Cycles = std::vector<std::int32_t>;

/// Disjoint cycles with the constant feature, divided by greedy modularity.
PackedGraph pack_cycles(const Cycles& lengths) {
  std::int32_t num_nodes = 0;
  for (const std::int32_t length : lengths) num_nodes += length;
  GraphBuilder builder(num_nodes);
  std::int32_t first = 0;
  for (const std::int32_t length : lengths) {
    for (std::int32_t v = 0; v < length; ++v) builder.add_edge(first + v, first + (v + 1) % length);
    first += length;
  }
  const Graph graph = builder.build();
  const Substructures parts =
      find_substructures(graph, ModularityPartitioner(), NodeOrder::kCanonical);
  const NodeInput constant = {std::vector<std::int32_t>(static_cast<std::size_t>(num_nodes), 0),
                              {}};
  return pack_graph(graph, parts.partition, parts.order, constant);
}

/// Largest relative difference of two rows.
double difference(const Matrix& matrix) {
  double largest = 0;
  for (std::int64_t c = 0; c < matrix.cols; ++c) {
    const double a = matrix(0, c), b = matrix(1, c);
    largest = std::max(largest, std::abs(a - b) / std::max({std::abs(a), std::abs(b), 1e-3}));
  }
  return largest;
}

struct Differences {
  double flat = 0;
  double two_level = 0;
};

/// How far GINs with random parameters keep two unions of cycles apart, at best over some draws. BN
/// has the pair's own statistics, so that ReLUs bend between its substructures: a network without a
/// kink there is linear in their sizes, and only sees the sum.
Differences compare(const Cycles& first, const Cycles& second) {
  const NetworkShape shape;
  const ParameterLayout layout(shape);
  const PackedBatch batch = testing::pack_all({pack_cycles(first), pack_cycles(second)}, shape);
  const auto engine = make_torch_engine(shape, {TorchPrecision::kDouble, TorchDevice::kCpu});
  std::vector<double> statistics(static_cast<std::size_t>(layout.num_statistics()));
  Rng rng(21);
  Differences best;
  for (int draw = 0; draw < 8; ++draw) {
    const std::vector<float> parameters = testing::random_parameters(layout, rng);
    engine->batch_statistics(batch, parameters, statistics);
    const Encoding encoding = engine->freeze(parameters, statistics)->encode(batch);
    const auto node_sum = encoding.node_sum.row(0);
    EXPECT_GT(*std::max_element(node_sum.begin(), node_sum.end()), 0) << "a dead network";
    best.flat = std::max(best.flat, difference(encoding.node_sum));
    best.two_level = std::max(best.two_level, difference(encoding.super_sum));
  }
  return best;
}

// Paper: Proposition 1 and Lemma 2. 1-WL, hence a flat GIN, cannot tell these pairs apart.
TEST(TorchExpressiveness, SuperGraphsTellTwoRegularGraphsApartAndAFlatGinDoesNot) {
  const std::vector<std::vector<Cycles>> pairs = {
      {{6}, {3, 3}},     {{7}, {3, 4}},    {{8}, {4, 4}},       {{8}, {3, 5}},
      {{9}, {3, 3, 3}},  {{3, 5}, {4, 4}}, {{10}, {4, 6}},      {{10}, {5, 5}},
      {{12}, {5, 7}},    {{12}, {6, 6}},   {{3, 9}, {6, 6}},    {{4, 8}, {5, 7}},
      {{12}, {4, 4, 4}}, {{20}, {10, 10}}, {{5, 15}, {10, 10}}, {{30}, {10, 20}},
  };
  for (const auto& pair : pairs) {
    const Differences found = compare(pair[0], pair[1]);
    EXPECT_LT(found.flat, 1e-12) << ::testing::PrintToString(pair);
    EXPECT_GT(found.two_level, 1e-4) << ::testing::PrintToString(pair);
  }
}

// Deviation: Lemma 2 takes each cycle of a union for one substructure. Modularity cuts long cycles,
// here both graphs into six paths of four whose super graphs are again 2-regular.
TEST(TorchExpressiveness, LongCyclesCutAlikeStayIndistinguishable) {
  EXPECT_EQ(pack_cycles({24}).block_ptr, pack_cycles({12, 12}).block_ptr);
  const Differences found = compare({24}, {12, 12});
  EXPECT_LT(found.flat, 1e-12);
  EXPECT_LT(found.two_level, 1e-12);
}

}  // namespace
}  // namespace sgood
