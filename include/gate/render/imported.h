// What an import of golden files prints, and what accepting does.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/runs/imported.h"
#include "gate/render/reporters.h"

namespace gate::render {

using ImportedFiles = std::span<const ImportedFile>;
using Acceptances = std::vector<Accepted>;

// Return a table of what was imported (not when quiet), what was assumed, cases without a script, what was
// refused and why, with files alike in one entry, margins as lines for gate.toml, the counts, and what to do
// next, or what was accepted.
std::string import_text(const TreeImport& import, const Acceptances* accepted, const Style& style);

// Return the same as JSON.
std::string import_json(const TreeImport& import, const Acceptances* accepted);

// Return which files hold margins or `warm_up`, which no baseline of gate's own does, what the profiles that
// use them make of an import, and the lines for gate.toml; "" where no file holds any.
Sentence margin_text(ImportedFiles files, const std::string& gate_toml);

// Return why an import changes what a profile or shadow says of these files; "" where it does not.
Sentence margin_warning(ImportedFiles files, std::string_view profile, std::string_view shadow);

// Return how many candidates were left out, and wait on.
std::ptrdiff_t left_out_of(const Acceptances& accepted);

// Return each baseline that was written, with what it holds, and of several how many were written and left
// out. When quiet, of several only those that were left out, red or drifted, and nothing of what they hold.
std::string acceptances_text(const Acceptances& accepted, const Style& style);

// Return the same where that is one or the style is verbose, else the count.
std::string accepted_text(const Acceptances& accepted, const Style& style);

// Return the same as JSON.
std::string accepted_json(const Acceptances& accepted);

}  // namespace gate::render
