// SPDX-License-Identifier: MIT
#include "sgood/report/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>

#include "sgood/core/error.h"
#include "sgood/report/result_page.h"
#include "sgood/report/score_histogram.h"
#include "tests/report/sample_table.h"
#include "tests/report/well_formed.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ResultLines sample_lines() { return {sample_table(), "x & <y>", "AUROC (%)", {16, 32, 64}, true}; }

ResultHeatMaps sample_maps() {
  ResultHeatMaps maps;
  maps.options = {"I", "SD"};
  maps.panels = {"bace", "never measured"};
  maps.cells = {{{{1.26, 0.5, 3, {}}, {-2.5, 1, 3, {}}}, {{}, {0.01, 1, 3, {}}}},
                std::vector(2, std::vector<ResultCell>(2))};
  return maps;
}

ResultDistributions sample_distributions() {
  ResultDistributions distributions;
  distributions.panels = {{"it's `date` \"SGOOD\\A\"", {0, 1, 2, 3, 9}, {2, 4, 5, 6, 30}, 2.5, 8},
                          {"all alike", {1, 1, 1}, {1, 1, 1}, 1, 1}};
  return distributions;
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

class Figures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v gnuplot > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs gnuplot";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// What `write` makes of an .svg, after checks that hold for every figure.
  std::string checked_svg(const std::function<void(const fs::path&)>& write) {
    write(folder_ / "figure.svg");
    write(folder_ / "figure.png");
    const std::string svg = contents(folder_ / "figure.svg");
    EXPECT_TRUE(well_formed(svg));
    EXPECT_THAT(svg, HasSubstr("</svg>"));
    const std::string png = contents(folder_ / "figure.png");
    EXPECT_THAT(png, StartsWith("\x89PNG\r\n"));
    EXPECT_THAT(png, HasSubstr("IEND"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2) << "no other file is left";
    return svg;
  }

  fs::path folder_ =
      fs::path(::testing::TempDir()) /
      ("figures-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Figures, LinesHaveOnePanelPerColumnAndLabels) {
  const std::string svg = checked_svg([](const auto& path) { write_lines(path, sample_lines()); });
  for (const char* text : {">left<", ">right<", ">x &amp; &lt;y><", ">AUROC (%)<", ">16<", ">64<",
                           ">± standard deviation<"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST_F(Figures, ColumnsWithoutAValueHaveNoPanel) {
  ResultLines lines = sample_lines();
  for (auto& row : lines.table.cells) row[1].mean.reset();
  const std::string svg = checked_svg([&](const auto& path) { write_lines(path, lines); });
  EXPECT_THAT(svg, HasSubstr(">left<"));
  EXPECT_THAT(svg, Not(HasSubstr(">right<")));
}

TEST_F(Figures, MissingCellIsOnePointLess) {
  const auto points = [&](const ResultLines& lines) {
    const std::string svg = checked_svg([&](const auto& path) { write_lines(path, lines); });
    return occurrences(svg, "<use xlink:href='#gpPt6' transform");  // filled circles
  };
  ResultLines lines = sample_lines();
  const int before = points(lines);
  lines.table.cells[0][0].mean.reset();
  EXPECT_EQ(points(lines), before - 1);
}

TEST_F(Figures, HeatMapsPrintTheirValues) {
  const std::string svg =
      checked_svg([](const auto& path) { write_heat_maps(path, sample_maps()); });
  for (const char* text : {">bace<", ">SD<", ">+1.3<", ">−2.5<", ">0.0<", ">-<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr("never measured")));
}

TEST_F(Figures, HeatMapColoursDivergeFromWhite) {
  ResultHeatMaps maps = sample_maps();
  maps.cells[0] = {{{-2, 0, 1, {}}, {0, 0, 1, {}}}, {{1, 0, 1, {}}, {2, 0, 1, {}}}};
  const std::string svg = checked_svg([&](const auto& path) { write_heat_maps(path, maps); });
  const std::regex fill(R"(fill\s*=\s*['"]?\s*(rgb\([^)]*\)|#[0-9a-fA-F]{6}))");
  std::vector<std::string> fills;
  for (std::sregex_iterator it(svg.begin(), svg.end(), fill), end; it != end; ++it)
    fills.push_back((*it)[1]);
  EXPECT_THAT(fills, ::testing::IsSupersetOf({"rgb(232, 133,  58)", "rgb( 74, 159, 212)"}))
      << "ends of the scale";
}

TEST_F(Figures, DistributionsTakeTitlesLiterally) {
  const std::string svg =
      checked_svg([](const auto& path) { write_distributions(path, sample_distributions()); });
  EXPECT_THAT(svg, HasSubstr(">it's `date` \"SGOOD\\A\"<"));
  EXPECT_THAT(svg, HasSubstr(">in distribution (ID)<"));
}

TEST_F(Figures, EveryPanelOfDistributionsHasTwoDottedMeans) {
  const auto dotted = [&](const ResultDistributions& distributions) {
    return occurrences(
        checked_svg([&](const auto& path) { write_distributions(path, distributions); }),
        "stroke-dasharray");
  };
  ResultDistributions distributions = sample_distributions();
  const int before = dotted(distributions);
  distributions.panels.pop_back();
  EXPECT_EQ(dotted(distributions), before - 2);
}

TEST_F(Figures, FitIntoAPageThatLoadsNothing) {
  ResultPage page;
  page.sections = {{"lines", "Lines", {}, {}, "", {}}, {"maps", "Maps", {}, {}, "", {}}};
  page.sections[0].svg = checked_svg([](const auto& path) { write_lines(path, sample_lines()); });
  page.sections[1].svg =
      checked_svg([](const auto& path) { write_heat_maps(path, sample_maps()); });
  const std::string text = result_page(page);
  EXPECT_TRUE(well_formed(text));
  EXPECT_THAT(text, Not(HasSubstr("http")));
  EXPECT_EQ(occurrences(text, "<title>"), 1) << "a curve's title would be a tooltip";
}

TEST_F(Figures, NothingMeasuredIsSaid) {
  for (const auto& write : std::vector<std::function<void(const fs::path&)>>{
           [](const auto& path) { write_lines(path, {}); },
           [](const auto& path) { write_heat_maps(path, {}); },
           [](const auto& path) { write_distributions(path, {}); }})
    EXPECT_THAT(checked_svg(write), HasSubstr("Nothing has been measured."));
}

TEST_F(Figures, HistogramShowsBothGroupsAndTheThreshold) {
  const std::vector<double> id = {1, 2, 3}, ood = {4, 5, 6};
  const std::string svg = checked_svg([&](const auto& path) {
    write_score_histogram(path, {"rings\nsystem \"false\" and 'stars'", id, ood, 3.5});
  });
  EXPECT_THAT(svg, HasSubstr(">rings system \"false\" and 'stars'<"));
  EXPECT_THAT(svg, HasSubstr(">threshold<"));
}

TEST_F(Figures, WithoutGnuplotAreUnavailable) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  EXPECT_THROW(write_lines(folder_ / "a.svg", sample_lines()), Unavailable);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Figures, MissingFolderIsAnIoError) {
  EXPECT_THROW(write_lines(folder_ / "nowhere" / "a.svg", sample_lines()), IoError);
}

TEST_F(Figures, RefuseOtherFormatsAndShapes) {
  EXPECT_THROW(write_lines(folder_ / "a.pdf", sample_lines()), InvalidArgument);
  ResultLines lines = sample_lines();
  lines.x[0] = 0;
  EXPECT_THROW(write_lines(folder_ / "a.svg", lines), InvalidArgument);
  lines.x.pop_back();
  EXPECT_THROW(write_lines(folder_ / "a.svg", lines), InvalidArgument);
  ResultHeatMaps maps = sample_maps();
  maps.cells[0][1].pop_back();
  EXPECT_THROW(write_heat_maps(folder_ / "a.svg", maps), InvalidArgument);
  ResultDistributions distributions = sample_distributions();
  distributions.panels[0].ood_quantiles = {3, 2};
  EXPECT_THROW(write_distributions(folder_ / "a.svg", distributions), InvalidArgument);
}

}  // namespace
}  // namespace sgood
