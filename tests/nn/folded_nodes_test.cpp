// SPDX-License-Identifier: MIT
#include "src/nn/folded_nodes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "src/nn/cpu_engine_step.h"
#include "tests/nn/random_batch.h"

namespace sgood::cpu {
namespace {

using sgood::testing::batch_of;
using sgood::testing::noisy_parameters;
using sgood::testing::random_graphs;
using sgood::testing::view_of;

constexpr std::int32_t kLayers = 3;

/// Few codes, so that many nodes look alike.
NetworkShape plain_shape(bool super_graph = true, std::int32_t width = 16) {
  NetworkShape shape;
  shape.super_graph = super_graph;
  shape.width = width;
  shape.vocabulary = 2;
  shape.code_columns = 1;
  shape.num_classes = 6;
  shape.node_layers = kLayers;
  return shape;
}

/// Graphs, and a view of them whose lists have holes.
struct Batches {
  PackedBatch original, view0, view1;
  std::vector<std::int32_t> labels;

  explicit Batches(const NetworkShape& shape, std::uint64_t seed = 5) {
    Rng rng(seed);
    const auto graphs = random_graphs(rng, shape, 60, 20, true);
    original = batch_of(graphs, shape);
    view0 = view_of(rng, graphs, shape);
    view1 = view_of(rng, graphs, shape);
    for (const PackedGraph& graph : graphs) labels.push_back(*graph.label);
  }
  TrainingStep step() const { return {&original, labels, &view0, &view1, 0.5, 0.2}; }
};

/// Colours by definition: equal where the node's own and the multiset of its neighbours' are.
std::vector<int> refined(const PackedBatch& batch, const std::vector<int>& colours) {
  std::map<std::pair<int, std::vector<int>>, int> numbers;
  std::vector<int> result;
  for (std::int32_t v = 0; v < batch.num_nodes; ++v) {
    std::vector<int> around;
    for (const std::int32_t u : batch.neighbors(v))
      around.push_back(colours[static_cast<std::size_t>(u)]);
    std::sort(around.begin(), around.end());
    const std::pair key(colours[static_cast<std::size_t>(v)], around);
    result.push_back(numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second);
  }
  return result;
}

TEST(FoldedNodes, AreThoseThatRefinementCannotTellApart) {
  const Batches batches(plain_shape());
  FoldedNodes<float> folded;
  for (const PackedBatch* batch : {&batches.original, &batches.view0, &batches.view1}) {
    ASSERT_FALSE(batch->complete.empty());
    ASSERT_TRUE(folded.fold(*batch, 2, kLayers));
    std::vector<int> colours(batch->codes.begin(), batch->codes.end());
    const FoldedRows<float>* below = &folded.inputs();
    for (std::size_t l = 0; l < kLayers; ++l) {
      colours = refined(*batch, colours);
      const FoldedRows<float>& rows = folded.outputs(l);
      std::map<int, std::int32_t> row_of_colour;
      std::vector<float> copies(static_cast<std::size_t>(rows.count));
      for (std::int32_t v = 0; v < batch->num_nodes; ++v) {
        const std::int32_t row = rows.rows_of_nodes()[v];
        const auto r = static_cast<std::size_t>(row);
        EXPECT_EQ(
            row_of_colour.try_emplace(colours[static_cast<std::size_t>(v)], row).first->second,
            row);
        EXPECT_EQ(rows.parent[r], below->rows_of_nodes()[v]);
        ++copies[r];
        std::vector<std::int32_t> wanted, listed;
        for (const std::int32_t u : batch->neighbors(v))
          wanted.push_back(below->rows_of_nodes()[u]);
        for (std::int32_t e = rows.neighbors.row_ptr[r]; e < rows.neighbors.row_ptr[r + 1]; ++e)
          if (rows.neighbors.col[static_cast<std::size_t>(e)] != kNoNeighbor)
            listed.push_back(rows.neighbors.col[static_cast<std::size_t>(e)]);
        std::sort(wanted.begin(), wanted.end());
        std::sort(listed.begin(), listed.end());
        EXPECT_EQ(listed, wanted);
        EXPECT_EQ(rows.neighbors.row_ptr[r] % 4, 0);
      }
      EXPECT_EQ(row_of_colour.size(), static_cast<std::size_t>(rows.count));
      EXPECT_TRUE(std::equal(copies.begin(), copies.end(), rows.copies.begin()));
      below = &rows;
    }
  }
}

TEST(FoldedNodes, StayApartWhereFoldingWouldNotPay) {
  NetworkShape shape = plain_shape();
  shape.vocabulary = 1000;
  FoldedNodes<float> folded;
  EXPECT_FALSE(folded.fold(Batches(shape).original, shape.vocabulary, kLayers));
}

template <typename T>
std::pair<StepLoss, std::vector<double>> run(const NetworkShape& shape, const Batches& batches,
                                             const KernelTable<T>& kernels, Folding folding) {
  const std::vector<float> start = noisy_parameters(ParameterLayout(shape), 7);
  const std::vector<T> parameters(start.begin(), start.end());
  std::vector<T> gradient(parameters.size());
  const StepLoss loss = StepRunner<T>(shape, kernels, folding)
                            .loss_and_gradient(batches.step(), parameters, gradient);
  return {loss, {gradient.begin(), gradient.end()}};
}

/// Compares tensor by tensor, with the largest entry of each.
void expect_equal(const NetworkShape& shape, const std::pair<StepLoss, std::vector<double>>& a,
                  const std::pair<StepLoss, std::vector<double>>& b, double tolerance) {
  EXPECT_NEAR(a.first.cross_entropy, b.first.cross_entropy, tolerance);
  EXPECT_NEAR(a.first.contrastive, b.first.contrastive, tolerance);
  const ParameterLayout layout(shape);
  for (const Slot& slot : layout.slots()) {
    double largest = 0, worst = 0;
    for (auto i = static_cast<std::size_t>(slot.offset);
         i < static_cast<std::size_t>(slot.offset + slot.size()); ++i) {
      largest = std::max(largest, std::abs(a.second[i]));
      worst = std::max(worst, std::abs(a.second[i] - b.second[i]));
    }
    EXPECT_LE(worst, tolerance * largest + 1e-13) << slot.name;
  }
}

TEST(FoldedNodes, GiveTheSameLossAndGradientAsEveryNodeByItself) {
  for (const bool super_graph : {true, false})
    for (const std::int32_t layers : {1, 2, 3, 5}) {
      SCOPED_TRACE(fmt::format("super={} layers={}", super_graph, layers));
      NetworkShape shape = plain_shape(super_graph, 4);
      shape.node_layers = layers;
      const Batches batches(shape);
      const auto& kernels = kernels::plain_kernels<double>();
      expect_equal(shape, run(shape, batches, kernels, Folding::kNone),
                   run(shape, batches, kernels, Folding::kEqualNodes), 1e-9);
    }
}

TEST(FoldedNodes, AreUsedByGinAlone) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    NetworkShape shape = plain_shape();
    shape.backbone = backbone;
    const Batches batches(shape);
    const auto& kernels = kernels::vector_kernels();
    const auto apart = run(shape, batches, kernels, Folding::kNone).second;
    const auto folded = run(shape, batches, kernels, Folding::kEqualNodes).second;
    // Rows that are added up in another order are rounded otherwise.
    EXPECT_EQ(apart != folded, backbone == Backbone::kGin) << backbone_name(backbone);
  }
}

