// SPDX-License-Identifier: MIT
#include "sgood/detectors/trainer.h"
#include "sgood/nn/batch_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sgood/augment/augmentation.h"
#include "sgood/core/error.h"
#include "sgood/detectors/sgood.h"
#include "tests/detectors/toy_data.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;
using testing::toy_set;

TEST(BatchRanges, CoverEverythingAndNeverEndWithASingleGraph) {
  for (std::int32_t count = 2; count < 60; ++count)
    for (std::int32_t size = 2; size < 20; ++size) {
      std::int32_t next = 0;
      for (const auto& [first, last] : batch_ranges(count, size)) {
        EXPECT_EQ(first, next);
        EXPECT_GE(last - first, 2);
        EXPECT_LE(last - first, size + 1);
        next = last;
      }
      EXPECT_EQ(next, count);
    }
  EXPECT_THROW(batch_ranges(10, 1), InvalidArgument);
}

SgoodOptions quick() {
  SgoodOptions options;
  options.pretrain_epochs = 3;
  options.finetune_epochs = 5;
  options.batch_size = 16;
  return options;
}

TensorFile state_of(const SgoodDetector& detector) {
  TensorFile file;
  detector.save(file);
  return file;
}

/// Stops training after `epochs` epochs.
class StopAfter {
 public:
  explicit StopAfter(std::int64_t epochs) : epochs_(epochs) {}
  FitContext context(const fs::path& checkpoint) {
    FitContext context;
    context.checkpoint = checkpoint;
    context.control.stop = source_.get_token();
    context.control.progress = [this](const ProgressUpdate& update) {
      if (update.done == epochs_) source_.request_stop();
    };
    return context;
  }

 private:
  std::int64_t epochs_;
  std::stop_source source_;
};

class Checkpoint : public ::testing::Test {
 protected:
  fs::path path_ = fs::path(::testing::TempDir()) /
                   ::testing::UnitTest::GetInstance()->current_test_info()->name();
  void SetUp() override { fs::remove(path_); }
  void TearDown() override { fs::remove(path_); }
};

TEST_F(Checkpoint, TrainingTakenUpAgainGivesTheBitsOfTrainingInOneGo) {
  const GraphSet data = toy_set(37, 1);
  SgoodDetector in_one_go(quick());
  in_one_go.fit(data, {});
  for (const std::int64_t stop_after : {1, 3, 4, 6}) {
    SgoodDetector interrupted(quick());
    EXPECT_THROW(interrupted.fit(data, StopAfter(stop_after).context(path_)), Cancelled);
    ASSERT_TRUE(fs::exists(path_));
    SgoodDetector resumed(quick());
    FitContext context;
    context.checkpoint = path_;
    resumed.fit(data, context);
    EXPECT_EQ(state_of(resumed), state_of(in_one_go)) << "stopped after " << stop_after;
    fs::remove(path_);
  }
}

TEST_F(Checkpoint, OfAnotherSeedOptionOrDataSetIsRefusedWithTheCure) {
  const GraphSet data = toy_set(37, 1);
  SgoodDetector interrupted(quick());
  EXPECT_THROW(interrupted.fit(data, StopAfter(2).context(path_)), Cancelled);
  FitContext context;
  context.checkpoint = path_;
  SgoodOptions other_options = quick();
  other_options.tau = 0.3;
  EXPECT_THROW(SgoodDetector(other_options).fit(data, context), InvalidArgument);
  EXPECT_THROW(SgoodDetector(quick()).fit(toy_set(37, 2), context), InvalidArgument);
  context.seed = 1;
  try {
    SgoodDetector(quick()).fit(data, context);
    FAIL() << "no error";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("delete it to start afresh"));
  }
}

TEST(Trainer, LossesFall) {
  SgoodOptions options = quick();
  options.finetune_epochs = 40;
  SgoodDetector detector(options);
  detector.fit(toy_set(60, 1), {});
  const auto stages = detector.summary()["stages"];
  EXPECT_LT(stages[1]["last_loss"].get<double>(), stages[1]["first_loss"].get<double>());
}

TEST(Trainer, AllOrderedPairsOfViewsGiveFiniteScores) {
  std::vector<std::string> views = augmentation_names();
  views.emplace_back("random");
  for (const std::string& view0 : views)
    for (const std::string& view1 : views) {
      SgoodOptions options = quick();
      options.pretrain_epochs = options.finetune_epochs = 1;
      options.view0 = view0;
      options.view1 = view1;
      SgoodDetector detector(options);
      detector.fit(toy_set(20, 1), {});
      for (const GraphScore& s : detector.score(toy_set(3, 2)))
        EXPECT_TRUE(std::isfinite(s.score)) << view0 << " " << view1;
    }
}

/// toy_set with two real columns per node.
GraphSet with_attributes(GraphSet set) {
  Rng rng(5);
  for (Graph& graph : set.graphs) {
    GraphBuilder builder(graph.num_nodes());
    std::vector<std::int32_t> labels;
    std::vector<float> attributes;
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
      for (const std::int32_t u : graph.neighbors(v)) builder.add_edge(v, u);
      labels.push_back(graph.node_labels(v)[0]);
      for (int c = 0; c < 2; ++c) attributes.push_back(static_cast<float>(rng.normal()));
    }
    builder.set_node_labels(std::move(labels), 1).set_node_attributes(std::move(attributes), 2);
    builder.set_label(graph.label());
    graph = builder.build();
  }
  return set;
}

TEST(Trainer, EveryAugmentationWorksWithEveryKindOfFeatures) {
  const GraphSet data = with_attributes(toy_set(20, 1));
  for (const std::string& view : augmentation_names())
    for (const char* features :
         {"labels", "first-label", "attributes", "both", "degree", "constant"}) {
      SgoodOptions options = quick();
      options.pretrain_epochs = options.finetune_epochs = 1;
      options.features = features;
      options.view0 = "identity";
      options.view1 = view;
      SgoodDetector detector(options);
      detector.fit(data, {});
      SgoodDetector loaded(options);
      loaded.load(state_of(detector));
      const auto scores = detector.score(data), again = loaded.score(data);
      for (std::size_t g = 0; g < scores.size(); ++g) {
        EXPECT_TRUE(std::isfinite(scores[g].score)) << view << ", " << features;
        EXPECT_EQ(scores[g].score, again[g].score) << view << ", " << features;
      }
    }
}

TEST(Trainer, MaskingGivesEveryCategoricalColumnACodeThatNoGraphHas) {
  const auto input_width = [](const std::string& view0, const std::string& view1) {
    SgoodOptions options = quick();
    options.view0 = view0;
    options.view1 = view1;
    SgoodDetector detector(options);
    detector.fit(toy_set(20, 1), {});
    return detector.summary()["input_width"].get<int>();
  };
  EXPECT_EQ(input_width("I", "SD"), 3);  // two labels and the unknown one
  EXPECT_EQ(input_width("AM", "SD"), 4);
  EXPECT_EQ(input_width("I", "attribute-mask"), 4);
}

}  // namespace
}  // namespace sgood
