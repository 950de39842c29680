#include "render/words/bounded.h"

#include <algorithm>
#include <vector>

#include "gate/base/text.h"
#include "render/words/columns.h"

namespace gate::render {

namespace {

constexpr int most_columns = 2000;  // of a line
constexpr int run_columns = 100;    // an id is shorter; a report file from outside may say anything

std::vector<std::string> shortened(std::string_view lines) {
  std::vector<std::string> out;
  for (const std::string_view line : split(lines, '\n')) out.push_back(cut(line, most_columns) + "\n");
  if (out.back() == "\n") out.pop_back();
  return out;
}

std::string note(std::size_t lines, std::string_view where) {
  return "and " + count_of(static_cast<std::int64_t>(lines), "line") + " more: " + std::string(where) + "\n";
}

// Return how many of the lines take at most so many bytes together.
std::size_t fitting_lines(const std::vector<std::string>& lines, std::size_t most) {
  std::size_t used = 0, count = 0;
  while (count < lines.size() && used + lines[count].size() <= most) used += lines[count++].size();
  return count;
}

std::string joined(const std::vector<std::string>& lines, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += lines[i];
  return out;
}

}  // namespace

std::string bounded(std::string_view lines, std::size_t most, std::string_view where) {
  const std::vector<std::string> all = shortened(lines);
  if (fitting_lines(all, most) == all.size()) return joined(all, all.size());
  const std::size_t noted = note(all.size(), where).size();
  if (noted > most) return joined(all, fitting_lines(all, most));
  const std::size_t kept = fitting_lines(all, most - noted);
  return joined(all, kept) + note(all.size() - kept, where);
}

std::string whole_lines(std::string_view lines, std::size_t most) {
  std::string out;
  for (const std::string_view line : split(lines, '\n'))
    if (!line.empty() && out.size() + line.size() < most) out += std::string(line) + "\n";
  return out;
}

std::string where_all_is(const Report& report) {
  if (report.run.empty()) return "--json-file F writes all of it";
  return "gate -v report " + cut(safe(report.run), run_columns);
}

}  // namespace gate::render
