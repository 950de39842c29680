// The report for a job summary: the last line of the text as its heading, a table of all cases with the red
// ones first, then each red case in full.
#include <vector>

#include "gate/render/reporters.h"
#include "render/case_text.h"
#include "render/compared.h"
#include "render/counts.h"
#include "render/markdown_text.h"
#include "render/page.h"
#include "render/shadow.h"

namespace gate::render {

namespace {

using Row = std::vector<std::string>;

constexpr Style block_style{Color::no, 0, false, false};
constexpr std::size_t most_blocks = 50;  // a job summary holds 1 MiB

std::string shown_verdict(const CaseReport& of) {
  std::string word(to_string(of.verdict));
  if (!is_red(of)) return word + (is_waived(of) ? ", waived" : "");
  for (char& c : word)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return word;
}

Row row_of(const CaseReport& of) {
  const std::string what = of.verdict == Verdict::passed    ? compared_words(of)
                           : of.verdict == Verdict::skipped ? of.reason
                                                            : trouble_words(of);
  return {of.name, shown_verdict(of), what, of.duration.count() > 0 ? rough(of.duration) : ""};
}

std::string cases_table(const Report& report) {
  std::vector<Row> rows{{"case", "verdict", "what was found", "time"}};
  for (const CaseReport& of : report.cases)
    if (is_red(of)) rows.push_back(row_of(of));
  for (const CaseReport& of : report.cases)
    if (!is_red(of)) rows.push_back(row_of(of));
  return rows.size() == 1 ? "" : markdown_table(rows) + "\n";
}

std::string saved_line(const Report& report) {
  const std::optional<Duration> saved = report.device_time_saved();
  return saved ? "stopped early: " + saved_words(*saved) + "\n\n" : "";
}

// What a second profile says; the blocks of the red cases say their own.
std::string shadow_lines(const Report& report) {
  const std::string all = shadow_words(report);
  std::string out = all.empty() ? "" : markdown_escape(all) + "\n\n";
  std::size_t differ = 0;
  for (const CaseReport& of : report.cases)
    if (const std::string words = shadow_words(of); !is_red(of) && !words.empty() && ++differ <= most_blocks)
      out += "- " + markdown_escape(of.name + ": " + words) + "\n";
  return out + (differ == 0 ? "" : "\n");
}

std::string block(const Report& report, const CaseReport& of) {
  Page page(block_style);
  put_red(page, of, Detail::listed);
  put_next_steps(page, report, of);
  return markdown_block(page.text()) + "\n";
}

std::string red_blocks(const Report& report) {
  std::string out;
  std::size_t red = 0;
  for (const CaseReport& of : report.cases)
    if (is_red(of) && ++red <= most_blocks) out += block(report, of);
  if (red > most_blocks) out += "and " + std::to_string(red - most_blocks) + " red cases more\n";
  return out;
}

}  // namespace

std::string markdown(const Report& report, const Style&) {
  return "### " + markdown_escape(closing_line(report)) + "\n\n" + markdown_escape(header_line(report)) +
         "\n\n" + saved_line(report) + shadow_lines(report) + cases_table(report) + red_blocks(report);
}

}  // namespace gate::render
