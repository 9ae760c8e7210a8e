// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "sgood/core/run_control.h"

namespace sgood::cli {

/// Progress with time left on stderr: a line that is drawn over itself on a terminal, and in a log
/// a line every 20 seconds.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  void update(const ProgressUpdate& update);
  /// Removes the line, so that a message can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void draw_over(std::string line);

  bool terminal_;
  bool shown_ = false;
  std::string stage_;
  std::int64_t total_ = -1;      ///< Of the work that the clock times.
  std::int64_t first_done_ = 0;  ///< Units that were done before the clock started.
  Clock::time_point started_;
  Clock::time_point last_shown_ = Clock::now();
};

/// Ends the process with status 130 on Ctrl-C (SIGINT) and SIGTERM. Once token() has been called
/// the first signal asks for a stop instead, so that work can be kept, and the second one ends it.
/// Make one before any other thread starts.
class StopOnSignal {
 public:
  StopOnSignal();
  std::stop_token token();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Prints "sgood: MESSAGE" to stderr.
void say(const std::string& message);
/// `seconds` for people: "8 s", "3 min 20 s", "2 h 5 min".
std::string human_time(double seconds);

}  // namespace sgood::cli
