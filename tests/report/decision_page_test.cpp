// SPDX-License-Identifier: MIT
#include "sgood/report/decision_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/report/graph_picture.h"
#include "sgood/report/p_value_plot.h"
#include "tests/report/well_formed.h"

namespace sgood {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

DecisionPage sample() {
  DecisionPage page;
  page.title = "A <model> & data";
  page.paragraphs = {"One & two."};
  page.pictures = {{"Scores", "<svg width='1'><g id='a'/><use href='#a'/></svg>", "A caption."}};
  page.graphs = {{"g<1>",
                  "out & away",
                  "what it carries",
                  {"a note"},
                  {{"C=O", "0 1", 1.5, "in 0 of 3"}, {"<b>", "2", {}, "in 1 of 3"}},
                  ""}};
  page.rows = {{"g<1>", 2.5, 0.01, true, "a\"b", 0.5, ""},
               {"bad", 0, 1, false, "", {}, "no & atom"}};
  page.settings = {{"options.tau", "0.2"}};
  return page;
}

/// The page without its script, which is no markup.
std::string markup(const DecisionPage& page) {
  return std::regex_replace(decision_page(page), std::regex("<script>[^]*</script>"), "");
}

TEST(DecisionPage, IsWellFormedWhateverTheNames) { EXPECT_TRUE(well_formed(markup(sample()))); }

TEST(DecisionPage, ShowsNamesAsTheyAre) {
  const std::string page = markup(sample());
  EXPECT_THAT(page, HasSubstr("g&lt;1&gt;"));
  EXPECT_THAT(page, HasSubstr("a&quot;b"));
  EXPECT_THAT(page, HasSubstr("no &amp; atom"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
}

TEST(DecisionPage, ARowThatCannotBeReadHasNoNumbers) {
  EXPECT_THAT(markup(sample()), HasSubstr("<td>bad</td><td></td><td></td><td>unreadable</td>"));
}

TEST(GraphPicture, ColoursNodesAndDashesEdgesBetweenBlocks) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1).add_edge(1, 2);
  const std::string path = ::testing::TempDir() + "graph.svg";
  const std::vector<double> shades = {1, 0, -1};
  const std::vector<std::int32_t> blocks = {0, 0, 1};
  try {
    write_graph_picture(path, builder.build(), shades, blocks);
  } catch (const Unavailable&) {
    GTEST_SKIP() << "Graphviz is not installed";
  }
  std::ifstream file(path);
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  for (const char* text : {"#f28540", "#ffffff", "#59a6e6", "stroke-dasharray"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THROW(write_graph_picture(path, Graph(), shades, blocks), InvalidArgument);
}

TEST(PValuePlot, NeedsValues) { EXPECT_THROW(write_p_value_plot("x.svg", {}), InvalidArgument); }

}  // namespace
}  // namespace sgood
