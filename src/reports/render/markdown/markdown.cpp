// The report for a job summary or a comment: the last line of the text as its heading, a line for each red
// case in the words of the text, what the tree would change of the policy, and as parts that open the red
// cases in full and a table of the others. Readers refuse what is too long, so it grows by whole pieces (a
// line, a row, a block) within a number of bytes; what no longer fits is counted.
#include <algorithm>
#include <functional>
#include <vector>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/judge/triage.h"
#include "gate/render/reporters.h"
#include "render/text/case_text.h"
#include "render/words/case_remarks.h"
#include "render/words/markdown_text.h"
#include "render/words/part_words.h"
#include "render/words/red_cases.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

constexpr std::size_t most_of_block = 65'536;
constexpr int cell_columns = 400;
constexpr int line_columns = 1000;
constexpr int red_line_columns = 180, name_columns = 100;

// Grows by whole pieces.
struct Sheet {
  const Report& report;
  const Style& style;
  std::size_t most = 0;   // bytes
  std::size_t brief = 0;  // up to which parts that open are filled
  std::string text = {};

  // Add the piece where it leaves `spare` bytes free behind it, of those up to `end`.
  bool add(const std::string& piece, std::size_t spare, std::size_t end) {
    if (text.size() + piece.size() + spare > end) return false;
    text += piece;
    return true;
  }
  bool add(const std::string& piece, std::size_t spare = 0) { return add(piece, spare, most); }

  // Return what gate says in the style's language, as plain text on one line.
  std::string shown(const Sentence& words, int columns) const {
    return cut(safe(words.in(style.language)), columns);
  }
  std::string told(const Sentence& words, int columns = line_columns) const {
    return markdown_escape(inert(shown(words, columns)));
  }
};

// Pieces, each made when it is needed.
struct PieceList {
  std::size_t count = 0;
  std::function<std::string(std::size_t)> at;
};

std::string more_words(const Sheet& sheet, std::size_t count) {
  return "\n" +
         sheet.told(say({"and {} more: {}", "以及另外 {} 个：{}"}, count, where_all_is(sheet.report))) + "\n";
}

// Put as many of the pieces as fit up to `end` and leave `spare` bytes, and how many more there are.
void put_pieces(Sheet& sheet, const PieceList& pieces, std::size_t spare, std::size_t end) {
  const std::size_t kept = spare + more_words(sheet, pieces.count).size() + 1;
  std::size_t shown = 0;
  while (shown < pieces.count && sheet.add(pieces.at(shown), kept, end)) ++shown;
  if (shown < pieces.count) sheet.add(more_words(sheet, pieces.count - shown), spare + 1);
  sheet.add("\n", spare);
}

// Put a part that opens, filled up to `most`. Its title is gate's own: Markdown is not read there.
void put_opening(Sheet& sheet, std::size_t most, const Sentence& title, const std::string& head,
                 const PieceList& pieces) {
  const std::string begin = "<details>\n<summary>" + sheet.told(title) + "</summary>\n\n" + head;
  const std::string end = "</details>\n\n";
  const std::size_t kept = end.size() + more_words(sheet, pieces.count).size() + 1;
  if (pieces.count == 0 || !sheet.add(begin, kept)) return;
  put_pieces(sheet, pieces, end.size(), most);
  sheet.text += end;
}

std::string case_row(const Sheet& sheet, const CaseReport& one) {
  const Sentence waived = is_waived(one) ? say({"waived", "豁免"}) : Sentence();
  const Sentence quarantined = one.quarantine ? say({"quarantined", "隔离"}) : Sentence();
  const TextRow row{as_is(one.name),
                    join(std::array{words::verdict_text(one.verdict), waived, quarantined}, comma),
                    words::both(quarantine_words(one), found_in(one)), as_is(duration_text(one))};
  return markdown_row(texts_of(row, [&](const Sentence& cell) { return sheet.shown(cell, cell_columns); }));
}

// In the artifacts of a CI job there is the run's folder, wherever it was.
std::string folder_of_run(const CaseReport& one) {
  const auto log = one.artifacts.find("log");
  if (log == one.artifacts.end()) return "";
  const std::size_t end = log->second.rfind("/" + one.name + "/");
  return end == std::string::npos ? "" : log->second.substr(0, end);
}

// What stands in every run of every case is told by none.
ToldOnce standing_in(const Report& report) {
  ToldOnce told;
  told.ungated = ungated_in_all(report);
  std::erase_if(told.ungated, [](const Ungated& entry) { return !stands(entry); });
  return told;
}

std::string red_block(const Sheet& sheet, const CaseReport& one, const ToldOnce& told) {
  Style style{Color::no, 0, false, false, folder_of_run(one), sheet.style.language};
  const std::size_t most = std::min(sheet.brief / 3, most_of_block);
  TextPage page(style), steps(style);
  put_red(page, one, Detail::listed, told);
  put_next_steps(steps, sheet.report, one);
  return markdown_block(bounded(page.text(), most, where_all_is(sheet.report).in(sheet.style.language)) +
                        whole_lines(steps.text(), most));
}

std::string red_line(const Sheet& sheet, const CaseReport& one) {
  const std::string name = sheet.shown(as_is(one.name), name_columns);
  return "- " + sheet.told(words::verdict_text(one.verdict).with(upper)) + " **" +
         markdown_escape(inert(name)) + "** " +
         sheet.told(first_trouble(one), red_line_columns - columns(name)) + "\n";
}

PieceList pieces_of(const Sheet& sheet, const std::vector<const CaseReport*>& cases, const auto& piece) {
  return {cases.size(), [&](std::size_t i) { return piece(sheet, *cases[i]); }};
}

