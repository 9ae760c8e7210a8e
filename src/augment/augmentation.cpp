// SPDX-License-Identifier: MIT
#include "sgood/augment/augmentation.h"

#include <array>

#include "sgood/core/error.h"
#include "src/augment/views.h"

namespace sgood {
namespace {

constexpr std::string_view kReference =
    "SGOOD: Substructure-enhanced Graph-Level Out-of-Distribution Detection, CIKM 2024, Section "
    "3.2";
constexpr std::string_view kGraphCl =
    "You et al.: Graph Contrastive Learning with Augmentations, NeurIPS 2020, Section 3.1";

constexpr std::array kRegistry = {
    AugmentationInfo{"identity", "I", "The graph as it is.", kReference, make_identity},
    AugmentationInfo{"substructure-drop", "SD",
                     "Drops a share of the substructures, chosen at random, with their nodes.",
                     kReference, make_substructure_drop},
    AugmentationInfo{"supergraph-sample", "SG",
                     "Keeps the substructures that a random depth-first walk over the super graph "
                     "meets first.",
                     kReference, make_supergraph_sample},
    AugmentationInfo{"substructure-substitute", "SS",
                     "Replaces substructures that hang on a single other one by substructures of "
                     "training graphs of the same class.",
                     kReference, make_substructure_substitute},
    AugmentationInfo{
        "edge-perturb", "EP",
        "Deletes a share of the edges, chosen at random, and adds as many absent ones.", kGraphCl,
        make_edge_perturb},
    AugmentationInfo{"attribute-mask", "AM",
                     "Hides the features of a share of the nodes, chosen at random.", kGraphCl,
                     make_attribute_mask},
    AugmentationInfo{"node-drop", "ND", "Drops a share of the nodes, chosen at random.", kGraphCl,
                     make_node_drop},
    AugmentationInfo{"subgraph-sample", "SA",
                     "Keeps a subgraph grown from a random node to a share of the nodes.", kGraphCl,
                     make_subgraph_sample},
};

}  // namespace

std::span<const AugmentationInfo> augmentations() { return kRegistry; }

std::vector<std::string> augmentation_names() {
  std::vector<std::string> names;
  for (const AugmentationInfo& info : kRegistry) names.emplace_back(info.name);
  return names;
}

const AugmentationInfo& find_augmentation(std::string_view name) {
  std::string known;
  for (const AugmentationInfo& info : kRegistry) {
    if (name == info.name || name == info.short_name) return info;
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", info.name, info.short_name);
  }
  throw InvalidArgument(
      fmt::format("augmentation '{}' is unknown; the known ones are {}", name, known));
}

std::unique_ptr<Augmentation> make_augmentation(std::string_view name,
                                                const AugmentationContext& context) {
  SGOOD_CHECK(context.ratio >= 0 && context.ratio <= 1, "ratio is {} but must be in [0, 1]",
              context.ratio);
  return find_augmentation(name).make(context);
}

}  // namespace sgood
