// SPDX-License-Identifier: MIT
#include "sgood/detectors/training_batches.h"

#include <numeric>

#include "sgood/core/cache.h"

namespace sgood {
namespace {

/// The paper's augmentations, of which random views are drawn.
constexpr std::array<std::string_view, 4> kDrawn = {"I", "SD", "SG", "SS"};

}  // namespace

TrainingBatches::TrainingBatches(std::span<const PackedGraph> graphs, const NetworkShape& shape,
                                 const TrainerOptions& options)
    : graphs_(graphs.begin(), graphs.end()),
      table_(tabulate_codes(graphs_, shape.code_columns)),
      code_columns_(table_ ? 1 : shape.code_columns),
      num_dense_(shape.num_dense),
      temperature_(options.temperature),
      super_self_loops_(options.super_self_loops) {
  AugmentationContext context{graphs_, options.ratio, options.mask_code};
  if (table_ && options.mask_code) {
    context.mask_code = table_->num_rows();
    table_->codes.resize(table_->codes.size() + static_cast<std::size_t>(table_->columns));
    std::iota(table_->codes.end() - table_->columns, table_->codes.end(), *options.mask_code);
  }
  const std::array names = {&options.view0, &options.view1};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (*names[i] != "random") pair_[i] = find_augmentation(*names[i]).short_name;
  for (const std::string_view name : pair_)
    if (!name.empty()) augmentations_[name] = make_augmentation(name, context);
  for (const std::string_view name : kDrawn)
    if (pair_[0].empty() || pair_[1].empty())
      augmentations_[name] = make_augmentation(name, context);
}

TrainingStep TrainingBatches::write(const TrainingStage& stage,
                                    std::span<const std::int32_t> positions, Rng& rng) {
  prefetch_graphs(positions);
  TrainingStep step;
  step.contrastive_weight = stage.contrastive_weight;
  step.temperature = temperature_;
  const Pair pair = stage.contrastive_weight > 0 ? draw_pair(rng) : Pair{};
  // A view that changes nothing is the plain batch itself, so that it is packed and encoded once.
  std::array<const PackedBatch*, 2> views{};
  bool plain_wanted = stage.classify;
  for (std::size_t i = 0; i < pair.size(); ++i) {
    if (pair[i].empty()) continue;
    const Augmentation& augmentation = *augmentations_.at(pair[i]);
    views[i] = augmentation.is_identity() ? &plain_ : &views_[i];
    plain_wanted |= augmentation.is_identity();
    if (!augmentation.is_identity()) write_view(augmentation, positions, rng, views_[i]);
  }
  step.view0 = views[0];
  step.view1 = views[1];
  if (plain_wanted) write_plain(positions);
  if (!stage.classify) return step;
  labels_.clear();
  for (const std::int32_t p : positions)
    labels_.push_back(graphs_[static_cast<std::size_t>(p)].label.value());
  step.original = &plain_;
  step.labels = labels_;
  return step;
}

void TrainingBatches::prefetch_graphs(std::span<const std::int32_t> positions) const {
  const auto graph = [&](std::int32_t p) -> const PackedGraph& {
    return graphs_[static_cast<std::size_t>(p)];
  };
  // First of all graphs where their arrays lie, which the arrays would have to wait for.
  for (const std::int32_t p : positions) prefetch(std::span(&graph(p), 1));
  for (const std::int32_t p : positions) {
    prefetch(graph(p).source.data());
    prefetch(std::span(graph(p).codes));
    prefetch(std::span(graph(p).dense));
  }
}

const PackedBatch& TrainingBatches::write_plain(std::span<const std::int32_t> positions) {
  BatchWriter writer = start(plain_);
  for (const std::int32_t p : positions) writer.append(graphs_[static_cast<std::size_t>(p)]);
  writer.finish();
  return plain_;
}

void TrainingBatches::write_view(const Augmentation& augmentation,
                                 std::span<const std::int32_t> positions, Rng& rng,
                                 PackedBatch& batch) const {
  BatchWriter writer = start(batch);
  for (const std::int32_t p : positions)
    augmentation.write_view(graphs_[static_cast<std::size_t>(p)], rng, writer);
  writer.finish();
}

TrainingBatches::Pair TrainingBatches::draw_pair(Rng& rng) const {
  Pair pair = pair_;
  for (std::size_t i = 0; i < pair.size(); ++i)
    while (pair[i].empty() || (pair_[i].empty() && pair[0] == pair[1]))
      pair[i] = kDrawn[rng.below(kDrawn.size())];
  return pair;
}

BatchWriter TrainingBatches::start(PackedBatch& batch) const {
  BatchWriter writer(batch, code_columns_, num_dense_, super_self_loops_);
  batch.code_table = table_ ? &*table_ : nullptr;
  return writer;
}

}  // namespace sgood
