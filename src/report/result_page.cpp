// SPDX-License-Identifier: MIT
#include "sgood/report/result_page.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "sgood/core/error.h"
#include "src/report/table_cells.h"

namespace sgood {
namespace {

// The pictures are drawn for a bright page and keep their white card on a dark one.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --back: #ffffff; --box: #f6f8fa;
  --line: #d0d7de; --link: #0550ae; --best: #ddeeff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9aa4af; --back: #14181d; --box: #1c2229; --line: #3a424c;
    --link: #79b8ff; --best: #17344f; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 1240px; padding: 1rem 1.25rem 4rem; background: var(--back);
  color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 1rem 0; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 0.5rem; padding-top: 0.75rem;
  border-top: 1px solid var(--line); }
p { margin: 0.5rem 0; max-width: 75ch; overflow-wrap: anywhere; }
a { color: var(--link); }
nav ul { margin: 1.5rem 0; padding: 0.75rem 1rem; list-style: none; columns: 15rem; column-gap: 1.5rem;
  background: var(--box); border: 1px solid var(--line); border-radius: 8px; }
nav li { break-inside: avoid; padding: 0.2rem 0; }
.wide { overflow-x: auto; margin: 1rem 0 0.25rem; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 0.9rem;
  font-variant-numeric: tabular-nums; }
th, td { padding: 0.4rem 0.7rem; text-align: right; white-space: nowrap; vertical-align: top;
  border-bottom: 1px solid var(--line); background: var(--back); }
thead th { background: var(--box); vertical-align: bottom; }
tr > :first-child { position: sticky; left: 0; text-align: left; min-width: min(9rem, 34vw); white-space: normal;
  border-right: 1px solid var(--line); }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
tr.apart > * { border-top: 2px solid var(--quiet); }
td.best { background: var(--best); }
td u { text-underline-offset: 3px; }
td small { display: block; color: var(--quiet); font-size: 0.78rem; line-height: 1.35; }
.note, .files { color: var(--quiet); font-size: 0.88rem; }
.files a { margin-right: 0.8rem; white-space: nowrap; }
.title { font-weight: 600; margin-top: 1.5rem; }
.picture { background: #ffffff; color-scheme: light; }
.picture svg { display: block; height: auto; max-width: max(100%, 800px); margin: 0 auto; }
@media print { .wide { overflow: visible; } nav { display: none; } }
)";

std::string html_text(std::string_view text) {
  return escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

/// With a minus sign for the hyphen in front.
std::string html_number(const std::string& text) {
  return text.size() > 1 && text[0] == '-' ? "−" + text.substr(1) : html_text(text);
}

std::string paragraph(const char* kind, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p{}>{}</p>\n", kind, html_text(text));
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

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// Whether there was anything to erase.
bool erase_between(std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t first = text.find(begin);
  if (first == std::string::npos) return false;
  const std::size_t last = text.find(end, first + begin.size());
  if (last == std::string::npos) return false;
  text.erase(first, last + end.size() - first);
  return true;
}

/// The svg element for the inside of a page: no declarations, no title of the program, and names
/// that do not clash with those of other pictures.
std::string inner_svg(std::string svg, const std::string& prefix, const std::string& label) {
  svg.erase(0, std::min(svg.find("<svg"), svg.size()));
  erase_between(svg, "xmlns=\"", "\"");
  erase_between(svg, "xmlns:xlink=\"", "\"");
  erase_between(svg, "<desc>", "</desc>");
  // A title shows as soon as the pointer rests on a curve: the program's own names help nobody.
  while (erase_between(svg, "<title>", "</title>")) continue;
  for (const char* name : {"id=\"", "id='", "href='#", "href=\"#", "url(#"})
    replace_all(svg, name, name + prefix + '-');
  replace_all(svg, "<svg", fmt::format("<svg role=\"img\" aria-label=\"{}\"", html_text(label)));
  return svg;
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
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n",
      html_text(page.title), kStyle);
  for (const std::string& words : page.paragraphs) text += paragraph("", words);
  text += "</header>\n<nav aria-label=\"Contents\">\n<ul>\n";
  for (const ResultSection& section : page.sections)
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, html_text(section.title));
  text += "</ul>\n</nav>\n<main>\n";
  for (const ResultSection& section : page.sections) text += html_section(section);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace sgood
