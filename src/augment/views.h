// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sgood/augment/augmentation.h"

// One maker per augmentation, for the registry; `context.ratio` is in [0, 1].
namespace sgood {

std::unique_ptr<Augmentation> make_identity(const AugmentationContext& context);
std::unique_ptr<Augmentation> make_substructure_drop(const AugmentationContext& context);
std::unique_ptr<Augmentation> make_supergraph_sample(const AugmentationContext& context);
std::unique_ptr<Augmentation> make_substructure_substitute(const AugmentationContext& context);
std::unique_ptr<Augmentation> make_edge_perturb(const AugmentationContext& context);
std::unique_ptr<Augmentation> make_attribute_mask(const AugmentationContext& context);
std::unique_ptr<Augmentation> make_node_drop(const AugmentationContext& context);
std::unique_ptr<Augmentation> make_subgraph_sample(const AugmentationContext& context);

}  // namespace sgood
