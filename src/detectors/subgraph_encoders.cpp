// SPDX-License-Identifier: MIT
#include "sgood/detectors/subgraph_encoders.h"

namespace sgood {
namespace {

void add_dropout(OptionTable& table, double* dropout) {
  table.add("dropout", dropout, 0, 0.99, "Dropout in the classifier's head.");
}

void add_neighbourhood(OptionTable& table, int* hops, int* max_per_hop) {
  table.add("hops", hops, 1, 16, "Hops to the rim of a node's neighbourhood.");
  table.add("max_per_hop", max_per_hop, 1, 1000000,
            "Nodes kept of each hop, spread evenly; bounds time and memory on dense graphs.");
}

}  // namespace

void SagPoolDetector::add_encoder_options(OptionTable& table) {
  table.add("variant", &variant_, {"hierarchical", "global"},
            "Pools after every layer, or once after the last.");
  table.add("layers", &layers_, 1, 16, "Graph convolutions.");
  table.add("width", &width_, 1, 1024, "Hidden width.");
  table.add("ratio", &ratio_, 0.01, 1, "Share of nodes that a pooling keeps.");
  add_dropout(table, &dropout_);
  table.add("weight_decay", &weight_decay_, 0, 1, "Adam's weight decay.");
}

void TopKPoolDetector::add_encoder_options(OptionTable& table) {
  table.add("layers", &layers_, 1, 16, "Graph convolutions; a pooling follows every second one.");
  table.add("width", &width_, 1, 1024, "Hidden width.");
  table.add("ratio", &ratio_, 0.01, 1, "Share of nodes that a pooling keeps.");
  add_dropout(table, &dropout_);
}

void DiffPoolDetector::add_encoder_options(OptionTable& table) {
  table.add("width", &width_, 1, 1024, "Hidden width.");
  table.add("head_width", &head_width_, 1, 1024, "Hidden width of the classifier's head.");
  table.add("assign_ratio", &assign_ratio_, 0.001, 1,
            "Clusters, as a share of the nodes of the largest training graph.");
  table.add("max_clusters", &max_clusters_, 1, 10000, "Most clusters.");
  table.add("link_weight", &link_weight_, 0, 1000,
            "Weight of the loss that puts neighbours into one cluster.");
  table.add("entropy_weight", &entropy_weight_, 0, 1000,
            "Weight of the loss that makes assignments hard.");
  add_dropout(table, &dropout_);
}

void NgnnDetector::add_encoder_options(OptionTable& table) {
  add_neighbourhood(table, &hops_, &max_per_hop_);
  table.add("width", &width_, 1, 1024, "Hidden width; there are hops + 1 layers.");
  add_dropout(table, &dropout_);
}

void GnnAkDetector::add_encoder_options(OptionTable& table) {
  add_neighbourhood(table, &hops_, &max_per_hop_);
  table.add("layers", &layers_, 1, 16, "Layers.");
  table.add("width", &width_, 1, 1024, "Hidden width.");
  add_dropout(table, &dropout_);
}

}  // namespace sgood
