// SPDX-License-Identifier: MIT
#include "sgood/graph/feature_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"

namespace sgood {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using Json = nlohmann::ordered_json;

/// A path with two label columns and one attribute; `labels` are [nodes, 2].
Graph path(std::vector<std::int32_t> labels, std::vector<float> attributes) {
  const auto n = static_cast<std::int32_t>(attributes.size());
  GraphBuilder builder(n);
  for (std::int32_t v = 0; v + 1 < n; ++v) builder.add_edge(v, v + 1);
  return builder.set_node_labels(std::move(labels), 2)
      .set_node_attributes(std::move(attributes), 1)
      .set_id("p")
      .build();
}

GraphSet example() {
  GraphSet set;
  set.graphs.push_back(path({5, 0, -3, 1, 5, 0}, {1, 2, 3}));
  set.graphs.push_back(path({9, 1}, {6}));
  return set;
}

Graph bare(std::int32_t leaves) {
  GraphBuilder builder(leaves + 1);
  for (std::int32_t v = 1; v <= leaves; ++v) builder.add_edge(0, v);
  return builder.set_id("star").build();
}

GraphSet stars(std::initializer_list<std::int32_t> leaves) {
  GraphSet set;
  for (const std::int32_t k : leaves) set.graphs.push_back(bare(k));
  return set;
}

TEST(FeatureEncoder, LabelsGetAscendingCodesWithAnUnknownCodePerColumn) {
  const auto encoder = FeatureEncoder::fit(example(), FeatureKind::kLabels);
  // Column 1: -3, 5, 9, unknown = 0..3. Column 2: 0, 1, unknown = 4..6.
  EXPECT_EQ(encoder.vocabulary(), 7);
  EXPECT_EQ(encoder.code_columns(), 2);
  EXPECT_EQ(encoder.num_dense(), 0);
  const NodeInput input = encoder.encode(path({5, 1, -4, 0, 9, 2, 100, -1}, {0, 0, 0, 0}));
  EXPECT_THAT(input.codes, ElementsAre(1, 5, 3, 4, 2, 6, 3, 6));
  EXPECT_THAT(input.dense, IsEmpty());
}

TEST(FeatureEncoder, FirstLabelUsesOneColumnOfAll) {
  const auto encoder = FeatureEncoder::fit(example(), FeatureKind::kFirstLabel);
  EXPECT_EQ(encoder.vocabulary(), 4);
  EXPECT_EQ(encoder.code_columns(), 1);
  EXPECT_THAT(encoder.encode(path({9, 0, 0, 0}, {0, 0})).codes, ElementsAre(2, 3));
}

TEST(FeatureEncoder, AttributesAreStandardisedByTrainingMeanAndDeviation) {
  const auto encoder = FeatureEncoder::fit(example(), FeatureKind::kAttributes);
  EXPECT_EQ(encoder.vocabulary(), 0);
  EXPECT_EQ(encoder.code_columns(), 0);
  EXPECT_EQ(encoder.num_dense(), 1);
  // Mean 3, population variance (4 + 1 + 0 + 9) / 4.
  const NodeInput input = encoder.encode(path({0, 0, 0, 0}, {3, 10}));
  EXPECT_THAT(input.codes, IsEmpty());
  ASSERT_EQ(input.dense.size(), 2u);
  EXPECT_EQ(input.dense[0], 0.0f);
  EXPECT_FLOAT_EQ(input.dense[1], static_cast<float>(7 / std::sqrt(3.5)));
}

TEST(FeatureEncoder, AConstantAttributeIsOnlyShifted) {
  GraphSet set;
  set.graphs.push_back(path(std::vector<std::int32_t>(14, 0), std::vector<float>(7, 0.1f)));
  const auto encoder = FeatureEncoder::fit(set, FeatureKind::kAttributes);
  EXPECT_THAT(encoder.encode(set.graphs[0]).dense, Each(0.0f));
  EXPECT_FLOAT_EQ(encoder.encode(path({0, 0}, {2.1f})).dense[0], 2.0f);
}

TEST(FeatureEncoder, BothGivesCodesAndDenseColumns) {
  const auto encoder = FeatureEncoder::fit(example(), FeatureKind::kBoth);
  EXPECT_EQ(encoder.vocabulary(), 7);
  EXPECT_EQ(encoder.num_dense(), 1);
  const NodeInput input = encoder.encode(path({5, 1}, {3}));
  EXPECT_THAT(input.codes, ElementsAre(1, 5));
  EXPECT_THAT(input.dense, ElementsAre(0.0f));
}

TEST(FeatureEncoder, DegreesAboveTrainingShareTheOverflowBin) {
  const auto encoder = FeatureEncoder::fit(stars({3}), FeatureKind::kDegree);
  EXPECT_EQ(encoder.vocabulary(), 5);
  EXPECT_EQ(encoder.code_columns(), 1);
  EXPECT_THAT(encoder.encode(bare(3)).codes, ElementsAre(3, 1, 1, 1));
  EXPECT_THAT(encoder.encode(bare(4)).codes, ElementsAre(4, 1, 1, 1, 1));
  EXPECT_EQ(encoder.encode(bare(50)).codes[0], 4);
  EXPECT_THAT(encoder.encode(bare(0)).codes, ElementsAre(0));
}

TEST(FeatureEncoder, TheDegreeCapBoundsTheVocabulary) {
  const auto encoder = FeatureEncoder::fit(stars({100}), FeatureKind::kDegree, 10);
  EXPECT_EQ(encoder.vocabulary(), 12);
  EXPECT_EQ(encoder.encode(bare(10)).codes[0], 10);
  EXPECT_EQ(encoder.encode(bare(100)).codes[0], 11);
  EXPECT_THROW(FeatureEncoder::fit(stars({1}), FeatureKind::kDegree, 0), InvalidArgument);
}

TEST(FeatureEncoder, ConstantIsOneColumnWithOneCode) {
  const auto encoder = FeatureEncoder::fit(stars({2}), FeatureKind::kConstant);
  EXPECT_EQ(encoder.vocabulary(), 1);
  EXPECT_EQ(encoder.code_columns(), 1);
  EXPECT_THAT(encoder.encode(bare(2)).codes, ElementsAre(0, 0, 0));
}

TEST(FeatureEncoder, AutoTakesLabelsThenAttributesThenConstant) {
  EXPECT_EQ(FeatureEncoder::fit(example(), FeatureKind::kAuto).kind(), FeatureKind::kLabels);
  EXPECT_EQ(FeatureEncoder::fit(stars({2}), FeatureKind::kAuto).kind(), FeatureKind::kConstant);
  GraphSet set;
  set.graphs.push_back(GraphBuilder(1).set_node_attributes({1}, 1).build());
  EXPECT_EQ(FeatureEncoder::fit(set, FeatureKind::kAuto).kind(), FeatureKind::kAttributes);
}

TEST(FeatureEncoder, GraphsWithoutNodesAreAlwaysFine) {
  GraphSet set = example();
  set.graphs.insert(set.graphs.begin(), Graph());
  for (const FeatureKind kind : {FeatureKind::kAuto, FeatureKind::kBoth, FeatureKind::kDegree}) {
    const auto encoder = FeatureEncoder::fit(set, kind);
    EXPECT_THAT(encoder.encode(Graph()).codes, IsEmpty());
    EXPECT_EQ(encoder.num_dense(), kind == FeatureKind::kBoth ? 1 : 0);
  }
}

TEST(FeatureEncoder, ErrorsSayWhatIsMissing) {
  EXPECT_THAT([] { FeatureEncoder::fit(GraphSet(), FeatureKind::kAuto); },
              ThrowsMessage<InvalidArgument>(HasSubstr("at least one")));
  EXPECT_THAT([] { FeatureEncoder::fit(stars({2}), FeatureKind::kLabels); },
              ThrowsMessage<InvalidArgument>(HasSubstr("node labels")));
  EXPECT_THAT([] { FeatureEncoder::fit(stars({2}), FeatureKind::kAttributes); },
              ThrowsMessage<InvalidArgument>(HasSubstr("node attributes")));
  GraphSet mixed = example();
  mixed.graphs.push_back(bare(2));
  EXPECT_THAT([&] { FeatureEncoder::fit(mixed, FeatureKind::kLabels); },
              ThrowsMessage<InvalidArgument>(HasSubstr("graph star has 0 node labels")));
  const auto encoder = FeatureEncoder::fit(example(), FeatureKind::kBoth);
  EXPECT_THAT([&] { encoder.encode(bare(1)); },
              ThrowsMessage<InvalidArgument>(HasSubstr("graph star has 0 node labels")));
  GraphSet tiny;
  tiny.graphs.push_back(path({0, 0, 0, 0}, {0, 1e-30f}));
  const auto narrow = FeatureEncoder::fit(tiny, FeatureKind::kAttributes);
  EXPECT_THAT(
      [&] {
        narrow.encode(path({0, 0}, {3e38f}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("too far from its training range")));
}

TEST(FeatureEncoder, KindNamesRoundTrip) {
  for (const char* name :
       {"auto", "labels", "first-label", "attributes", "both", "degree", "constant"})
    EXPECT_EQ(feature_kind_name(parse_feature_kind(name)), name);
  EXPECT_THAT([] { parse_feature_kind("x"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("first-label")));
}

TEST(FeatureEncoder, JsonRoundTripEncodesTheSame) {
  GraphSet set = example();
  set.graphs.push_back(path({1, 7}, {0.1f}));
  for (const char* name : {"labels", "first-label", "attributes", "both", "degree", "constant"}) {
    const auto encoder = FeatureEncoder::fit(set, parse_feature_kind(name));
    const auto text = encoder.to_json().dump();
    const auto copy = FeatureEncoder::from_json(Json::parse(text));
    EXPECT_EQ(copy.to_json().dump(), text);
    EXPECT_EQ(copy.vocabulary(), encoder.vocabulary());
    for (const Graph& graph : set.graphs) {
      EXPECT_EQ(copy.encode(graph).codes, encoder.encode(graph).codes);
      EXPECT_EQ(copy.encode(graph).dense, encoder.encode(graph).dense);
    }
  }
}

TEST(FeatureEncoder, FromJsonRefusesWhatToJsonCannotWrite) {
  const Json both = FeatureEncoder::fit(example(), FeatureKind::kBoth).to_json();
  const Json degree = FeatureEncoder::fit(stars({2}), FeatureKind::kDegree).to_json();
  const auto refuses = [](Json json, const std::function<void(Json&)>& change) {
    change(json);
    EXPECT_THROW(FeatureEncoder::from_json(json), InvalidArgument) << json.dump();
  };
  FeatureEncoder::from_json(both);
  refuses(both, [](Json& j) { j = Json::array(); });
  refuses(both, [](Json& j) { j.erase("means"); });
  refuses(both, [](Json& j) { j["more"] = 1; });
  refuses(both, [](Json& j) { j["kind"] = "auto"; });
  refuses(both, [](Json& j) { j["kind"] = "labels"; });
  refuses(both, [](Json& j) { j["kind"] = 3; });
  refuses(both, [](Json& j) { j["num_label_columns"] = 3; });
  refuses(both, [](Json& j) { j["num_label_columns"] = 2.5; });
  refuses(both, [](Json& j) { j["alphabets"] = 1; });
  refuses(both, [](Json& j) { j["alphabets"][0] = 1; });
  refuses(both, [](Json& j) { j["alphabets"][0] = {5, 5}; });
  refuses(both, [](Json& j) { j["alphabets"][0] = {5, 4}; });
  refuses(both, [](Json& j) { j["alphabets"][0] = {"a"}; });
  refuses(both, [](Json& j) { j["alphabets"][0] = {std::int64_t{1} << 40}; });
  refuses(both, [](Json& j) { j["means"] = Json::array(); });
  refuses(both, [](Json& j) { j["means"][0] = nullptr; });
  refuses(both, [](Json& j) { j["means"][0] = std::nan(""); });
  refuses(both, [](Json& j) { j["deviations"][0] = 0.0; });
  refuses(both, [](Json& j) { j["deviations"][0] = -1.0; });
  refuses(both, [](Json& j) { j["max_degree"] = 1; });
  refuses(degree, [](Json& j) { j["max_degree"] = -1; });
  refuses(degree, [](Json& j) { j["max_degree"] = 2147483647; });
  refuses(degree, [](Json& j) { j["alphabets"] = {{1}}; });
}

}  // namespace
}  // namespace sgood
