#include "app/suite/told_places.h"

#include <map>

namespace gate::app {

Result<std::string> told_in_place(const Suite& suite, const config::Case& spec, const std::string& run,
                                  std::string place) {
  const auto& contract = suite.contract;
  const std::map<std::string, std::string> told{
      {"case", spec.name},
      {"run", run},
      {"test_id", contract && !contract->test_id.empty() ? contract->test_id : run},
      {"baseline_id", contract ? contract->baseline_id : ""}};
  for (const auto& [name, value] : told) {
    const std::string hole = "{" + name + "}";
    if (place.find(hole) == std::string::npos) continue;
    if (value.empty()) return fail(place + ": nothing tells its " + name);
    for (std::size_t at = place.find(hole); at != std::string::npos; at = place.find(hole, at + value.size()))
      place.replace(at, hole.size(), value);
  }
  return place;
}

}  // namespace gate::app
