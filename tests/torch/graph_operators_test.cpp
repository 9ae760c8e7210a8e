// SPDX-License-Identifier: MIT
// Gathered sums, normalisations, stacked maps, top-k pooling, neighbourhoods and dropout: what the
// models are built from.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "src/torch/batch_norm_relu.h"
#include "src/torch/ego_nets.h"
#include "src/torch/gather_sum.h"
#include "src/torch/graph_net.h"
#include "src/torch/layers.h"
#include "src/torch/pooling.h"
#include "src/torch/row_norms.h"
#include "src/torch/stacked_linear.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

at::Tensor longs(std::vector<std::int64_t> values) { return at::tensor(values, at::kLong); }

std::vector<std::int64_t> numbers(const at::Tensor& tensor) {
  const at::Tensor values = tensor.to(at::kLong).contiguous();
  return {values.data_ptr<std::int64_t>(), values.data_ptr<std::int64_t>() + values.numel()};
}

PackedGraph make_graph(std::int32_t nodes, const std::vector<std::pair<int, int>>& edges) {
  GraphBuilder builder(nodes);
  for (const auto& [u, v] : edges) builder.add_edge(u, v);
  const auto n = static_cast<std::size_t>(nodes);
  std::vector<std::int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  return pack_graph(builder.build(), Partition(std::vector<std::int32_t>(n, 0)), order,
                    {std::vector<std::int32_t>(n, 0), {}});
}

GraphTensors tensors(const std::vector<const PackedGraph*>& graphs) {
  return make_graph_tensors(graphs, GraphModelSpec(), at::TensorOptions().dtype(at::kDouble));
}

TEST(GatherSum, EqualsSelectingAndAddingForValuesAndGradients) {
  const at::Tensor from = longs({2, 0, 0, 3, 2}), to = longs({1, 1, 0, 3, 1});
  for (const bool has_from : {true, false})
    for (const bool has_to : {true, false}) {
      const at::Tensor x = at::arange(10, at::kDouble).view({5, 2}).sin().requires_grad_();
      const at::Tensor y = x.detach().clone().requires_grad_();
      const at::Tensor weight = at::arange(10, at::kDouble).view({5, 2}).cos();
      const at::Tensor sum =
          gather_sum(x, has_from ? from : at::Tensor(), has_to ? to : at::Tensor(), 5);
      const at::Tensor rows = has_from ? y.index_select(0, from) : y;
      const at::Tensor expected =
          has_to ? at::zeros({5, 2}, at::kDouble).index_add(0, to, rows) : rows;
      EXPECT_TRUE(sum.equal(expected));
      (sum.square() * weight).sum().backward();
      (expected.square() * weight).sum().backward();
      EXPECT_TRUE(x.grad().allclose(y.grad()));
    }
}

TEST(GatherSum, ReadsColumnsOfAWiderTensor) {
  const at::Tensor x = at::arange(12, at::kDouble).view({3, 4});
  EXPECT_TRUE(gather_sum(x.narrow(1, 1, 2), longs({2, 2}), longs({0, 0}), 1)
                  .equal(2 * x.narrow(1, 1, 2).narrow(0, 2, 1)));
  EXPECT_TRUE(gather_sum(x.t(), longs({3}), longs({0}), 1).equal(x.t().narrow(0, 3, 1)));
}

/// Values and gradients of `fast` and `plain` at the same leaves.
template <typename Fast, typename Plain>
void expect_parity(const std::vector<at::Tensor>& leaves, Fast fast, Plain plain, double relative) {
  const auto run = [&](auto operation) {
    std::vector<at::Tensor> own;
    for (const at::Tensor& leaf : leaves) own.push_back(leaf.detach().clone().requires_grad_());
    std::vector<at::Tensor> result = {operation(own)};
    const at::Tensor weight =
        at::arange(result[0].numel(), at::kDouble).sin().to(result[0].options());
    (result[0] * weight.view(result[0].sizes())).sum().backward();
    for (const at::Tensor& leaf : own) result.push_back(leaf.grad());
    return result;
  };
  const std::vector<at::Tensor> a = run(fast), b = run(plain);
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].sizes(), b[i].sizes());
    if (a[i].numel() == 0) continue;
    const double scale = 1e-30 + b[i].detach().abs().max().item<double>();
    EXPECT_LE((a[i] - b[i]).abs().max().item<double>(), relative * scale) << "tensor " << i;
  }
}

double tolerance(at::ScalarType type) { return type == at::kDouble ? 1e-12 : 2e-5; }

