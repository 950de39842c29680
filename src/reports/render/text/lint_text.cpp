#include "gate/render/lint.h"

#include <algorithm>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/render/table_json.h"
#include "gate/words/remarks.h"

namespace gate::render {

namespace {

using judge::Finding;
using judge::Weight;

constexpr std::size_t most_cases_named = 3;

auto cut_to(std::size_t most) {
  return [most](const std::string& text) { return printable(text, most); };
}

Sentence lint_line(const Sentence& word, const judge::LintCase& c, const Sentence& text) {
  return say({"{}  {}  {}  {}\n", "{}  {}  {}  {}\n"}, word, safe(c.name), platform_name(c.platform), text);
}

Sentence word_of_note() { return say({"note", "说明"}); }

Sentence row_words(const judge::LintRow& row) {
  return say({"\n      {}: {}", "\n      {}：{}"}, row.name, row.advice.said());
}

Sentence lint_finding_line(const judge::LintCase& c, const Finding& finding) {
  const Sentence subject = finding.subject.empty() ? Sentence() : finding.subject + colon;
  const Sentence word = finding.row->weight == Weight::weak ? say({"WEAK", "薄弱"}) : word_of_note();
  return lint_line(word, c,
                   subject.with(cut_to(200)) + finding.text.with(cut_to(700)) + row_words(*finding.row));
}

// Return that it can go, where that was found.
Sentence way_out_of_quarantine(const judge::LintCase& c) {
  const auto found = std::ranges::find_if(
      c.findings, [](const Finding& finding) { return finding.row->name == judge::can_go_row; });
  return found == c.findings.end() ? Sentence() : semicolon + found->text;
}

Sentence finding_lines(const judge::LintCase& c, const Style& style) {
  Sentence out;
  for (const Finding& finding : c.findings)
    if (style.verbose || finding.row->weight == Weight::weak) out += lint_finding_line(c, finding);
  if (c.quarantine && !style.quiet)
    out += say({"quarantine  {}  until {}  owner {}: {}{}\n", "隔离  {}  到 {}  负责人 {}：{}{}\n"},
               safe(c.name), c.quarantine->until, printable(c.quarantine->owner, 120),
               printable(c.quarantine->reason, 400), way_out_of_quarantine(c));
  if (c.unreadable)
    out += lint_line({"UNREADABLE", "无法读取"}, c, c.why_not);
  else if (!c.why_not.empty() && !style.quiet)
    out += lint_line({"n/a ", "不适用"}, c, c.why_not);
  if (style.verbose)
    for (const Note& note : judge::noise_notes(c.noise))
      out += lint_line({"noise", "噪声"}, c, words::text(note));
  return out;
}

// One entry for each kind of note: most cases share theirs.
Sentence lint_notes(const judge::Lint& lint) {
  Sentence out;
  for (const judge::LintRow& row : judge::lints()) {
    std::vector<std::string> names;
    for (const judge::LintCase& c : lint.cases)
      for (const Finding& finding : c.findings)
        if (finding.row == &row && row.weight == Weight::note &&
            (names.empty() || names.back() != safe(c.name)))
          names.push_back(safe(c.name));
    if (names.empty()) continue;
    out += say({"{}  {}: {}{}\n", "{}  {}：{}{}\n"}, word_of_note(), listed(names, most_cases_named),
               row.doc.said(), row_words(row));
  }
  return out;
}

Sentence noise_of_all(const judge::Lint& lint) {
  const std::optional<double> rate = lint.false_red();
  if (!rate) return {};
  const auto known = std::ranges::count_if(lint.cases, [](const judge::LintCase& c) {
    return std::ranges::any_of(c.noise, [](const judge::Noise& noise) { return noise.rate.has_value(); });
  });
  return say({"noise  {} of known noise: {}\n", "噪声  {}的噪声已知：{}\n"},
             count_of(known, "case", "个用例"), judge::nights_text(*rate));
}

Sentence lint_closing(const judge::Lint& lint) {
  const auto beside = std::ranges::count_if(lint.cases, &judge::LintCase::is_beside);
  const auto untried = std::ranges::count_if(
      lint.cases, [](const judge::LintCase& c) { return !c.is_beside && !c.why_not.empty(); });
  const auto looked = std::ssize(lint.cases) - untried - beside;
  const std::int64_t weak = lint.count(Weight::weak), notes = lint.count(Weight::note);
  const Sentence cases = count_of(looked, "case", "个用例");
  Sentence line = lint.exit_code() == exit_code::ok ? say({"GREEN: ", "绿："}) : say({"RED: ", "红："});
  if (weak == 0) line += say({"nothing weak in {}", "{}，没有薄弱处"}, cases);
  if (weak == 1) line += say({"1 weakness in {}", "{}，1 处薄弱"}, cases);
  if (weak > 1) line += say({"{} weaknesses in {}", "{1}，{0} 处薄弱"}, weak, cases);
  if (notes > 0) line += comma + count_of(notes, "note", "条说明");
  if (untried > 0) line += say({", {} not looked at", "，{}未查看"}, count_of(untried, "case", "个用例"));
  if (beside > 0)
    line += say({", {} beside the cases", "，用例之外有 {}"}, count_of(beside, "script", "个脚本"));
  return line + say({" (exit {})\n", "（退出码 {}）\n"}, lint.exit_code());
}

OutputJson finding_json(const Finding& finding) {
  return {{"lint", finding.row->name},
          {"weight", finding.row->weight == Weight::weak ? "weak" : "note"},
          {"subject", finding.subject.english()},
          {"text", finding.text.english()},
          {"advice", finding.row->advice.english}};
}

OutputJson noise_json(const judge::Noise& noise) {
  OutputJson json{{"rule", noise.rule}, {"metric", noise.metric}};
  if (noise.rank) json["rank"] = *noise.rank;
  json["runs"] = noise.runs.baseline;
  if (noise.s) json["s"] = *noise.s;
  if (noise.rate) json["false_failure_rate"] = *noise.rate;
  if (noise.caught) json["smallest_caught"] = *noise.caught;
  json["relative"] = noise.relative;
  return json;
}

}  // namespace

std::string lint_text(const judge::Lint& lint, const Style& style) {
  Sentence out;
  for (const judge::LintCase& c : lint.cases) out += finding_lines(c, style);
  if (!style.quiet && !style.verbose) out += lint_notes(lint);
  if (!style.quiet) out += noise_of_all(lint);
  if (!out.empty()) out += as_is("\n");
  return (out + lint_closing(lint)).in(style.language);
}

std::string lint_json(const judge::Lint& lint) {
  OutputJson json{{"exit_code", lint.exit_code()}, {"cases", OutputJson::array()}};
  if (const std::optional<double> rate = lint.false_red()) json["false_red"] = *rate;
  for (const judge::LintCase& c : lint.cases) {
    OutputJson one{{"case", c.name}, {"platform", c.platform}};
    if (c.is_beside) one["beside"] = true;
    if (!c.why_not.empty()) one["not_looked_at"] = c.why_not.english();
    if (c.quarantine)
      one["quarantine"] = {
          {"until", c.quarantine->until}, {"reason", c.quarantine->reason}, {"owner", c.quarantine->owner}};
    one["findings"] = OutputJson::array();
    for (const Finding& finding : c.findings) one["findings"].push_back(finding_json(finding));
    one["noise"] = OutputJson::array();
    for (const judge::Noise& noise : c.noise) one["noise"].push_back(noise_json(noise));
    json["cases"].push_back(std::move(one));
  }
  return json_text(json);
}

}  // namespace gate::render
