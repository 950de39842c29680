#include <fmt/format.h>

#include "gate/base/sentence.h"
#include "gate/judge/triage.h"
#include "gate/render/reporters.h"
#include "render/words/triage_words.h"

namespace gate::render {

std::string triage_text(const Report& report, const Style& style) {
  const judge::Triage triage = judge::triage(report.cases);
  std::string out;
  for (const Sentence& line : triage_lines(triage)) out += line.in(style.language) + "\n";
  if (!triage.apart.empty()) {
    TextRows rows{{say({"apart", "偏离整体"}), say({"platform", "平台"}), say({"metric", "指标"}),
                   say({"moved", "变化量"}), say({"times the noise", "噪声的倍数"})}};
    for (const judge::Move& move : triage.apart)
      rows.push_back({move.case_name, platform_name(move.place), move.metric, move_words(move),
                      fmt::format("{:.0f}", move.units)});
    out += "\n" + table(rows, style);
  }
  return out.empty() ? "" : out + "\n";
}

}  // namespace gate::render
