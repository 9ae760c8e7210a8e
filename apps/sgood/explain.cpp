// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "output.h"
#include "reasons.h"
#include "sgood/core/error.h"

namespace sgood::cli {
namespace {

struct ExplainOptions {
  std::string model, data, output = "-";
  std::vector<std::string> graphs;
  std::size_t top = 1;
  int nearest = 5;
  DataOptions read;
};

/// The graphs called `names`, or in these 0-based rows where no graph is called so.
std::vector<std::size_t> positions_of(const std::vector<std::string>& names, const GraphSet& data) {
  std::vector<std::size_t> positions;
  for (const std::string& name : names) {
    auto found = std::ranges::find(data.graphs, name, &Graph::id);
    if (found == data.graphs.end())
      found = std::ranges::find_if(
          data.graphs, [&](const Graph& graph) { return std::to_string(graph.row()) == name; });
    const auto bad = std::ranges::find(data.bad_rows, name, &BadRow::id);
    SGOOD_CHECK(bad == data.bad_rows.end(), "{}: {} cannot be read: {}", data.source, name,
                bad->reason);
    SGOOD_CHECK(found != data.graphs.end(),
                "{} has no graph with the id or 0-based row '{}'; it has {} graphs, the first is "
                "'{}'",
                data.source, name, data.graphs.size(), data.graphs[0].id());
    positions.push_back(static_cast<std::size_t>(found - data.graphs.begin()));
  }
  return positions;
}

/// The graphs with the highest scores, highest first.
std::vector<std::size_t> most_unusual(const Model& model, const GraphSet& data,
                                      const ExplainOptions& options, Session& session) {
  std::vector<std::size_t> order =
      by_score(score_graphs(model, data, options.read, session.control()));
  order.resize(std::min(options.top, order.size()));
  return order;
}

std::string page_of(const std::vector<ExplainedGraph>& explained, const Model& model,
                    const ExplainOptions& options, Session& session) {
  DecisionPage page;
  page.title = fmt::format("Why {} judges these graphs so", options.model);
  page.paragraphs.push_back(fmt::format("Method {}, trained on {}.", model.detector().method(),
                                        model.describe()["trained_on"].get<std::string>()));
  std::string problem;
  for (const ExplainedGraph& graph : explained)
    page.graphs.push_back(graph.for_page(scratch_for(options.output), problem));
  if (!problem.empty()) session.say("the page has no pictures: " + problem);
  return decision_page(page);
}

std::string rendered(const std::vector<ExplainedGraph>& explained, const Model& model,
                     const ExplainOptions& options, Session& session) {
  const std::string ending = std::filesystem::path(options.output).extension().string();
  if (ending == ".html") return page_of(explained, model, options, session);
  if (ending == ".svg") {
    SGOOD_CHECK(explained.size() == 1, "an .svg shows one graph, not {}; write an .html",
                explained.size());
    return explained[0].picture(scratch_for(options.output));
  }
  std::string text;
  for (const ExplainedGraph& graph : explained)
    text +=
        ending == ".json" || ending == ".jsonl"
            ? graph.json().dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                  "\n"
            : graph.text();
  return text;
}

void explain(const ExplainOptions& options, Session& session) {
  check_output(options.output, {options.model, options.data});
  const Model model = Model::load(options.model);
  const GraphSet data =
      read_data(options.data, options.read, session, model.detector().fragmentation());
  SGOOD_CHECK(!data.graphs.empty(), "{} has no graph that can be read", data.source);
  const std::vector<std::size_t> positions = options.graphs.empty()
                                                 ? most_unusual(model, data, options, session)
                                                 : positions_of(options.graphs, data);
  std::vector<ExplainedGraph> explained;
  for (const std::size_t g : positions) {
    session.control().report("explaining", std::ssize(explained), std::ssize(positions));
    explained.emplace_back(model, data, data.graphs[g], options.nearest, options.read.read.threads);
  }
  const std::string text = rendered(explained, model, options, session);
  session.clear_progress();
  write_output(options.output, text);
  session.say_wrote(options.output);
}

}  // namespace

void add_explain(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("explain", "Says why graphs have their scores");
  auto options = std::make_shared<ExplainOptions>();
  options->read.on_error = "mark";
  options->read.read.label_column = "none";
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("data", options->data, kDataHelp)->required();
  auto* graphs =
      command
          ->add_option("--graph", options->graphs,
                       "Id of a graph, or its 0-based row; repeatable (default: the most unusual)")
          ->allow_extra_args(false);
  command->add_option("--top", options->top, "So many graphs, those with the highest scores")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->excludes(graphs);
  command->add_option("--nearest", options->nearest, "Training graphs to name")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option(
      "-o,--output", options->output,
      "File to write: .svg (a picture), .html (a page), .json or .jsonl (one object\n"
      "per line); else text (default: text on standard output)");
  add_data_options(*command, options->read);
  command->footer(
      "A graph is cut into substructures. For each you see what it contributes to the score, and "
      "in\n"
      "how many training graphs an equal one is. The contribution is what the score falls by when "
      "the\n"
      "substructure is deleted or, for wl-density, the sum of what its nodes carry of the score.\n"
      "Example: sgood explain model.sgood library.smi --graph 17 -o why.svg");
  command->callback([options, &session] { explain(*options, session); });
}

}  // namespace sgood::cli
