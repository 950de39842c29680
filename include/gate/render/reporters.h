// A report as bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/report.h"

namespace gate::render {

enum class Color { no, yes };

struct Style {
  Color color = Color::no;
  int width = 100;       // columns
  bool quiet = false;    // red cases and the last line only
  bool verbose = false;  // every check of every case
};

struct ReporterRow {
  std::string_view name;  // text, json, junit, markdown
  std::string_view doc;
  std::string (*render)(const Report& report, const Style& style);
};

std::span<const ReporterRow> reporters();
const ReporterRow* find_reporter(std::string_view name);

std::string text(const Report& report, const Style& style);
std::string json(const Report& report, const Style& style);
std::string junit(const Report& report, const Style& style);
std::string markdown(const Report& report, const Style& style);

// Return the numbers, the formula with numbers put in, the limit and the log lines behind a check. `lines` holds the
// quoted log lines, `FILE:LINE: text` each.
std::string explain(const Check& check, const std::vector<std::string>& lines, const Style& style);

// A plain table: columns padded to the widest cell (in terminal columns), two blanks between.
std::string table(const std::vector<std::vector<std::string>>& rows, const Style& style);
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace gate::render
