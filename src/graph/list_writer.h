// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// Padded neighbour lists, copied from graph to batch.
namespace sgood {

inline constexpr std::int32_t kPadding = -1;  ///< Padding entry as long as its value is not known.

/// Entries that are copied at once. Lists are read and written in groups, beyond their end, because
/// a loop over the true length is mispredicted at almost every list.
inline constexpr std::int32_t kGroup = 8;

/// Lists to read; their entries stand one behind the other in `col` [size].
struct Lists {
  const std::int32_t* row_ptr;
  const std::int32_t* col;
  std::int32_t size;

  Lists(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& entries)
      : row_ptr(rows.data()),
        col(entries.data()),
        size(static_cast<std::int32_t>(entries.size())) {}
};

/// Writes padded lists from list `row` on, where there must be room for their entries, three more a
/// list, and a group.
class ListWriter {
 public:
  ListWriter(std::vector<std::int32_t>& row_ptr, std::vector<std::int32_t>& col,
             std::vector<std::int32_t>& degree, std::int32_t row)
      : row_end_(row_ptr.data() + row + 1),
        degree_(degree.data() + row),
        row_(row_end_[-1]),
        start_(col.data() + row_),
        next_(start_) {}

  void add(std::int32_t value) { *next_++ = value; }
  /// Adds the entries of list `i`, each plus `shift`.
  void add_shifted(const Lists& lists, std::int32_t i, std::int32_t shift) {
    add_range(lists, lists.row_ptr[i], lists.row_ptr[i + 1], shift);
  }
  /// Adds those entries of list `i`, which is ascending, that are in [first, last), each plus
  /// `shift`.
  void add_inside(const Lists& lists, std::int32_t i, std::int32_t first, std::int32_t last,
                  std::int32_t shift) {
    std::int32_t begin = lists.row_ptr[i], end = lists.row_ptr[i + 1];
    while (begin < end && lists.col[begin] < first) ++begin;
    while (begin < end && lists.col[end - 1] >= last) --end;
    add_range(lists, begin, end, shift);
  }
  /// Adds map[value] for each value of list `i` for which that is not negative. `map` has a place
  /// for every value of `lists`.
  void add_mapped(const Lists& lists, std::int32_t i, const std::int32_t* map) {
    constexpr std::int32_t kMapped = kGroup / 2;  // costs more per entry than copying
    std::int32_t begin = lists.row_ptr[i];
    const std::int32_t end = lists.row_ptr[i + 1];
    std::int32_t* next = next_;
    for (; begin < end && begin + kMapped <= lists.size; begin += kMapped)
      for (std::int32_t k = 0; k < kMapped; ++k) {
        const std::int32_t value = map[lists.col[begin + k]];
        *next = value;
        next += static_cast<int>(value >= 0) & static_cast<int>(begin + k < end);
      }
    for (; begin < end; ++begin) {
      *next = map[lists.col[begin]];
      next += *next >= 0;
    }
    next_ = next;
  }
  /// The same where list `i` is ascending and map[value] is value + shift in [first, last).
  void add_mapped(const Lists& lists, std::int32_t i, const std::int32_t* map, std::int32_t first,
                  std::int32_t last, std::int32_t shift) {
    const std::int32_t begin = lists.row_ptr[i], end = lists.row_ptr[i + 1];
    if (begin < end && lists.col[begin] >= first && lists.col[end - 1] < last)
      add_range(lists, begin, end, shift);
    else
      add_mapped(lists, i, map);
  }
  /// Ends a list, with room for `more` entries.
  void close(std::int32_t more = 0) {
    auto length = static_cast<std::int32_t>(next_ - start_);
    *degree_++ = length;
    length += more;
    std::fill_n(start_ + length, 3, kPadding);
    const std::int32_t padded = (length + 3) & ~3;
    next_ = start_ += padded;
    *row_end_++ = row_ += padded;
  }

 private:
  /// Adds entries [begin, end) of `lists`, each plus `shift`.
  void add_range(const Lists& lists, std::int32_t begin, std::int32_t end, std::int32_t shift) {
    std::int32_t* next = next_;
    next_ += end - begin;
    for (; begin < end && begin + kGroup <= lists.size; begin += kGroup, next += kGroup) {
      std::array<std::int32_t, kGroup> group;
      std::copy_n(lists.col + begin, kGroup, group.data());
      for (std::int32_t& value : group) value += shift;
      std::copy_n(group.data(), kGroup, next);
    }
    for (; begin < end; ++begin) *next++ = lists.col[begin] + shift;
  }

  std::int32_t* row_end_;
  std::int32_t* degree_;
  std::int32_t row_;     // where the current list starts,
  std::int32_t* start_;  // the same as a pointer,
  std::int32_t* next_;   // and where it goes on
};

}  // namespace sgood
