// SPDX-License-Identifier: MIT
#include "sgood/suites/motif.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/error.h"
#include "sgood/core/rng.h"
#include "sgood/graph/graph_builder.h"

namespace sgood {
namespace {

constexpr std::int32_t kPieceNodes = 6;
constexpr std::int32_t kMinPieces = 3;
constexpr std::int32_t kPieceCounts = 6;  // 3 to 8 pieces

struct Edge {
  std::int32_t u, v;
  bool operator==(const Edge&) const = default;
};

/// Seven edges over six nodes; nodes 0 and 1 have degree three, the others degree two.
using Piece = std::array<Edge, 7>;

constexpr Piece kTwoSquares = {{{0, 1}, {0, 2}, {2, 3}, {3, 1}, {0, 4}, {4, 5}, {5, 1}}};
constexpr Piece kTrianglePentagon = {{{0, 1}, {0, 2}, {2, 1}, {0, 3}, {3, 4}, {4, 5}, {5, 1}}};
constexpr Piece kTwoTriangles = {{{0, 1}, {0, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 5}, {5, 1}}};
constexpr Piece kSquarePentagon = {{{0, 2}, {2, 1}, {0, 3}, {3, 1}, {0, 4}, {4, 5}, {5, 1}}};
constexpr std::array kKnown = {kTwoSquares, kTrianglePentagon};  // the majority in class 0 and 1
constexpr std::array kNew = {kTwoTriangles, kSquarePentagon};

std::int32_t random_below(std::int32_t bound, Rng& rng) {
  return static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(bound)));
}

/// Takes one value out of `values`, each equally likely.
std::int32_t take(std::vector<std::int32_t>& values, Rng& rng) {
  std::swap(values[rng.below(values.size())], values.back());
  const std::int32_t value = values.back();
  values.pop_back();
  return value;
}

struct JoinedPieces {
  GraphBuilder builder;
  std::vector<std::int32_t> new_nodes;  // ascending
};

/// Joins `pieces` by a random tree of single edges and numbers the nodes at random.
JoinedPieces join(std::vector<Piece> pieces, Rng& rng) {
  rng.shuffle(pieces);
  const std::int32_t n = kPieceNodes * static_cast<std::int32_t>(pieces.size());
  const std::vector<std::int32_t> name = rng.sample(n, n);
  const auto named = [&](std::int32_t v) { return name[static_cast<std::size_t>(v)]; };
  JoinedPieces joined{GraphBuilder(n), {}};
  std::vector<std::int32_t> open;  // nodes of degree two in the pieces so far
  std::int32_t first = 0;
  for (const Piece& piece : pieces) {
    for (const auto& [u, v] : piece) joined.builder.add_edge(named(first + u), named(first + v));
    if (std::ranges::find(kNew, piece) != kNew.end())
      for (std::int32_t v = first; v < first + kPieceNodes; ++v)
        joined.new_nodes.push_back(named(v));
    std::vector<std::int32_t> own = {first + 2, first + 3, first + 4, first + 5};
    if (first > 0) joined.builder.add_edge(named(take(open, rng)), named(take(own, rng)));
    open.insert(open.end(), own.begin(), own.end());
    first += kPieceNodes;
  }
  std::ranges::sort(joined.new_nodes);
  return joined;
}

/// More than half of the pieces are the class's own, the others the other class's.
std::vector<Piece> known_pieces(std::int32_t count, std::size_t label, Rng& rng) {
  const std::int32_t least = count / 2 + 1;
  const std::int32_t major = least + random_below(count - least + 1, rng);
  std::vector<Piece> pieces(static_cast<std::size_t>(major), kKnown[label]);
  pieces.resize(static_cast<std::size_t>(count), kKnown[1 - label]);
  return pieces;
}

/// At least half of the pieces are new, the others known; kinds are drawn with equal odds.
std::vector<Piece> mixed_pieces(std::int32_t count, Rng& rng) {
  const std::int32_t least = (count + 1) / 2;
  const std::int32_t fresh = least + random_below(count - least + 1, rng);
  std::vector<Piece> pieces;
  for (std::int32_t i = 0; i < count; ++i)
    pieces.push_back(i < fresh ? kNew[rng.below(2)] : kKnown[rng.below(2)]);
  return pieces;
}

}  // namespace

MotifData make_motif_data(const MotifOptions& options) {
  SGOOD_CHECK(options.num_id >= 1, "num_id is {} but must be at least 1", options.num_id);
  SGOOD_CHECK(options.num_ood >= 1, "num_ood is {} but must be at least 1", options.num_ood);
  // Each set has its own generator, so that its graphs do not depend on the size of the other.
  Rng id_rng = Rng(options.seed).fork("motif-id");
  Rng ood_rng = Rng(options.seed).fork("motif-ood");
  MotifData data;
  data.id.source = "motif (ID)";
  data.ood.source = "motif (OOD)";
  data.id.class_names = {"squares", "triangle-pentagon"};
  // Numbers of pieces take turns instead of being drawn: equal shares leave no size to learn from.
  for (std::int32_t i = 0; i < options.num_id; ++i) {
    const std::int32_t label = i % 2;
    const std::int32_t count = kMinPieces + i / 2 % kPieceCounts;
    data.id.graphs.push_back(
        join(known_pieces(count, static_cast<std::size_t>(label), id_rng), id_rng)
            .builder.set_id("id-" + std::to_string(i))
            .set_row(i)
            .set_label(label)
            .build());
  }
  for (std::int32_t i = 0; i < options.num_ood; ++i) {
    JoinedPieces joined = join(mixed_pieces(kMinPieces + i % kPieceCounts, ood_rng), ood_rng);
    data.ood.graphs.push_back(joined.builder.set_id("ood-" + std::to_string(i)).set_row(i).build());
    data.new_nodes.push_back(std::move(joined.new_nodes));
  }
  return data;
}

}  // namespace sgood
