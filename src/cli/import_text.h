// What `gate baseline import --tree` prints.
#pragma once

#include <string>

#include "cli/accepting.h"
#include "gate/app/import_tree.h"
#include "gate/render/reporters.h"

namespace gate::cli {

// Return a table of what was imported (not when quiet), what was assumed, cases without a script, what was
// refused and why, with files alike in one entry, margins as lines for gate.toml, the counts, and what to do
// next, or what was accepted.
std::string import_text(const app::TreeImport& import, std::size_t in_suite, const Acceptances* accepted,
                        const render::Style& style);

// Return the same as JSON.
std::string import_json(const app::TreeImport& import, std::size_t in_suite, const Acceptances* accepted);

}  // namespace gate::cli
