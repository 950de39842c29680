#include "gate/render/notice.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/text/passed_summary.h"
#include "render/words/check_words.h"
#include "render/words/next_steps.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::size_t most_cases = 10;
constexpr std::size_t longest_link = 500;

// What a receiver could take for the end of a link has no place in one.
bool is_link(const std::string& link) {
  const bool web = link.starts_with("https://") || link.starts_with("http://");
  return web && link.size() <= longest_link && is_plain(link) &&
         link.find_first_of(" <>|\"'`()[]\\*") == std::string::npos;
}

// `details` pads its labels.
std::string first_words(const Fold& fold) {
  const std::vector<std::string> lines = details(fold);
  if (lines.empty()) return "";
  std::string out;
  for (const std::string_view word : split_words(lines.front()))
    out += (out.empty() ? "" : " ") + std::string(word);
  return out;
}

NoticeCase case_words(const CaseReport& of) {
  NoticeCase out{of.name, std::string(to_string(of.verdict)), of.owner, why(of), ""};
  const std::vector<Fold> folds = fold(of.checks);
  const auto failed = std::find_if(folds.begin(), folds.end(),
                                   [](const Fold& f) { return f.first->status == CheckStatus::fail; });
  if (failed != folds.end()) {
    out.what = headline(*failed);
    out.first = first_words(*failed);
  } else if (out.what.empty()) {
    out.what = trouble_words(of);
  }
  return out;
}

void add_next(Notice& notice, const std::vector<NextStep>& steps, std::string_view word) {
  for (const NextStep& step : steps)
    if (step.word == word) notice.next.push_back(step.text);
}

void add_notice_case(Notice& notice, const Report& report, const CaseReport& of) {
  if (!is_red(of) || ++notice.red > static_cast<std::int64_t>(most_cases)) return;
  if (notice.cases.empty()) add_next(notice, next_steps(report, of), "look");
  notice.cases.push_back(case_words(of));
}

}  // namespace

Notice notice_of(const Report& report, const std::string& link) {
  Notice notice;
  notice.title = closing_line(report);
  notice.about = header_line(report);
  notice.suite = report.suite;
  notice.run = report.run;
  notice.host = report.host;
  notice.platform = report.platform;
  notice.commit = report.commit;
  notice.started = report.started;
  notice.finished = report.finished;
  notice.duration = report.duration;
  notice.exit_code = report.exit_code;
  notice.passed = report.count(Verdict::passed);
  notice.skipped = report.count(Verdict::skipped);
  for (const CaseReport& of : report.cases) add_notice_case(notice, report, of);
  for (const std::string_view word : {"resume", "rerun"}) add_next(notice, next_steps(report), word);
  if (is_link(link)) notice.link = link;
  return notice;
}

}  // namespace gate::render
