#include "gate/render/notice.h"

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/text/case_text.h"
#include "render/words/check_words.h"
#include "render/words/markdown_text.h"
#include "render/words/next_steps.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::int64_t most_cases = 10;

// `details` pads its labels.
std::string first_words(const Fold& fold) {
  const std::vector<Sentence> lines = details(fold);
  std::string out;
  if (lines.empty()) return out;
  for (const std::string_view word : split_words(lines.front().english()))
    out += (out.empty() ? "" : " ") + std::string(word);
  return out;
}

NoticeCase case_words(const CaseReport& one) {
  NoticeCase out{one.name, std::string(to_string(one.verdict)), one.owner, why(one).english(), ""};
  const std::vector<Fold> folds = fold(one.checks);
  if (const Fold* failed = heaviest(folds); failed != nullptr && one.verdict == Verdict::regressed) {
    out.what = headline(*failed).english();
    out.first = first_words(*failed);
  } else if (out.what.empty()) {
    out.what = trouble_words(one).english();
  }
  return out;
}

void add_next(Notice& notice, const std::vector<NextStep>& steps, Step step) {
  for (const NextStep& next : steps)
    if (next.step == step) notice.next.push_back(next.text);
}

}  // namespace

Notice notice_of(const Report& report, const std::string& link) {
  Notice notice{.title = closing_line(report).english(),
                .about = header_line(report).english(),
                .suite = report.suite,
                .run = report.run,
                .host = report.host,
                .platform = report.platform,
                .commit = report.commit,
                .started = report.started,
                .finished = report.finished,
                .duration = report.duration,
                .exit_code = report.exit_code,
                .passed = report.count(Verdict::passed),
                .skipped = report.count(Verdict::skipped),
                .cases = {},
                .next = {},
                .link = is_link(link) ? link : ""};
  for (const CaseReport& one : report.cases) {
    if (!is_red(one) || ++notice.red > most_cases) continue;
    if (notice.cases.empty()) add_next(notice, next_steps(report, one), Step::look);
    notice.cases.push_back(case_words(one));
  }
  for (const Step step : {Step::resume, Step::rerun}) add_next(notice, next_steps(report), step);
  return notice;
}

}  // namespace gate::render
