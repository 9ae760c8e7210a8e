// SPDX-License-Identifier: MIT
#include "bench/chem/rdkit_parse.h"

#include <GraphMol/SmilesParse/SmilesParse.h>

#include <memory>

namespace sgood::bench {

unsigned rdkit_parse(const std::string& smiles) {
  const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles));
  return molecule == nullptr ? 0 : molecule->getNumAtoms();
}

}  // namespace sgood::bench
