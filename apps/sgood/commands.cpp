// SPDX-License-Identifier: MIT
#include "commands.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sgood/core/error.h"
#include "sgood/io/atomic_file.h"

namespace sgood::cli {
namespace {

namespace fs = std::filesystem;

/// A TU folder has classes, but no columns to choose from.
void check_folder_options(const std::string& path, const ReadOptions& options) {
  SGOOD_CHECK(options.smiles_column.empty() && options.id_column.empty() &&
                  (options.label_column.empty() || options.label_column == "none"),
              "{}: a TU folder has no columns, so --smiles, --ids and --labels do not apply (but "
              "--labels none does: it leaves the classes out)",
              path);
}

}  // namespace

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

void Session::say_wrote(const std::string& path) {
  if (path != "-") say("wrote " + path);
}

void add_data_options(CLI::App& command, DataOptions& options) {
  command.add_option("--smiles", options.read.smiles_column,
                     "Column of SMILES, by name or 0-based number (default: found by itself)");
  command.add_option("--labels", options.read.label_column,
                     "Column (or JSON key) of classes, by name or number, or none");
  command.add_option("--label-threshold", options.read.label_threshold,
                     "Makes two classes of a column of measurements: 1 from this value on, else 0");
  command.add_option("--ids", options.read.id_column,
                     "Column (or JSON key) of names, by name or number");
  command
      .add_option("--input-format", options.read.format,
                  "csv, tsv, smi, sdf or jsonl (default: the file's ending; standard input: csv)")
      ->check(CLI::IsMember({"csv", "tsv", "smi", "sdf", "jsonl"}));
  command.add_option("--threads", options.read.threads, "Threads for reading and scoring")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  std::vector<std::string> choices = {"fail", "skip"};
  if (options.on_error == "mark") choices.emplace_back("mark");
  command
      .add_option("--on-error", options.on_error,
                  fmt::format("What to do when rows cannot be read: fail, skip (leave them out){}",
                              choices.size() > 2 ? " or mark (keep them, with the reason)" : ""))
      ->check(CLI::IsMember(choices))
      ->capture_default_str();
}

std::unique_ptr<GraphSource> open_data(const std::string& path, const DataOptions& options,
                                       Fragmentation fragmentation) {
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) check_folder_options(path, options.read);
  ReadOptions read = options.read;
  read.fragmentation = fragmentation;
  return open_graphs(path, read);
}

GraphSet read_data(const std::string& path, const DataOptions& options, Session& session,
                   Fragmentation fragmentation) {
  session.control().report("reading " + path, 0, 0);
  GraphSet graphs = read_all(*open_data(path, options, fragmentation));
  for (const std::string& note : graphs.notes) session.say(fmt::format("{}: {}", path, note));
  if (options.on_error == "fail") require_readable(graphs);
  if (options.on_error == "skip" && !graphs.bad_rows.empty()) {
    session.say(fmt::format("{}: {} rows left out; the first: {}", path, graphs.bad_rows.size(),
                            graphs.bad_rows[0].reason));
    graphs.bad_rows.clear();
  }
  return graphs;
}

std::vector<Decision> score_graphs(const Model& model, const GraphSet& graphs,
                                   const DataOptions& options, const RunControl& control,
                                   bool batch) {
  control.report("scoring " + graphs.source, 0, 0);
  try {
    return batch ? model.score_batch(graphs, options.read.threads, control)
                 : model.score(graphs, options.read.threads, control);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(
        fmt::format("{} does not fit the model, which was trained on {}: {}", graphs.source,
                    model.describe()["trained_on"].get<std::string>(), error.what()));
  }
}

void add_set_option(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option("--set", settings,
                  "An option of the method, key=value; repeatable (sgood list methods)")
      ->allow_extra_args(false);
}

std::vector<std::pair<std::string, std::string>> parse_settings(
    const std::vector<std::string>& settings) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw CLI::ValidationError("--set",
                                 fmt::format("'{}' must have the form key=value", setting));
    pairs.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return pairs;
}

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  if (path == "-") return;
  for (const std::string& input : inputs) {
    std::error_code missing;
    SGOOD_CHECK(!fs::equivalent(path, input, missing), "{} is read, so it cannot be the output too",
                path);
  }
  const auto fail = [&](const std::string& why) {
    throw WriteError(fmt::format("{}: cannot be written: {}", path, why));
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) return;  // a device or a pipe
  if (status.type() == fs::file_type::none) fail(error.message());
  const fs::path parent = fs::path(path).parent_path();
  const fs::path folder = parent.empty() ? "." : parent;
  if (!fs::is_directory(folder)) fail(fmt::format("there is no folder {}", folder.string()));
  if (::access(folder.c_str(), W_OK) != 0) fail(std::strerror(errno));
}

void write_output(const std::string& path, const std::string& text) {
  if (!path.empty() && path != "-") {
    write_file_atomically(path, text);
    return;
  }
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  // A reader that has seen enough (head) is no failure.
  if (!written && errno != EPIPE)
    throw WriteError(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

std::string data_root_or_default(const std::string& given) {
  if (!given.empty()) return given;
  const char* variable = std::getenv("SGOOD_DATA");
  return variable != nullptr && *variable != '\0' ? variable : "data";
}

}  // namespace sgood::cli
