#include "app/run/differs.h"

#include <array>

#include "gate/base/text.h"

namespace gate::app {

namespace {

struct FactRow {
  std::string_view name;
  std::string Provenance::*fact;
};

// What is likeliest to move numbers comes first.
constexpr std::array<FactRow, 6> fact_rows{{{"toolkit", &Provenance::toolkit},
                                            {"driver", &Provenance::driver},
                                            {"device", &Provenance::device},
                                            {"host", &Provenance::host},
                                            {"commit", &Provenance::commit},
                                            {"gate", &Provenance::gate_version}}};

std::string from_to(std::string_view name, const std::string& from, const std::string& to) {
  return std::string(name) + " " + printable(short_commit(from), 60) + " -> " +
         printable(short_commit(to), 60);
}

std::string joined_or_none(const std::vector<std::string>& words) {
  return words.empty() ? "none" : join(words, " ");
}

}  // namespace

std::vector<std::string> differences(const Provenance& baseline, const Provenance& run) {
  std::vector<std::string> all;
  const bool scripts = !baseline.script_sha256.empty() && !run.script_sha256.empty();
  if (scripts && baseline.script_sha256 != run.script_sha256) all.emplace_back("the script changed");
  if (baseline.args != run.args)
    all.push_back(from_to("ARGS", joined_or_none(baseline.args), joined_or_none(run.args)));
  if (baseline.set != run.set)
    all.push_back(from_to("--set", joined_or_none(baseline.set), joined_or_none(run.set)));
  if (baseline.device_count != run.device_count && baseline.device_count > 0)
    all.push_back(
        from_to("devices", std::to_string(baseline.device_count), std::to_string(run.device_count)));
  for (const FactRow& row : fact_rows) {
    const std::string &from = baseline.*row.fact, &to = run.*row.fact;
    if (!from.empty() && !to.empty() && from != to) all.push_back(from_to(row.name, from, to));
  }
  return all;
}

}  // namespace gate::app
