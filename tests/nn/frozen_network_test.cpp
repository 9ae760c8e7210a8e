// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sgood/core/threads.h"
#include "sgood/nn/cpu_engine.h"
#include "sgood/nn/reference_engine.h"
#include "src/nn/cpu_engine_step.h"
#include "tests/nn/random_batch.h"

namespace sgood {
namespace {

NetworkShape shape_of(Backbone backbone, bool super_graph) {
  NetworkShape shape;
  shape.backbone = backbone;
  shape.super_graph = super_graph;
  shape.vocabulary = 9;
  shape.code_columns = 2;
  shape.num_dense = 3;
  shape.num_classes = 4;
  return shape;
}

struct Fixture {
  NetworkShape shape;
  std::vector<PackedGraph> graphs;
  std::vector<float> parameters;
  std::vector<double> statistics;
  std::unique_ptr<Engine> engine;

  explicit Fixture(const NetworkShape& network) : shape(network), engine(make_cpu_engine(network)) {
    const ParameterLayout layout(shape);
    parameters = testing::noisy_parameters(layout, 3);
    Rng rng(4);
    graphs = testing::random_graphs(rng, shape, 128, 15, true);
    statistics.resize(static_cast<std::size_t>(layout.num_statistics()));
    engine->batch_statistics(testing::batch_of(graphs, shape), parameters, statistics);
  }

  Encoding encode(const FrozenNetwork& network, std::size_t first, std::size_t last) const {
    const std::vector<PackedGraph> some(graphs.begin() + static_cast<std::ptrdiff_t>(first),
                                        graphs.begin() + static_cast<std::ptrdiff_t>(last));
    return network.encode(testing::batch_of(some, shape));
  }
};

void expect_rows(const Matrix& part, const Matrix& whole, std::int64_t first) {
  ASSERT_EQ(part.cols, whole.cols);
  for (std::int64_t r = 0; r < part.rows; ++r)
    for (std::int64_t c = 0; c < part.cols; ++c) ASSERT_EQ(part(r, c), whole(first + r, c));
}

TEST(FrozenNetwork, GivesAGraphTheSameBitsInAnyBatch) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage})
    for (const bool super_graph : {true, false}) {
      const Fixture f(shape_of(backbone, super_graph));
      const auto network = f.engine->freeze(f.parameters, f.statistics);
      const Encoding whole = f.encode(*network, 0, f.graphs.size());
      for (const std::size_t size : {1, 7}) {
        for (std::size_t first = 0; first < f.graphs.size(); first += size) {
          const Encoding part = f.encode(*network, first, std::min(first + size, f.graphs.size()));
          expect_rows(part.node_sum, whole.node_sum, static_cast<std::int64_t>(first));
          expect_rows(part.super_sum, whole.super_sum, static_cast<std::int64_t>(first));
          expect_rows(part.logits, whole.logits, static_cast<std::int64_t>(first));
        }
      }
    }
}

TEST(FrozenNetwork, WithTheBatchsOwnStatisticsGivesTheTrainingLoss) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    const Fixture f(shape_of(backbone, true));
    const PackedBatch batch = testing::batch_of(f.graphs, f.shape);
    std::vector<std::int32_t> labels;
    for (const PackedGraph& graph : f.graphs) labels.push_back(*graph.label);
    std::vector<float> gradient(f.parameters.size());
    const StepLoss loss = f.engine->loss_and_gradient({&batch, labels, nullptr, nullptr, 1, 0.2},
                                                      f.parameters, gradient);
    const Encoding encoding = f.engine->freeze(f.parameters, f.statistics)->encode(batch);
    double mean = 0;
    for (std::int64_t g = 0; g < encoding.logits.rows; ++g) {
      double total = 0;
      for (const double logit : encoding.logits.row(g)) total += std::exp(logit);
      mean += std::log(total) - encoding.logits(g, labels[static_cast<std::size_t>(g)]);
    }
    EXPECT_NEAR(mean / static_cast<double>(labels.size()), loss.cross_entropy,
                1e-4 * loss.cross_entropy);
  }
}

TEST(FrozenNetwork, AgreesWithPlainLoops) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    const Fixture f(shape_of(backbone, true));
    const PackedBatch batch = testing::batch_of(f.graphs, f.shape);
    const Encoding plain =
        make_reference_engine(f.shape)->freeze(f.parameters, f.statistics)->encode(batch);
    const Encoding fast = f.engine->freeze(f.parameters, f.statistics)->encode(batch);
    const double scale =
        *std::max_element(plain.super_sum.values.begin(), plain.super_sum.values.end());
    for (std::size_t i = 0; i < plain.super_sum.values.size(); ++i)
      ASSERT_NEAR(plain.super_sum.values[i], fast.super_sum.values[i], 1e-5 * scale);
  }
}

TEST(FrozenNetwork, MachinesWithFusedProductsGiveEqualBits) {
  const Fixture f(shape_of(Backbone::kGin, true));
  std::vector<Encoding> encodings;
  for (const auto* table : kernels::supported_vector_kernels())
    if (std::string_view(table->name) != "baseline")
      encodings.push_back(f.encode(*cpu::make_engine_with(f.shape, *table, cpu::Folding::kNone)
                                        ->freeze(f.parameters, f.statistics),
                                   0, 128));
  for (const Encoding& encoding : encodings) {
    EXPECT_EQ(encoding.node_sum.values, encodings.front().node_sum.values);
    EXPECT_EQ(encoding.super_sum.values, encodings.front().super_sum.values);
  }
}

TEST(FrozenNetwork, ServesSeveralThreadsAndOutlivesItsEngine) {
  Fixture f(shape_of(Backbone::kGin, true));
  const auto network = f.engine->freeze(f.parameters, f.statistics);
  f.engine.reset();
  const Encoding whole = f.encode(*network, 0, f.graphs.size());
  std::vector<Encoding> parts(f.graphs.size());
  parallel_for(static_cast<std::int64_t>(parts.size()), 4, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    parts[at] = f.encode(*network, at, at + 1);
  });
  for (std::size_t i = 0; i < parts.size(); ++i)
    expect_rows(parts[i].super_sum, whole.super_sum, static_cast<std::int64_t>(i));
}

TEST(FrozenNetwork, AFlatNetworkHasNoSuperGraphRepresentation) {
  const Fixture f(shape_of(Backbone::kGin, false));
  const Encoding encoding =
      f.engine->freeze(f.parameters, f.statistics)->encode(testing::batch_of(f.graphs, f.shape));
  EXPECT_EQ(encoding.super_sum.cols, 0);
  EXPECT_EQ(encoding.node_sum.cols, 48);
  EXPECT_EQ(encoding.logits.cols, 4);
}

TEST(FrozenNetwork, AnEmptyBatchGivesNoRows) {
  const Fixture f(shape_of(Backbone::kGin, true));
  const Encoding encoding =
      f.engine->freeze(f.parameters, f.statistics)->encode(testing::batch_of({}, f.shape));
  EXPECT_EQ(encoding.node_sum.rows, 0);
  EXPECT_EQ(encoding.logits.cols, 4);
}

}  // namespace
}  // namespace sgood
