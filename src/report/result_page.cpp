// SPDX-License-Identifier: MIT
#include "sgood/report/result_page.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "sgood/core/error.h"
#include "src/report/html.h"
#include "src/report/table_cells.h"

namespace sgood {
namespace {

/// With a minus sign for the hyphen in front.
std::string html_number(const std::string& text) {
  return text.size() > 1 && text[0] == '-' ? "−" + text.substr(1) : html_text(text);
}

std::string html_cell(const CellText& cell) {
  std::string text = html_number(cell.value);
  if (cell.place == CellPlace::kBest) text = "<b>" + text + "</b>";
  if (cell.place == CellPlace::kSecond) text = "<u>" + text + "</u>";
  if (!cell.runs.empty()) text += "<small>" + cell.runs + "</small>";
  if (!cell.paper.empty())
    text += fmt::format("<small>paper {}{}{}</small>", html_number(cell.paper),
                        cell.difference.empty() ? "" : ", ", html_number(cell.difference));
  return fmt::format("<td{}>{}</td>", cell.place == CellPlace::kBest ? " class=\"best\"" : "",
                     text);
}

std::string html_table(const ResultTable& table) {
  const auto cells = cell_texts(table);
  std::string text = paragraph(" class=\"title\"", table.title);
  text += fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n<thead>"
      "<tr><th scope=\"col\">{}</th>",
      html_text(table.title), html_text(table.corner));
  for (const std::string& column : table.columns)
    text += "<th scope=\"col\">" + html_text(column) + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const bool apart = r > 0 && static_cast<int>(r) == table.ranked_rows;
    text += fmt::format("<tr{}><th scope=\"row\">{}</th>", apart ? " class=\"apart\"" : "",
                        html_text(table.rows[r]));
    for (const CellText& cell : cells[r]) text += html_cell(cell);
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n</div>\n" +
         paragraph(" class=\"note\"", caption_and_note(table));
}

std::string file_links(const std::vector<std::string>& files) {
  if (files.empty()) return "";
  std::string text = "<p class=\"files\">Files: ";
  for (const std::string& file : files)
    text += fmt::format("<a href=\"{0}\">{0}</a> ", html_text(file));
  return text + "</p>\n";
}

std::string html_section(const ResultSection& section) {
  std::string text =
      fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", section.id, html_text(section.title));
  for (const std::string& words : section.paragraphs) text += paragraph("", words);
  if (!section.svg.empty())
    text += fmt::format(
        "<div class=\"wide picture\" tabindex=\"0\" role=\"region\" aria-label=\"{}, picture\">\n"
        "{}</div>\n",
        html_text(section.title), inner_svg(section.svg, section.id, section.title));
  for (const ResultTable& table : section.tables) text += html_table(table);
  return text + file_links(section.files) + "</section>\n";
}

void check_ids(const ResultPage& page) {
  std::set<std::string> seen;
  for (const ResultSection& section : page.sections) {
    const bool legal = std::ranges::all_of(
        section.id, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
    SGOOD_CHECK(legal && !section.id.empty() && seen.insert(section.id).second,
                "section id \"{}\" must consist of letters, digits and hyphens and be unique",
                section.id);
  }
}

}  // namespace

std::string result_page(const ResultPage& page) {
  check_ids(page);
  std::string text = page_head(page.title);
  for (const std::string& words : page.paragraphs) text += paragraph("", words);
  text += "</header>\n<nav aria-label=\"Contents\">\n<ul>\n";
  for (const ResultSection& section : page.sections)
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, html_text(section.title));
  text += "</ul>\n</nav>\n<main>\n";
  for (const ResultSection& section : page.sections) text += html_section(section);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace sgood
