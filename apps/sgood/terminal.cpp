// SPDX-License-Identifier: MIT
#include "terminal.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

namespace sgood::cli {
namespace {

constexpr std::chrono::milliseconds kTerminalPause(100), kLogPause(20'000);

}  // namespace

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::update(const ProgressUpdate& update) {
  const auto now = Clock::now();
  if (update.total != total_ || update.done < first_done_) {
    total_ = update.total;
    first_done_ = update.done;
    started_ = now;
  }
  const bool news = terminal_ && (!shown_ || update.stage != stage_ || update.done == update.total);
  if (!news && now - last_shown_ < (terminal_ ? kTerminalPause : kLogPause)) return;
  stage_ = update.stage;
  last_shown_ = now;
  std::string left;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  if (update.total > 0 && update.done > first_done_ && elapsed > 1)
    left = ", " +
           human_time(elapsed * static_cast<double>(update.total - update.done) /
                      static_cast<double>(update.done - first_done_)) +
           " left";
  std::string bar;
  if (update.total > 0 && terminal_) {
    constexpr std::int64_t kWidth = 24;
    const std::int64_t filled = kWidth * update.done / update.total;
    bar = fmt::format(" [{:#<{}}{:.<{}}]", "", filled, "", kWidth - filled);
  }
  if (update.total > 0) bar += fmt::format(" {}/{}", update.done, update.total);
  const std::string line =
      update.stage + bar + left + (update.note.empty() ? "" : "  " + update.note);
  if (terminal_)
    draw_over(line);
  else
    say(line);
}

void ProgressBar::draw_over(std::string line) {
  // A line that wraps could not be removed.
  winsize window{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
    line.resize(std::min<std::size_t>(line.size(), window.ws_col - 1));
  std::fputs(("\r\033[K" + line).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

struct StopOnSignal::State {
  std::stop_source source;
  std::atomic<bool> orderly = false;
};

StopOnSignal::StopOnSignal() : state_(std::make_shared<State>()) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, state = state_] {
    for (;;) {
      int signal = 0;
      sigwait(&signals, &signal);
      if (!state->orderly || state->source.stop_requested()) {
        std::fputs("\nsgood: stopped\n", stderr);
        ::_exit(130);
      }
      std::fputs("\nsgood: stopping; once more to end at once\n", stderr);
      state->source.request_stop();
    }
  }).detach();
}

std::stop_token StopOnSignal::token() {
  state_->orderly = true;
  return state_->source.get_token();
}

void say(const std::string& message) {
  std::string text = "sgood: ";
  // Parts of a damaged file must not end the message or move the cursor.
  for (const char c : message)
    if (static_cast<unsigned char>(c) >= 32 || c == '\n')
      text += c;
    else
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  std::fputs((text + "\n").c_str(), stderr);
}

std::string human_time(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
}

}  // namespace sgood::cli
