// SPDX-License-Identifier: MIT
#include "sgood/report/table_text.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "src/report/table_cells.h"

namespace sgood {
namespace {

std::string markdown_text(std::string_view text) {
  return escaped(text, {{'\\', "\\\\"},
                        {'|', "\\|"},
                        {'*', "\\*"},
                        {'_', "\\_"},
                        {'`', "\\`"},
                        {'<', "&lt;"},
                        {'\n', " "}});
}

std::string markdown_cell(const CellText& cell) {
  std::string text = cell.value;
  if (cell.place == CellPlace::kBest) text = "**" + text + "**";
  if (cell.place == CellPlace::kSecond) text = "<u>" + text + "</u>";
  if (!cell.runs.empty()) text += ", " + cell.runs;
  if (!cell.paper.empty())
    text += fmt::format(" (paper {}{}{})", cell.paper, cell.difference.empty() ? "" : ", ",
                        cell.difference);
  return text;
}

std::string latex_text(std::string_view text) {
  std::string result = escaped(text, {{'\\', "\\textbackslash{}"},
                                      {'&', "\\&"},
                                      {'%', "\\%"},
                                      {'_', "\\_"},
                                      {'#', "\\#"},
                                      {'$', "\\$"},
                                      {'{', "\\{"},
                                      {'}', "\\}"},
                                      {'~', "\\textasciitilde{}"},
                                      {'^', "\\textasciicircum{}"}});
  const std::string_view plus_minus = "±";
  for (std::size_t at = 0; (at = result.find(plus_minus, at)) != std::string::npos;)
    result.replace(at, plus_minus.size(), "$\\pm$");
  return result;
}

/// A number whose sign is typeset as one.
std::string latex_number(const std::string& text) {
  return text.size() > 1 && text[0] == '-' ? "$-$" + latex_text(text.substr(1)) : latex_text(text);
}

std::string latex_cell(const CellText& cell) {
  std::string text = latex_number(cell.value);
  if (cell.place == CellPlace::kBest) text = "\\textbf{" + text + "}";
  if (cell.place == CellPlace::kSecond) text = "\\underline{" + text + "}";
  if (!cell.runs.empty()) text += " (" + cell.runs + ")";
  return text;
}

std::string latex_paper(const CellText& cell) {
  if (cell.paper.empty()) return "";
  return fmt::format("{{\\scriptsize paper {}{}{}}}", latex_number(cell.paper),
                     cell.difference.empty() ? "" : ", ", latex_number(cell.difference));
}

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  return '"' + escaped(text, {{'"', "\"\""}}) + '"';
}

std::string csv_number(std::optional<double> value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

std::string csv_line(const std::string& row, const std::string& column, const ResultCell& cell) {
  std::optional<double> spread, difference;
  if (cell.mean) spread = cell.std;
  if (cell.mean && cell.paper) difference = *cell.mean - *cell.paper;
  return fmt::format("{},{},{},{},{},{},{}\n", csv_text(row), csv_text(column),
                     csv_number(cell.mean), csv_number(spread), cell.runs, csv_number(cell.paper),
                     csv_number(difference));
}

}  // namespace

std::string to_markdown(const ResultTable& table) {
  const auto cells = cell_texts(table);
  std::string text =
      fmt::format("### {}\n\n{}\n\n| {} |", markdown_text(table.title),
                  markdown_text(caption_and_note(table)), markdown_text(table.corner));
  for (const std::string& column : table.columns) text += ' ' + markdown_text(column) + " |";
  text += "\n| --- |";
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += " ---: |";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += "\n| " + markdown_text(table.rows[r]) + " |";
    for (const CellText& cell : cells[r]) text += ' ' + markdown_cell(cell) + " |";
  }
  return text + '\n';
}

std::string to_latex(const ResultTable& table) {
  const auto cells = cell_texts(table);
  std::string text = fmt::format(
      "\\begin{{table*}}[t]\n\\centering\n\\footnotesize\n\\caption{{{}. {}}}\n\\label{{tab:{}}}\n"
      "\\begin{{tabular}}{{l{}}}\n\\toprule\n{}",
      latex_text(table.title), latex_text(caption_and_note(table)), table.name,
      std::string(table.columns.size(), 'r'), latex_text(table.corner));
  for (const std::string& column : table.columns) text += " & " + latex_text(column);
  text += " \\\\\n\\midrule\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (r > 0 && static_cast<int>(r) == table.ranked_rows) text += "\\midrule\n";
    text += latex_text(table.rows[r]);
    for (const CellText& cell : cells[r]) text += " & " + latex_cell(cell);
    text += " \\\\\n";
    if (std::ranges::all_of(cells[r], &std::string::empty, &CellText::paper)) continue;
    for (const CellText& cell : cells[r]) text += " & " + latex_paper(cell);
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table*}\n";
}

std::string to_csv(const ResultTable& table) {
  check_shape(table);
  std::string text = "row,column,mean,std,runs,paper,difference\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      text += csv_line(table.rows[r], table.columns[c], table.cells[r][c]);
  return text;
}

std::string to_csv(const ResultHeatMaps& maps) {
  check_shape(maps);
  std::string text = "panel,row,column,mean,std,runs,paper,difference\n";
  for (std::size_t p = 0; p < maps.panels.size(); ++p)
    for (std::size_t r = 0; r < maps.options.size(); ++r)
      for (std::size_t c = 0; c < maps.options.size(); ++c)
        text += csv_text(maps.panels[p]) + ',' +
                csv_line(maps.options[r], maps.options[c], maps.cells[p][r][c]);
  return text;
}

std::string to_csv(const ResultDistributions& distributions) {
  std::string text = "panel,group,quantile,score\n";
  const auto add = [&](const std::string& panel, const char* group, const auto& quantiles) {
    for (std::size_t q = 0; q < quantiles.size(); ++q)
      text += fmt::format("{},{},{:.6g},{:.6g}\n", csv_text(panel), group,
                          static_cast<double>(q) / static_cast<double>(quantiles.size() - 1),
                          quantiles[q]);
  };
  for (const auto& panel : distributions.panels) {
    add(panel.title, "id", panel.id_quantiles);
    add(panel.title, "ood", panel.ood_quantiles);
  }
  return text;
}

}  // namespace sgood
