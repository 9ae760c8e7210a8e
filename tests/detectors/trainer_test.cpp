// SPDX-License-Identifier: MIT
#include "sgood/detectors/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

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

TEST(Trainer, AllOrderedPairsOfViewsWork) {
  for (const char* view0 : {"I", "SD", "SG", "SS"})
    for (const char* view1 : {"I", "SD", "SG", "SS", "random"}) {
      SgoodOptions options = quick();
      options.pretrain_epochs = options.finetune_epochs = 1;
      options.view0 = view0;
      options.view1 = view1;
      EXPECT_NO_THROW(SgoodDetector(options).fit(toy_set(20, 1), {})) << view0 << " " << view1;
    }
}

}  // namespace
}  // namespace sgood
