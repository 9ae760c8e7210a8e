// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "bench/ratios/machine.h"
#include "bench/ratios/parts.h"
#include "bench/support/measure.h"
#include "bench/support/suite_batches.h"
#include "sgood/chem/molecule_reader.h"
#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#ifdef SGOOD_BENCH_RDKIT
#include "bench/chem/rdkit_parse.h"
#endif

namespace sgood::bench {
namespace {

/// Processes that keep every core busy, each for `seconds` at most.
class BusyCores {
 public:
  explicit BusyCores(unsigned seconds) {
    for (int i = 0; i < hardware_threads(); ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(seconds);  // ends the child whatever becomes of the parent
        for (std::atomic<unsigned> spin = 0;; ++spin) {
        }
      }
      if (child > 0) children_.push_back(child);
    }
  }
  ~BusyCores() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
  BusyCores(const BusyCores&) = delete;
  BusyCores& operator=(const BusyCores&) = delete;

 private:
  std::vector<pid_t> children_;
};

/// A screening library in blocks, and a detector to screen it with.
class Screening {
 public:
  Screening(std::size_t block, std::size_t most_blocks)
      : table_(molecule_table("HIV")), detector_(quick_detector(table_)), block_(block) {
    for (std::size_t first = 0; first + block <= table_.rows.size() && blocks_.size() < most_blocks;
         first += block)
      blocks_.push_back(rows_of(table_, first, first + block));
  }

  std::size_t num_blocks() const { return blocks_.size(); }
  const MoleculeTable& block(std::size_t i) const { return blocks_[i % blocks_.size()]; }
  double molecules() const { return static_cast<double>(block_); }

  /// From SMILES to scores.
  void score(std::size_t i, int threads) const {
    detector_.score(molecules_to_graphs(block(i), {.threads = threads}), threads, {});
  }
  /// Median seconds of a block on two threads (ours) and on one (theirs).
  Sides two_threads_and_one(Clock clock) const {
    return alternate(
        clock, {num_blocks(), 1, 1}, [&](std::size_t i) { score(i, 2); },
        [&](std::size_t i) { score(i, 1); });
  }

 private:
  MoleculeTable table_;
  SgoodDetector detector_;
  std::size_t block_;
  std::vector<MoleculeTable> blocks_;
};

}  // namespace

void measure_screening(const Context& context) {
#ifdef SGOOD_BENCH_RDKIT
  const Screening screening(1024, context.quick ? 6 : 1000);
  const Sides cpu = alternate(
      Clock::kThreadCpu, {screening.num_blocks(), 1, 1},
      [&](std::size_t i) { screening.score(i, 1); },
      [&](std::size_t i) {
        for (const MoleculeRow& row : screening.block(i).rows) rdkit_parse(row.smiles);
      });
  const double scale = 1e6 / screening.molecules();
  context.report->add({.part = "e",
                       .name = "SMILES to score / RDKit's parse, hiv",
                       .ours = scale * cpu.ours,
                       .theirs = scale * cpu.theirs,
                       .ratio = cpu.ours / cpu.theirs,
                       .unit = "us/row",
                       .n = screening.num_blocks(),
                       .target = at_most(1.35)});

  const OtherWork others;
  const Sides wall = screening.two_threads_and_one(Clock::kWall);
  const double others_cores = others.cores();
  const Sides work = screening.two_threads_and_one(Clock::kProcessCpu);
  context.report->add({.part = "e",
                       .name = "rows a second: two threads / one, hiv",
                       .ours = screening.molecules() / wall.ours,
                       .theirs = screening.molecules() / wall.theirs,
                       .ratio = wall.theirs / wall.ours,
                       .unit = "rows/s",
                       .n = screening.num_blocks(),
                       .target = at_least(1.7),
                       .more = {{"cores_used_by_others", others_cores},
                                {"cpu_two_over_one", work.ours / work.theirs}}});
#else
  context.report->skip("e", "built without RDKit");
#endif
}

void measure_busy_machine(const Context& context) {
  const Screening screening(2048, context.quick ? 4 : 20);
  const BusyCores busy(120);
  const Sides wall = screening.two_threads_and_one(Clock::kWall);
  context.report->add({.part = "g",
                       .name = "every core busy: two threads / one, scoring hiv",
                       .ours = 1e3 * wall.ours,
                       .theirs = 1e3 * wall.theirs,
                       .ratio = wall.ours / wall.theirs,
                       .unit = "ms",
                       .n = screening.num_blocks(),
                       .target = at_most(1.1)});
}

}  // namespace sgood::bench
