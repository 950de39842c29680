#include <fmt/format.h>

#include "gate/judge/triage.h"
#include "gate/render/reporters.h"
#include "gate/words/chinese.h"
#include "render/words/triage_words.h"

namespace gate::render {

std::string triage_text(const Report& report, const Style& style) {
  const judge::Triage triage = judge::triage(report.cases);
  std::string out;
  for (const std::string& line : triage_lines(triage)) out += words::shown_in(style.language, line) + "\n";
  if (!triage.apart.empty()) {
    TextRows rows{{"apart", "place", "metric", "moved", "times the noise"}};
    for (std::string& word : rows.front()) word = words::shown_in(style.language, word);
    for (const judge::Move& move : triage.apart)
      rows.push_back({move.case_name, platform_name(move.place), move.metric,
                      words::shown_in(style.language, move_words(move)), fmt::format("{:.0f}", move.units)});
    out += "\n" + table(rows, style);
  }
  return out.empty() ? "" : out + "\n";
}

}  // namespace gate::render
