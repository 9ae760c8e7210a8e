// SPDX-License-Identifier: MIT
// What draws molecules, loaded on demand: RDKit's drawing links Cairo and X11, for which no other
// command should wait at its start.
#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>

#include <cmath>
#include <map>

#include "rebuilt_molecule.h"
#include "sgood/core/version.h"

namespace {

/// White at 0, orange at 1, blue at -1.
RDKit::DrawColour colour_of(double shade) {
  constexpr double kOrange[] = {0.95, 0.52, 0.25};
  constexpr double kBlue[] = {0.35, 0.65, 0.90};
  const double* const full = shade > 0 ? kOrange : kBlue;
  const auto mixed = [&](int c) { return 1 - std::abs(shade) * (1 - full[c]); };
  return {mixed(0), mixed(1), mixed(2)};
}

constexpr double kLeastShade = 0.02;  // a paler one cannot be seen
constexpr int kWidth = 520, kHeight = 380;

}  // namespace

extern "C" {

/// Version of the library that the plug-in was built with; the host refuses another one.
const char* sgood_drawing_version() { return sgood::kVersion; }

/// draw_molecule() across the boundary; `shades` has one entry per node.
void sgood_draw_molecule(const sgood::Graph* graph, const double* shades, std::string* svg) {
  const auto molecule = sgood::rebuilt_molecule(*graph);
  RDDepict::compute2DCoords(*molecule);
  std::vector<int> atoms, bonds;
  std::map<int, RDKit::DrawColour> atom_colours, bond_colours;
  for (std::int32_t v = 0; v < graph->num_nodes(); ++v) {
    if (std::abs(shades[v]) < kLeastShade) continue;
    atoms.push_back(v);
    atom_colours[v] = colour_of(shades[v]);
  }
  for (const RDKit::Bond* bond : molecule->bonds()) {
    const double a = shades[bond->getBeginAtomIdx()], b = shades[bond->getEndAtomIdx()];
    if (a * b <= 0 || std::min(std::abs(a), std::abs(b)) < kLeastShade) continue;
    const int index = static_cast<int>(bond->getIdx());
    bonds.push_back(index);
    bond_colours[index] = colour_of(std::abs(a) < std::abs(b) ? a : b);
  }
  RDKit::MolDraw2DSVG drawer(kWidth, kHeight);
  drawer.drawOptions().prepareMolsBeforeDrawing = false;
  drawer.drawOptions().clearBackground = false;
  drawer.drawMolecule(*molecule, "", &atoms, &bonds, &atom_colours, &bond_colours);
  drawer.finishDrawing();
  *svg = drawer.getDrawingText();
}

}  // extern "C"
