#include "render/text/passed_summary.h"

#include <algorithm>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/metric.h"
#include "gate/words/values.h"
#include "render/words/check_words.h"
#include "render/words/fold.h"
#include "render/words/numbers.h"

namespace gate::render {

namespace {

struct Part {
  std::string label;
  std::string words;
  std::vector<int> ranks;  // empty where the series names no rank
};

std::string label_of(const Check& check) {
  if (check.rank) return check.kind == MetricKind::memory ? "memory" : check.metric;
  return check.rule.empty() ? check.metric : check.rule;
}

std::string movement(const Check& check) {
  const std::string moved =
      check.delta_percent ? short_percent(*check.delta_percent) : words::signed_text(check.delta);
  return check.is_each() || moved.empty() ? window_words(check) : moved;
}

void put_part(std::vector<Part>& parts, const Check& check) {
  const std::string label = label_of(check);
  auto it = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
    return part.label == label && check.rank && !part.ranks.empty();
  });
  if (it == parts.end()) it = parts.insert(parts.end(), {label, movement(check), {}});
  const auto rank = check.rank ? std::find(it->ranks.begin(), it->ranks.end(), *check.rank) : it->ranks.end();
  if (check.rank && rank == it->ranks.end()) it->ranks.push_back(*check.rank);
}

std::string part_words(const Part& part) {
  if (part.ranks.empty()) return part.label + " " + part.words;
  return part.label + " " + count_of(static_cast<std::int64_t>(part.ranks.size()), "rank") + " ok";
}

}  // namespace

std::string compared_words(const CaseReport& report) {
  std::vector<Part> parts;
  for (const Check& check : report.checks)
    if (check.status == CheckStatus::pass) put_part(parts, check);
  std::vector<std::string> words;
  for (const Part& part : parts) words.push_back(part_words(part));
  return join(words, ", ");
}

std::string trouble_words(const CaseReport& report) {
  std::vector<std::string> words;
  for (const Fold& folded : fold(report.checks))
    if (folded.first->status != CheckStatus::pass) words.push_back(headline(folded));
  return words.empty() ? why(report) : join(words, "; ");
}

std::string why(const CaseReport& report) {
  return report.reason.empty() && report.outcome ? to_string(*report.outcome) : report.reason;
}

}  // namespace gate::render
