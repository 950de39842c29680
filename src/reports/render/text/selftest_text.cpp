#include "gate/render/selftest.h"

#include <algorithm>
#include <functional>
#include <set>

#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "gate/words/chinese.h"
#include "gate/words/remarks.h"

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
  TextRows rows{{"case", "platform", "checks"}};
  for (std::string& word : rows.front()) word = words::shown_in(style.language, word);
  rows.front().push_back(letters);
  for (const judge::SelftestCase& c : selftest.cases) {
    std::string cells;
    for (const MutationRow& row : judge::mutations()) cells += proof_cell(c, row);
    const std::size_t checks = c.results.size() / judge::mutations().size();
    rows.push_back({c.name + (c.has_script ? "" : " (no script)"), platform_name(c.platform),
                    std::to_string(checks), c.why_not.empty() ? cells : "n/a: " + c.why_not});
  }
  return table(rows, style);
}

std::string legend(const judge::Selftest& selftest, const Style& style) {
  TextRows rows{{"", "mutation", "caught", "SURVIVED", "n/a", "what is done to the reference"}};
  for (std::size_t i = 0; i < judge::mutations().size(); ++i) {
    const MutationRow& row = judge::mutations()[i];
    const auto all = [&](Proof proof) {
      std::int64_t sum = 0;
      for (const judge::SelftestCase& c : selftest.cases) sum += proof_count(c.results, row, proof);
      return sum;
    };
    const std::int64_t stricter = all(Proof::stricter);
    const std::string profile =
        stricter == 0 ? "" : "; the profile is stricter in " + std::to_string(stricter);
    rows.push_back({letter(i), std::string(row.name), std::to_string(all(Proof::held)),
                    std::to_string(all(Proof::survived)), std::to_string(all(Proof::not_applicable)),
                    std::string(row.doc) + (row.harmless ? " (must pass" + profile + ")" : "")});
  }
  for (TextRow& row : rows) row.back() = words::shown_in(style.language, row.back());
  for (std::string& word : rows.front()) word = words::shown_in(style.language, word);
  return table(rows, style);
}

std::string tried_line(const judge::SelftestCase& c, const Tried& tried) {
  const std::string rank = tried.rank ? " rank " + std::to_string(*tried.rank) : "";
  return std::string(judge::word_of(tried)) + "  " + words::verbatim(c.name) + "  " +
         platform_name(c.platform) + "  " + words::verbatim(tried.rule) + rank + "  " +
         words::verbatim(tried.mutation->name) + "  " + printable(tried.text, 400) + "\n";
}

std::string mutation_lines(const judge::Selftest& selftest, bool all) {
  std::string out;
  for (const judge::SelftestCase& c : selftest.cases) {
    for (const Tried& tried : c.results)
      if (all || tried.proof == Proof::survived) out += tried_line(c, tried);
    if (!all) continue;
    for (const Ungated& entry : c.ungated)
      out += "no check  " + words::verbatim(c.name) + "  " + platform_name(c.platform) + "  " + entry.rule +
             "  " + words::text(entry.reason) + "\n";
  }
  return out.empty() ? "" : out + "\n";
}

// Return `2 cases`, `1 case on 7 platforms`: of those that pass the test.
template <typename Test>
std::string cases_text(const judge::Selftest& selftest, Test test) {
  std::set<std::string> names, platforms;
  std::size_t all = 0;
  for (const judge::SelftestCase& c : selftest.cases) {
    if (!test(c)) continue;
    ++all;
    names.insert(c.name);
    platforms.insert(c.platform);
  }
  if (all == 0) return "";
  const std::string on = " on " + count_of(static_cast<std::int64_t>(platforms.size()), "platform");
  return count_of(static_cast<std::int64_t>(names.size()), "case") + (all > names.size() ? on : "");
}

std::string selftest_closing(const judge::Selftest& selftest) {
  const std::int64_t survived = selftest.count(Proof::survived), held = selftest.count(Proof::held);
  const auto is_tried = [](const judge::SelftestCase& c) { return c.why_not.empty(); };
  const std::string untried = cases_text(selftest, std::not_fn(is_tried));
  const std::string scriptless =
      cases_text(selftest, [](const judge::SelftestCase& c) { return !c.has_script; });
  std::string line = selftest.exit_code() == exit_code::ok ? "GREEN: " : "RED: ";
  if (survived + held == 0) line += "nothing to try";
  if (survived > 0) line += std::to_string(survived) + " SURVIVED of ";
  if (survived == 0 && held > 0) line += "no survivor of ";
  if (survived + held > 0)
    line += count_of(survived + held, "mutation") + " of " + cases_text(selftest, is_tried);
  const auto foreign =
      std::ranges::find_if(selftest.cases, [](const auto& c) { return c.profile != "gate"; });
  if (foreign != selftest.cases.end()) line += " under profile " + foreign->profile;
  if (selftest.count(Proof::stricter) > 0)
    line += ", " + std::to_string(selftest.count(Proof::stricter)) + " stricter";
  if (selftest.count(Proof::not_applicable) > 0)
    line += ", " + std::to_string(selftest.count(Proof::not_applicable)) + " n/a";
  if (!untried.empty()) line += ", " + untried + " not tried";
  if (!scriptless.empty()) line += ", no script for " + scriptless;
  return line + " (exit " + std::to_string(selftest.exit_code()) + ")\n";
}

OutputJson tried_json(const Tried& tried) {
  OutputJson json{{"mutation", tried.mutation->name}, {"rule", tried.rule}, {"metric", tried.metric}};
  if (tried.rank) json["rank"] = *tried.rank;
  json["result"] = judge::word_of(tried);
  json["text"] = tried.text;
  return json;
}

OutputJson selftest_case_json(const judge::SelftestCase& c) {
  OutputJson json{{"case", c.name}, {"platform", c.platform}, {"profile", c.profile}};
  if (!c.has_script) json["script"] = false;
  if (!c.why_not.empty()) json["not_tried"] = c.why_not;
  json["results"] = OutputJson::array();
  for (const Tried& tried : c.results) json["results"].push_back(tried_json(tried));
  json["ungated"] = OutputJson::array();
  for (const Ungated& entry : c.ungated)
    json["ungated"].push_back({{"rule", entry.rule}, {"reason", words::text(entry.reason)}});
  return json;
}

}  // namespace

std::string selftest_text(const judge::Selftest& selftest, const Style& style) {
  std::string out;
  if (!style.quiet) out += selftest_table(selftest, style) + "\n" + legend(selftest, style) + "\n";
  return out + words::shown_lines(style.language,
                                  mutation_lines(selftest, style.verbose) + selftest_closing(selftest));
}

std::string selftest_json(const judge::Selftest& selftest) {
  OutputJson json{{"exit_code", selftest.exit_code()}, {"cases", OutputJson::array()}};
  for (const judge::SelftestCase& c : selftest.cases) json["cases"].push_back(selftest_case_json(c));
  return json_text(json);
}

}  // namespace gate::render
