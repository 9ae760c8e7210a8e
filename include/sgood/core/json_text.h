// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace sgood {

/// The JSON value that `text` holds. Json: nlohmann::json or nlohmann::ordered_json. Throws
/// InvalidArgument that tells where the text is wrong; also when it nests deeper than 100 levels
/// (whatever walks over such a value could overflow the stack) and, for ordered_json, when it has
/// more than 10,000 members (finding one among them takes time in proportion).
template <typename Json>
Json parse_json(std::string_view text);

}  // namespace sgood
