// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// Divides a graph into substructures: blocks that cover it, each connected. To add one, write a
/// class and a row of partitioners().
class Partitioner {
 public:
  virtual ~Partitioner() = default;
  /// The name under which make_partitioner() finds it.
  virtual std::string name() const = 0;
  /// The blocks of `graph`, numbered by their first nodes; defined for every graph, also without
  /// nodes or edges. Ties may be broken by node number, so the answer may depend on the numbering.
  virtual Partition partition(const Graph& graph) const = 0;
  /// What the reader of the graphs must have found: partition() throws InvalidArgument where it is
  /// missing.
  virtual Fragmentation fragmentation() const { return Fragmentation::kNone; }
};

/// In which order a partitioner meets the nodes.
enum class NodeOrder {
  kCanonical,  ///< canonical_order(): the answer is a function of the graph alone.
  kInput,      ///< As written in the input, as the paper's code does.
};

/// The substructures of one graph.
struct Substructures {
  std::vector<std::int32_t> order;  ///< [num_nodes] nodes in the order the partitioner met them.
  Partition partition;              ///< In the graph's own node numbers.
};

/// Partitions `graph` with its nodes taken in `order`; blocks are numbered by their first node in
/// that order.
/// Deviation: the paper's greedy modularity depends on how nodes are numbered; kCanonical does not.
Substructures find_substructures(const Graph& graph, const Partitioner& partitioner,
                                 NodeOrder order);

/// Settings of the partitioners that have some.
struct PartitionerOptions {
  /// Rounds of matching, 1 to 30; with 3, blocks have about as many nodes as modularity's.
  int graclus_levels = 3;
};

/// A row of the registry.
struct PartitionerInfo {
  std::string name;
  std::string summary;    ///< One sentence.
  std::string reference;  ///< Where the method comes from; empty when it needs none.
  std::unique_ptr<Partitioner> (*make)(const PartitionerOptions& options);
};

/// Every partitioner there is.
const std::vector<PartitionerInfo>& partitioners();

/// The partitioner called `name`; throws InvalidArgument that lists the known names.
std::unique_ptr<Partitioner> make_partitioner(std::string_view name,
                                              const PartitionerOptions& options = {});

}  // namespace sgood
