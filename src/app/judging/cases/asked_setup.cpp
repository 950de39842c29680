#include "gate/judging/asked_setup.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::app {

namespace {

// What a hub calls a framework, and the package that has its version.
struct FrameworkRow {
  std::string_view name, package;
};
constexpr std::array framework_rows{
    FrameworkRow{"pytorch", "torch"},         FrameworkRow{"torch", "torch"},
    FrameworkRow{"torch_npu", "torch_npu"},   FrameworkRow{"mindspore", "mindspore"},
    FrameworkRow{"tensorflow", "tensorflow"}, FrameworkRow{"jax", "jax"},
};

std::vector<std::string> parts_of_version(std::string_view version) {
  std::string blanks = to_lower(version);
  if (blanks.size() > 1 && blanks[0] == 'v' && is_digit(blanks[1])) blanks.erase(0, 1);
  std::ranges::replace_if(
      blanks, [](char c) { return !is_letter_or_digit(c); }, ' ');
  std::vector<std::string> parts;
  for (const std::string_view part : split_words(blanks)) parts.emplace_back(part);
  return parts;
}

bool is_candidate(std::string_view part) {
  return part.starts_with("rc") || part.starts_with("dev") || part.starts_with("alpha") ||
         part.starts_with("beta");
}

class SetupCheck {
 public:
  SetupCheck(CaseReport& report, const EnvironmentFacts& facts) : report_(report), facts_(facts) {}

  void framework(const std::string& asked, const std::string& version) {
    if (asked.empty() && version.empty()) return;
    const std::string name = asked.empty() ? "pytorch" : to_lower(asked);
    const auto* row = std::ranges::find(framework_rows, name, &FrameworkRow::name);
    const std::string wanted = version.empty() ? asked : name + " " + version;
    if (row == framework_rows.end()) return unknown(wanted);
    const auto had = facts_.find(std::string(row->package));
    const bool knows_packages = std::ranges::any_of(
        framework_rows, [&](const FrameworkRow& one) { return facts_.contains(std::string(one.package)); });
    if (had == facts_.end())
      return knows_packages ? differs(wanted, say({"no {}", "没有 {}"}, row->package)) : unknown(wanted);
    if (!version.empty() && !are_one_version(version, had->second))
      differs(wanted, as_is(std::string(row->package) + " " + had->second));
  }

  void cann(const std::string& version) {
    constexpr std::string_view lead = "CANN ";
    if (version.empty()) return;
    const auto toolkit = facts_.find("toolkit");
    const std::string wanted = "CANN " + version;
    if (toolkit == facts_.end()) return unknown(wanted);
    const std::string& had = toolkit->second;
    if (!had.starts_with(lead) || !are_one_version(version, had.substr(lead.size())))
      differs(wanted, as_is(had));
  }

  void cards(int asked, int had) {
    if (asked != had)
      report_.add_problems(
          {say({"NUM_COMPUTE_CARDS asks for {}, and devices of gate.toml says {}: it ran on {}",
                "NUM_COMPUTE_CARDS 要求 {}，而 gate.toml 的 devices 是 {}：运行用了 {}"},
               count_of(asked, "card", "张卡"), had, had)});
  }

 private:
  void differs(const std::string& wanted, const Sentence& had) {
    report_.add_problems(
        {say({"the test is for {}, and it ran with {}", "测试针对 {}，而运行用的是{}"}, wanted, had)});
  }
  void unknown(const std::string& wanted) {
    report_.add_problems({say(
        {"the test is for {}; what it ran with is not known", "测试针对 {}；运行所用的版本未知"}, wanted)});
  }

  CaseReport& report_;
  const EnvironmentFacts& facts_;
};

}  // namespace

bool are_one_version(std::string_view a, std::string_view b) {
  std::vector<std::string> shorter = parts_of_version(a), longer = parts_of_version(b);
  if (shorter.size() > longer.size()) std::swap(shorter, longer);
  if (shorter.empty() || !std::equal(shorter.begin(), shorter.end(), longer.begin())) return false;
  const bool is_of_candidate = std::ranges::any_of(shorter, is_candidate);
  return shorter.size() == longer.size() || is_of_candidate || !is_candidate(longer[shorter.size()]);
}

void add_setup_findings(CaseReport& report, const config::AccuracyContract& contract,
                        const config::Case& spec) {
  if (!report.outcome || !was_launched(*report.outcome)) return;
  SetupCheck check(report, report.ran_on);
  check.framework(contract.framework, contract.framework_version);
  check.cann(contract.cann_version);
  const std::optional<int> devices = config::size_on(spec.settings, report.platform).devices;
  if (contract.tells_cards && devices && *devices >= 0) check.cards(contract.cards, *devices);
}

}  // namespace gate::app
