// The formats that gate knows, as a table. Each has specimens, lines with what must be read from them, which
// tests run.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate::extract {

struct FormatRow {
  std::string_view name;
  std::string_view doc;  // one line: which frameworks print it
};

// Return all formats in the order of the manual.
std::span<const FormatRow> formats();

// What stands, alone, for no format at all: patterns read the log.
inline constexpr std::string_view no_format = "none", none_stands_alone = "\"none\" stands alone";

// Return the names of all formats.
std::vector<std::string> format_names();

// Return what FlagPerf's finished_info calls the metric: `final_mAP`, `acc` and others of final_accuracy.
std::vector<std::string_view> finished_keys(std::string_view metric);

}  // namespace gate::extract
