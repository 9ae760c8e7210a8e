// SPDX-License-Identifier: MIT
#include "model_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "output.h"
#include "reasons.h"
#include "sgood/core/error.h"
#include "sgood/metrics/ood_metrics.h"
#include "sgood/report/p_value_plot.h"
#include "sgood/report/score_histogram.h"

namespace sgood::cli {
namespace {

constexpr std::size_t kRowsShown = 5000;

/// What the page is made of.
struct Judged {
  const Model& model;
  const GraphSet& data;
  std::vector<Decision> decisions;
  std::vector<std::size_t> order;  ///< Graphs, highest score first.
};

std::vector<double> column(const std::vector<Decision>& decisions, double Decision::*member) {
  std::vector<double> values;
  for (const Decision& d : decisions) values.push_back(d.*member);
  return values;
}

std::string trained_on(const Model& model) {
  const std::vector<std::string>& classes = model.class_names();
  return fmt::format(
      "Method {}, trained on {}{}; {} graphs set the threshold.", model.detector().method(),
      model.describe()["trained_on"].get<std::string>(),
      classes.empty() ? ", without classes" : fmt::format(", classes {}", fmt::join(classes, ", ")),
      model.calibration().scores().size());
}

std::string summary(const Judged& judged) {
  const auto flagged = std::ranges::count_if(judged.decisions, &Decision::is_ood);
  const auto count = std::ssize(judged.decisions);
  return fmt::format(
      "{} of {} graphs ({:.1f} %) are called out of distribution at an alarm rate of {:g} %: of "
      "graphs like the training data {} {:g} % would be.",
      flagged, count, 100.0 * static_cast<double>(flagged) / static_cast<double>(count),
      100 * judged.model.alarm_rate(),
      judged.model.detector().leaves_one_out() ? "about" : "at most",
      100 * judged.model.alarm_rate());
}

/// How far size alone tells the data from the training graphs.
std::string size_audit(const Judged& judged) {
  std::vector<double> training, given;
  for (const std::int32_t size : judged.model.training_sizes()) training.push_back(size);
  for (const Graph& graph : judged.data.graphs) given.push_back(graph.num_nodes());
  const double larger = ood_metrics(training, given).auroc;
  const auto median = [](std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
  };
  return fmt::format(
      "Size audit: the median graph has {:g} nodes, in training {:g}. The number of nodes alone "
      "tells these graphs from the training graphs with an AUROC of {:.1f} % (50 %: not at all){}.",
      median(given), median(training), 100 * std::max(larger, 1 - larger),
      std::max(larger, 1 - larger) > 0.7 ? ", so much of the difference is size" : "");
}

void add_pictures(DecisionPage& page, const Judged& judged, const std::string& scratch) {
  const std::string file = scratch + ".picture.svg";
  const std::vector<double> scores = column(judged.decisions, &Decision::score);
  write_score_histogram(file, {.title = "",
                               .id_scores = judged.model.calibration().scores(),
                               .ood_scores = scores,
                               .threshold = judged.model.threshold(),
                               .id_name = "in distribution",
                               .ood_name = "these graphs"});
  page.pictures.push_back(
      {"Scores", take_file(file),
       "In distribution: the graphs that set the threshold, which the model was "
       "not trained on."});
  write_p_value_plot(file, column(judged.decisions, &Decision::p_value));
  page.pictures.push_back(
      {"Calibration", take_file(file),
       "Share of these graphs whose p-value is at most the one on the axis. Graphs like the "
       "training "
       "data follow the diagonal; a curve above it means that these are more unusual."});
}

void add_rows(DecisionPage& page, const Judged& judged) {
  for (std::size_t i = 0; i < std::min(judged.order.size(), kRowsShown); ++i) {
    const std::size_t g = judged.order[i];
    const Decision& d = judged.decisions[g];
    page.rows.push_back({judged.data.graphs[g].id(), d.score, d.p_value, d.is_ood,
                         d.predicted.value_or(""), d.probability, ""});
  }
  for (const BadRow& bad : judged.data.bad_rows)
    page.rows.push_back({bad.id, 0, 1, false, "", {}, bad.reason});
  page.rows_note = "The most unusual first.";
  if (judged.order.size() > kRowsShown)
    page.rows_note = fmt::format("The {} most unusual of {} graphs; sgood score lists all.",
                                 kRowsShown, judged.order.size());
}

void add_settings(DecisionPage& page, const nlohmann::ordered_json& json,
                  const std::string& prefix) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object())
      add_settings(page, value, prefix + key + ".");
    else
      page.settings.emplace_back(prefix + key,
                                 value.is_string() ? value.get<std::string>() : value.dump());
  }
}

DecisionPage page_of(const Judged& judged, const ModelReportOptions& options, Session& session) {
  DecisionPage page;
  const auto name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  page.title = fmt::format("{} on {}", name(options.model), name(options.data));
  page.paragraphs = {trained_on(judged.model), summary(judged), size_audit(judged)};
  if (!judged.data.bad_rows.empty())
    page.paragraphs.push_back(
        fmt::format("{} rows could not be read and have no score; the table says why.",
                    judged.data.bad_rows.size()));
  const std::string scratch = scratch_for(options.output);
  std::string problem;
  try {
    add_pictures(page, judged, scratch);
  } catch (const Unavailable& error) {
    problem = error.what();
  }
  const auto count =
      std::min<std::size_t>(judged.order.size(), static_cast<std::size_t>(options.explained));
  for (std::size_t i = 0; i < count; ++i) {
    session.control().report("explaining", static_cast<std::int64_t>(i),
                             static_cast<std::int64_t>(count));
    page.graphs.push_back(ExplainedGraph(judged.model, judged.data,
                                         judged.data.graphs[judged.order[i]], 5,
                                         options.read.read.threads)
                              .for_page(scratch, problem));
  }
  if (!problem.empty()) session.say("some pictures are missing: " + problem);
  add_rows(page, judged);
  add_settings(page, judged.model.describe(), "");
  return page;
}

}  // namespace

void report_model(const ModelReportOptions& options, Session& session) {
  check_output(options.output, {options.model, options.data});
  const Model model = Model::load(options.model);
  const GraphSet data =
      read_data(options.data, options.read, session, model.detector().fragmentation());
  SGOOD_CHECK(!data.graphs.empty(), "{} has no graph that can be read", data.source);
  Judged judged{model, data, score_graphs(model, data, options.read, session.control()), {}};
  judged.order = by_score(judged.decisions);
  const std::string page = decision_page(page_of(judged, options, session));
  session.clear_progress();
  write_output(options.output, page);
  session.say_wrote(options.output);
}

}  // namespace sgood::cli
