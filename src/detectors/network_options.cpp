// SPDX-License-Identifier: MIT
#include "sgood/detectors/network_options.h"

#include "sgood/augment/augmentation.h"
#include "sgood/detectors/engines.h"

namespace sgood {
namespace {

std::vector<std::string> partitioner_names() {
  std::vector<std::string> names;
  for (const PartitionerInfo& row : partitioners()) names.push_back(row.name);
  return names;
}

std::vector<std::string> view_names() {
  std::vector<std::string> names = {"random"};
  for (const AugmentationInfo& row : augmentations())
    for (const std::string_view name : {row.name, row.short_name})
      if (!name.empty()) names.emplace_back(name);
  return names;
}

void add_features(OptionTable& t, std::string* features, int* degree_cap) {
  t.add("features", features,
        {"auto", "labels", "first-label", "attributes", "both", "degree", "constant"},
        "What a node shows the network; auto: labels if any, else attributes, else a constant.");
  t.add(
      "degree_cap", degree_cap, 1, 100000,
      "features=degree: degrees above share one bin; the bins end at the largest training degree.");
}

void add_order(OptionTable& t, std::string* order) {
  t.add("order", order, {"canonical", "input"},
        "Order in which nodes are read; input depends on node numbering, as published.");
}

void add_engine(OptionTable& t, std::string* engine, std::string* device) {
  t.add("engine", engine, engine_names(), "What runs the network; auto: the fastest that fits.");
  t.add("device", device, {"cpu", "cuda"},
        "engine=torch: where it trains; scoring uses the CPU. cuda does not repeat bit for bit.");
}

}  // namespace

void NetworkOptions::add_network_to(OptionTable& t) {
  add_features(t, &features, &degree_cap);
  t.add("partitioner", &partitioner, partitioner_names(), "How substructures are found.");
  t.add("graclus_levels", &graclus_levels, 1, 30,
        "partitioner=graclus: rounds of merging in pairs, so blocks have at most 2^levels nodes.");
  add_order(t, &order);
  t.add("substructures", &substructures,
        "Encodes the super graph too; false, with pretrain_epochs=0 and alpha=0, is the paper's "
        "SGOOD (base).");
  t.add("backbone", &backbone, {"gin", "gcn", "sage"}, "Message passing of both levels.");
  t.add("node_layers", &node_layers, 1, 16, "Layers over the nodes (L1).");
  t.add("super_layers", &super_layers, 0, 16, "Layers over the super graph (L2).");
  t.add("width", &width, 1, 1024, "Hidden width (d).");
  t.add("super_self_loops", &super_self_loops, "Adds the paper's self-loops to the super graph.");
}

void NetworkOptions::add_training_to(OptionTable& t) {
  t.add("batch_size", &batch_size, 2, 1 << 20, "Graphs in a training batch (B).");
  t.add("pretrain_epochs", &pretrain_epochs, 0, 1000000, "Epochs of contrast alone (T_PT).");
  t.add("finetune_epochs", &finetune_epochs, 0, 1000000,
        "Epochs of classification and contrast (T_FT).");
  t.add("pretrain_lr", &pretrain_lr, 1e-8, 1, "Adam's learning rate in pre-training.");
  t.add("finetune_lr", &finetune_lr, 1e-8, 1, "Adam's learning rate in fine-tuning.");
  t.add("alpha", &alpha, 0, 1000, "Weight of the contrastive loss in fine-tuning.");
  t.add("tau", &tau, kSmallestTemperature, 1000, "Temperature of the contrastive loss.");
  t.add("view0", &view0, view_names(),
        "First view; random: two different ones of I, SD, SG, SS for every batch.");
  t.add("view1", &view1, view_names(), "Second view.");
  t.add("ratio", &ratio, 0, 1, "Share of substructures, nodes or edges that a view changes.");
}

void NetworkOptions::add_engine_to(OptionTable& t) { add_engine(t, &engine, &device); }

void DistanceOptions::add_to(OptionTable& t) {
  t.add("normalize", &normalize, "Scales representations to length 1 before the distance.");
  t.add("aggregation", &aggregation, {"closest", "farthest", "mean"},
        "Which class's distance is the score; farthest is the paper's formula as printed.");
  t.add(
      "covariance", &covariance, {"shrinkage", "ledoit-wolf", "pseudo-inverse"},
      "How the shared covariance is made invertible; shrinkage explains held-out ID graphs best.");
  t.add("shrinkage", &shrinkage, 0, 1, "covariance=shrinkage: weight of the identity.");
  t.add("relative", &relative, "Subtracts the distance under one Gaussian for all classes.");
}

MahalanobisOptions DistanceOptions::mahalanobis() const {
  MahalanobisOptions result;
  result.aggregation = aggregation == "closest"    ? MahalanobisAggregation::kClosest
                       : aggregation == "farthest" ? MahalanobisAggregation::kFarthest
                                                   : MahalanobisAggregation::kMean;
  result.covariance = covariance == "ledoit-wolf" ? CovarianceEstimate::kLedoitWolf
                      : covariance == "shrinkage" ? CovarianceEstimate::kFixedShrinkage
                                                  : CovarianceEstimate::kPseudoInverse;
  result.shrinkage = shrinkage;
  result.relative = relative;
  return result;
}

void ClassifierOptions::add_to(OptionTable& t) {
  add_features(t, &features, &degree_cap);
  add_order(t, &order);
  t.add("backbone", &backbone, {"gin", "gcn", "sage"}, "Message passing.");
  t.add("node_layers", &node_layers, 1, 16, "Layers.");
  t.add("width", &width, 1, 1024, "Hidden width.");
  t.add("batch_size", &batch_size, 2, 1 << 20, "Graphs in a training batch.");
  t.add("epochs", &epochs, 1, 1000000, "Epochs of training.");
  t.add("learning_rate", &learning_rate, 1e-8, 1, "Adam's learning rate.");
}

void ClassifierOptions::add_engine_to(OptionTable& t) { add_engine(t, &engine, &device); }

NetworkOptions ClassifierOptions::network() const {
  NetworkOptions network;
  network.features = features;
  network.degree_cap = degree_cap;
  network.order = order;
  network.backbone = backbone;
  network.node_layers = node_layers;
  network.width = width;
  network.batch_size = batch_size;
  network.finetune_epochs = epochs;
  network.finetune_lr = learning_rate;
  network.engine = engine;
  network.device = device;
  // A flat network does not see the substructures, so the cheapest ones do.
  network.partitioner = "none";
  network.substructures = false;
  network.pretrain_epochs = 0;
  network.alpha = 0;
  return network;
}

}  // namespace sgood
