// SPDX-License-Identifier: MIT
#include "sgood/detectors/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sgood/core/error.h"
#include "tests/detectors/toy_data.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;
using testing::toy_ood;
using testing::toy_set;

ModelSettings quick() {
  ModelSettings settings;
  settings.options = {{"pretrain_epochs", "2"}, {"finetune_epochs", "4"}, {"batch_size", "32"}};
  return settings;
}

fs::path temporary(const std::string& name) { return fs::path(::testing::TempDir()) / name; }

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Model, SameSeedGivesTheSameFileByteForByte) {
  const GraphSet data = toy_set(60, 1);
  for (const char* name : {"a.sgood", "b.sgood"})
    Model::fit(data, quick(), {}).save(temporary(name));
  EXPECT_EQ(bytes_of(temporary("a.sgood")), bytes_of(temporary("b.sgood")));
  FitContext other_seed;
  other_seed.seed = 1;
  Model::fit(data, quick(), other_seed).save(temporary("b.sgood"));
  EXPECT_NE(bytes_of(temporary("a.sgood")), bytes_of(temporary("b.sgood")));
}

TEST(Model, LoadedModelDecidesAlikeAndSavesTheSameBytes) {
  ModelSettings settings = quick();
  settings.alarm_rate = 0.2;
  const Model model = Model::fit(toy_set(80, 1), settings, {});
  model.save(temporary("c.sgood"));
  const Model loaded = Model::load(temporary("c.sgood"));
  EXPECT_EQ(loaded.alarm_rate(), 0.2);
  EXPECT_EQ(loaded.describe(), model.describe());
  const auto before = model.score(toy_ood(20, 2)), after = loaded.score(toy_ood(20, 2));
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].score, after[i].score);
    EXPECT_EQ(before[i].p_value, after[i].p_value);
    EXPECT_EQ(before[i].is_ood, after[i].is_ood);
    EXPECT_EQ(before[i].predicted, after[i].predicted);
  }
  loaded.save(temporary("d.sgood"));
  EXPECT_EQ(bytes_of(temporary("c.sgood")), bytes_of(temporary("d.sgood")));
}

TEST(Model, DecisionsFollowThresholdAndPValue) {
  ModelSettings settings = quick();
  settings.validation = 0.3;
  Model model = Model::fit(toy_set(100, 1), settings, {});
  for (const double rate : {0.05, 0.2, 0.5}) {
    model.set_alarm_rate(rate);
    for (const Decision& d : model.score(toy_ood(30, 2))) {
      EXPECT_EQ(d.is_ood, d.p_value <= rate);
      EXPECT_EQ(d.is_ood, d.score > model.threshold());
      EXPECT_TRUE(d.predicted == "triangles" || d.predicted == "squares");
    }
  }
  EXPECT_THROW(model.set_alarm_rate(0), InvalidArgument);
  EXPECT_THROW(model.set_alarm_rate(1), InvalidArgument);
}

TEST(Model, SeparateCalibrationDataIsUsedWhole) {
  const GraphSet calibration = toy_set(25, 3);
  const Model model = Model::fit(toy_set(40, 1), quick(), {}, &calibration);
  EXPECT_EQ(model.calibration().scores().size(), 25u);
  EXPECT_EQ(model.describe()["training"]["train_graphs"], 40);
}

TEST(Model, RefusesFilesThatAreMissingForeignOrDamaged) {
  EXPECT_THROW(Model::load(temporary("nowhere.sgood")), IoError);
  std::ofstream(temporary("foreign.sgood")) << "id,smiles\n1,CCO\n";
  EXPECT_THROW(Model::load(temporary("foreign.sgood")), Error);

  Model::fit(toy_set(40, 1), quick(), {}).save(temporary("e.sgood"));
  const std::string good = bytes_of(temporary("e.sgood"));
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    std::ofstream(temporary("bad.sgood"), std::ios::binary) << bad;
    EXPECT_THROW(Model::load(temporary("bad.sgood")), Error) << "byte " << at;
    std::ofstream(temporary("bad.sgood"), std::ios::binary) << good.substr(0, at);
    EXPECT_THROW(Model::load(temporary("bad.sgood")), Error) << "cut at " << at;
  }
}

TEST(Model, NamesTheUnknownOptionAndTheUnknownMethod) {
  ModelSettings settings = quick();
  settings.options.emplace_back("tua", "1");
  EXPECT_THROW(Model::fit(toy_set(40, 1), settings, {}), InvalidArgument);
  settings = quick();
  settings.method = "sgodo";
  EXPECT_THROW(Model::fit(toy_set(40, 1), settings, {}), InvalidArgument);
}

}  // namespace
}  // namespace sgood
