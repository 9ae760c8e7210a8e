// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

#include "commands.h"
#include "decision_rows.h"
#include "score_arrays.h"
#include "sgood/core/error.h"
#include "sgood/metrics/calibration.h"

namespace sgood::cli {
namespace {

struct ScoreOptions {
  std::string model, data;
  AnswerOptions answer;
  DataOptions read;
  std::optional<double> alarm_rate;  ///< The model's own when not given.
  bool test_batch = false;           ///< One answer for all rows together.
  ArrayOptions arrays;
};

constexpr std::size_t kChunk = 2048;  // rows in memory

/// Throws before any row is read when batch scores are wanted but impossible.
void check_batch(const ScoreOptions& options, const Model& model) {
  if (!options.answer.batch) return;
  SGOOD_CHECK(!options.answer.resume,
              "--batch compares every row with all others, so there are no finished rows that "
              "--resume could keep; leave one of the two out");
  model.score_batch(GraphSet());
}

/// How far batch scores can be trusted.
void say_what_batch_scores_are(const std::vector<Decision>& decisions, const std::string& data,
                               Session& session) {
  // docs/choosing.md: with a quarter OOD, batch scores ranked five of six suites better; with
  // a tenth, the same within 0.6 points.
  constexpr double kSmallShare = 0.25;
  if (decisions.empty()) return;
  std::vector<double> p_values;
  for (const Decision& d : decisions) p_values.push_back(d.p_value);
  const double share = estimated_ood_share(p_values);
  session.say(
      fmt::format("batch_score only ranks the {} graphs of {} among each other and depends on all "
                  "of them; score, p_value and is_ood do not",
                  decisions.size(), data));
  session.say(fmt::format("estimated share of OOD graphs: {:.0f} %", 100 * share));
  if (share < kSmallShare)
    session.say(fmt::format(
        "warning: with less than about {:.0f} % OOD graphs the rows tell little about them: "
        "batch_score is hardly more than the rank of score",
        100 * kSmallShare));
}

/// Whether all rows together look in distribution: one answer instead of one per row.
void test_batch(const ScoreOptions& options, const Model& model, Session& session) {
  const RunControl control = session.control();
  control.report("reading " + options.data, 0, 0);
  const auto source = open_data(options.data, options.read, model.detector().fragmentation());
  std::vector<double> scores, p_values;
  std::int64_t unreadable = 0, flagged = 0;
  for (std::vector<GraphRow> rows; !(rows = source->next(kChunk)).empty();) {
    GraphSet readable = source->header();
    for (GraphRow& row : rows) {
      if (row.graph) {
        readable.graphs.push_back(std::move(*row.graph));
        continue;
      }
      ++unreadable;
      if (options.read.on_error == "fail")
        throw InvalidArgument(row.error + "; see --on-error for going on without such rows");
    }
    for (const Decision& d : score_graphs(model, readable, options.read)) {
      scores.push_back(d.score);
      p_values.push_back(d.p_value);
      flagged += d.is_ood ? 1 : 0;
    }
    control.report("scoring " + options.data, std::ssize(scores) + unreadable, 0);
  }
  session.clear_progress();
  SGOOD_CHECK(!scores.empty(), "{} has no graph that can be read", options.data);
  const double p_value = model.calibration().batch_p_value(scores);
  const double share = estimated_ood_share(p_values);
  write_output(options.answer.output,
               options.answer.format == "csv"
                   ? fmt::format("graphs,unreadable,p_value,flagged,estimated_ood_share\n"
                                 "{},{},{:.6g},{},{:.4g}\n",
                                 scores.size(), unreadable, p_value, flagged, share)
                   : nlohmann::ordered_json{{"graphs", scores.size()},
                                            {"unreadable", unreadable},
                                            {"p_value", p_value},
                                            {"flagged", flagged},
                                            {"estimated_ood_share", share}}
                             .dump() +
                         "\n");
  session.say(
      fmt::format("{}: the {} graphs together {} (p-value {:.3g}): files of graphs like the "
                  "training data have one so small in {:.3g} % of cases",
                  options.data, scores.size(),
                  p_value <= model.alarm_rate() ? "are more unusual than the training data"
                                                : "look like the training data",
                  p_value, 100 * p_value));
}

/// Answers `rows`, all of them, in order; what it says of those that can be read.
std::vector<Decision> answer(std::vector<GraphRow> rows, const GraphSet& header, const Model& model,
                             const ScoreOptions& options, const RunControl& control,
                             DecisionRows& answers) {
  GraphSet readable = header;
  for (GraphRow& row : rows)
    if (row.graph) readable.graphs.push_back(std::move(*row.graph));
  const bool batch = options.answer.batch;
  const std::vector<Decision> decisions =
      score_graphs(model, readable, options.read, batch ? control : RunControl{}, batch);
  std::size_t next = 0;
  for (const GraphRow& row : rows) {
    if (row.error.empty()) {
      answers.add(row.id, decisions[next++]);
      continue;
    }
    if (options.read.on_error == "fail")
      throw InvalidArgument(row.error + "; see --on-error for going on without such rows");
    if (options.read.on_error == "mark") answers.add_unreadable(row.id, row.error);
  }
  return decisions;
}

void score(const ScoreOptions& options, Session& session) {
  check_output(options.answer.output, {options.model, options.data});
  SGOOD_CHECK(!options.answer.resume || options.read.on_error != "skip",
              "--resume counts rows, so it does not go with --on-error skip");
  Model model = Model::load(options.model);
  check_batch(options, model);
  if (options.alarm_rate) model.set_alarm_rate(*options.alarm_rate);
  if (options.test_batch) return test_batch(options, model, session);
  // Who waits for standard input is not asked to wait for the end of a chunk.
  const RunControl control = options.data == "-" ? session.control() : session.stoppable_control();
  control.report("reading " + options.data, 0, 0);
  const auto source = open_data(options.data, options.read, model.detector().fragmentation());
  DecisionRows answers(options.answer);
  std::int64_t to_skip = answers.rows_kept(), done = 0;
  const std::size_t limit = options.answer.batch ? std::numeric_limits<std::size_t>::max() : kChunk;
  for (std::vector<GraphRow> rows; !(rows = source->next(limit)).empty();) {
    done += std::ssize(rows);
    const auto known = std::min<std::int64_t>(to_skip, std::ssize(rows));
    to_skip -= known;
    rows.erase(rows.begin(), rows.begin() + known);
    const std::vector<Decision> decisions =
        answer(std::move(rows), source->header(), model, options, control, answers);
    if (!answers.flush()) return;
    if (options.answer.batch) say_what_batch_scores_are(decisions, options.data, session);
    control.report("scoring " + options.data, done, 0);
    if (control.stop.stop_requested())
      throw Cancelled(options.answer.output == "-"
                          ? "stopped"
                          : fmt::format("stopped; {} rows are in {}.part, and the same command "
                                        "with --resume goes on from there",
                                        done, options.answer.output));
  }
  session.clear_progress();
  for (const std::string& note : source->header().notes)
    session.say(fmt::format("{}: {}", options.data, note));
  answers.finish(session, "graphs");
}

}  // namespace

void add_score(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("score", "Scores graphs: one row per input row, in input order");
  auto options = std::make_shared<ScoreOptions>();
  options->read.on_error = "mark";
  options->read.read.label_column = "none";
  auto* model = command->add_option("model", options->model, "Model file");
  auto* data = command->add_option("data", options->data, kDataHelp);
  add_answer_options(*command, options->answer);
  command
      ->add_option("--alarm-rate", options->alarm_rate,
                   "Other share of in-distribution graphs that may be called OOD")
      ->check(CLI::Range(0.0, 1.0));
  add_data_options(*command, options->read);
  command->get_option("--labels")
      ->description(
          "Column of classes, by name or number, or none; with --features: a .npy array of the "
          "training rows' classes");
  auto* batch = command->add_flag(
      "--batch", options->answer.batch,
      "Adds batch_score, which compares each graph with the training graphs and with all others of "
      "the data: a ranking for data with many OOD graphs (wl-density; reads all rows first, takes "
      "time that grows with their square)");
  auto* test = command->add_flag(
      "--batch-test", options->test_batch,
      "One answer for the whole file instead of one per row: is it in distribution? Columns: "
      "graphs, "
      "unreadable, p_value, flagged (graphs that alone are called OOD), estimated_ood_share");
  test->excludes(batch)->excludes("--resume");
  auto* features = add_array_options(*command, options->arrays)
                       ->excludes(model)
                       ->excludes(data)
                       ->excludes(batch)
                       ->excludes(test);
  command->footer(
      "Columns: id, score (higher = more OOD), p_value (share of in-distribution graphs at least\n"
      "as unusual), is_ood, predicted class, its probability, error; with --batch also "
      "batch_score,\n"
      "which depends on all rows.\n"
      "Example: sgood score model.sgood library.smi -o scores.csv\n"
      "With a model of your own: sgood score --features train.npy --labels y.npy --test new.npy");
  command->callback([options, features, &session] {
    if (features->count() > 0)
      return score_arrays(options->arrays, options->read, options->alarm_rate, options->answer,
                          session);
    if (options->model.empty()) throw CLI::RequiredError("model");
    if (options->data.empty()) throw CLI::RequiredError("data");
    score(*options, session);
  });
}

}  // namespace sgood::cli
