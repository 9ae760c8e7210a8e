// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace sgood {

/// SGOOD's printed results, in percent and seconds, to stand beside ours.
/// Paper: main table, table of ID accuracy, table of seconds per epoch (RTX 3090).
struct PaperResult {
  std::string_view suite;
  double auroc, auroc_std;
  double aupr, fpr95;
  double id_accuracy;
  double epoch_seconds;
};

/// The paper's row for SGOOD on `suite`; nothing for suites that are not in the paper.
std::optional<PaperResult> paper_result(std::string_view suite);

}  // namespace sgood
