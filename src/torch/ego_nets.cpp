// SPDX-License-Identifier: MIT
#include "src/torch/ego_nets.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "src/torch/gather_sum.h"

namespace sgood {
namespace {

/// Writes the neighbourhoods of one graph after the other.
class EgoNetWriter {
 public:
  EgoNetWriter(int hops, int max_per_hop)
      : hops_(hops), max_per_hop_(static_cast<std::size_t>(max_per_hop)) {}

  void append(const PackedGraph& graph) {
    row_of_.assign(static_cast<std::size_t>(graph.num_nodes()), kUnseen);
    edges_to_.assign(row_of_.size(), 0);
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) append_net(graph, v);
    first_node_ += graph.num_nodes();
  }

  EgoNets finish(const at::Device& device) const {
    const auto tensor = [&](const std::vector<std::int64_t>& values) {
      return at::tensor(values, at::kLong).to(device);
    };
    return {std::ssize(root_), tensor(root_),   tensor(node_),   tensor(hop_),
            tensor(again_),    tensor(centre_), tensor(source_), tensor(target_)};
  }

 private:
  static constexpr std::int64_t kUnseen = -1;
  static constexpr std::int64_t kLeftOut = -2;

  static std::span<const std::int32_t> neighbors(const PackedGraph& graph, std::int32_t v) {
    const auto begin = graph.row_ptr[static_cast<std::size_t>(v)];
    const auto end = graph.row_ptr[static_cast<std::size_t>(v) + 1];
    return std::span(graph.col).subspan(static_cast<std::size_t>(begin),
                                        static_cast<std::size_t>(end - begin));
  }

  void append_row(std::int32_t root, std::int32_t v, int hop) {
    row_of_[static_cast<std::size_t>(v)] = std::ssize(root_);
    members_.push_back(v);
    root_.push_back(first_node_ + root);
    node_.push_back(first_node_ + v);
    hop_.push_back(hop);
    again_.push_back(edges_to_[static_cast<std::size_t>(v)] >= 2 ? 1 : 0);
  }

  void append_net(const PackedGraph& graph, std::int32_t root) {
    members_.clear();
    seen_ = {root};
    centre_.push_back(std::ssize(root_));
    append_row(root, root, 0);
    std::size_t first = 0;
    for (int hop = 1; hop <= hops_; ++hop) {
      const std::size_t last = members_.size();
      find_next_hop(graph, first, last);
      const std::size_t kept = std::min(next_.size(), max_per_hop_);
      // A node that is left out does not come back in a later hop, where its distance were wrong.
      for (const std::int32_t v : next_) row_of_[static_cast<std::size_t>(v)] = kLeftOut;
      for (std::size_t i = 0; i < kept; ++i) append_row(root, next_[i * next_.size() / kept], hop);
      for (const std::int32_t v : next_) edges_to_[static_cast<std::size_t>(v)] = 0;
      seen_.insert(seen_.end(), next_.begin(), next_.end());
      first = last;
    }
    for (const std::int32_t v : members_) {
      for (const std::int32_t u : neighbors(graph, v)) {
        const std::int64_t row = row_of_[static_cast<std::size_t>(u)];
        if (row < 0) continue;
        source_.push_back(row);
        target_.push_back(row_of_[static_cast<std::size_t>(v)]);
      }
    }
    for (const std::int32_t v : seen_) row_of_[static_cast<std::size_t>(v)] = kUnseen;
  }

  /// Into next_ the nodes beyond the members [first, last), ascending, and how many edges lead to
  /// each.
  void find_next_hop(const PackedGraph& graph, std::size_t first, std::size_t last) {
    next_.clear();
    for (std::size_t i = first; i < last; ++i)
      for (const std::int32_t u : neighbors(graph, members_[i]))
        if (row_of_[static_cast<std::size_t>(u)] == kUnseen &&
            edges_to_[static_cast<std::size_t>(u)]++ == 0)
          next_.push_back(u);
    std::sort(next_.begin(), next_.end());
  }

  int hops_;
  std::size_t max_per_hop_;
  std::int64_t first_node_ = 0;
  std::vector<std::int64_t> root_, node_, hop_, again_, centre_, source_, target_;
  // Of the present neighbourhood:
  std::vector<std::int64_t> row_of_;    // [num_nodes] row of each node, kUnseen or kLeftOut
  std::vector<std::int32_t> edges_to_;  // [num_nodes] edges from the hop before, of nodes in next_
  std::vector<std::int32_t> members_, next_, seen_;
};

}  // namespace

at::Tensor EgoNets::sum_neighbors(const at::Tensor& h) const {
  return gather_sum(h, source, target, num_rows);
}

EgoNets make_ego_nets(const GraphTensors& graphs, int hops, int max_per_hop) {
  EgoNetWriter writer(hops, max_per_hop);
  for (const PackedGraph* graph : graphs.graphs) writer.append(*graph);
  return writer.finish(graphs.x.device());
}

}  // namespace sgood
