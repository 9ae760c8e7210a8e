// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/run_control.h"
#include "sgood/detectors/model.h"
#include "sgood/suites/data_source.h"
#include "terminal.h"

namespace sgood::cli {

/// What every command shares: where to report and how it is stopped.
class Session {
 public:
  /// Progress of long work; Ctrl-C ends the process.
  RunControl control();
  /// The same for work that keeps what is done: Ctrl-C asks it to stop.
  RunControl stoppable_control();
  /// A message on stderr, above the progress line.
  void say(const std::string& message);
  /// Says that `path` is written, unless it is "-".
  void say_wrote(const std::string& path);
  void clear_progress() { progress_.clear(); }

 private:
  StopOnSignal stop_;
  ProgressBar progress_;
};

/// Each adds its sub-command to `app`; the work is done in the sub-command's callback.
void add_fit(CLI::App& app, Session& session);
void add_score(CLI::App& app, Session& session);
void add_convert(CLI::App& app, Session& session);
void add_eval(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_fetch(CLI::App& app, Session& session);
void add_info(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);
void add_complete(CLI::App& app, Session& session);
/// Offers a page of each command that `app` has by then.
void add_manual(CLI::App& app, Session& session);

/// What every command that reads graphs takes.
inline constexpr const char* kDataHelp =
    "TU folder (or .zip of one), molecules (.csv .tsv .smi .sdf) or graphs (.jsonl), each also\n"
    ".gz; - is standard input";

/// Options for reading data, shared by all commands that read some.
struct DataOptions {
  ReadOptions read;
  std::string on_error = "fail";  ///< fail, skip or mark
};
/// `mark` is offered only where it is the default: there, every row has its place in the output.
void add_data_options(CLI::App& command, DataOptions& options);

/// Opens `path` with what a detector's fragmentation() asks for.
std::unique_ptr<GraphSource> open_data(const std::string& path, const DataOptions& options,
                                       Fragmentation fragmentation = Fragmentation::kNone);

/// Reads `path` with what a detector's fragmentation() asks for, prints the reader's notes and
/// follows --on-error.
GraphSet read_data(const std::string& path, const DataOptions& options, Session& session,
                   Fragmentation fragmentation = Fragmentation::kNone);

/// Scores for `score` and `eval`, with `batch` also batch scores; graphs of another kind than those
/// in training are an error that names both.
std::vector<Decision> score_graphs(const Model& model, const GraphSet& graphs,
                                   const DataOptions& options, const RunControl& control = {},
                                   bool batch = false);

/// `--set key=value`, repeatable.
void add_set_option(CLI::App& command, std::vector<std::string>& settings);
std::vector<std::pair<std::string, std::string>> parse_settings(
    const std::vector<std::string>& settings);

/// Throws, before any work is done, when `path` could not be written or is one of the `inputs`.
void check_output(const std::string& path, const std::vector<std::string>& inputs);

/// Writes `text` to standard output, or to a file that appears whole or not at all.
void write_output(const std::string& path, const std::string& text);

/// --data-root, else SGOOD_DATA, else ./data.
std::string data_root_or_default(const std::string& given);

}  // namespace sgood::cli
