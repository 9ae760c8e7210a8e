// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sgood/experiments/experiment.h"
#include "sgood/experiments/run_store.h"
#include "sgood/report/result_table.h"

namespace sgood {

/// One table per metric from the finished runs of seeds 0 .. seeds-1: rows are variants, columns
/// suites, and below them what no training gives, as far as it was measured (AUROC, AUPR and FPR95
/// only).
std::vector<ResultTable> result_tables(const Experiment& experiment, const RunStore& store,
                                       std::int32_t seeds);

/// Title, caption and tables as Markdown.
std::string experiment_text(const Experiment& experiment, const RunStore& store,
                            std::int32_t seeds);

/// Writes to `folder`, from the store alone: each table of each experiment with finished runs as
/// Markdown, CSV and LaTeX, each figure as SVG and PNG, and index.html, which holds them all.
/// Throws IoError, and Unavailable when a figure is wanted and gnuplot is missing.
void write_report(const std::filesystem::path& folder, const RunStore& store, std::int32_t seeds);

}  // namespace sgood
