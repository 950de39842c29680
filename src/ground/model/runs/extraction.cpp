#include "gate/model/runs/extraction.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

constexpr std::array<std::string_view, 2> classes{"crashed", "infra"};

}  // namespace

std::string_view to_string(ProblemKind kind) {
  constexpr std::array names{"left_out",   "not_finite", "skipped",  "duplicate", "conflict",  "restart",
                             "recomputed", "merged",     "torn",     "cut_off",   "malformed", "ambiguous",
                             "unreadable", "message",    "leftover", "other"};
  return names.at(static_cast<std::size_t>(kind));
}

std::optional<ProblemKind> parse_problem_kind(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ProblemKind::other); ++i)
    if (to_string(static_cast<ProblemKind>(i)) == name) return static_cast<ProblemKind>(i);
  return std::nullopt;
}

std::string_view to_string(MessageClass name) { return classes.at(static_cast<std::size_t>(name)); }

std::optional<MessageClass> parse_message_class(std::string_view name) {
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] == name) return static_cast<MessageClass>(i);
  return std::nullopt;
}

const KnownMessage* choose_cause(std::span<const KnownMessage> messages) {
  const auto heaviest =
      std::max_element(messages.begin(), messages.end(),
                       [](const KnownMessage& a, const KnownMessage& b) { return a.weight < b.weight; });
  return heaviest == messages.end() ? nullptr : &*heaviest;
}

const LackedMetric* first_lacked(const Extraction& extraction, std::span<const Rule> rules) {
  for (const LackedMetric& lacked : extraction.lacked)
    if (std::ranges::find(rules, lacked.metric, &Rule::metric) != rules.end()) return &lacked;
  return nullptr;
}

void add_cuts(Extraction& extraction, std::vector<Problem> cuts) {
  for (Problem& cut : cuts) {
    if (extraction.cut.empty()) extraction.cut = cut.file + ": " + cut.text;
    extraction.problems.push_back(std::move(cut));
  }
}

}  // namespace gate
