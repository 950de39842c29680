#include "app/baseline/golden_origins.h"

#include <algorithm>

#include "gate/judge/profile.h"

namespace gate::app {

void GoldenOrigins::note(const std::string& origin) {
  const auto rows = judge::profiles().subspan(1);  // the first is gate's own
  if (std::ranges::any_of(rows, [&](const auto& row) { return row.name == origin; })) ++files_of_[origin];
}

std::string GoldenOrigins::commonest() const {
  const auto most = std::ranges::max_element(files_of_, {}, [](const auto& entry) { return entry.second; });
  return most == files_of_.end() ? "" : most->first;
}

std::string GoldenOrigins::doubt() const {
  if (files_of_.size() < 2) return "";
  std::string mixed;
  for (const auto& [origin, count] : files_of_)
    mixed += (mixed.empty() ? "" : ", ") + origin + " " + std::to_string(count);
  const std::string first = commonest();
  const auto most = files_of_.at(first);
  const bool is_tie =
      std::ranges::count_if(files_of_, [&](const auto& entry) { return entry.second == most; }) > 1;
  return "which tool all golden files are of (" + mixed + "); " +
         (is_tie ? "none is the commonest, and the profile is " + first + " until you choose"
                 : "the commonest is the profile");
}

}  // namespace gate::app
