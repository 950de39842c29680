// Two commits in pairs (`gate ab`) as text, as JSON, and as one HTML file.
#pragma once

#include <string>

#include "gate/model/reports/ab.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return who was compared, a table of the metrics, what else is to be said, and a last line.
std::string ab_text(const AbResult& result, const Style& style);

// Return the last line without a newline: `SLOWER: throughput -3.05 % (-3.91 % .. -2.18 %) after 6 pairs
// (exit 1)`, `NO DIFFERENCE: ...`, `UNDECIDED: ...`; of a launch that failed `CRASHED: B, pair 1: ...`.
Sentence ab_closing(const AbResult& result);

// Return the table: a head, then a row for each metric.
TextRows ab_rows(const AbResult& result);

// Return `A  HEAD~1 (3f2a1b2c9d)`, and the same of B.
std::vector<Sentence> ab_sides(const AbResult& result);

// Return gate.ab/1 (docs/schema/gate.ab.1.json).
std::string ab_json(const AbResult& result);

// Return the page, with a chart of the pairs for each metric.
std::string ab_html(const AbResult& result, Language language = Language::english);

}  // namespace gate::render
