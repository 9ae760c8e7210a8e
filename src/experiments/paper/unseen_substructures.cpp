// SPDX-License-Identifier: MIT
#include "sgood/experiments/unseen_substructures.h"

#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment unseen_substructures() {
  return {.name = "unseen-substructures",
          .title = "Graphs with a substructure never seen in ID graphs",
          .caption = "Paper: Table 1 (share of OOD graphs), with held-out ID graphs as a control.",
          .suites = {"enzymes", "imdb-m", "imdb-b", "bace", "bbbp"},
          .variants = {},
          .measure = run_unseen_substructures};
}

}  // namespace sgood::paper
