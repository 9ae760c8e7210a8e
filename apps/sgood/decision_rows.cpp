// SPDX-License-Identifier: MIT
#include "decision_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.h"

namespace sgood::cli {
namespace {

constexpr const char* kHeader = "id,score,p_value,is_ood,predicted,probability,error";

/// A CSV field, quoted when it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_row(const std::string& id, const Decision* decision, const std::string& error) {
  if (decision == nullptr) return fmt::format("{},,,,,,{}", csv_field(id), csv_field(error));
  return fmt::format("{},{},{:.6g},{},{},{},", csv_field(id), decision->score, decision->p_value,
                     decision->is_ood ? "true" : "false",
                     csv_field(decision->predicted.value_or("")),
                     decision->probability ? fmt::format("{:.6g}", *decision->probability) : "");
}

std::string json_row(const std::string& id, const Decision* decision, const std::string& error) {
  nlohmann::ordered_json row = {{"id", id}};
  if (decision == nullptr) {
    row["error"] = error;
  } else {
    row["score"] = decision->score;
    row["p_value"] = decision->p_value;
    row["is_ood"] = decision->is_ood;
    if (decision->predicted) row["predicted"] = *decision->predicted;
    if (decision->probability) row["probability"] = *decision->probability;
    if (decision->batch_score) row["batch_score"] = *decision->batch_score;
  }
  return row.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

void add_answer_options(CLI::App& command, AnswerOptions& options) {
  command.add_option("-o,--output", options.output, "File to write (default: standard output)");
  command.add_option("--format", options.format, "csv or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->capture_default_str();
  command.add_flag("--resume", options.resume,
                   "Go on with OUTPUT.part, which a run that was stopped has left");
}

DecisionRows::DecisionRows(const AnswerOptions& options)
    : options_(options),
      output_(options.output, !options.resume           ? Resume::kNo
                              : options.format == "csv" ? Resume::kCsvRecords
                                                        : Resume::kLines) {
  if (options_.format == "csv" && output_.rows_kept() == 0)
    text_ = fmt::format("{}{}\n", kHeader, options_.batch ? ",batch_score" : "");
}

std::int64_t DecisionRows::rows_kept() const {
  return std::max<std::int64_t>(0, output_.rows_kept() - (options_.format == "csv" ? 1 : 0));
}

void DecisionRows::add_row(const std::string& id, const Decision* decision,
                           const std::string& error) {
  const bool csv = options_.format == "csv";
  text_ += (csv ? csv_row : json_row)(id, decision, error);
  if (csv && options_.batch) text_ += ',';
  if (csv && decision != nullptr && decision->batch_score)
    text_ += fmt::format("{}", *decision->batch_score);
  text_ += '\n';
}

void DecisionRows::add(const std::string& id, const Decision& decision) {
  add_row(id, &decision, "");
  ++scored_;
  if (decision.is_ood) ++flagged_;
}

void DecisionRows::add_unreadable(const std::string& id, const std::string& reason) {
  add_row(id, nullptr, reason);
  ++unreadable_;
}

bool DecisionRows::flush() {
  const bool wanted = output_.write(text_);
  text_.clear();
  return wanted;
}

void DecisionRows::finish(Session& session, const std::string& unit) {
  if (flush()) output_.finish();
  session.say(fmt::format(
      "{} {} scored, {} called OOD{}", scored_, unit, flagged_,
      rows_kept() > 0 ? fmt::format(", besides {} rows of an earlier run", rows_kept()) : ""));
  if (unreadable_ > 0)
    session.say(fmt::format("{} rows could not be read: see their error", unreadable_));
}

}  // namespace sgood::cli
