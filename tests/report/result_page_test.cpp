// SPDX-License-Identifier: MIT
#include "sgood/report/result_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "sgood/core/error.h"
#include "tests/report/sample_table.h"
#include "tests/report/well_formed.h"

namespace sgood {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const kSvg =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/svg11.dtd\">\n"
    "<svg\n width=\"9\" height=\"9\"\n xmlns=\"http://www.w3.org/2000/svg\"\n"
    " xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n>\n<title>Gnuplot</title>\n"
    "<desc>Produced by GNUPLOT </desc>\n<defs><circle id='dot' r='1'/></defs>\n"
    "<g id=\"gnuplot_plot_1\" ><title>$points using 1:2</title>\n<use "
    "xlink:href='#dot'/></g>\n</svg>\n";

ResultPage sample_page() {
  return {"All & more",
          {"First <paragraph>."},
          {{"one", "One", {"Text."}, {sample_table()}, kSvg, {"one.csv", "one.tex"}},
           {"two", "Two < three", {}, {}, kSvg, {}}}};
}

TEST(ResultPage, IsWellFormed) { EXPECT_TRUE(well_formed(result_page(sample_page()))); }

TEST(ResultPage, LoadsNothing) {
  const std::string page = result_page(sample_page());
  for (const char* text : {"http", "<script", "<link", "<img", "@import", "url(", "src="})
    EXPECT_THAT(page, Not(HasSubstr(text)));
}

TEST(ResultPage, FollowsTheScreen) {
  const std::string page = result_page(sample_page());
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("name=\"viewport\""));
}

TEST(ResultPage, ListsItsSections) {
  const std::string page = result_page(sample_page());
  EXPECT_THAT(page, HasSubstr("<li><a href=\"#one\">One</a></li>"));
  EXPECT_THAT(page, HasSubstr("<li><a href=\"#two\">Two &lt; three</a></li>"));
  EXPECT_THAT(page, HasSubstr("<section id=\"two\">"));
}

TEST(ResultPage, ShowsTextsLiterally) {
  const std::string page = result_page(sample_page());
  EXPECT_THAT(page, HasSubstr("<title>All &amp; more</title>"));
  EXPECT_THAT(page, HasSubstr("<p>First &lt;paragraph&gt;.</p>"));
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">C &amp; D</th>"));
}

TEST(ResultPage, CellsHaveMarksAndThePaperBelow) {
  const std::string page = result_page(sample_page());
  EXPECT_THAT(page, HasSubstr("<td class=\"best\"><b>72.0 ± 1.0</b><small>3 runs</small>"
                              "<small>paper 71.5, +0.5</small></td>"));
  EXPECT_THAT(page, HasSubstr("<td><u>67.7 ± 3.0</u><small>paper 74.4, −6.7</small></td>"));
  EXPECT_THAT(page, HasSubstr("<td>-<small>paper 60.0</small></td>"));
  EXPECT_THAT(page, HasSubstr("<tr class=\"apart\"><th scope=\"row\">size</th>"));
}

TEST(ResultPage, LinksItsFiles) {
  EXPECT_THAT(result_page(sample_page()), HasSubstr("<a href=\"one.csv\">one.csv</a>"));
}

TEST(ResultPage, PicturesDoNotShareNames) {
  const std::string page = result_page(sample_page());
  EXPECT_THAT(page, HasSubstr("id='one-dot'"));
  EXPECT_THAT(page, HasSubstr("xlink:href='#two-dot'"));
  EXPECT_THAT(page, Not(HasSubstr("Gnuplot")));
  EXPECT_THAT(page, Not(HasSubstr("$points")));
  std::set<std::string> seen;
  static const std::regex id(R"(\sid=["']([^"']*)["'])");
  for (std::sregex_iterator it(page.begin(), page.end(), id), end; it != end; ++it)
    EXPECT_TRUE(seen.insert((*it)[1]).second) << (*it)[1] << " is twice on the page";
}

TEST(ResultPage, RefusesIdsThatAreNotUniqueOrLegal) {
  ResultPage page = sample_page();
  for (const char* id : {"one", "", "a b", "\"><"}) {
    page.sections[1].id = id;
    EXPECT_THROW(result_page(page), InvalidArgument) << id;
  }
}

}  // namespace
}  // namespace sgood
