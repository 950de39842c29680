#include "gate/render/selftest.h"

#include <algorithm>
#include <functional>
#include <set>

#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"

namespace gate::render {

namespace {

using judge::MutationRow;
using judge::Proof;
using judge::Tried;

std::string letter(std::size_t index) { return std::string(1, static_cast<char>('A' + index)); }

std::int64_t proof_count(const std::vector<Tried>& results, const MutationRow& row, Proof proof) {
  return std::ranges::count_if(
      results, [&](const Tried& tried) { return tried.mutation == &row && tried.proof == proof; });
}

// One character for all checks of a case.
std::string proof_cell(const judge::SelftestCase& c, const MutationRow& row) {
  if (proof_count(c.results, row, Proof::survived) > 0) return row.harmless ? "R" : "S";
  if (proof_count(c.results, row, Proof::stricter) > 0) return "+";
  return proof_count(c.results, row, Proof::held) > 0 ? "." : "-";
}

std::string selftest_table(const judge::Selftest& selftest, const Style& style) {
  std::string letters;
  for (std::size_t i = 0; i < judge::mutations().size(); ++i) letters += letter(i);
  TextRows rows{
      {Sentence("case", "用例"), Sentence("platform", "平台"), Sentence("checks", "检查"), as_is(letters)}};
  for (const judge::SelftestCase& c : selftest.cases) {
    std::string cells;
    for (const MutationRow& row : judge::mutations()) cells += proof_cell(c, row);
    const std::size_t checks = c.results.size() / judge::mutations().size();
    rows.push_back({c.has_script ? as_is(c.name) : say({"{} (no script)", "{}（没有脚本）"}, c.name),
                    platform_name(c.platform), std::to_string(checks),
                    c.why_not.empty() ? as_is(cells) : say({"n/a: {}", "不适用：{}"}, c.why_not)});
  }
  return table(rows, style);
}

std::string legend(const judge::Selftest& selftest, const Style& style) {
  TextRows rows{{Sentence(), Sentence("mutation", "改动"), Sentence("caught", "发现"),
                 Sentence("SURVIVED", "漏过"), Sentence("n/a", "不适用"),
                 Sentence("change to the reference", "对基线数据做了什么")}};
  for (std::size_t i = 0; i < judge::mutations().size(); ++i) {
    const MutationRow& row = judge::mutations()[i];
    const auto all = [&](Proof proof) {
      std::int64_t sum = 0;
      for (const judge::SelftestCase& c : selftest.cases) sum += proof_count(c.results, row, proof);
      return sum;
    };
    const std::int64_t stricter = all(Proof::stricter);
    const Sentence profile =
        stricter == 0 ? Sentence()
                      : say({"; the profile is stricter in {}", "；判定方案在 {} 处更严"}, stricter);
    rows.push_back(
        {letter(i), std::string(row.name), std::to_string(all(Proof::held)),
         std::to_string(all(Proof::survived)), std::to_string(all(Proof::not_applicable)),
         row.doc.said() + (row.harmless ? say({" (must pass{})", "（必须通过{}）"}, profile) : Sentence())});
  }
  return table(rows, style);
}

Sentence word_in_both(const Tried& tried) {
  const bool harmless = tried.mutation->harmless;
  const std::string english(judge::word_of(tried));
  switch (tried.proof) {
    case Proof::held:
      return {english, harmless ? "通过" : "发现"};
    case Proof::survived:
      return {english, harmless ? "误拒" : "漏过"};
    case Proof::stricter:
      return {english, "更严"};
    case Proof::not_applicable:
      return {english, "不适用"};
  }
  return {};
}

Sentence tried_line(const judge::SelftestCase& c, const Tried& tried) {
  const std::string rank = tried.rank ? " rank " + std::to_string(*tried.rank) : "";
  return say({"{}  {}  {}  {}{}  {}  {}\n", "{}  {}  {}  {}{}  {}  {}\n"}, word_in_both(tried), c.name,
             platform_name(c.platform), tried.rule, rank, tried.mutation->name,
             tried.text.with([](const std::string& text) { return printable(text, 400); }));
}

Sentence mutation_lines(const judge::Selftest& selftest, bool all) {
  Sentence out;
  for (const judge::SelftestCase& c : selftest.cases) {
    for (const Tried& tried : c.results)
      if (all || tried.proof == Proof::survived) out += tried_line(c, tried);
    if (!all) continue;
    for (const Ungated& entry : c.ungated)
      out += say({"no check  {}  {}  {}  {}\n", "没有检查  {}  {}  {}  {}\n"}, c.name,
                 platform_name(c.platform), entry.rule, words::text(entry.reason));
  }
  return out.empty() ? out : out + as_is("\n");
}

// Return `2 cases`, `1 case on 7 platforms`: of those that pass the test.
template <typename Test>
Sentence cases_text(const judge::Selftest& selftest, Test test) {
  std::set<std::string> names, platforms;
  std::size_t all = 0;
  for (const judge::SelftestCase& c : selftest.cases) {
    if (!test(c)) continue;
    ++all;
    names.insert(c.name);
    platforms.insert(c.platform);
  }
  if (all == 0) return {};
  const Sentence cases = count_of(std::ssize(names), "case", "个用例");
  if (all <= names.size()) return cases;
  return say({"{} on {}", "{1}上的 {0}"}, cases, count_of(std::ssize(platforms), "platform", "个平台"));
}

Sentence selftest_closing(const judge::Selftest& selftest) {
  const std::int64_t survived = selftest.count(Proof::survived), held = selftest.count(Proof::held);
  const auto is_tried = [](const judge::SelftestCase& c) { return c.why_not.empty(); };
  const Sentence untried = cases_text(selftest, std::not_fn(is_tried));
  const Sentence scriptless =
      cases_text(selftest, [](const judge::SelftestCase& c) { return !c.has_script; });
  const auto foreign =
      std::ranges::find_if(selftest.cases, [](const auto& c) { return c.profile != "gate"; });
  Sentence tried = say({"{} of {}", "{1}的 {0}"}, count_of(survived + held, "mutation", "处改动"),
                       cases_text(selftest, is_tried));
  if (foreign != selftest.cases.end())
    tried = say({"{} under profile {}", "按判定方案 {1}，{0}"}, tried, foreign->profile);
  Sentence line = selftest.exit_code() == exit_code::ok ? say({"GREEN: ", "绿："}) : say({"RED: ", "红："});
  if (survived + held == 0) line += say({"nothing to try", "没有可试的"});
  if (survived > 0) line += say({"{} SURVIVED of {}", "{1}，漏过 {0} 处"}, survived, tried);
  if (survived == 0 && held > 0) line += say({"no survivor of {}", "{}，没有漏过"}, tried);
  if (const auto stricter = selftest.count(Proof::stricter); stricter > 0)
    line += say({", {} stricter", "，{} 处更严"}, stricter);
  if (const auto idle = selftest.count(Proof::not_applicable); idle > 0)
    line += say({", {} n/a", "，{} 处不适用"}, idle);
  if (!untried.empty()) line += say({", {} not tried", "，{}未试"}, untried);
  if (!scriptless.empty()) line += say({", no script for {}", "，{}没有脚本"}, scriptless);
  return line + say({" (exit {})\n", "（退出码 {}）\n"}, selftest.exit_code());
}

OutputJson tried_json(const Tried& tried) {
  OutputJson json{{"mutation", tried.mutation->name}, {"rule", tried.rule}, {"metric", tried.metric}};
  if (tried.rank) json["rank"] = *tried.rank;
  json["result"] = judge::word_of(tried);
  json["text"] = tried.text.english();
  return json;
}

OutputJson selftest_case_json(const judge::SelftestCase& c) {
  OutputJson json{{"case", c.name}, {"platform", c.platform}, {"profile", c.profile}};
  if (!c.has_script) json["script"] = false;
  if (!c.why_not.empty()) json["not_tried"] = c.why_not.english();
  json["results"] = OutputJson::array();
  for (const Tried& tried : c.results) json["results"].push_back(tried_json(tried));
  json["ungated"] = OutputJson::array();
  for (const Ungated& entry : c.ungated)
    json["ungated"].push_back({{"rule", entry.rule}, {"reason", words::text(entry.reason).english()}});
  return json;
}

}  // namespace

std::string selftest_text(const judge::Selftest& selftest, const Style& style) {
  std::string out;
  if (!style.quiet) out += selftest_table(selftest, style) + "\n" + legend(selftest, style) + "\n";
  return out + (mutation_lines(selftest, style.verbose) + selftest_closing(selftest)).in(style.language);
}

std::string selftest_json(const judge::Selftest& selftest) {
  OutputJson json{{"exit_code", selftest.exit_code()}, {"cases", OutputJson::array()}};
  for (const judge::SelftestCase& c : selftest.cases) json["cases"].push_back(selftest_case_json(c));
  return json_text(json);
}

}  // namespace gate::render