TEST(UnitRows, EqualTheirDefinitionForValuesAndGradients) {
  at::Generator generator = make_generator(Rng(3));
  for (const at::ScalarType type : {at::kDouble, at::kFloat})
    for (const std::int64_t width : {1, 5, 16, 53}) {
      at::Tensor x = at::empty({2, 4, width}, at::kDouble).normal_(0, 1, generator).to(type);
      x[0][1].zero_();
      x[1][2].mul_(1e18);  // whose square is no float
      x[1][3].mul_(1e-15);
      const auto of_first = [](auto operation) {
        return [=](const std::vector<at::Tensor>& leaves) { return operation(leaves[0]); };
      };
      // A gradient goes as 1 / length, so every row is compared by itself.
      for (std::int64_t i = 0; i < 2; ++i)
        for (std::int64_t j = 0; j < 4; ++j)
          expect_parity({x[i].narrow(0, j, 1)}, of_first(unit_rows), of_first(plain::unit_rows),
                        width == 1 ? 1 : 10 * tolerance(type));
      EXPECT_TRUE(unit_rows(x).allclose(plain::unit_rows(x)));
    }
}

TEST(GraphNormRelu, EqualsItsDefinitionForValuesAndGradients) {
  const PackedGraph square = make_graph(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  const PackedGraph point = make_graph(1, {}), nothing = make_graph(0, {});
  const PackedGraph path = make_graph(7, {{0, 1}, {1, 2}});
  const GraphTensors graphs = tensors({&square, &nothing, &point, &path});
  at::Generator generator = make_generator(Rng(4));
  const auto normal = [&](std::int64_t rows, std::int64_t width, at::ScalarType type) {
    return at::empty({rows, width}, at::kDouble).normal_(0, 1, generator).to(type);
  };
  for (const at::ScalarType type : {at::kDouble, at::kFloat})
    for (const std::int64_t groups : {1, 2, 4})
      for (const std::int64_t width : {3, 32})
        expect_parity(
            {normal(12, width, type), normal(groups, width, type), normal(groups, width, type)},
            [&](const std::vector<at::Tensor>& l) {
              return graph_norm_relu(graphs, l[0], l[1], l[2]);
            },
            [&](const std::vector<at::Tensor>& l) {
              return plain::graph_norm_relu(graphs, l[0], l[1], l[2]);
            },
            tolerance(type));
}

TEST(BatchNormRelu, EqualsItsDefinitionForValuesGradientsAndStatistics) {
  at::Generator generator = make_generator(Rng(6));
  const auto normal = [&](std::vector<std::int64_t> sizes) {
    return at::empty(sizes, at::kFloat).normal_(0, 1, generator);
  };
  for (const std::int64_t width : {16, 48, 5})
    for (const std::int64_t rows : {1, 2, 64, 201}) {
      torch::nn::BatchNorm1d fast(width), slow(width);
      const auto with = [](torch::nn::BatchNorm1d& norm, auto operation) {
        return [&norm, operation](const std::vector<at::Tensor>& l) {
          norm->weight = l[1];
          norm->bias = l[2];
          return operation(norm, l[0]);
        };
      };
      expect_parity({normal({rows, width}) + 3, normal({width}), normal({width})},
                    with(fast, normalise_relu),
                    with(slow, [](torch::nn::BatchNorm1d& norm,
                                  const at::Tensor& x) { return normalise(norm, x).relu(); }),
                    rows == 2 ? 1e-3 : 5e-5);
      EXPECT_TRUE(fast->running_mean.allclose(slow->running_mean));
      EXPECT_TRUE(fast->running_var.allclose(slow->running_var));
    }
}

TEST(StackedLinear, EqualsMultiplyingEachMatrixForValuesAndGradients) {
  at::Generator generator = make_generator(Rng(5));
  const auto normal = [&](std::vector<std::int64_t> sizes) {
    return at::empty(sizes, at::kFloat).normal_(0, 1, generator);
  };
  for (const auto& [in, out] : {std::pair{32, 32}, {144, 16}, {48, 256}, {5, 16}, {16, 3}})
    for (const std::int64_t rows : {0, 1, 64, 201})
      expect_parity(
          {normal({3, rows, in}), normal({3, in, out})},
          [](const std::vector<at::Tensor>& l) { return stacked_linear(l[0], l[1]); },
          [](const std::vector<at::Tensor>& l) { return at::bmm(l[0], l[1]); }, 2e-5);
  torch::nn::Linear layer = linear(32, 16);
  const at::Tensor x = normal({9, 32});
  EXPECT_TRUE(narrow_linear(layer, x).allclose(layer(x), 1e-5, 1e-5));
}

TEST(MaxRows, TakesTheFirstOfEqualsAndZeroForNoRows) {
  const at::Tensor x = at::tensor({-3.0, -1.0, -1.0, 5.0}, at::kDouble).view({4, 1});
  at::Tensor leaf = x.clone().requires_grad_();
  const at::Tensor largest = max_rows(leaf, longs({0, 0, 0, 2}), 4);
  EXPECT_TRUE(largest.equal(at::tensor({-1.0, 0.0, 5.0, 0.0}, at::kDouble).view({4, 1})));
  largest.sum().backward();
  EXPECT_EQ(numbers(leaf.grad()), (std::vector<std::int64_t>{0, 1, 0, 1}));
  EXPECT_TRUE(max_rows(x.narrow(0, 0, 0), longs({}), 2).equal(at::zeros({2, 1}, at::kDouble)));
}

TEST(KeepTopNodes, KeepsTheBestOfEachGraphAndOfEqualsTheFirst) {
  const PackedGraph square = make_graph(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  const PackedGraph point = make_graph(1, {}), nothing = make_graph(0, {});
  const PackedGraph path = make_graph(3, {{0, 1}, {1, 2}});
  const GraphTensors graphs = tensors({&square, &nothing, &point, &path});
  const at::Tensor h = at::arange(8, at::kDouble).unsqueeze(1);
  const at::Tensor score = at::tensor({1.0, 1.0, 0.0, 1.0, -9.0, 2.0, 4.0, 3.0}, at::kDouble);
  const PooledGraphs kept = keep_top_nodes(graphs, h, score, 0.5);
  EXPECT_EQ(numbers(kept.h), (std::vector<std::int64_t>{0, 1, 4, 6, 7}));
  EXPECT_EQ(numbers(kept.graphs.graph), (std::vector<std::int64_t>{0, 0, 2, 3, 3}));
  EXPECT_EQ(numbers(kept.graphs.source), (std::vector<std::int64_t>{1, 0, 4, 3}));
  EXPECT_EQ(numbers(kept.graphs.target), (std::vector<std::int64_t>{0, 1, 3, 4}));
  EXPECT_EQ(numbers(kept.graphs.degree), (std::vector<std::int64_t>{1, 1, 0, 1, 1}));
  EXPECT_EQ(numbers(kept.graphs.size), (std::vector<std::int64_t>{2, 0, 1, 2}));
}

TEST(EgoNets, HoldTheSubGraphAroundEachNodeWithDistances) {
  // 0-1, 1-2, 1-3, 2-4, 3-4: node 4 is reached twice from 0 in its third hop.
  const PackedGraph graph = make_graph(5, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}});
  const PackedGraph point = make_graph(1, {});
  const EgoNets nets = make_ego_nets(tensors({&graph, &point}), 3, 10);
  ASSERT_EQ(nets.num_rows, 26);
  EXPECT_EQ(numbers(nets.node.narrow(0, 0, 10)),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 1, 0, 2, 3, 4}));
  EXPECT_EQ(numbers(nets.hop.narrow(0, 0, 10)),
            (std::vector<std::int64_t>{0, 1, 2, 2, 3, 0, 1, 1, 1, 2}));
  EXPECT_EQ(numbers(nets.again.narrow(0, 0, 10)),
            (std::vector<std::int64_t>{0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(numbers(nets.centre), (std::vector<std::int64_t>{0, 5, 10, 15, 20, 25}));
  EXPECT_EQ(nets.source.size(0), 5 * 10);
  EXPECT_TRUE(nets.root.index_select(0, nets.source).equal(nets.root.index_select(0, nets.target)));
}

TEST(EgoNets, ThinOutCrowdedHopsEvenlyAndNeverTakeALeftOutNodeBack) {
  // Node 0 sees 1 to 4, which all see each other; 5 hangs on 4.
  const PackedGraph graph = make_graph(
      6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}, {4, 5}});
  const EgoNets nets = make_ego_nets(tensors({&graph}), 3, 2);
  EXPECT_EQ(numbers(nets.node.narrow(0, 0, 3)), (std::vector<std::int64_t>{0, 1, 3}));
  EXPECT_EQ(numbers(nets.root.narrow(0, 2, 2)), (std::vector<std::int64_t>{0, 1}));
}

TEST(Dropout, KeepsAShareAndTheMeanAndRepeatsWithTheGenerator) {
  at::Generator generator = make_generator(Rng(1)), same = make_generator(Rng(1));
  const at::Tensor ones = at::ones({100, 100}, at::kDouble);
  const at::Tensor dropped = dropout(ones, 0.25, generator);
  EXPECT_NEAR((dropped > 0).to(at::kDouble).mean().item<double>(), 0.75, 0.02);
  EXPECT_NEAR(dropped.max().item<double>(), 1 / 0.75, 1e-12);
  EXPECT_TRUE(dropped.equal(dropout(ones, 0.25, same)));
  EXPECT_TRUE(dropout(ones, 0, generator).equal(ones));
}

}  // namespace
}  // namespace sgood
