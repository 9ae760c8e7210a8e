// SPDX-License-Identifier: MIT
#include "sgood/graph/code_table.h"

#include <gtest/gtest.h>

#include "sgood/graph/batch_writer.h"

namespace sgood {
namespace {

PackedGraph graph_of(std::vector<std::int32_t> codes, std::int32_t columns) {
  PackedGraph graph;
  graph.codes = std::move(codes);
  const auto nodes = static_cast<std::int32_t>(graph.codes.size()) / columns;
  for (std::int32_t v = 0; v < nodes; ++v) {
    graph.node.push_back(v);
    graph.row_ptr.push_back(0);
  }
  graph.block_ptr = {0, nodes};
  graph.super_row_ptr = {0, 0};
  graph.prepare_source();
  return graph;
}

TEST(CodeTable, HoldsEachRowOnceInOrderOfAppearance) {
  std::vector<PackedGraph> graphs = {graph_of({0, 5, 1, 5, 0, 5}, 2), graph_of({2, 6, 1, 5}, 2)};
  const auto table = tabulate_codes(graphs, 2);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->num_rows(), 3);
  EXPECT_EQ(table->codes, (std::vector<std::int32_t>{0, 5, 1, 5, 2, 6}));
  EXPECT_EQ(graphs[0].codes, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(graphs[1].codes, (std::vector<std::int32_t>{2, 1}));
}

TEST(CodeTable, OfABatchGivesTheCodesBack) {
  std::vector<PackedGraph> graphs = {graph_of({0, 5, 1, 5, 0, 5}, 2), graph_of({2, 6, 1, 5}, 2)};
  const PackedBatch plain = pack_batch(graphs, std::vector{1, 0}, 2, 0, true);
  const auto table = tabulate_codes(graphs, 2);
  PackedBatch tabulated = pack_batch(graphs, std::vector{1, 0}, 1, 0, true);
  tabulated.code_table = &*table;
  EXPECT_EQ(tabulated.input_columns(), 2);
  EXPECT_EQ(codes_of(tabulated, 0, 5), plain.codes);
  EXPECT_EQ(codes_of(tabulated, 2, 4), (std::vector<std::int32_t>{0, 5, 1, 5}));
  EXPECT_EQ(codes_of(plain, 2, 4), (std::vector<std::int32_t>{0, 5, 1, 5}));
}

TEST(CodeTable, IsNotMadeWhereItSavesNothing) {
  std::vector<PackedGraph> one = {graph_of({3, 4}, 1)};
  EXPECT_FALSE(tabulate_codes(one, 1));
  std::vector<std::int32_t> codes;
  for (std::int32_t i = 0; i <= kMostTableRows; ++i) codes.insert(codes.end(), {i, 1000});
  std::vector<PackedGraph> many = {graph_of(codes, 2)};
  EXPECT_FALSE(tabulate_codes(many, 2));
  EXPECT_EQ(many[0].codes, codes);
}

}  // namespace
}  // namespace sgood
