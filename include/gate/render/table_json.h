// Results for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gate/base/sentence.h"

namespace gate::render {

using OutputJson = nlohmann::ordered_json;

// Return a JSON array with an object for each row but the first, whose cells are the names of the members.
// All values are texts, in English. Bytes that are no UTF-8 are replaced.
std::string table_json(const std::vector<std::vector<Sentence>>& rows);

// Return the text of a result, with a final newline. Bytes that are no UTF-8 are replaced.
std::string json_text(const OutputJson& json);

}  // namespace gate::render
