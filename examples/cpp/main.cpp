// SPDX-License-Identifier: MIT
// Fits on one file of labelled molecules, then decides about the molecules of another.
#include <fmt/core.h>

#include "sgood/core/error.h"
#include "sgood/detectors/model.h"
#include "sgood/suites/data_source.h"

int main(int argc, char** argv) {
  if (argc != 4) return fmt::print(stderr, "usage: example TRAIN.csv NEW.csv MODEL\n"), 2;
  try {
    const sgood::GraphSet train = sgood::read_graphs(argv[1], {.label_column = "class"});
    sgood::Model::fit(train, {}, {.seed = 0}).save(argv[3]);

    const sgood::Model model = sgood::Model::load(argv[3]);
    const sgood::GraphSet unknown = sgood::read_graphs(argv[2], {});
    const std::vector<sgood::Decision> decisions = model.score(unknown);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      fmt::print("{} score {:.2f} p {:.3f} {}\n", unknown.graphs[i].id(), decisions[i].score,
                 decisions[i].p_value, decisions[i].is_ood ? "refuse" : "trust");
    }
  } catch (const sgood::Error& error) {
    return fmt::print(stderr, "example: {}\n", error.what()), 1;
  }
}
