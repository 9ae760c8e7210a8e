// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "src/augment/views.h"

namespace sgood {
namespace {

class SubstructureDrop final : public Augmentation {
 public:
  explicit SubstructureDrop(double ratio) : ratio_(ratio) {}

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    const std::int32_t count = graph.source.num_blocks();
    if (count < 2) return writer.append(graph);
    const auto wanted = static_cast<std::int32_t>(std::lround(ratio_ * count));
    // Selection sampling: each subset of the wanted size is equally likely.
    std::int32_t drops = std::clamp(wanted, 1, count - 1);
    std::vector<char>& keep = writer.scratch().blocks_kept;
    keep.assign(static_cast<std::size_t>(count), 1);
    for (std::int32_t left = count; drops > 0; --left) {
      if (rng.below(static_cast<std::uint64_t>(left)) >= static_cast<std::uint64_t>(drops))
        continue;
      keep[static_cast<std::size_t>(left - 1)] = 0;
      --drops;
    }
    writer.append_blocks(graph, keep);
  }

 private:
  double ratio_;
};

}  // namespace

std::unique_ptr<Augmentation> make_substructure_drop(const AugmentationContext& context) {
  return std::make_unique<SubstructureDrop>(context.ratio);
}

}  // namespace sgood
