// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace sgood {

/// How far a piece of long work is.
struct ProgressUpdate {
  std::string stage;       ///< What is done, e.g. "pre-training".
  std::int64_t done = 0;   ///< Units finished, in [0, total].
  std::int64_t total = 0;  ///< Units in all; 0 when unknown.
  std::string note;        ///< Short extra, e.g. the current loss.
};

/// What a caller hands into long work: where to report and how to ask for an end.
struct RunControl {
  /// Called from the working thread, many times a second at most; may be empty.
  std::function<void(const ProgressUpdate&)> progress;
  /// When a stop is requested the work ends at its next safe point with `Cancelled`.
  std::stop_token stop;

  void report(std::string stage, std::int64_t done, std::int64_t total,
              std::string note = {}) const {
    if (progress) progress({std::move(stage), done, total, std::move(note)});
  }
};

}  // namespace sgood
