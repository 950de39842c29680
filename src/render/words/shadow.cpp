#include "render/words/shadow.h"

#include <algorithm>
#include <vector>

#include "gate/base/text.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::size_t all_named = 20;  // up to here every case is named, above it the first few
constexpr std::size_t few = 10;

std::string names_of(const std::vector<std::string>& names) {
  if (names.size() <= all_named) return join(names, ", ");
  const std::vector<std::string> first(names.begin(), names.begin() + few);
  return join(first, ", ") + ", ... and " + std::to_string(names.size() - few) + " more";
}

}  // namespace

std::string profile_of(const Report& report) {
  for (const CaseReport& of : report.cases)
    if (of.profile != "gate") return of.profile;
  return "";
}

std::string shadow_words(const Report& report) {
  std::vector<std::string> red;
  std::int64_t judged = 0;
  std::string profile;
  for (const CaseReport& of : report.cases) {
    if (!of.shadow) continue;
    ++judged;
    profile = of.shadow->profile;
    if (is_red(of.shadow->verdict)) red.push_back(of.name);
  }
  if (judged == 0) return "";
  return "under profile " + profile + " " + std::to_string(red.size()) + " of " + std::to_string(judged) +
         " would be red" + (red.empty() ? "" : ": " + names_of(red));
}

std::string shadow_words(const CaseReport& of) {
  if (!of.shadow || of.shadow->verdict == of.verdict) return "";
  const std::string reason = of.shadow->reason.empty() ? "" : ", " + of.shadow->reason;
  return "profile " + of.shadow->profile + ": " + std::string(to_string(of.shadow->verdict)) + reason;
}

}  // namespace gate::render
