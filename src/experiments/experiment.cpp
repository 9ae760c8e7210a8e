// SPDX-License-Identifier: MIT
#include "sgood/experiments/experiment.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/experiments/covariance.h"
#include "sgood/experiments/unseen_substructures.h"

namespace sgood {

const std::vector<ExperimentInfo>& experiments() {
  static const std::vector<ExperimentInfo> rows = {
      {"unseen-substructures",
       "Share of OOD graphs, and of held-out ID graphs, with a substructure never seen in ID "
       "graphs "
       "(paper: Table 1).",
       run_unseen_substructures},
      {"covariance",
       "Held-out ID log density under each covariance estimate: how the default was chosen.",
       run_covariance},
  };
  return rows;
}

const ExperimentInfo& experiment_info(std::string_view name) {
  std::vector<std::string> names;
  for (const ExperimentInfo& row : experiments()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw InvalidArgument(
      fmt::format("there is no experiment '{}'; known are {}", name, fmt::join(names, ", ")));
}

std::string markdown_table(const nlohmann::ordered_json& rows) {
  if (rows.empty()) return "";
  std::string header = "|", rule = "|", body;
  for (const auto& column : rows[0].items()) {
    header += fmt::format(" {} |", column.key());
    const bool numbers = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row.at(column.key()).is_number();
    });
    rule += numbers ? "---:|" : "---|";
  }
  for (const auto& row : rows) {
    body += "|";
    for (const auto& [key, value] : row.items()) {
      if (value.is_number_float())
        body += fmt::format(" {:.2f} |", value.get<double>());
      else
        body += fmt::format(" {} |", value.is_string() ? value.get<std::string>()
                                     : value.is_null() ? std::string("-")
                                                       : value.dump());
    }
    body += "\n";
  }
  return header + "\n" + rule + "\n" + body;
}

}  // namespace sgood
