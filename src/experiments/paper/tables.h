// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/experiments/experiment.h"

/// One function per table or figure of the paper, in its order.
namespace sgood::paper {

/// The six suites that the paper's analysis uses, in its order, and all eight.
inline const std::vector<std::string> kSixSuites = {"enzymes", "imdb-m", "imdb-b",
                                                    "bace",    "bbbp",   "drugood"};
inline const std::vector<std::string> kAllSuites = {"enzymes", "imdb-m", "imdb-b", "reddit-12k",
                                                    "bace",    "bbbp",   "hiv",    "drugood"};

/// Options of the ablation: no views; and no substructures either.
inline const Settings kNoViews = {{"pretrain_epochs", "0"}, {"alpha", "0"}};
inline const Settings kBase = {
    {"pretrain_epochs", "0"}, {"alpha", "0"}, {"substructures", "false"}};

Experiment unseen_substructures();
Experiment main_table();
Experiment id_accuracy();
Experiment ablation();
Experiment score_distributions();
Experiment substructures();
Experiment subgraph_models();
Experiment augmentations();
Experiment backbones();
Experiment epoch_time();
Experiment pretraining_epochs();
Experiment alpha();
Experiment batch_size();
Experiment view_pairs();
Experiment layers();

}  // namespace sgood::paper
