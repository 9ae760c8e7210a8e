// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule.h"
#include "sgood/chem/molecule_picture.h"
#include "sgood/core/error.h"

namespace sgood {
namespace {

[[noreturn]] void throw_unavailable() {
  throw Unavailable(
      "molecules need RDKit, and this program was built without it; install it (Debian: apt "
      "install "
      "librdkit-dev) and build again with -DSGOOD_WITH_RDKIT=ON");
}

}  // namespace

bool molecules_available() { return false; }
std::string rdkit_version() { return {}; }
Graph molecule_to_graph(std::string_view, MoleculeOrigin, Chirality, Fragmentation) {
  throw_unavailable();
}
std::string murcko_scaffold(std::string_view) { throw_unavailable(); }
bool are_molecules(const GraphSet&) { return false; }
std::string fragment_smiles(const Graph&, std::span<const std::int32_t>) { throw_unavailable(); }
std::string draw_molecule(const Graph&, std::span<const double>) { throw_unavailable(); }

}  // namespace sgood
