// SPDX-License-Identifier: MIT
#include "bench/ratios/report.h"

#include <fmt/format.h>

#include <cstdio>

namespace sgood::bench {
namespace {

std::string number_or_blank(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : "";
}

std::string text_of(const Target& target) {
  return fmt::format("{} {:g}", target.kind == Target::Kind::kAtLeast ? ">=" : "<=", target.value);
}

}  // namespace

bool Row::reached() const {
  if (!target) return true;
  const double value = ratio.value_or(ours);
  return target->kind == Target::Kind::kAtLeast ? value >= target->value : value <= target->value;
}

void Report::add(Row row) {
  fmt::print("{:1} {:52} {:>10.4g} {:>10} {:10} ratio {:>8}  {} {}\n", row.part, row.name, row.ours,
             number_or_blank(row.theirs), row.unit, number_or_blank(row.ratio),
             row.target ? text_of(*row.target) : "",
             !row.target     ? ""
             : row.reached() ? "reached"
                             : "MISSED");
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

void Report::skip(const std::string& part, const std::string& reason) {
  fmt::print("{} skipped: {}\n", part, reason);
  skipped_.push_back({{"part", part}, {"reason", reason}});
}

nlohmann::ordered_json Report::to_json() const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : rows_) {
    nlohmann::ordered_json entry = {{"part", row.part}, {"name", row.name}, {"ours", row.ours}};
    if (row.theirs) entry["theirs"] = *row.theirs;
    if (row.ratio) entry["ratio"] = *row.ratio;
    entry["unit"] = row.unit;
    entry["n"] = row.n;
    if (row.target) {
      entry["target"] = text_of(*row.target);
      entry["reached"] = row.reached();
    }
    if (!row.more.is_null()) entry["more"] = row.more;
    rows.push_back(std::move(entry));
  }
  return {{"rows", rows}, {"skipped", skipped_}};
}

}  // namespace sgood::bench