TEST(FoldedNodes, TakeCodesOfSeveralColumnsFromATable) {
  NetworkShape shape = plain_shape();
  shape.vocabulary = 4;
  shape.code_columns = 2;
  Batches batches(shape);
  const auto& kernels = kernels::plain_kernels<double>();
  const auto wanted = run(shape, batches, kernels, Folding::kNone);
  const CodeTable table{2, {0, 2, 0, 3, 1, 2, 1, 3}};
  for (PackedBatch* batch : {&batches.original, &batches.view0, &batches.view1}) {
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < batch->codes.size(); i += 2)
      rows.push_back(2 * batch->codes[i] + batch->codes[i + 1] - 2);
    batch->codes = rows;
    batch->code_columns = 1;
    batch->code_table = &table;
  }
  FoldedNodes<double> folded;
  ASSERT_TRUE(folded.fold(batches.original, table.num_rows(), kLayers));
  expect_equal(shape, wanted, run(shape, batches, kernels, Folding::kEqualNodes), 1e-9);
}

TEST(FoldedNodes, AgreeWithDoubleLoopsOnEveryMachine) {
  for (const auto* table : kernels::supported_vector_kernels())
    for (const bool super_graph : {true, false})
      for (const std::int32_t width : {16, 32}) {
        SCOPED_TRACE(fmt::format("{} super={} width={}", table->name, super_graph, width));
        const NetworkShape shape = plain_shape(super_graph, width);
        const Batches batches(shape);
        expect_equal(shape, run(shape, batches, kernels::plain_kernels<double>(), Folding::kNone),
                     run(shape, batches, *table, Folding::kEqualNodes), 1e-3);
      }
}

TEST(FoldedNodes, GiveEqualBitsOnMachinesWithFusedProducts) {
  const NetworkShape shape = plain_shape();
  const Batches batches(shape);
  std::vector<std::vector<double>> gradients;
  for (const auto* table : kernels::supported_vector_kernels())
    if (std::string_view(table->name) != "baseline")
      gradients.push_back(run(shape, batches, *table, Folding::kEqualNodes).second);
  for (const auto& gradient : gradients) EXPECT_EQ(gradient, gradients.front());
}

}  // namespace
}  // namespace sgood::cpu
