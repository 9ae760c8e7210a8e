// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule_picture.h"

#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>

#include "rebuilt_molecule.h"
#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"
#include "sgood/core/plugin.h"

namespace sgood {

bool are_molecules(const GraphSet& graphs) {
  return std::ranges::equal(graphs.node_label_names, kAtomFeatureNames) &&
         std::ranges::equal(graphs.edge_label_names, kBondFeatureNames);
}

std::string fragment_smiles(const Graph& molecule, std::span<const std::int32_t> nodes) {
  return RDKit::MolFragmentToSmiles(*rebuilt_molecule(molecule),
                                    std::vector<int>(nodes.begin(), nodes.end()));
}

std::string draw_molecule(const Graph& molecule, std::span<const double> shades) {
  SGOOD_CHECK(std::ssize(shades) == molecule.num_nodes(), "{} shades for {} atoms", shades.size(),
              molecule.num_nodes());
  static const Plugin drawing("libsgood_drawing.so", "sgood_drawing_version");
  if (!drawing.problem().empty())
    throw Unavailable(fmt::format("pictures of molecules: {}", drawing.problem()));
  void (*draw)(const Graph* graph, const double* shades, std::string* svg) = nullptr;
  drawing.find("sgood_draw_molecule", draw);
  std::string svg;
  draw(&molecule, shades.data(), &svg);
  return svg;
}

}  // namespace sgood
