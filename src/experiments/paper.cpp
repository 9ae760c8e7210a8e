// SPDX-License-Identifier: MIT
#include "sgood/experiments/paper.h"

namespace sgood {
namespace {

constexpr PaperResult kResults[] = {
    {"enzymes", 74.40, 1.42, 72.53, 73.66, 48.66, 0.161},
    {"imdb-m", 78.84, 2.00, 72.54, 45.46, 48.66, 0.138},
    {"imdb-b", 80.41, 3.16, 83.49, 81.20, 71.60, 0.137},
    {"bace", 84.39, 2.73, 83.32, 64.13, 80.33, 0.085},
    {"bbbp", 61.25, 1.60, 59.36, 88.04, 89.14, 0.058},
    {"hiv", 60.82, 0.75, 59.99, 90.39, 96.66, 3.970},
    {"drugood", 73.15, 4.48, 73.25, 67.40, 79.40, 0.124},
};

}  // namespace

std::optional<PaperResult> paper_result(std::string_view suite) {
  for (const PaperResult& result : kResults)
    if (result.suite == suite) return result;
  return std::nullopt;
}

}  // namespace sgood
