#include "gate/judge/profile.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/model/numbers/megatron_metric.h"
#include "judge/profiles/profiles.h"

namespace gate::judge {

namespace {

struct ProfileTableRow {
  ProfileRow row;
  ProfileJudge judge;
};

constexpr std::array<ProfileTableRow, 5> profile_table{{
    {{"gate", {"gate's own rules", "gate 自己的规则"}}, nullptr},
    {{"modellink",
      {"ModelLink 2024: loss 1 % at each step, mean throughput -5 %, memory +10 %",
       "ModelLink 2024：每步 loss 1 %，平均吞吐 -5 %，显存 +10 %"}},
     judge_as_modellink},
    {{"mindspeed-llm",
      {"MindSpeed-LLM 2026: loss 2 %, gradient norm 10 % at each step, mean time +5 %, memory +10 %, unless "
       "the file has margins",
       "MindSpeed-LLM 2026：每步 loss 2 %、梯度范数 10 %，平均时间 +5 %，显存 +10 %，文件有余量时按余量"},
      true},
     judge_as_mindspeed_llm},
    {{"mindspeed-mm",
      {"MindSpeed-MM: loss 1 % at each step, mean time +5 %, memory +10 %",
       "MindSpeed-MM：每步 loss 1 %，平均时间 +5 %，显存 +10 %"},
      false,
      true},
     judge_as_mindspeed_mm},
    {{"megatron",
      {"golden values of Megatron-LM: exact, or 5 or 20 % with its allowed misses",
       "Megatron-LM 的基准值：精确，或 5 % 或 20 %，并有它允许的超差次数"}},
     judge_as_megatron},
}};

constexpr auto profile_rows = [] {
  std::array<ProfileRow, profile_table.size()> all;
  std::ranges::transform(profile_table, all.begin(), &ProfileTableRow::row);
  return all;
}();

const ProfileTableRow* find_row(std::string_view name) {
  const auto it =
      std::ranges::find_if(profile_table, [&](const ProfileTableRow& row) { return row.row.name == name; });
  return it == profile_table.end() ? nullptr : &*it;
}

std::vector<std::string> megatron_names() {
  std::vector<std::string> names;
  for (const MegatronMetric& row : megatron_metrics()) {
    names.emplace_back(row.key);
    names.emplace_back(row.metric);
  }
  return names;
}

}  // namespace

std::span<const ProfileRow> profiles() { return profile_rows; }

const ProfileRow& row_of(const Profile& profile) {
  const ProfileTableRow* row = find_row(profile.name);
  return row == nullptr ? profile_table.front().row : row->row;
}

ProfileJudge judge_of(const Profile& profile) {
  const ProfileTableRow* row = find_row(profile.name);
  return row == nullptr ? nullptr : row->judge;
}

Status check_profile(const Profile& profile) {
  if (profile.name != "megatron" && !profile.compare.empty())
    return fail("metrics are chosen under the profile megatron only, and this is " + profile.name +
                "; switch rules off instead: rules.METRIC = false");
  if (profile.name != "megatron" && profile.nondeterministic)
    return fail("nondeterministic belongs to the profile megatron, and this is " + profile.name);
  static const std::vector<std::string> names = megatron_names();
  for (const std::string& word : profile.compare)
    if (std::ranges::none_of(names, [&](const std::string& name) { return glob_match(word, name); }))
      return fail("Megatron-LM has no test of \"" + printable(word, 80) + "\"" + did_you_mean(word, names));
  return {};
}

Result<Profile> parse_profile(std::string_view words) {
  Profile profile;
  profile.name.clear();
  for (const std::string_view word : split_words(words)) {
    if (profile.name.empty())
      profile.name = word;
    else if (word == "nondeterministic")
      profile.nondeterministic = true;
    else
      profile.compare.emplace_back(word);
  }
  GATE_TRY_STATUS(check_profile(profile));
  return profile;
}

}  // namespace gate::judge
