// What an import tells of the margins and `warm_up` of golden files, which no baseline of gate's own holds.
#pragma once

#include <span>
#include <string>

#include "gate/app/import_tree.h"
#include "gate/config/settings.h"

namespace gate::cli {

using ImportedFiles = std::span<const app::ImportedFile>;
using AllMargins = std::span<const config::CaseMargins>;

// Return which files hold any, what the profiles that use them make of an import, and the margins as lines
// for gate.toml; "" where no file holds any.
std::string margin_text(ImportedFiles files, AllMargins margins, std::size_t in_suite);

// Return why an import changes what the settings' profile or shadow say of these files; "" where it does not.
std::string margin_warning(ImportedFiles files, const config::Settings& settings);

}  // namespace gate::cli
