// How fast a case was, in words and as a published table has it.
#pragma once

#include <string>
#include <vector>

#include "gate/model/report.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return `4672 tokens/p/s (-1.2 % | reference 3850: 121 %)` of a case that is bound to a reference; "" of any
// other.
std::string performance_words(const CaseReport& one);

// Return the table of what green cases were measured to do: a head and a row for each. Those that are bound
// to a reference come in the order of its table, then the others by name.
TextRows performance_rows(const Report& report);

// Return of what the table is, and what is left out of it.
std::vector<std::string> performance_notes(const Report& report);

}  // namespace gate::render
