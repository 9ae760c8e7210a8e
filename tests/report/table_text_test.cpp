// SPDX-License-Identifier: MIT
#include "sgood/report/table_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "tests/report/sample_table.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// One column whose cells have these means, 5 runs each and no spread.
ResultTable column_of(const std::vector<double>& means) {
  ResultTable table;
  table.columns = {"c"};
  for (const double mean : means) {
    table.rows.push_back(fmt::format("r{}", table.rows.size()));
    table.cells.push_back({{mean, 0, 5, {}}});
  }
  return table;
}

/// The fields of quoted, comma-separated lines.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && text[i + 1] == '"') {
      lines.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!quoted && c == '\n') {
      lines.emplace_back(1);
    } else {
      lines.back().back() += c;
    }
  }
  lines.pop_back();
  return lines;
}

TEST(Markdown, TableHasMarksPaperMissingCellsAndEscapes) {
  EXPECT_EQ(to_markdown(sample_table()),
            "### Sample, AUROC (%)\n\n"
            "Paper: nowhere. Mean ± standard deviation of 5 runs (unless the cell says otherwise), "
            "beside the paper's number and our difference from it. Bold: highest of a column; "
            "underlined: second. Rows from \"size\" on are not ranked.\n\n"
            "| method | left | right |\n"
            "| --- | ---: | ---: |\n"
            "| A\\|B\\_1 | <u>67.7 ± 3.0</u> (paper 74.4, -6.7) | -1.3 ± 0.5 |\n"
            "| C & D | **72.0 ± 1.0**, 3 runs (paper 71.5, +0.5) | - (paper 60.0) |\n"
            "| size | 99.0 ± 0.0 | 50.0 ± 2.0 |\n");
}

TEST(Markdown, NumberOfRunsStandsInTheCaptionAloneWhenAllAreEqual) {
  const std::string text = to_markdown(column_of({1, 2}));
  EXPECT_THAT(text, HasSubstr("of 5 runs. "));
  EXPECT_THAT(text, HasSubstr("| **2.0 ± 0.0** |"));
}

TEST(Markdown, SingleRunHasNoSpread) {
  ResultTable table = column_of({1, 2});
  table.cells[0][0].runs = table.cells[1][0].runs = 1;
  const std::string text = to_markdown(table);
  EXPECT_THAT(text, HasSubstr("One run."));
  EXPECT_THAT(text, HasSubstr("| **2.0** |"));
}

TEST(Markdown, EqualPrintedNumbersShareAPlace) {
  const std::string text = to_markdown(column_of({70.04, 69.96, 60, 60.01, 50}));
  EXPECT_THAT(text, HasSubstr("| r0 | **70.0 ± 0.0** |"));
  EXPECT_THAT(text, HasSubstr("| r1 | **70.0 ± 0.0** |"));
  EXPECT_THAT(text, HasSubstr("| r2 | <u>60.0 ± 0.0</u> |"));
  EXPECT_THAT(text, HasSubstr("| r3 | <u>60.0 ± 0.0</u> |"));
  EXPECT_THAT(text, HasSubstr("| r4 | 50.0 ± 0.0 |"));
}

TEST(Markdown, LowestIsBestWhereLowerIsBetter) {
  ResultTable table = column_of({0.16, 0.25, 0.4});
  table.higher_is_better = false;
  table.decimals = 2;
  const std::string text = to_markdown(table);
  EXPECT_THAT(text, HasSubstr("Bold: lowest"));
  EXPECT_THAT(text, HasSubstr("| r0 | **0.16 ± 0.00** |"));
  EXPECT_THAT(text, HasSubstr("| r1 | <u>0.25 ± 0.00</u> |"));
}

TEST(Markdown, LoneCellIsNotRanked) {
  const std::string text = to_markdown(column_of({70}));
  EXPECT_THAT(text, HasSubstr("| r0 | 70.0 ± 0.0 |"));
  EXPECT_THAT(text, Not(HasSubstr("Bold")));
}

TEST(Markdown, DifferenceIsThatOfThePrintedNumbers) {
  ResultTable table = column_of({67.75});
  table.cells[0][0].paper = 74.44;
  EXPECT_THAT(to_markdown(table), HasSubstr("67.8 ± 0.0 (paper 74.4, -6.6)"));
}

TEST(Markdown, NoNumberIsMinusZero) {
  EXPECT_THAT(to_markdown(column_of({-0.04})), HasSubstr("| 0.0 ± 0.0 |"));
}

