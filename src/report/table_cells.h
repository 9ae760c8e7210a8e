// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/report/result_table.h"

namespace sgood {

/// How a cell stands in its column, by the numbers as they are printed: equal ones share a place.
enum class CellPlace { kOther, kBest, kSecond };

/// The parts of a cell, for any markup. Minus signs are hyphens.
struct CellText {
  std::string value = "-";  ///< "67.7 ± 3.0", "67.7" for a single run, "-" where none was made.
  std::string paper;        ///< "74.4"; empty where the paper has no number.
  std::string difference;   ///< Ours minus the paper's as printed, "-6.7"; may be empty.
  std::string runs;         ///< "3 runs" where it is not the usual number of the table.
  CellPlace place = CellPlace::kOther;
};

/// Throw InvalidArgument where `cells` has another shape than the names.
void check_shape(const ResultTable& table);
void check_shape(const ResultHeatMaps& maps);

/// All cells as texts, [rows][columns]. A column with fewer than two measured cells has no places.
/// Throws InvalidArgument where `cells` has another shape than the names.
std::vector<std::vector<CellText>> cell_texts(const ResultTable& table);

/// What a reader must know about the cells: the number of runs, the paper's numbers, the marks.
std::string table_note(const ResultTable& table);

/// `caption` and the note, as one paragraph.
std::string caption_and_note(const ResultTable& table);

struct Replacement {
  char character;
  const char* text;
};

/// `text` with every character that has an entry in `replacements` replaced.
std::string escaped(std::string_view text, std::initializer_list<Replacement> replacements);

}  // namespace sgood
