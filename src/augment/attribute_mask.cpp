// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "sgood/core/error.h"
#include "src/augment/view_graph.h"
#include "src/augment/views.h"

namespace sgood {
namespace {

/// AM. Of n nodes, round(ratio * n) chosen at random (at least 1, at most n - 1) show no features:
/// every categorical column its "no value" code (AugmentationContext::mask_code), every real column
/// 0, which is its training mean. Edges and blocks stay. A graph of one node is its own view.
/// Deviation: published code for this augmentation puts normal noise into one-hot columns, which is
/// no value that they can have, and changes nothing where ratio * n < 1.
class AttributeMask final : public Augmentation {
 public:
  explicit AttributeMask(const AugmentationContext& context)
      : ratio_(context.ratio), mask_code_(context.mask_code) {}

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    const std::int32_t n = graph.num_nodes();
    if (n < 2) return writer.append(graph);
    SGOOD_CHECK(graph.codes.empty() || mask_code_.has_value(),
                "attribute-mask needs a mask_code, for the graphs have categorical columns");
    const auto columns = static_cast<std::ptrdiff_t>(graph.codes.size()) / n;
    const auto reals = static_cast<std::ptrdiff_t>(graph.dense.size()) / n;
    PackedGraph view = graph;
    for (const std::int64_t v : random_subset(n, changed_count(ratio_, n, n - 1), rng)) {
      if (mask_code_)
        std::iota(view.codes.begin() + v * columns, view.codes.begin() + (v + 1) * columns,
                  *mask_code_);
      std::fill_n(view.dense.begin() + v * reals, reals, 0.0F);
    }
    writer.append(view);
  }

 private:
  double ratio_;
  std::optional<std::int32_t> mask_code_;
};

}  // namespace

std::unique_ptr<Augmentation> make_attribute_mask(const AugmentationContext& context) {
  return std::make_unique<AttributeMask>(context);
}

}  // namespace sgood
