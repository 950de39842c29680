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

}  // namespace gate::render
