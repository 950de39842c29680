#include "gate/render/imported.h"

#include <algorithm>
#include <map>
#include <vector>

#include "gate/base/text.h"
#include "gate/judge/profile.h"
#include "gate/model/numbers/step_set.h"
#include "gate/render/table_json.h"
#include "gate/words/values.h"

namespace gate::render {

namespace {

std::string profiles_with_margins() {
  std::vector<std::string> names;
  for (const judge::ProfileRow& row : judge::profiles())
    if (row.margins || row.warm_up) names.emplace_back(row.name);
  return join(names, ", ");
}

Sentence warning_of(const judge::ProfileRow& row, ImportedFiles files) {
  const auto many = std::ranges::count_if(files, [&](const ImportedFile& file) {
    return (row.margins && !file.candidate.margins.empty()) || (row.warm_up && file.candidate.warm_up);
  });
  if (many == 0) return {};
  return say(
      {"profile {} uses {}warm_up of golden files, which {} had and a baseline has not: it judges them by "
       "its built-in ones, and their colour may change; leave the golden files themselves as the baselines "
       "([suite] baselines in gate.toml)",
       "判定方案 {} 使用基准文件的{} warm_up，而导入的 {}带有它，基线里没有：它会用内置的值判定，"
       "颜色可能改变；请直接把基准文件作为基线（gate.toml 的 [suite] baselines）"},
      row.name, row.margins ? say({"margins and ", "允许偏差和"}) : Sentence(),
      count_of(many, "imported file", "个文件"));
}

constexpr std::size_t most_files_shown = 3;
constexpr std::size_t widest_steps = 30;

// Metrics of all ranks, in the order of the file.
std::vector<std::string> metrics_of(const Baseline& candidate) {
  std::vector<std::string> names;
  for (const Series& series : candidate.runs.front().series)
    if (std::ranges::find(names, series.metric()) == names.end()) names.push_back(series.metric());
  return names;
}

bool is_assumed(const Baseline& candidate) {
  return std::ranges::any_of(candidate.runs.front().series, &Series::assumed);
}

// The steps of the longest series that is numbered by step; many parts are cut short.
Sentence step_range(const Baseline& candidate) {
  std::vector<std::int64_t> steps;
  for (const Series& series : candidate.runs.front().series) {
    if (series.numbered() != Numbering::step || series.size() <= steps.size()) continue;
    steps.clear();
    for (const Sample& sample : series.samples()) steps.push_back(sample.number);
  }
  const Sentence all = words::ranges_text(StepSet(steps));
  if (all.english().size() <= widest_steps) return all;
  return say({"{}-{}, {}", "{}-{}，{}"}, steps.front(), steps.back(),
             count_of(std::ssize(steps), "step", "步"));
}

std::string import_table(const TreeImport& import, const Style& style) {
  TextRows rows{{Sentence("case", "用例"), Sentence("platform", "平台"), Sentence("steps", "步"),
                 Sentence("series", "序列"), Sentence("file", "文件")}};
  for (const ImportedFile& file : import.imported) {
    const Baseline& candidate = file.candidate;
    rows.push_back(
        {candidate.case_name,
         candidate.platform == unknown_platform && !candidate.environment.empty()
             ? place_word("", candidate.environment)
             : platform_name(place_word(candidate.platform, candidate.environment)),
         step_range(candidate) + (is_assumed(candidate) ? say({" (assumed)", "（推定）"}) : Sentence()),
         join(metrics_of(candidate), " "), file.path});
  }
  return table(rows, style) + "\n";
}

// One entry for each text, with the files that share it.
Sentence import_notes(const TreeImport& import) {
  NamesBySentence files_of;
  for (const ImportedFile& file : import.imported)
    for (const Sentence& note : file.candidate.notes) files_of[note].push_back(file.path);
  const auto shown = [](const std::string& text) { return printable(text, 600); };
  Sentence out;
  for (const auto& [note, files] : files_of)
    out += say({"note     {}: {}\n         {}\n", "说明     {}：{}\n         {}\n"},
               count_of(std::ssize(files), "file", "个文件"), note.with(shown),
               listed(files, most_files_shown).with(shown));
  return out;
}

// Which environments the files are of, and how a run has their baselines.
Sentence environment_note(const TreeImport& import) {
  std::map<std::string, std::int64_t> files_of;
  for (const ImportedFile& file : import.imported)
    if (!file.candidate.environment.empty()) ++files_of[file.candidate.environment];
  if (files_of.empty()) return {};
  std::vector<Sentence> words;
  for (const auto& [environment, files] : files_of)
    words.push_back(say({"{} ({})", "{}（{}）"}, environment, count_of(files, "file", "个文件")));
  return say(
      {"note     of environment {0}: a run has them by --environment {1}, or environment = \"{1}\" under "
       "[suite] "
       "in gate.toml\n",
       "说明     属于环境 {0}：运行时用 --environment {1}，或在 gate.toml 的 [suite] 里写 environment = "
       "\"{1}\"\n"},
      join(words, comma), files_of.begin()->first);
}

Sentence refusals(const TreeImport& import) {
  std::map<std::string, std::vector<std::string>> files_of;
  for (const RefusedFile& file : import.refused) files_of[file.why].push_back(file.path);
  Sentence out;
  for (const auto& [why, files] : files_of) {
    const Sentence many = files.front().ends_with('/') ? count_of(std::ssize(files), "folder", "个目录")
                                                       : count_of(std::ssize(files), "file", "个文件");
    out += say({"refused  {}: {}\n", "拒绝     {}：{}\n"}, many, printable(why, 600));
    for (const std::string& file : files) out += as_is("         " + printable(file) + "\n");
  }
  return out;
}

Sentence next_commands(const TreeImport& import) {
  const bool per_platform = std::ranges::any_of(
      import.imported, [](const ImportedFile& file) { return !file.candidate.platform.empty(); });
  return say({"look     gate baseline diff\naccept   gate baseline accept {}--reason \"...\"\n",
              "查看     gate baseline diff\n接受     gate baseline accept {}--reason \"...\"\n"},
             per_platform ? "--to platform " : "");
}

Sentence import_closing(const TreeImport& import) {
  const auto assumed = std::ranges::count_if(
      import.imported, [](const ImportedFile& file) { return is_assumed(file.candidate); });
  return say({"imported {} (steps assumed in {}), refused {}\n",
              "已导入 {}（其中 {} 个的步号是推定的），拒绝 {} 个\n"},
             count_of(std::ssize(import.imported), "file", "个文件"), assumed, import.refused.size());
}

OutputJson imported_json(const TreeImport& import) {
  OutputJson files = OutputJson::array();
  for (const ImportedFile& file : import.imported) {
    files.push_back({{"file", file.path},
                     {"case", file.candidate.case_name},
                     {"platform", file.candidate.platform},
                     {"environment", file.candidate.environment},
                     {"script", file.has_script},
                     {"series", metrics_of(file.candidate)},
                     {"steps", step_range(file.candidate).english()},
                     {"assumed", is_assumed(file.candidate)},
                     {"notes", texts_of(file.candidate.notes, &Sentence::english)},
                     {"margins", file.candidate.margins}});
    if (file.candidate.warm_up) files.back()["warm_up"] = *file.candidate.warm_up;
  }
  return files;
}

}  // namespace

Sentence margin_text(ImportedFiles files, const std::string& gate_toml) {
  std::string names;
  std::int64_t many = 0;
  for (const ImportedFile& file : files) {
    if (file.candidate.margins.empty() && !file.candidate.warm_up) continue;
    names += "         " + printable(file.path) + "\n";
    ++many;
  }
  if (many == 0) return {};
  return say({"margins  {} with margins or warm_up, and a baseline holds neither:\n{}"
              "         under profile {} an imported baseline is judged by the built-in ones;\n"
              "         the golden file itself, left as the baseline, keeps its own\n{}",
              "允许偏差 {}带有允许偏差或 warm_up，而基线里没有：\n{}"
              "         在判定方案 {} 下，导入的基线用内置的值判定；\n"
              "         直接把基准文件作为基线，则保留它自己的值\n{}"},
             count_of(many, "file", "个文件"), names, profiles_with_margins(),
             gate_toml.empty() ? Sentence()
                               : say({"margins as rules of profile gate, to paste into gate.toml:\n\n{}\n",
                                      "允许偏差写成判定方案 gate 的规则，可粘贴到 gate.toml：\n\n{}\n"},
                                     gate_toml));
}

Sentence margin_warning(ImportedFiles files, std::string_view profile, std::string_view shadow) {
  std::vector<Sentence> warnings;
  for (const judge::ProfileRow& row : judge::profiles())
    if (row.name == profile || row.name == shadow) warnings.push_back(warning_of(row, files));
  return join(warnings, "\n");
}

std::string import_text(const TreeImport& import, const Acceptances* accepted, const Style& style) {
  const std::string head = style.quiet || import.imported.empty() ? "" : import_table(import, style);
  Sentence out;
  if (!style.quiet) out += import_notes(import);
  const std::vector<std::string>& scriptless = import.without_script;
  if (!scriptless.empty())
    out += say({"no script for {}: {}; imported all the same\n", "{}没有脚本：{}；仍已导入\n"},
               count_of(std::ssize(scriptless), "case", "个用例"), listed(scriptless, most_files_shown));
  if (const auto& second = import.second_runs; !second.empty())
    out +=
        say({"left out {} of second runs (_2nd): Megatron-LM judges the run that goes on from a checkpoint "
             "against the first run of the same test, as the phase resume of the case does: {}\n",
             "略去第二次运行的{}（_2nd）：Megatron-LM 用同一测试的第一次运行判定从检查点继续的运行，"
             "用例的 resume 阶段也是如此：{}\n"},
            count_of(std::ssize(second), "file", "个文件"), listed(second, most_files_shown));
  out += environment_note(import) + refusals(import);
  Sentence end = import.imported.empty() || accepted != nullptr ? Sentence() : next_commands(import);
  end += import_closing(import);
  out += margin_text(import.imported, import.gate_toml) + end;
  return head + out.in(style.language) + (accepted != nullptr ? accepted_text(*accepted, style) : "");
}

std::string import_json(const TreeImport& import, const Acceptances* accepted) {
  OutputJson refused = OutputJson::array();
  for (const RefusedFile& file : import.refused)
    refused.push_back({{"file", file.path}, {"reason", file.why}});
  OutputJson all{{"imported", imported_json(import)},
                 {"refused", std::move(refused)},
                 {"without_script", import.without_script},
                 {"second_runs", import.second_runs},
                 {"gate_toml", import.gate_toml}};
  if (accepted != nullptr) all["accepted"] = OutputJson::parse(accepted_json(*accepted));
  return json_text(all);
}

std::ptrdiff_t left_out_of(const Acceptances& accepted) {
  return std::ranges::count_if(accepted, [](const Accepted& one) { return one.path.empty(); });
}

std::string acceptances_text(const Acceptances& accepted, const Style& style) {
  Sentence out;
  for (const Accepted& one : accepted) {
    if (style.quiet && one.warnings.empty() && accepted.size() > 1) continue;
    out += one.path.empty() ? say({"left out {}\n", "略去 {}\n"}, one.case_name)
                            : say({"accepted {} -> {}\n", "已接受 {} -> {}\n"}, one.case_name, one.path);
    for (const Sentence& line : one.warnings) out += say({"  {}\n", "  {}\n"}, line);
    const bool is_short = style.quiet || (accepted.size() > 1 && !style.verbose);
    for (const Sentence& line : one.lines) out += is_short ? Sentence() : say({"  {}\n", "  {}\n"}, line);
  }
  const std::ptrdiff_t left_out = left_out_of(accepted);
  if (accepted.size() > 1) {
    out += say({"{} accepted", "已接受 {} 个"}, std::ssize(accepted) - left_out);
    if (left_out > 0) out += say({", {} left out", "，略去 {} 个"}, left_out);
    out += as_is("\n");
  }
  return out.in(style.language);
}

std::string accepted_text(const Acceptances& accepted, const Style& style) {
  if (style.verbose || accepted.size() == 1) return acceptances_text(accepted, style);
  Style brief = style;
  brief.quiet = true;
  if (left_out_of(accepted) > 0) return acceptances_text(accepted, brief);
  return say({"accepted {}\n", "已接受 {}\n"}, count_of(std::ssize(accepted), "candidate", "个候选基线"))
      .in(style.language);
}

std::string accepted_json(const Acceptances& accepted) {
  TextRows rows{{"case", "baseline"}};
  for (const Accepted& one : accepted) rows.push_back({one.case_name, one.path});
  return table_json(rows);
}

}  // namespace gate::render
