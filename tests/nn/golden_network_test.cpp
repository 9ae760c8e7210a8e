// SPDX-License-Identifier: MIT
// Compares with PyTorch on dense matrices: tests/golden/network.py.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sgood/graph/batch_writer.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/nn/reference_engine.h"

namespace sgood {
namespace {

using nlohmann::json;

PackedGraph packed(const json& graph) {
  const auto blocks = graph["blocks"].get<std::vector<std::int32_t>>();
  GraphBuilder builder(static_cast<std::int32_t>(blocks.size()));
  for (const json& edge : graph["edges"]) builder.add_edge(edge[0], edge[1]);
  std::vector<std::int32_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  NodeInput input{graph["codes"].get<std::vector<std::int32_t>>(),
                  graph["dense"].get<std::vector<float>>()};
  return pack_graph(builder.build(), Partition(blocks), order, input);
}

PackedBatch batch(const json& graphs, bool self_loops) {
  std::vector<PackedGraph> all;
  for (const json& graph : graphs) all.push_back(packed(graph));
  std::vector<std::int32_t> positions(all.size());
  std::iota(positions.begin(), positions.end(), 0);
  return pack_batch(all, positions, 1, 1, self_loops);
}

TEST(GoldenNetwork, LossesAndGradientsEqualThoseOfDensePyTorch) {
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/network.json");
  const json golden = json::parse(file);
  ASSERT_EQ(golden["cases"].size(), 9);
  for (const json& expected : golden["cases"]) {
    SCOPED_TRACE(expected["backbone"].get<std::string>() +
                 (expected["two_level"] ? " two-level" : " flat"));
    NetworkShape shape;
    shape.backbone = parse_backbone(expected["backbone"].get<std::string>());
    shape.super_graph = expected["two_level"];
    shape.width = golden["width"];
    shape.node_layers = golden["node_layers"];
    shape.super_layers = golden["super_layers"];
    shape.num_classes = golden["classes"];
    shape.vocabulary = golden["vocabulary"];
    shape.num_dense = golden["dense"];
    const ParameterLayout layout(shape);
    ASSERT_EQ(expected["parameters"].size(), layout.slots().size());

    std::vector<double> parameters(static_cast<std::size_t>(layout.num_parameters()));
    for (const Slot& slot : layout.slots()) {
      const auto values = expected["parameters"][slot.name].get<std::vector<double>>();
      ASSERT_EQ(static_cast<std::int64_t>(values.size()), slot.size()) << slot.name;
      std::copy(values.begin(), values.end(), parameters.begin() + slot.offset);
    }
    const bool loops = expected["self_loops"];
    const json& data = golden["data"];
    const PackedBatch original = batch(data["original"], loops);
    const PackedBatch view0 = batch(data["view0"], loops), view1 = batch(data["view1"], loops);
    const auto labels = data["labels"].get<std::vector<std::int32_t>>();
    std::vector<double> gradient(parameters.size());
    const StepLoss loss = reference_loss_and_gradient(
        shape, {&original, labels, &view0, &view1, golden["alpha"], golden["tau"]}, parameters,
        gradient);

    // The library reads dense features in float.
    EXPECT_NEAR(loss.cross_entropy, expected["cross_entropy"].get<double>(), 1e-6);
    EXPECT_NEAR(loss.contrastive, expected["contrastive"].get<double>(), 1e-6);
    for (const Slot& slot : layout.slots()) {
      const auto values = expected["gradient"][slot.name].get<std::vector<double>>();
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(gradient[static_cast<std::size_t>(slot.offset) + i], values[i],
                    1e-5 * (1 + std::abs(values[i])))
            << slot.name << " at " << i;
    }
  }
}

}  // namespace
}  // namespace sgood