PieceList list_of_lines(const Sheet& sheet, const std::vector<Sentence>& lines) {
  return {lines.size(), [&](std::size_t i) { return "- " + sheet.told(lines[i]) + "\n"; }};
}

// `[CI job](...) · [commit 9c1e2f4](...) · [artifacts of the job](...)`.
std::string links_line(const Sheet& sheet) {
  const CiLinks& links = sheet.style.links;
  const std::string commit = sheet.report.commit.substr(0, sheet.report.commit.find('-'));
  const bool is_hash =
      commit.size() >= 7 && commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  const std::string of_commit = links.commits.empty() || !is_hash ? "" : links.commits + commit;
  std::string line;
  for (const auto& [words, address] :
       {std::pair(say({"CI job", "CI 任务"}), links.job),
        std::pair(say({"commit {}", "提交 {}"}, short_commit(commit)), of_commit),
        std::pair(say({"artifacts of the job", "任务制品"}), links.artifacts)})
    if (const std::string link = markdown_link(sheet.shown(words, line_columns), address); !link.empty())
      line += (line.empty() ? "" : " · ") + link;
  return line;
}

// Return whether anything fits.
bool put_head(Sheet& sheet) {
  const Report& report = sheet.report;
  if (!sheet.add("### " + sheet.told(closing_line(report)) + "\n\n")) return false;
  sheet.add(sheet.told(header_line(report)) + "\n\n");
  if (const std::string links = links_line(sheet); !links.empty()) sheet.add(links + "\n\n");
  if (const Sentence all = shadow_words(report); !all.empty()) sheet.add(sheet.told(all) + "\n\n");
  for (const Sentence& moved : shift_lines(judge::triage(report.cases)))
    sheet.add(sheet.told(moved) + "\n\n");
  if (const std::optional<Duration> saved = report.device_time_saved())
    sheet.add(sheet.told(say({"stopped early: {}", "提前停止：{}"}, saved_words(*saved))) + "\n\n");
  return true;
}

// What the tree would change of the policy that judged it.
std::string policy_part(const Sheet& of_report) {
  Sheet sheet{of_report.report, of_report.style, of_report.most / 8};
  const Sentence title = policy_words(sheet.report);
  if (title.empty() || !sheet.add(sheet.told(title) + "\n\n")) return "";
  const std::vector<Sentence> lines = finding_lines_of(sheet.report);
  if (!lines.empty()) put_pieces(sheet, list_of_lines(sheet, lines), 0, sheet.most);
  return sheet.text;
}

// What a second profile says; the blocks of the red cases say their own.
void put_shadows(Sheet& sheet, std::size_t spare) {
  std::vector<Sentence> lines;
  for (const CaseReport& one : sheet.report.cases)
    if (const Sentence words = shadow_words(one); !is_red(one) && !words.empty())
      lines.push_back(as_is(one.name) + colon + words);
  if (!lines.empty()) put_pieces(sheet, list_of_lines(sheet, lines), spare, sheet.brief);
}

void put_parts(Sheet& sheet, const RedCases& red) {
  std::vector<const CaseReport*> others;
  for (const CaseReport& one : sheet.report.cases)
    if (!is_red(one)) others.push_back(&one);
  std::vector<Sentence> moved;
  for (const CaseReport* one : red.moved) moved.push_back(as_is(one->name));
  put_opening(sheet, sheet.brief, say({"the cases that moved with the rest", "随整体一起变化的用例"}), "",
              list_of_lines(sheet, moved));
  const std::vector<const CaseReport*> all_red = red.all();
  const ToldOnce told = standing_in(sheet.report);
  const auto block = [&](const Sheet& on, const CaseReport& one) { return red_block(on, one, told); };
  const std::size_t left = sheet.brief - std::min(sheet.brief, sheet.text.size());
  put_opening(sheet, sheet.brief - (others.empty() ? 0 : left / 4),
              say({"the red cases in full", "红色用例的全部内容"}), "", pieces_of(sheet, all_red, block));
  const TextRow head{say({"case", "用例"}), say({"verdict", "判定"}), say({"what was found", "结果"}),
                     say({"time", "用时"})};
  put_opening(sheet, sheet.brief,
              all_red.empty() ? count_of(std::ssize(others), "case", "个用例")
                              : say({"{}", "其余 {}"}, count_of(std::ssize(others), "other case", "个用例")),
              markdown_table({head}, sheet.style.language), pieces_of(sheet, others, case_row));
}

std::string markdown_of(const Report& report, const Style& style, std::size_t most, std::size_t brief) {
  constexpr std::size_t frames = 1000;  // of what opens
  Sheet sheet{report, style, most, std::min(most, brief)};
  if (!put_head(sheet)) return "";
  const RedCases red = red_cases(report);
  const std::string policy = policy_part(sheet);
  const std::string moved = red.moved.empty() ? "" : "- " + sheet.told(red.moved_line) + "\n\n";
  const std::size_t spare = policy.size() + moved.size() + frames;
  if (!red.told.empty()) put_pieces(sheet, pieces_of(sheet, red.told, red_line), spare, most);
  sheet.add(moved);
  sheet.add(policy);
  put_shadows(sheet, frames);
  put_parts(sheet, red);
  return sheet.text;
}

}  // namespace

std::string markdown_within(const Report& report, const Style& style, std::size_t most_bytes) {
  return markdown_of(report, style, most_bytes, most_bytes);
}

std::string markdown(const Report& report, const Style& style) {
  return markdown_within(report, style, summary_bytes);
}

std::string comment(const Report& report, const Style& style) {
  return markdown_of(report, style, comment_bytes, brief_comment_bytes);
}

}  // namespace gate::render
