// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "output.h"
#include "sgood/detectors/model.h"

namespace sgood::cli {

class Session;

/// Where and how answers are written.
struct AnswerOptions {
  std::string output = "-", format = "csv";
  bool resume = false;  ///< Goes on with the rows that a stopped run left.
  bool batch = false;   ///< Whether answers have a batch score.
};
void add_answer_options(CLI::App& command, AnswerOptions& options);

/// The answers of `score`, one row per input row, in the order in which they are added.
class DecisionRows {
 public:
  explicit DecisionRows(const AnswerOptions& options);

  /// Rows that an earlier run has written already.
  std::int64_t rows_kept() const;
  void add(const std::string& id, const Decision& decision);
  /// A row without an answer, and why.
  void add_unreadable(const std::string& id, const std::string& reason);
  /// Writes what was added; false when nobody reads it any more.
  bool flush();
  /// Writes the rest and says how many rows there are; `unit` is what a row stands for, e.g.
  /// "graphs".
  void finish(Session& session, const std::string& unit);

 private:
  void add_row(const std::string& id, const Decision* decision, const std::string& error);

  AnswerOptions options_;
  Output output_;
  std::string text_;
  std::int64_t scored_ = 0, flagged_ = 0, unreadable_ = 0;
};

}  // namespace sgood::cli
