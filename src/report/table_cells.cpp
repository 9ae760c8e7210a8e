// SPDX-License-Identifier: MIT
#include "src/report/table_cells.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "sgood/core/error.h"

namespace sgood {
namespace {

/// `value` as it is printed; never minus zero.
double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale + 0.0;
}

std::string run_count(int runs) { return fmt::format("{} run{}", runs, runs == 1 ? "" : "s"); }

/// The most frequent number of runs of the measured cells, the larger of equally frequent ones; 0
/// when nothing was measured.
int usual_runs(const ResultTable& table) {
  std::map<int, int> frequency;
  for (const auto& row : table.cells)
    for (const ResultCell& cell : row)
      if (cell.mean) ++frequency[cell.runs];
  int usual = 0;
  for (const auto& [runs, count] : frequency)
    if (usual == 0 || count >= frequency[usual]) usual = runs;
  return usual;
}

std::size_t ranked_rows(const ResultTable& table) {
  const std::size_t rows = table.rows.size();
  return table.ranked_rows < 0 ? rows : std::min(rows, static_cast<std::size_t>(table.ranked_rows));
}

void set_places(const ResultTable& table, std::size_t column,
                std::vector<std::vector<CellText>>& texts) {
  const std::size_t rows = ranked_rows(table);
  const double sign = table.higher_is_better ? 1 : -1;
  const auto goodness = [&](std::size_t r) {
    return sign * rounded(*table.cells[r][column].mean, table.decimals);
  };
  std::set<double, std::greater<>> values;
  int measured = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    if (!table.cells[r][column].mean) continue;
    ++measured;
    values.insert(goodness(r));
  }
  if (measured < 2) return;
  for (std::size_t r = 0; r < rows; ++r) {
    if (!table.cells[r][column].mean) continue;
    const auto rank = std::distance(values.begin(), values.find(goodness(r)));
    if (rank < 2) texts[r][column].place = rank == 0 ? CellPlace::kBest : CellPlace::kSecond;
  }
}

CellText cell_text(const ResultCell& cell, int decimals, int usual) {
  const auto number = [&](double value) {
    return fmt::format("{:.{}f}", rounded(value, decimals), decimals);
  };
  CellText text;
  if (cell.paper) text.paper = number(*cell.paper);
  if (!cell.mean) return text;
  text.value = number(*cell.mean);
  if (cell.runs > 1) text.value += " ± " + number(cell.std);
  if (cell.runs != usual) text.runs = run_count(cell.runs);
  if (cell.paper)
    text.difference = fmt::format(
        "{:+.{}f}",
        rounded(rounded(*cell.mean, decimals) - rounded(*cell.paper, decimals), decimals),
        decimals);
  return text;
}

}  // namespace

void check_shape(const ResultTable& table) {
  SGOOD_CHECK(table.cells.size() == table.rows.size(), "table {} has {} rows of cells for {} names",
              table.name, table.cells.size(), table.rows.size());
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    SGOOD_CHECK(table.cells[r].size() == table.columns.size(),
                "table {} has {} cells in row {} for {} columns", table.name, table.cells[r].size(),
                table.rows[r], table.columns.size());
}

void check_shape(const ResultHeatMaps& maps) {
  const std::size_t options = maps.options.size();
  SGOOD_CHECK(maps.cells.size() == maps.panels.size(), "heat map {} has {} panels for {} titles",
              maps.name, maps.cells.size(), maps.panels.size());
  for (const auto& panel : maps.cells) {
    const bool square = panel.size() == options && std::ranges::all_of(panel, [&](const auto& row) {
                          return row.size() == options;
                        });
    SGOOD_CHECK(square, "heat map {} needs panels of {} x {} cells", maps.name, options, options);
  }
}

std::vector<std::vector<CellText>> cell_texts(const ResultTable& table) {
  check_shape(table);
  const int usual = usual_runs(table);
  std::vector<std::vector<CellText>> texts(table.rows.size());
  for (std::size_t r = 0; r < texts.size(); ++r)
    for (const ResultCell& cell : table.cells[r])
      texts[r].push_back(cell_text(cell, table.decimals, usual));
  for (std::size_t c = 0; c < table.columns.size(); ++c) set_places(table, c, texts);
  return texts;
}

std::string table_note(const ResultTable& table) {
  const auto texts = cell_texts(table);
  const auto any = [&](auto&& condition) {
    return std::ranges::any_of(
        texts, [&](const auto& row) { return std::ranges::any_of(row, condition); });
  };
  const int usual = usual_runs(table);
  if (usual == 0) return "Nothing has been measured.";
  std::string note =
      usual == 1 ? "One run" : fmt::format("Mean ± standard deviation of {}", run_count(usual));
  if (any([](const CellText& cell) { return !cell.runs.empty(); }))
    note += " (unless the cell says otherwise)";
  if (any([](const CellText& cell) { return !cell.paper.empty(); }))
    note += ", beside the paper's number and our difference from it";
  note += '.';
  if (any([](const CellText& cell) { return cell.place != CellPlace::kOther; })) {
    note += fmt::format(" Bold: {} of a column; underlined: second.",
                        table.higher_is_better ? "highest" : "lowest");
    if (ranked_rows(table) < table.rows.size())
      note += fmt::format(" Rows from \"{}\" on are not ranked.", table.rows[ranked_rows(table)]);
  }
  return note;
}

std::string caption_and_note(const ResultTable& table) {
  return table.caption + (table.caption.empty() ? "" : " ") + table_note(table);
}

std::string escaped(std::string_view text, std::initializer_list<Replacement> replacements) {
  std::string result;
  for (const char c : text) {
    const auto* found = std::ranges::find(replacements, c, &Replacement::character);
    if (found == replacements.end())
      result += c;
    else
      result += found->text;
  }
  return result;
}

}  // namespace sgood
