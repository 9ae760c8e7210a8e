// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.h"
#include "output.h"
#include "sgood/core/error.h"
#include "sgood/io/graph_lines.h"

namespace sgood::cli {
namespace {

constexpr std::size_t kChunk = 4096;  // rows in memory

struct ConvertOptions {
  std::string data, output = "-";
  DataOptions read;
};

void convert(const ConvertOptions& options, Session& session) {
  check_output(options.output, {options.data});
  const auto source = open_data(options.data, options.read);
  Output output(options.output);
  std::int64_t written = 0, bad = 0;
  for (std::vector<GraphRow> rows; !(rows = source->next(kChunk)).empty();) {
    std::string text;
    for (const GraphRow& row : rows) {
      if (row.graph) {
        text += graph_line(*row.graph, row.label) + '\n';
        ++written;
        continue;
      }
      if (options.read.on_error == "fail")
        throw InvalidArgument(row.error + "; leave such rows out with --on-error skip");
      if (bad++ == 0) session.say(row.error);
    }
    if (!output.write(text)) return;
    session.control().report("converting", written + bad, 0);
  }
  output.finish();
  session.clear_progress();
  for (const std::string& note : source->header().notes)
    session.say(fmt::format("{}: {}", options.data, note));
  session.say(fmt::format("{} graphs written{}", written,
                          bad > 0 ? fmt::format(", {} rows left out", bad) : ""));
}

}  // namespace

void add_convert(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("convert", "Writes what was read as JSON Lines of graphs, one a line");
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("data", options->data, kDataHelp)->required();
  command->add_option("-o,--output", options->output, "File to write (default: standard output)");
  add_data_options(*command, options->read);
  command->footer(
      "Example: sgood convert ENZYMES.zip -o enzymes.jsonl\n"
      "Each line: id, num_nodes, edges and, where there are some, node_labels, x, edge_labels, y.");
  command->callback([options, &session] { convert(*options, session); });
}

}  // namespace sgood::cli
