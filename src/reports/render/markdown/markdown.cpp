// The report for a job summary or a comment: the last line of the text as its heading, a table of all cases
// with the red ones first, each red case in full, and where a second profile says otherwise. Readers refuse
// what is too long, so it grows by whole pieces (a row, a block) within a number of bytes; what no longer
// fits is counted.
#include <algorithm>
#include <limits>
#include <vector>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/text/case_text.h"
#include "render/words/markdown_text.h"
#include "render/words/part_words.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

const Style block_style{Color::no, 0, false, false};
constexpr std::size_t most_blocks = 50;
constexpr std::size_t blocks_in_all = 16;  // of the largest size that one may have
constexpr int cell_columns = 400;
constexpr int line_columns = 1000;

// Grows by whole pieces.
struct Sheet {
  std::size_t most = 0;
  std::string text;

  std::size_t left() const { return most - text.size(); }

  // Add the piece where it leaves `spare` bytes free behind it.
  bool add(const std::string& piece, std::size_t spare = 0) {
    if (piece.size() + spare > left()) return false;
    text += piece;
    return true;
  }
};

std::string escaped_line(const std::string& words) { return markdown_escape(cut(safe(words), line_columns)); }

std::string both_words(const std::string& a, const std::string& b) { return b.empty() ? a : a + "; " + b; }

TextRow case_row(const CaseReport& one) {
  const std::string word(to_string(one.verdict));
  TextRow row{
      one.name,
      is_red(one) ? upper(word)
                  : word + (is_waived(one) ? ", waived" : "") + (one.quarantine ? ", quarantined" : ""),
      one.quarantine ? both_words(quarantine_words(one), found_in(one)) : found_in(one), duration_text(one)};
  for (std::string& cell : row) cell = cut(safe(cell), cell_columns);
  return row;
}

std::vector<const CaseReport*> red_first(const Report& report) {
  std::vector<const CaseReport*> cases;
  for (const CaseReport& one : report.cases) cases.push_back(&one);
  std::ranges::stable_sort(cases, {}, [](const CaseReport* one) {
    return is_red(*one) ? place_among_red(*one) : std::numeric_limits<int>::max();
  });
  return cases;
}

std::string more_cases(const Report& report, std::size_t cases, std::size_t red) {
  return "and " + count_of(static_cast<std::int64_t>(cases), "case") + " more, " + std::to_string(red) +
         " of them red: " + markdown_escape(where_all_is(report)) + "\n\n";
}

// What comes behind the first row that does not fit is left out, too: no green one in place of a red one.
void put_table(Sheet& sheet, const Report& report, std::size_t spare) {
  const std::vector<const CaseReport*> cases = red_first(report);
  if (cases.empty()) return;
  const std::size_t kept = spare + more_cases(report, cases.size(), cases.size()).size() + 1;
  std::size_t shown = 0;
  const bool begun = sheet.add(markdown_table({{"case", "verdict", "what was found", "time"}}), kept);
  while (begun && shown < cases.size() && sheet.add(markdown_row(case_row(*cases[shown])), kept)) ++shown;
  if (begun) sheet.add("\n");
  const auto red = std::count_if(cases.begin() + static_cast<std::ptrdiff_t>(shown), cases.end(),
                                 [](const CaseReport* one) { return is_red(*one); });
  if (shown < cases.size())
    sheet.add(more_cases(report, cases.size() - shown, static_cast<std::size_t>(red)), spare);
}

std::string block(const Report& report, const CaseReport& one, std::size_t most) {
  TextPage page(block_style), steps(block_style);
  put_red(page, one, Detail::listed);
  put_next_steps(steps, report, one);
  return markdown_block(bounded(page.text(), most, where_all_is(report)) + whole_lines(steps.text(), most)) +
         "\n";
}

void put_blocks(Sheet& sheet, const Report& report) {
  const std::size_t noted = more_cases(report, report.cases.size(), report.cases.size()).size();
  std::size_t shown = 0, left = 0;
  for (const CaseReport* one : red_first(report)) {
    if (!is_red(*one)) continue;
    const bool added =
        shown < most_blocks && sheet.add(block(report, *one, sheet.most / blocks_in_all), noted);
    ++(added ? shown : left);
  }
  if (left > 0) sheet.add(more_cases(report, left, left));
}

// What a second profile says; the blocks of the red cases say their own.
void put_shadow_table(Sheet& sheet, const Report& report) {
  std::size_t differ = 0;
  for (const CaseReport& one : report.cases)
    if (const std::string words = shadow_words(one);
        !is_red(one) && !words.empty() && ++differ <= most_blocks)
      sheet.add("- " + escaped_line(one.name + ": " + words) + "\n");
}

// What the tree would change of the policy that judged it: a line each, as far as a half of the room goes.
void put_policy(Sheet& sheet, const Report& report) {
  const std::string title = policy_words(report);
  if (title.empty() || !sheet.add(escaped_line(title) + "\n\n")) return;
  const std::vector<std::string> lines = finding_lines_of(report);
  std::size_t shown = 0;
  while (shown < lines.size() && sheet.add("- " + escaped_line(lines[shown]) + "\n", sheet.most / 2)) ++shown;
  if (shown < lines.size())
    sheet.add("- and " + std::to_string(lines.size() - shown) +
              " more: " + escaped_line(where_all_is(report)) + "\n");
  if (!lines.empty()) sheet.add("\n");
}

// Return whether anything fits.
bool put_head(Sheet& sheet, const Report& report) {
  if (!sheet.add("### " + escaped_line(closing_line(report)) + "\n\n")) return false;
  sheet.add(escaped_line(header_line(report)) + "\n\n");
  if (const std::string all = shadow_words(report); !all.empty()) sheet.add(escaped_line(all) + "\n\n");
  for (const std::string& moved : shift_lines(judge::triage(report.cases)))
    sheet.add(escaped_line(moved) + "\n\n");
  put_policy(sheet, report);
  if (const std::optional<Duration> saved = report.device_time_saved())
    sheet.add("stopped early: " + saved_words(*saved) + "\n\n");
  return true;
}

}  // namespace

std::string markdown_within(const Report& report, std::size_t most_bytes) {
  Sheet sheet{most_bytes, ""};
  if (!put_head(sheet, report)) return "";
  const bool has_red = std::ranges::any_of(report.cases, [](const CaseReport& one) { return is_red(one); });
  put_table(sheet, report, has_red ? sheet.left() / 2 : 0);
  put_blocks(sheet, report);
  put_shadow_table(sheet, report);
  return sheet.text;
}

std::string markdown(const Report& report, const Style&) { return markdown_within(report, summary_bytes); }

std::string comment(const Report& report, const Style&) { return markdown_within(report, comment_bytes); }

}  // namespace gate::render
