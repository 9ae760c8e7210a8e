// SPDX-License-Identifier: MIT
#include "sgood/report/decision_page.h"

#include <fmt/format.h>

#include "src/report/html.h"

namespace sgood {
namespace {

constexpr std::string_view kStyle = R"(
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem; min-width: 0; }
.card h3 { margin: 0.25rem 0; font-size: 1.05rem; overflow-wrap: anywhere; }
.card .verdict { font-weight: 600; }
.card p { font-size: 0.9rem; }
.card .picture { overflow: auto; border-radius: 6px; }
.card .picture svg { max-width: 100%; margin: 0 auto; }
td.text { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 8rem; }
input { font: inherit; padding: 0.4rem 0.6rem; width: min(100%, 24rem); color: inherit; background: var(--box);
  border: 1px solid var(--line); border-radius: 6px; }
th button { font: inherit; font-weight: 600; color: var(--link); background: none; border: 0; padding: 0; cursor: pointer; }
tr.ood td:nth-child(4) { font-weight: 600; }
.long { max-height: 36rem; overflow: auto; }
.long thead th { position: sticky; top: 0; z-index: 1; }
)";

// Sorting compares numbers as numbers; a second press turns the order round.
constexpr std::string_view kScript = R"(
const body = document.querySelector('#rows tbody');
if (body) {
  const rows = Array.from(body.rows);
  document.querySelectorAll('#rows thead th').forEach((cell, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = cell.textContent;
    cell.replaceChildren(button);
    let up = true;
    button.addEventListener('click', () => {
      const value = row => row.cells[column].textContent.trim();
      const number = text => text === '' ? Infinity : Number(text);
      const numeric = rows.every(row => !Number.isNaN(number(value(row))));
      rows.sort((a, b) => (up ? 1 : -1) * (numeric ? number(value(a)) - number(value(b))
                                                   : value(a).localeCompare(value(b))));
      up = !up;
      body.append(...rows);
    });
  });
  const search = document.querySelector('#search');
  search.hidden = false;
  search.addEventListener('input', () => {
    const wanted = search.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
)";

std::string picture(const std::string& svg, const std::string& prefix, const std::string& label) {
  return svg.empty()
             ? ""
             : fmt::format("<div class=\"picture\">\n{}</div>\n", inner_svg(svg, prefix, label));
}

std::string part_table(const JudgedGraph& graph) {
  if (graph.parts.empty()) return "";
  std::string text = fmt::format(
      "<p class=\"note\">{}:</p>\n<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr>"
      "<th>substructure</th><th>contribution</th><th>seen</th></tr></thead>\n<tbody>\n",
      html_text(graph.contribution_is));
  for (const JudgedPart& part : graph.parts)
    text += fmt::format(
        "<tr><td class=\"text\" title=\"nodes {}\">{}</td><td>{}</td><td>{}</td></tr>\n",
        html_text(part.nodes), html_text(part.name),
        part.contribution ? fmt::format("{:.4g}", *part.contribution) : "all of it",
        html_text(part.seen));
  return text + "</tbody>\n</table>\n</div>\n";
}

std::string card(const JudgedGraph& graph, std::size_t position) {
  std::string text = fmt::format("<article class=\"card\">\n<h3>{}</h3>\n", html_text(graph.id));
  text += paragraph(" class=\"verdict\"", graph.verdict);
  text += picture(graph.svg, fmt::format("g{}", position), "graph " + graph.id);
  text += part_table(graph);
  for (const std::string& note : graph.notes) text += paragraph(" class=\"note\"", note);
  return text + "</article>\n";
}

std::string row_text(const DecisionRow& row) {
  if (!row.error.empty())
    return fmt::format(
        "<tr><td>{}</td><td></td><td></td><td>unreadable</td><td></td><td></td><td class=\"text\">"
        "{}</td></tr>\n",
        html_text(row.id), html_text(row.error));
  return fmt::format(
      "<tr{}><td>{}</td><td>{:.6g}</td><td>{:.4g}</td><td>{}</td><td>{}</td><td>{}</td><td></td>"
      "</tr>\n",
      row.is_ood ? " class=\"ood\"" : "", html_text(row.id), row.score, row.p_value,
      row.is_ood ? "OOD" : "ID", html_text(row.predicted),
      row.probability ? fmt::format("{:.3g}", *row.probability) : "");
}

std::string row_section(const DecisionPage& page) {
  std::string text = fmt::format(
      "<section id=\"rows\">\n<h2>All graphs</h2>\n{}<input id=\"search\" type=\"search\" "
      "placeholder=\"search\" aria-label=\"Search the table\" hidden=\"\"/>\n"
      "<div class=\"wide long\" tabindex=\"0\">\n<table>\n<thead><tr>",
      paragraph("", page.rows_note));
  for (const char* name :
       {"id", "score", "p-value", "decision", "predicted", "probability", "error"})
    text += fmt::format("<th scope=\"col\">{}</th>", name);
  text += "</tr></thead>\n<tbody>\n";
  for (const DecisionRow& row : page.rows) text += row_text(row);
  return text + "</tbody>\n</table>\n</div>\n</section>\n";
}

std::string settings_section(const DecisionPage& page) {
  std::string text =
      "<section id=\"settings\">\n<h2>Settings</h2>\n<div class=\"wide\" "
      "tabindex=\"0\">\n<table>\n<tbody>\n";
  for (const auto& [name, value] : page.settings)
    text += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td></tr>\n",
                        html_text(name), html_text(value));
  return text + "</tbody>\n</table>\n</div>\n</section>\n";
}

}  // namespace

std::string decision_page(const DecisionPage& page) {
  std::string text = page_head(page.title, kStyle);
  for (const std::string& words : page.paragraphs) text += paragraph("", words);
  text += "</header>\n<main>\n";
  for (std::size_t p = 0; p < page.pictures.size(); ++p)
    text += fmt::format(
        "<section>\n<h2>{}</h2>\n<div class=\"wide picture\" "
        "tabindex=\"0\">\n{}</div>\n{}</section>\n",
        html_text(page.pictures[p].title),
        inner_svg(page.pictures[p].svg, fmt::format("p{}", p), page.pictures[p].title),
        paragraph(" class=\"note\"", page.pictures[p].caption));
  if (!page.graphs.empty()) {
    text +=
        "<section id=\"graphs\">\n<h2>Explained graphs</h2>\n<p>Orange raises the score, blue "
        "lowers it.</p>\n<div class=\"cards\">\n";
    for (std::size_t g = 0; g < page.graphs.size(); ++g) text += card(page.graphs[g], g);
    text += "</div>\n</section>\n";
  }
  if (!page.rows.empty()) text += row_section(page);
  if (!page.settings.empty()) text += settings_section(page);
  return text + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", kScript);
}

}  // namespace sgood
