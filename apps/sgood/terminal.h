// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "sgood/core/run_control.h"

namespace sgood::cli {

/// A progress line with time left on stderr; silent when stderr is not a terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  void update(const ProgressUpdate& update);
  /// Removes the line, so that a message can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  std::int64_t first_done_ = -1;  ///< Work that was done before the clock started.
  Clock::time_point started_;
  Clock::time_point last_shown_;
};

/// Turns Ctrl-C (SIGINT) and SIGTERM into a stop request; a second signal ends the process at once.
/// Make one before any other thread starts.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  std::stop_token token() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Prints "sgood: MESSAGE" to stderr.
void say(const std::string& message);
/// `seconds` for people: "8 s", "3 min 20 s", "2 h 5 min".
std::string human_time(double seconds);

}  // namespace sgood::cli
