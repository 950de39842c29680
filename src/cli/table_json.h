// Tables for programs.
#pragma once

#include <string>
#include <vector>

namespace gate::cli {

// Return a JSON array with an object for each row but the first, whose cells are the names of the members.
// All values are texts. Bytes that are no UTF-8 are replaced.
std::string table_json(const std::vector<std::vector<std::string>>& rows);

}  // namespace gate::cli
