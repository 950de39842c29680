// Text that keeps to a number of bytes, for readers that refuse more.
#pragma once

#include <string>
#include <string_view>

#include "gate/model/report.h"

namespace gate::render {

// Return the lines, which are `safe`, each cut after 2000 columns. Where they take more than `most` bytes,
// return as many first ones as fit and, where there is room for it, `and 12 lines more: WHERE` below them.
std::string bounded(std::string_view lines, std::size_t most, std::string_view where);

// Return those of the lines that fit into `most` bytes, each whole: what is to be pasted is no use in part.
std::string whole_lines(std::string_view lines, std::size_t most);

// Return how to see all of the report, `gate -v report 1121-0203`.
std::string where_all_is(const Report& report);

}  // namespace gate::render
