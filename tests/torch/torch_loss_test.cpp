// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sgood/core/error.h"
#include "src/torch/torch_network.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using testing::Stage;
using Rows = std::vector<std::vector<double>>;

Rows random_rows(std::size_t count, std::size_t width, Rng& rng) {
  Rows rows(count, std::vector<double>(width));
  for (auto& row : rows)
    for (double& x : row) x = rng.normal();
  return rows;
}

at::Tensor to_tensor(const Rows& rows) {
  std::vector<at::Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(at::tensor(row, at::kDouble));
  return at::stack(tensors);
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

double contrast_by_loop(const Rows& view0, const Rows& view1, double temperature) {
  const Rows* views[] = {&view0, &view1};
  const std::size_t graphs = view0.size();
  double sum = 0;
  for (std::size_t i = 0; i < graphs; ++i) {
    for (std::size_t a = 0; a < 2; ++a) {
      const auto& anchor = (*views[a])[i];
      double others = 0;
      for (std::size_t j = 0; j < graphs; ++j)
        for (std::size_t k = 0; k < 2; ++k)
          if (j != i) others += std::exp(cosine(anchor, (*views[k])[j]) / temperature);
      const double positive = std::exp(cosine(anchor, (*views[1 - a])[i]) / temperature);
      sum -= std::log(positive / others);
    }
  }
  return sum / (2.0 * static_cast<double>(graphs));
}

TEST(TorchLoss, ContrastEqualsAHandWrittenLoop) {
  Rng rng(3);
  for (const std::size_t graphs : {2U, 3U, 17U}) {
    const Rows view0 = random_rows(graphs, 6, rng), view1 = random_rows(graphs, 6, rng);
    for (const double temperature : {0.1, 0.2, 1.0})
      EXPECT_NEAR(contrastive_loss(to_tensor(view0), to_tensor(view1), temperature).item<double>(),
                  contrast_by_loop(view0, view1, temperature), 1e-12);
  }
}

TEST(TorchLoss, ContrastOfEqualViewsOfOrthogonalGraphsIsNegative) {
  // One positive with cosine 1, two others with cosine 0: log 2 - 1 / tau.
  const at::Tensor view = at::eye(2, at::kDouble);
  EXPECT_NEAR(contrastive_loss(view, view, 0.2).item<double>(), std::log(2.0) - 5.0, 1e-12);
}

TEST(TorchLoss, ContrastIgnoresLengthAndSurvivesZeroVectors) {
  Rng rng(4);
  const at::Tensor view0 = to_tensor(random_rows(4, 3, rng));
  const at::Tensor view1 = to_tensor(random_rows(4, 3, rng));
  EXPECT_NEAR(contrastive_loss(7 * view0, 0.1 * view1, 0.2).item<double>(),
              contrastive_loss(view0, view1, 0.2).item<double>(), 1e-12);

  at::Tensor zeros = at::zeros({4, 3}, at::kDouble).requires_grad_();
  const at::Tensor loss = contrastive_loss(zeros, view1, 0.2);
  loss.backward();
  EXPECT_TRUE(std::isfinite(loss.item<double>()));
  EXPECT_TRUE(zeros.grad().isfinite().all().item<bool>());
}

TEST(TorchLoss, CrossEntropyEqualsAHandWrittenLoop) {
  const NetworkShape shape = testing::small_shape(Backbone::kGin, true);
  const ParameterLayout layout(shape);
  Rng rng(5);
  const testing::StepData data(testing::odd_graphs(shape, rng), shape, rng);
  const at::Tensor parameters =
      at::tensor(testing::random_parameters(layout, rng), at::kFloat).to(at::kDouble);
  const TorchNetwork network(layout, parameters);
  const TorchBatch batch =
      make_torch_batch(data.original, 0, data.original.num_graphs, shape, network.options());
  const at::Tensor logits = network.classify(network.encode(batch).readout);

  double expected = 0;
  for (std::int64_t g = 0; g < logits.size(0); ++g) {
    double sum = 0;
    for (std::int64_t c = 0; c < logits.size(1); ++c) sum += std::exp(logits[g][c].item<double>());
    expected += std::log(sum) - logits[g][data.labels[static_cast<std::size_t>(g)]].item<double>();
  }
  expected /= static_cast<double>(logits.size(0));
  const TorchLoss loss = training_loss(network, data.step(Stage::kClassification));
  EXPECT_NEAR(loss.cross_entropy.item<double>(), expected, 1e-12);
  EXPECT_EQ(loss.total.item<double>(), loss.cross_entropy.item<double>());
  EXPECT_EQ(loss.contrastive.item<double>(), 0);
}

TEST(TorchLoss, TotalIsCrossEntropyPlusWeightTimesContrast) {
  const NetworkShape shape = testing::small_shape(Backbone::kSage, true);
  const ParameterLayout layout(shape);
  Rng rng(6);
  const testing::StepData data(testing::odd_graphs(shape, rng), shape, rng);
  const TorchNetwork network(layout, at::tensor(testing::random_parameters(layout, rng)));
  TrainingStep step = data.step(Stage::kFineTuning);
  const TorchLoss both = training_loss(network, step);
  EXPECT_FLOAT_EQ(both.total.item<float>(),
                  both.cross_entropy.item<float>() + 0.3F * both.contrastive.item<float>());
  step.original = nullptr;
  step.labels = {};
  step.contrastive_weight = 2.0;
  const TorchLoss alone = training_loss(network, step);
  EXPECT_EQ(alone.cross_entropy.item<float>(), 0);
  EXPECT_EQ(alone.contrastive.item<float>(), both.contrastive.item<float>());
  EXPECT_FLOAT_EQ(alone.total.item<float>(), 2 * both.contrastive.item<float>());
}

TEST(TorchLoss, IncompleteStepsAreRefused) {
  const NetworkShape shape = testing::small_shape(Backbone::kGin, true);
  const ParameterLayout layout(shape);
  Rng rng(7);
  const testing::StepData data(testing::odd_graphs(shape, rng), shape, rng);
  const TorchNetwork network(layout, at::tensor(testing::random_parameters(layout, rng)));
  const auto refused = [&](auto change) {
    TrainingStep step = data.step(Stage::kFineTuning);
    change(step);
    EXPECT_THROW(training_loss(network, step), InvalidArgument);
  };
  const std::vector<PackedGraph> one = {testing::random_graph(shape, 4, 5, 2, rng)};
  const PackedBatch lonely = testing::pack_all(one, shape);
  const std::vector<std::int32_t> wrong_labels(data.labels.size(), shape.num_classes);
  refused([](TrainingStep& step) { step.original = step.view0 = step.view1 = nullptr; });
  refused([](TrainingStep& step) { step.view1 = nullptr; });
  refused([&](TrainingStep& step) { step.view0 = step.view1 = &lonely; });
  refused([&](TrainingStep& step) { step.view0 = &lonely; });
  refused([](TrainingStep& step) { step.temperature = 0; });
  refused([](TrainingStep& step) { step.labels = step.labels.first(2); });
  refused([&](TrainingStep& step) { step.labels = wrong_labels; });
}

}  // namespace
}  // namespace sgood
