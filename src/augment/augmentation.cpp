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
};

}  // namespace

std::span<const AugmentationInfo> augmentations() { return kRegistry; }

std::vector<std::string> augmentation_names() {
  std::vector<std::string> names;
  for (const AugmentationInfo& info : kRegistry) names.emplace_back(info.name);
  return names;
}

std::unique_ptr<Augmentation> make_augmentation(std::string_view name,
                                                const AugmentationContext& context) {
  SGOOD_CHECK(context.ratio >= 0 && context.ratio <= 1, "ratio is {} but must be in [0, 1]",
              context.ratio);
  std::string known;
  for (const AugmentationInfo& info : kRegistry) {
    if (name == info.name || name == info.short_name) return info.make(context);
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", info.name, info.short_name);
  }
  throw InvalidArgument(
      fmt::format("augmentation '{}' is unknown; the known ones are {}", name, known));
}

}  // namespace sgood
