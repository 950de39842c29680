#include "render/words/green_since.h"

#include "gate/base/text.h"

namespace gate::render {

std::string since_words(const CaseReport& of) {
  if (!of.green_until) return "";
  const GreenUntil& green = *of.green_until;
  if (green.run.empty()) return "not green in " + count_of(green.runs_ago, "run") + " before";
  if (green.commits == 0) return "green with this commit in run " + green.run;
  const std::string until = green.commit.empty() ? "run " + green.run : short_commit(green.commit);
  const std::string ago =
      green.commits ? count_of(*green.commits, "commit") : count_of(green.runs_ago, "run");
  return "green until " + until + ", " + ago + " ago";
}

}  // namespace gate::render
