// SPDX-License-Identifier: MIT
#include "sgood/experiments/run_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sgood/core/error.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

RunRecord record_of(std::uint64_t seed) {
  RunRecord run;
  run.spec = {"motif", "sgood", {{"tau", "0.25"}}, seed, seed + 1};
  run.ood = {};
  run.ood.auroc = 0.1 + 1e-9 * static_cast<double>(seed);
  run.ood.num_id = 3;
  run.id_scores = summarize_scores({3, 1, 2});
  run.ood_scores = summarize_scores({5});
  run.epoch_seconds = {{"pre-training", 0.5}, {"fine-tuning", 0.25}};
  run.remarks = {"beside the numbers"};
  return run;
}

class RunStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("sgood_store_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    path_ = folder_ / "new" / "runs.jsonl";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string text() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  fs::path folder_, path_;
};

TEST_F(RunStoreTest, GivesBackWhatItWasGiven) {
  {
    RunStore store(path_);
    store.append(record_of(1));
    store.append(record_of(2));
  }
  const RunStore again(path_);
  ASSERT_EQ(again.size(), 2u);
  const RunRecord* run = again.find(record_of(2).spec);
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->to_json().dump(), record_of(2).to_json().dump());
  EXPECT_EQ(again.find(record_of(3).spec), nullptr);
}

TEST_F(RunStoreTest, FindsARunHoweverItsOptionsAreWritten) {
  RunStore store;
  store.append(record_of(1));
  RunSpec spec = record_of(1).spec;
  spec.options = {{"alpha", "0.1"}, {"tau", "0.250"}};
  EXPECT_NE(store.find(spec), nullptr);
  spec.options = {{"alpha", "0.2"}, {"tau", "0.25"}};
  EXPECT_EQ(store.find(spec), nullptr);
}

TEST_F(RunStoreTest, TakesRunsFromBeforeCopiesWereCounted) {
  RunRecord run = record_of(1);
  RunStore(path_).append(run);
  const RunStore older(path_);
  ASSERT_NE(older.find(run.spec), nullptr);
  EXPECT_FALSE(older.find(run.spec)->copies || older.find(run.spec)->null_auroc);
  run.spec.seed = 5;
  run.copies = CopyAudit{0.25, 0.5};
  run.null_auroc = 0.51;
  RunStore(path_).append(run);
  const RunStore newer(path_);
  EXPECT_EQ(newer.find(run.spec)->to_json().dump(), run.to_json().dump());
  EXPECT_EQ(newer.find(run.spec)->copies->ood, 0.5);
}

TEST_F(RunStoreTest, PassesOverRunsOfMethodsItDoesNotKnow) {
  RunStore(path_).append(record_of(1));
  std::string line = record_of(2).to_json().dump();
  line.replace(line.find("\"sgood\""), 7, "\"later\"");
  std::ofstream(path_, std::ios::app) << line << '\n';
  RunStore store(path_);
  EXPECT_EQ(store.size(), 1u);
  store.append(record_of(3));
  EXPECT_EQ(RunStore(path_).size(), 2u);
}

TEST_F(RunStoreTest, KeepsRunsOnOtherOodGraphsApart) {
  RunRecord first = record_of(1);
  first.spec.ood.order = OodOrder::kFirst;
  RunRecord few = record_of(1);
  few.spec.ood.share = 0.1;
  RunStore(path_).append(first);
  RunStore(path_).append(few);
  const RunStore store(path_);
  EXPECT_NE(store.find(first.spec), nullptr);
  EXPECT_NE(store.find(few.spec), nullptr);
  EXPECT_EQ(store.find(record_of(1).spec), nullptr);
}

TEST_F(RunStoreTest, DropsWhatAnInterruptedWriteLeft) {
  RunStore(path_).append(record_of(1));
  const std::string whole = text();
  for (const std::size_t length : {std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(path_, std::ios::trunc) << whole << whole.substr(0, length);
    RunStore store(path_);
    EXPECT_EQ(store.size(), 1u);
    store.append(record_of(2));
    EXPECT_EQ(RunStore(path_).size(), 2u);
    EXPECT_TRUE(text().starts_with(whole));
  }
}

TEST_F(RunStoreTest, NamesALineThatIsNotARun) {
  RunStore(path_).append(record_of(1));
  std::ofstream(path_, std::ios::app) << "{\"version\":1}\n";
  EXPECT_THAT([&] { RunStore store(path_); },
              ::testing::ThrowsMessage<ParseError>(::testing::HasSubstr("runs.jsonl:2")));
}

TEST_F(RunStoreTest, LeavesRunsOfOtherVersionsAlone) {
  auto json = record_of(1).to_json();
  json["version"] = kResultsVersion + 1;
  json["set"] = {{"an option of the future", 1}};
  fs::create_directories(path_.parent_path());
  std::ofstream(path_) << json.dump() << "\n";
  RunStore store(path_);
  EXPECT_EQ(store.size(), 0u);
  store.append(record_of(2));
  EXPECT_EQ(RunStore(path_).size(), 1u);
  EXPECT_TRUE(text().starts_with(json.dump()));
}

TEST_F(RunStoreTest, HoldsEveryRunThatAppendReturnedFromWhenTheProcessIsKilled) {
  for (int round = 0; round < 5; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      RunStore store(path_);
      for (std::uint64_t seed = 1000 * static_cast<std::uint64_t>(round);; ++seed) {
        store.append(record_of(seed));
        if (::write(pipe[1], &seed, sizeof seed) != sizeof seed) ::_exit(1);
      }
    }
    ::close(pipe[1]);
    std::uint64_t last = 0;
    for (int i = 0; i < 20 + round; ++i) ASSERT_EQ(::read(pipe[0], &last, sizeof last), 8);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(pipe[0], &last, sizeof last) == 8) continue;
    ::close(pipe[0]);
    const RunStore store(path_);
    for (std::uint64_t seed = 1000 * static_cast<std::uint64_t>(round); seed <= last; ++seed)
      EXPECT_NE(store.find(record_of(seed).spec), nullptr) << seed;
  }
}

TEST_F(RunStoreTest, IsSharedByThreadsAndProcesses) {
  RunStore a(path_), b(path_);
  std::thread other([&] {
    for (std::uint64_t seed = 100; seed < 120; ++seed) b.append(record_of(seed));
  });
  for (std::uint64_t seed = 0; seed < 20; ++seed) a.append(record_of(seed));
  other.join();
  EXPECT_EQ(RunStore(path_).size(), 40u);
}

TEST(ScoreSummary, RunsFromTheSmallestScoreToTheLargest) {
  const ScoreSummary summary = summarize_scores({4, 2, 8, 6});
  EXPECT_EQ(summary.mean, 5);
  EXPECT_EQ(summary.quantiles.size(), 17u);
  EXPECT_EQ(summary.quantiles.front(), 2);
  EXPECT_EQ(summary.quantiles.back(), 8);
  EXPECT_TRUE(std::ranges::is_sorted(summary.quantiles));
}

}  // namespace
}  // namespace sgood
