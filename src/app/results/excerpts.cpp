#include <algorithm>
#include <deque>
#include <set>

#include "gate/app/charts.h"
#include "gate/base/decompress.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

constexpr std::uint32_t lines_before = 4, lines_behind = 4, last_lines = 12;
constexpr std::size_t most_excerpts = 6;
constexpr std::size_t most_bytes = 400;  // of a line

// Calls `take` with each line and its number, as long as it returns true.
template <typename Take>
void each_line(const std::string& file, Take take) {
  std::uint32_t number = 1;
  std::string line;
  bool wanted = true;
  const auto read = read_unpacked(file, [&](std::string_view block) {
    while (wanted && !block.empty()) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      if (line.size() < most_bytes + 1) line += block.substr(0, std::min(end, most_bytes + 1));
      if (end == block.size()) return;
      wanted = take(number++, line);
      line.clear();
      block.remove_prefix(end + 1);
    }
  });
  if (read && wanted && !line.empty()) take(number, line);
}

Excerpt around(const std::string& title, const std::string& file, std::uint32_t line) {
  Excerpt excerpt{title, file, line > lines_before ? line - lines_before : 1, line, {}};
  each_line(file, [&](std::uint32_t number, const std::string& text) {
    if (number >= excerpt.first) excerpt.lines.push_back(printable(text, most_bytes));
    return number < line + lines_behind;
  });
  return excerpt;
}

Excerpt end_of(const std::string& title, const std::string& file) {
  std::deque<std::string> lines;
  std::uint32_t last = 0;
  each_line(file, [&](std::uint32_t number, const std::string& text) {
    lines.push_back(text);
    if (lines.size() > last_lines) lines.pop_front();
    last = number;
    return true;
  });
  Excerpt excerpt{title, file, last - static_cast<std::uint32_t>(lines.size()) + 1, 0, {}};
  for (const std::string& text : lines) excerpt.lines.push_back(printable(text, most_bytes));
  return excerpt;
}

bool ended_badly(const CaseReport& report) { return report.outcome && !ended_well(*report.outcome); }

}  // namespace

std::vector<Excerpt> excerpts_of(const CaseReport& report) {
  std::vector<Excerpt> all;
  std::set<std::pair<std::string, std::uint32_t>> seen;
  const auto add = [&](const std::string& title, const std::string& file, std::uint32_t line) {
    if (file.empty() || line == 0 || all.size() >= most_excerpts || !seen.emplace(file, line).second) return;
    if (Excerpt excerpt = around(title, file, line); !excerpt.lines.empty())
      all.push_back(std::move(excerpt));
  };
  if (report.cause) add("cause: " + report.cause->what, report.cause->file, report.cause->line);
  for (const Check& check : report.checks)
    if (check.first_miss && check.status != CheckStatus::pass)
      add(check.metric + ": first miss", check.first_miss->file, check.first_miss->line);
  const auto log = report.artifacts.find("log");
  if (!ended_badly(report) || log == report.artifacts.end()) return all;
  if (Excerpt end = end_of("end of the log", log->second); !end.lines.empty()) all.push_back(std::move(end));
  return all;
}

}  // namespace gate::app
