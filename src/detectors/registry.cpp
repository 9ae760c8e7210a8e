// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/detectors/aagod.h"
#include "sgood/detectors/classifier_detectors.h"
#include "sgood/detectors/detector.h"
#include "sgood/detectors/glocalkd.h"
#include "sgood/detectors/good_d.h"
#include "sgood/detectors/graphde.h"
#include "sgood/detectors/ocgin.h"
#include "sgood/detectors/ocgtl.h"
#include "sgood/detectors/random_gin.h"
#include "sgood/detectors/sgood.h"
#include "sgood/detectors/size.h"
#include "sgood/detectors/stats_knn.h"
#include "sgood/detectors/subgraph_encoders.h"
#include "sgood/detectors/wl_density.h"
#include "sgood/detectors/wl_knn.h"

namespace sgood {
namespace {

template <typename Method>
std::unique_ptr<Detector> make() {
  return std::make_unique<Method>();
}

}  // namespace

std::vector<GraphScore> Detector::score_batch(const GraphSet&, int, const RunControl&) const {
  std::vector<std::string> names;
  for (const DetectorInfo& row : detectors())
    if (row.scores_batches) names.push_back(row.name);
  throw InvalidArgument(fmt::format("method '{}' has no batch scores; methods that have them: {}",
                                    method(), fmt::join(names, ", ")));
}

const std::vector<DetectorInfo>& detectors() {
  static const std::vector<DetectorInfo> rows = {
      {"sgood",
       "Two-level network over substructures, contrastive pre-training, Mahalanobis distance.",
       "Ding, Shi: SGOOD, Substructure-enhanced Graph-Level Out-of-Distribution Detection, CIKM "
       "2024",
       true, make<SgoodDetector>},
      {"msp", "Trained classifier: how far its largest class probability is from 1.",
       "Hendrycks, Gimpel: A Baseline for Detecting Misclassified and Out-of-Distribution Examples "
       "in Neural Networks, ICLR 2017",
       true, make<MspDetector>, false, true},
      {"energy", "Trained classifier: free energy of its logits.",
       "Liu, Wang, Owens, Li: Energy-based Out-of-distribution Detection, NeurIPS 2020", true,
       make<EnergyDetector>, false, true},
      {"odin",
       "Trained classifier: largest class probability at a high temperature, after a small "
       "step of the node features towards the predicted class.",
       "Liang, Li, Srikant: Enhancing the Reliability of Out-of-distribution Image Detection in "
       "Neural Networks, ICLR 2018",
       true, make<OdinDetector>, false, true},
      {"mahalanobis", "Trained classifier: Mahalanobis distance in its last representation.",
       "Lee, Lee, Lee, Shin: A Simple Unified Framework for Detecting Out-of-Distribution Samples "
       "and Adversarial Attacks, NeurIPS 2018",
       true, make<MahalanobisDetector>, false, true},
      {"gnnsafe", "Trained classifier: energies of its nodes, propagated along edges and averaged.",
       "Wu, Chen, Yang, Yan: Energy-based Out-of-Distribution Detection for Graph Neural Networks, "
       "ICLR 2023",
       true, make<GnnSafeDetector>, false, true},
      {"graphde", "Likelihood of the edges given the features, learned together with a classifier.",
       "Li, Wu, Zhang, Yan: GraphDE, A Generative Framework for Debiased Learning and "
       "Out-of-Distribution Detection on Graphs, NeurIPS 2022",
       true, make<GraphdeDetector>, true},
      {"good-d",
       "Contrast of a feature view with a structure view of nodes, graphs and groups of graphs.",
       "Liu, Ding, Liu, Pan: GOOD-D, On Unsupervised Graph Out-Of-Distribution Detection, WSDM "
       "2023",
       false, make<GoodDDetector>, true},
      {"aagod",
       "Learned edge weights on a frozen encoder that make training graphs one tight Gaussian.",
       "Guo, Yang, Chen, Liu, Shi, Du: A Data-centric Framework to Endow Graph Neural Networks "
       "with Out-Of-Distribution Detection Ability, KDD 2023",
       false, make<AagodDetector>, true},
      {"ocgin", "One-class learning: distance of a GIN's representation from the training centre.",
       "Zhao, Akoglu: On Using Classification Datasets to Evaluate Graph Outlier Detection, Big "
       "Data 2021",
       false, make<OcginDetector>, true},
      {"glocalkd",
       "How badly a student copies a random teacher, of the nodes and of the whole graph.",
       "Ma, Pang, Chen, van den Hengel: Deep Graph-level Anomaly Detection by Glocal Knowledge "
       "Distillation, WSDM 2022",
       false, make<GlocalkdDetector>, true},
      {"ocgtl",
       "One-class learning with several encoders that must agree with one and differ else.",
       "Qiu, Kloft, Mandt, Rudolph: Raising the Bar in Graph-level Anomaly Detection, IJCAI 2022",
       false, make<OcgtlDetector>, true},
      {"sagpool", "Hierarchical encoder with self-attention pooling; Mahalanobis distance.",
       "Lee, Lee, Kang: Self-Attention Graph Pooling, ICML 2019", true, make<SagPoolDetector>, true,
       true},
      {"topkpool", "Hierarchical encoder with top-k pooling; Mahalanobis distance.",
       "Gao, Ji: Graph U-Nets, ICML 2019", true, make<TopKPoolDetector>, true, true},
      {"diffpool", "Hierarchical encoder with differentiable pooling; Mahalanobis distance.",
       "Ying, You, Morris, Ren, Hamilton, Leskovec: Hierarchical Graph Representation Learning "
       "with Differentiable Pooling, NeurIPS 2018",
       true, make<DiffPoolDetector>, true, true},
      {"ngnn", "Nested GNN, a GIN on the neighbourhood of every node; Mahalanobis distance.",
       "Zhang, Li: Nested Graph Neural Networks, NeurIPS 2021", true, make<NgnnDetector>, true,
       true},
      {"gnn-ak+", "Message passing with a GNN on neighbourhoods as kernel; Mahalanobis distance.",
       "Zhao, Jin, Akoglu, Shah: From Stars to Subgraphs: Uplifting Any GNN with Local Structure "
       "Awareness, ICLR 2022",
       true, make<GnnAkDetector>, true, true},
      {"random-gin", "Untrained: Mahalanobis distance in SGOOD's network with random weights.",
       "What the architecture of SGOOD sees without training.", true, make<RandomGinDetector>},
      {"size", "Untrained: how unusual the number of nodes (or edges, or the density) is.",
       "The shortcut that every other method must beat.", false, make<SizeDetector>},
      {"stats-knn", "Untrained: distance to the nearest training graphs in graph statistics.",
       "Angiulli, Pizzuti: Fast Outlier Detection in High Dimensional Spaces, PKDD 2002", false,
       make<StatsKnnDetector>},
      {"wl-knn",
       "Untrained: distance to the nearest training graphs under the Weisfeiler-Lehman kernel.",
       "Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt: Weisfeiler-Lehman Graph "
       "Kernels, JMLR 2011",
       false, make<WlKnnDetector>},
      {"wl-density",
       "Untrained: density of the training graphs in size, neighbourhoods and ring skeletons.",
       "Colours: Shervashidze et al., JMLR 2011; weighted Jaccard distance, soft-minimum over "
       "training graphs, leave-one-out calibration",
       false, make<WlDensityDetector>, false, false, true},
  };
  return rows;
}

std::unique_ptr<Detector> make_detector(std::string_view name) {
  std::vector<std::string> names;
  for (const DetectorInfo& row : detectors()) {
    if (row.name == name) return row.make();
    names.push_back(row.name);
  }
  throw InvalidArgument(
      fmt::format("there is no method '{}'; known are {}", name, fmt::join(names, ", ")));
}

}  // namespace sgood
