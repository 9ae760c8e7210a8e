// SPDX-License-Identifier: MIT
#include "commands.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sgood/core/error.h"
#include "sgood/io/atomic_file.h"

namespace sgood::cli {

RunControl Session::control() {
  RunControl control;
  control.progress = [this](const ProgressUpdate& update) { progress_.update(update); };
  return control;
}

RunControl Session::stoppable_control() {
  RunControl control = this->control();
  control.stop = stop_.token();
  return control;
}

void Session::say(const std::string& message) {
  progress_.clear();
  cli::say(message);
}

void add_data_options(CLI::App& command, DataOptions& options) {
  command.add_option("--smiles", options.read.smiles_column,
                     "Column of SMILES, by name or 0-based number (default: found by itself)");
  command.add_option("--labels", options.read.label_column,
                     "Column of classes, by name or number, or none");
  command.add_option("--ids", options.read.id_column, "Column of names, by name or number");
  command.add_option("--threads", options.read.threads, "Threads for reading and scoring")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--on-error", options.on_error,
                  "Rows that cannot be read: fail, skip (leave out) or mark (keep, without a score)")
      ->check(CLI::IsMember({"fail", "skip", "mark"}))
      ->capture_default_str();
}

GraphSet read_data(const std::string& path, const DataOptions& options, Session& session) {
  session.control().report("reading " + path, 0, 0);
  GraphSet graphs = read_graphs(path, options.read);
  for (const std::string& note : graphs.notes) session.say(fmt::format("{}: {}", path, note));
  if (options.on_error == "fail") require_readable(graphs);
  if (options.on_error == "skip" && !graphs.bad_rows.empty()) {
    session.say(fmt::format("{}: {} rows left out; the first: {}", path, graphs.bad_rows.size(),
                            graphs.bad_rows[0].reason));
    graphs.bad_rows.clear();
  }
  return graphs;
}

void add_set_option(CLI::App& command, std::vector<std::string>& settings) {
  command.add_option("--set", settings,
                     "An option of the method, key=value; repeatable (sgood list methods --json)");
}

std::vector<std::pair<std::string, std::string>> parse_settings(
    const std::vector<std::string>& settings) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw CLI::ValidationError("--set", fmt::format("'{}' must have the form key=value", setting));
    pairs.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return pairs;
}

void write_output(const std::string& path, const std::string& text) {
  if (!path.empty() && path != "-") {
    write_file_atomically(path, text);
    return;
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                       std::fflush(stdout) == 0;
  // A reader that has seen enough (head) is no failure.
  if (!written && errno != EPIPE)
    throw IoError(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

std::string data_root_or_default(const std::string& given) {
  if (!given.empty()) return given;
  const char* variable = std::getenv("SGOOD_DATA");
  return variable != nullptr && *variable != '\0' ? variable : "data";
}

}  // namespace sgood::cli
