// SPDX-License-Identifier: MIT
#include "sgood/experiments/copy_audit.h"

#include <gtest/gtest.h>

#include "sgood/graph/graph_builder.h"

namespace sgood {
namespace {

/// A path whose nodes have the labels of `kinds`, renumbered from the other end if `reversed`.
Graph path(std::vector<std::int32_t> kinds, bool reversed = false, std::int32_t bond = 0) {
  const auto n = static_cast<std::int32_t>(kinds.size());
  if (reversed) std::reverse(kinds.begin(), kinds.end());
  GraphBuilder builder(n);
  const std::vector<std::int32_t> bonds = {bond};
  for (std::int32_t v = 1; v < n; ++v) builder.add_edge(v - 1, v, bonds);
  return builder.set_node_labels(std::move(kinds), 1).build();
}

TEST(CopyAudit, CountsTestGraphsThatTrainingHasToo) {
  OodSuite suite;
  suite.id_train.graphs = {path({1, 1, 2}), path({1, 2}), path({1, 2})};
  suite.id_test.graphs = {path({1, 1, 2}, true), path({1, 2}), path({2, 2}), path({1, 1})};
  suite.ood_test.graphs = {path({1, 2, 1}), path({1, 1, 2, 2}), path({1, 1, 2}, false, 1),
                           path({1}), path({1, 2})};
  const CopyAudit audit = audit_copies(suite);
  EXPECT_EQ(audit.id, 0.5);
  EXPECT_EQ(audit.ood, 0.2);
}

TEST(CopyAudit, GraphsWithoutNodesOrLabelsAreGraphsToo) {
  OodSuite suite;
  suite.id_train.graphs = {Graph(), GraphBuilder(2).build()};
  suite.id_test.graphs = {Graph(), GraphBuilder(3).build()};
  EXPECT_EQ(audit_copies(suite).id, 0.5);
  EXPECT_EQ(audit_copies(suite).ood, 0);
}

}  // namespace
}  // namespace sgood
