// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sgood/core/error.h"
#include "sgood/nn/network.h"

namespace sgood {
namespace {

TEST(ParameterLayout, SlotsFollowEachOtherWithoutGapsAndHaveUniqueNames) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage})
    for (const bool super_graph : {true, false}) {
      NetworkShape shape;
      shape.backbone = backbone;
      shape.super_graph = super_graph;
      shape.vocabulary = 7;
      shape.num_dense = 2;
      const ParameterLayout layout(shape);
      std::int64_t next = 0;
      std::set<std::string> names;
      for (const Slot& slot : layout.slots()) {
        EXPECT_EQ(slot.offset, next) << slot.name;
        next += slot.size();
        EXPECT_TRUE(names.insert(slot.name).second) << slot.name;
      }
      EXPECT_EQ(next, layout.num_parameters());
      EXPECT_EQ(names.contains("pool.rho.weight"), super_graph);
    }
}

TEST(ParameterLayout, CountsTheDefaultNetworkByHand) {
  NetworkShape shape;
  shape.vocabulary = 4;
  shape.num_classes = 6;
  const std::int64_t node = (4 * 16 + 16 * 16 + 4 * 16) + 2 * (2 * 16 * 16 + 4 * 16);
  const std::int64_t pool = 48 * 16 + 16 + 16 * 16 + 16;
  const std::int64_t super = 2 * (2 * 16 * 16 + 4 * 16);
  const std::int64_t heads = 48 * 6 + 6 + 2 * (48 * 48 + 48);
  EXPECT_EQ(ParameterLayout(shape).num_parameters(), node + pool + super + heads);
  EXPECT_EQ(ParameterLayout(shape).num_statistics(), 5 * 4 * 16);
}

TEST(ParameterLayout, InitialParametersAreBoundedRepeatableAndNormalisedByInputs) {
  NetworkShape shape;
  shape.vocabulary = 100;
  const ParameterLayout layout(shape);
  const auto parameters = layout.initial_parameters(Rng(3));
  EXPECT_EQ(parameters, layout.initial_parameters(Rng(3)));
  EXPECT_NE(parameters, layout.initial_parameters(Rng(4)));
  const auto bound = [&](const char* name, float limit) {
    const Slot& slot = layout.slot(name);
    float largest = 0;
    for (std::int64_t i = 0; i < slot.size(); ++i)
      largest = std::max(largest, std::abs(parameters[static_cast<std::size_t>(slot.offset + i)]));
    EXPECT_LE(largest, limit) << name;
    EXPECT_GT(largest, 0.7F * limit) << name;
  };
  bound("node.0.linear1.weight", 0.1F);
  bound("node.1.linear1.weight", 0.25F);
  bound("pool.rho.bias", 0.25F);
  EXPECT_EQ(parameters[static_cast<std::size_t>(layout.slot("super.1.bn2.weight").offset)], 1.0F);
  EXPECT_EQ(parameters[static_cast<std::size_t>(layout.slot("super.1.bn2.bias").offset)], 0.0F);
}

TEST(ParameterLayout, RefusesImpossibleShapes) {
  const auto with = [](auto change) {
    NetworkShape shape;
    change(shape);
    return shape;
  };
  EXPECT_THROW(ParameterLayout(with([](auto& s) { s.width = 0; })), InvalidArgument);
  EXPECT_THROW(ParameterLayout(with([](auto& s) { s.node_layers = 0; })), InvalidArgument);
  EXPECT_THROW(ParameterLayout(with([](auto& s) { s.super_layers = -1; })), InvalidArgument);
  EXPECT_THROW(ParameterLayout(with([](auto& s) { s.num_classes = -1; })), InvalidArgument);
  EXPECT_THROW(ParameterLayout(with([](auto& s) { s.vocabulary = 0; })), InvalidArgument);
  EXPECT_THROW(parse_backbone("gat"), InvalidArgument);
  EXPECT_EQ(parse_backbone("sage"), Backbone::kSage);
}

}  // namespace
}  // namespace sgood
