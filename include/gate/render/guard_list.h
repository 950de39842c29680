// What `gate list --coverage` prints.
#pragma once

#include <string>

#include "gate/model/reports/guard_list.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return the table of cases, and below it the features that no case uses, that no case guards, that one case
// alone guards, that cannot be told, and the cases whose every feature is guarded elsewhere.
std::string guard_list_text(const GuardList& list, const Style& style);

// Return the same as Markdown, as a page with a filter, and as JSON.
std::string guard_list_markdown(const GuardList& list, Language language = Language::english);
std::string guard_list_html(const GuardList& list, Language language = Language::english);
std::string guard_list_json(const GuardList& list);

// Return a table for a README, of each case its tests, module, submodule (else its features), script, and `Y`
// where accuracy, throughput and memory are gated: as Markdown, where a cell that is the one above is empty,
// and as an HTML fragment, where it spans its rows.
std::string guard_fragment_markdown(const GuardList& list, Language language = Language::english);
std::string guard_fragment_html(const GuardList& list, Language language = Language::english);

}  // namespace gate::render
