// SPDX-License-Identifier: MIT
#include "src/augment/views.h"

namespace sgood {
namespace {

class Identity final : public Augmentation {
 public:
  void write_view(const PackedGraph& graph, Rng&, BatchWriter& writer) const override {
    writer.append(graph);
  }
  bool is_identity() const override { return true; }
};

}  // namespace

std::unique_ptr<Augmentation> make_identity(const AugmentationContext&) {
  return std::make_unique<Identity>();
}

}  // namespace sgood
