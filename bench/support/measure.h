// SPDX-License-Identifier: MIT
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sgood::bench {

inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What time is: of the calling thread while it runs, of all threads of the process, or on the
/// wall.
enum class Clock : clockid_t {
  kThreadCpu = CLOCK_THREAD_CPUTIME_ID,
  kProcessCpu = CLOCK_PROCESS_CPUTIME_ID,
  kWall = CLOCK_MONOTONIC,
};

/// Seconds that `work()` takes.
template <typename Work>
double timed(Clock clock, Work&& work) {
  const double start = seconds_of(static_cast<clockid_t>(clock));
  work();
  return seconds_of(static_cast<clockid_t>(clock)) - start;
}

/// The middle value, the upper one of two; `values` must not be empty.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Median seconds a run of two sides.
struct Sides {
  double ours = 0;
  double theirs = 0;
};

/// How often both sides run: a round is some runs of ours, then some of theirs. Several runs in a
/// row let a side use its caches as it does alone.
struct Rounds {
  std::size_t rounds = 1;
  std::size_t ours = 1;
  std::size_t theirs = 1;
};

/// Runs both sides in turn, so that whatever disturbs the machine disturbs both; each gets the
/// number of its run. The first run of each is not counted.
template <typename Ours, typename Theirs>
Sides alternate(Clock clock, const Rounds& rounds, Ours&& ours, Theirs&& theirs) {
  std::vector<double> ours_seconds, theirs_seconds;
  std::size_t ours_run = 0, theirs_run = 0;
  ours(ours_run++);
  theirs(theirs_run++);
  for (std::size_t round = 0; round < rounds.rounds; ++round) {
    for (std::size_t i = 0; i < rounds.ours; ++i)
      ours_seconds.push_back(timed(clock, [&] { ours(ours_run++); }));
    for (std::size_t i = 0; i < rounds.theirs; ++i)
      theirs_seconds.push_back(timed(clock, [&] { theirs(theirs_run++); }));
  }
  return {median(std::move(ours_seconds)), median(std::move(theirs_seconds))};
}

}  // namespace sgood::bench
