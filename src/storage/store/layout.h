// The paths of a baseline layout, both ways.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/store/suite_folder.h"

namespace gate::store {

// Tell whether a part of the name begins with a dot: files of such cases are not looked at.
bool is_hidden(const std::string& case_name);

struct PlacedFile {
  std::string path;  // relative to the suite
  BaselinePlace place;
};

// Return whose baseline the path holds, or nothing if it is not of the layout. A path that can be read both
// ways is of the platform: baselines/cpu/a.json is case a on cpu, never case cpu/a.
std::optional<BaselinePlace> place_of(const BaselineLayout& layout, std::string_view path);

// Return all baseline files of the layout.
Result<std::vector<PlacedFile>> placed_files(const BaselineLayout& layout);

// Write the baseline to the place and return the path: what write_baseline promises.
Result<std::string> write_placed(const BaselineLayout& layout, const Baseline& baseline,
                                 const BaselinePlace& place, fs::Survives what);

}  // namespace gate::store