TEST(Markdown, EmptyTableSaysSo) {
  ResultTable table = column_of({1});
  table.cells[0][0].mean.reset();
  EXPECT_THAT(to_markdown(table), HasSubstr("Nothing has been measured."));
}

TEST(Latex, TableHasRulesMarksAndEscapes) {
  EXPECT_EQ(
      to_latex(sample_table()),
      "\\begin{table*}[t]\n\\centering\n\\footnotesize\n"
      "\\caption{Sample, AUROC (\\%). Paper: nowhere. Mean $\\pm$ standard deviation of 5 runs "
      "(unless the cell says otherwise), beside the paper's number and our difference from it. "
      "Bold: highest of a column; underlined: second. Rows from \"size\" on are not ranked.}\n"
      "\\label{tab:sample}\n\\begin{tabular}{lrr}\n\\toprule\nmethod & left & right \\\\\n"
      "\\midrule\n"
      "A|B\\_1 & \\underline{67.7 $\\pm$ 3.0} & $-$1.3 $\\pm$ 0.5 \\\\\n"
      " & {\\scriptsize paper 74.4, $-$6.7} &  \\\\\n"
      "C \\& D & \\textbf{72.0 $\\pm$ 1.0} (3 runs) & - \\\\\n"
      " & {\\scriptsize paper 71.5, +0.5} & {\\scriptsize paper 60.0} \\\\\n"
      "\\midrule\n"
      "size & 99.0 $\\pm$ 0.0 & 50.0 $\\pm$ 2.0 \\\\\n"
      "\\bottomrule\n\\end{tabular}\n\\end{table*}\n");
}

TEST(Latex, EverySpecialCharacterIsEscaped) {
  ResultTable table = column_of({1});
  table.rows = {"&%_#${}~^\\"};
  EXPECT_THAT(to_latex(table),
              HasSubstr("\\&\\%\\_\\#\\$\\{\\}\\textasciitilde{}\\textasciicircum{}"
                        "\\textbackslash{} & 1.0"));
}

TEST(Csv, LinesReadBack) {
  ResultTable table = sample_table();
  table.rows[0] = "a, \"b\"\nc";
  const auto lines = parse_csv(to_csv(table));
  ASSERT_EQ(lines.size(), 7);
  EXPECT_THAT(lines[0], ElementsAre("row", "column", "mean", "std", "runs", "paper", "difference"));
  EXPECT_THAT(lines[1], ElementsAre("a, \"b\"\nc", "left", "67.71", "3.04", "5", "74.41", "-6.7"));
  EXPECT_THAT(lines[4], ElementsAre("C & D", "right", "", "", "0", "60", ""));
  EXPECT_THAT(lines[6], ElementsAre("size", "right", "50", "2", "5", "", ""));
}

TEST(Csv, HeatMapsNameTheirPanels) {
  ResultHeatMaps maps;
  maps.options = {"I"};
  maps.panels = {"bace", "bbbp"};
  maps.cells = {{{{1.5, 0.5, 3, {}}}}, {{{}}}};
  const auto lines = parse_csv(to_csv(maps));
  ASSERT_EQ(lines.size(), 3);
  EXPECT_THAT(lines[1], ElementsAre("bace", "I", "I", "1.5", "0.5", "3", "", ""));
  EXPECT_THAT(lines[2], ElementsAre("bbbp", "I", "I", "", "", "0", "", ""));
}

TEST(Csv, DistributionsListTheirQuantiles) {
  ResultDistributions distributions;
  distributions.panels = {{"SGOOD", {1, 2, 4}, {3, 9}, 2, 6}};
  EXPECT_EQ(to_csv(distributions),
            "panel,group,quantile,score\nSGOOD,id,0,1\nSGOOD,id,0.5,2\nSGOOD,id,1,4\n"
            "SGOOD,ood,0,3\nSGOOD,ood,1,9\n");
}

TEST(TableTexts, RefuseCellsOfAnotherShapeThanTheNames) {
  ResultTable table = sample_table();
  table.cells[1].pop_back();
  EXPECT_THROW(to_markdown(table), InvalidArgument);
  EXPECT_THROW(to_latex(table), InvalidArgument);
  EXPECT_THROW(to_csv(table), InvalidArgument);
  table.cells.pop_back();
  EXPECT_THROW(to_csv(table), InvalidArgument);
}

}  // namespace
}  // namespace sgood
