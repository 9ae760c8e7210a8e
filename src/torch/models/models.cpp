// SPDX-License-Identifier: MIT
#include "src/torch/models/models.h"

#include <map>
#include <string_view>

#include "sgood/core/error.h"

namespace sgood {

std::shared_ptr<GraphNet> make_graph_net(const GraphModelSpec& spec) {
  using Make = std::shared_ptr<GraphNet> (*)(const GraphModelSpec&);
  static const std::map<std::string_view, Make> models = {
      {"aagod", make_aagod},     {"diffpool", make_diffpool}, {"glocalkd", make_glocalkd},
      {"gnn-ak+", make_gnn_ak},  {"good-d", make_good_d},     {"graphde", make_graphde},
      {"ngnn", make_ngnn},       {"ocgin", make_ocgin},       {"ocgtl", make_ocgtl},
      {"sagpool", make_sagpool}, {"topkpool", make_topkpool},
  };
  const auto found = models.find(spec.model);
  SGOOD_CHECK(found != models.end(), "the LibTorch plug-in has no model '{}'", spec.model);
  return found->second(spec);
}

}  // namespace sgood
