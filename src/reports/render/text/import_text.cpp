#include "gate/render/imported.h"

#include <algorithm>
#include <map>
#include <vector>

#include "gate/base/text.h"
#include "gate/judge/profile.h"
#include "gate/model/numbers/step_set.h"
#include "gate/render/table_json.h"
#include "gate/words/chinese.h"
#include "gate/words/values.h"

namespace gate::render {

namespace {

using words::verbatim;

std::string profiles_with_margins() {
  std::vector<std::string> names;
  for (const judge::ProfileRow& row : judge::profiles())
    if (row.margins || row.warm_up) names.emplace_back(row.name);
  return join(names, ", ");
}

std::string warning_of(const judge::ProfileRow& row, ImportedFiles files) {
  const auto many = std::ranges::count_if(files, [&](const ImportedFile& file) {
    return (row.margins && !file.candidate.margins.empty()) || (row.warm_up && file.candidate.warm_up);
  });
  if (many == 0) return "";
  return "profile " + std::string(row.name) + " uses " + (row.margins ? "margins and " : "") +
         "warm_up of golden files, which " + count_of(many, "imported file") +
         " had and a baseline has not: it judges them by its built-in ones, and their colour may change; "
         "leave the golden files themselves as the baselines ([suite] baselines in gate.toml)";
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
std::string step_range(const Baseline& candidate) {
  std::vector<std::int64_t> steps;
  for (const Series& series : candidate.runs.front().series) {
    if (series.numbered() != Numbering::step || series.size() <= steps.size()) continue;
    steps.clear();
    for (const Sample& sample : series.samples()) steps.push_back(sample.number);
  }
  const std::string all = words::ranges_text(StepSet(steps));
  if (all.size() <= widest_steps) return all;
  return std::to_string(steps.front()) + "-" + std::to_string(steps.back()) + ", " +
         count_of(static_cast<std::int64_t>(steps.size()), "step");
}

std::string import_table(const TreeImport& import, const Style& style) {
  TextRows rows{{"case", "platform", "steps", "series", "file"}};
  for (const ImportedFile& file : import.imported) {
    const Baseline& candidate = file.candidate;
    rows.push_back({candidate.case_name, platform_name(place_word(candidate.platform, candidate.environment)),
                    step_range(candidate) + (is_assumed(candidate) ? " (assumed)" : ""),
                    join(metrics_of(candidate), " "), file.path});
  }
  for (std::string& word : rows.front()) word = words::shown_in(style.language, word);
  return table(rows, style) + "\n";
}

// One entry for each text, with the files that share it.
std::string entries(const std::string& word,
                    const std::map<std::string, std::vector<std::string>>& files_of) {
  std::string out;
  for (const auto& [text, files] : files_of)
    out += word + "  " + count_of(static_cast<std::int64_t>(files.size()), "file") + ": " +
           printable(text, 600) + "\n         " + verbatim(printable(some_of(files, most_files_shown))) +
           "\n";
  return out;
}

std::string import_notes(const TreeImport& import) {
  std::map<std::string, std::vector<std::string>> files_of;
  for (const ImportedFile& file : import.imported)
    for (const std::string& note : file.candidate.notes) files_of[note].push_back(file.path);
  return entries("note   ", files_of);
}

// Which environments the files are of, and how a run has their baselines.
std::string environment_note(const TreeImport& import) {
  std::map<std::string, std::int64_t> files_of;
  for (const ImportedFile& file : import.imported)
    if (!file.candidate.environment.empty()) ++files_of[file.candidate.environment];
  if (files_of.empty()) return "";
  const auto words = texts_of(
      files_of, [&](const auto& one) { return one.first + " (" + count_of(one.second, "file") + ")"; });
  const std::string& first = files_of.begin()->first;
  return "note     of environment " + join(words, ", ") + ": a run has them by --environment " + first +
         ", or environment = \"" + first + "\" under [suite] in gate.toml\n";
}

std::string refusals(const TreeImport& import) {
  std::map<std::string, std::vector<std::string>> files_of;
  for (const RefusedFile& file : import.refused) files_of[file.why].push_back(file.path);
  std::string out;
  for (const auto& [why, files] : files_of) {
    const char* noun = files.front().ends_with('/') ? "folder" : "file";
    out += "refused  " + count_of(static_cast<std::int64_t>(files.size()), noun) + ": " +
           verbatim(printable(why, 600)) + "\n";
    for (const std::string& file : files) out += "         " + verbatim(printable(file)) + "\n";
  }
  return out;
}

std::string next_commands(const TreeImport& import) {
  const bool per_platform = std::ranges::any_of(
      import.imported, [](const ImportedFile& file) { return !file.candidate.platform.empty(); });
  return "look     " + verbatim("gate baseline diff") + "\naccept   " +
         verbatim("gate baseline accept " + std::string(per_platform ? "--to platform " : "") +
                  "--reason \"...\"") +
         "\n";
}

std::string import_closing(const TreeImport& import) {
  const auto assumed = std::ranges::count_if(
      import.imported, [](const ImportedFile& file) { return is_assumed(file.candidate); });
  return "imported " + count_of(static_cast<std::int64_t>(import.imported.size()), "file") +
         " (steps assumed in " + std::to_string(assumed) + "), refused " +
         std::to_string(import.refused.size()) + "\n";
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
                     {"steps", step_range(file.candidate)},
                     {"assumed", is_assumed(file.candidate)},
                     {"notes", file.candidate.notes},
                     {"margins", file.candidate.margins}});
    if (file.candidate.warm_up) files.back()["warm_up"] = *file.candidate.warm_up;
  }
  return files;
}

}  // namespace

std::string margin_text(ImportedFiles files, const std::string& gate_toml) {
  std::string names;
  std::int64_t many = 0;
  for (const ImportedFile& file : files) {
    if (file.candidate.margins.empty() && !file.candidate.warm_up) continue;
    names += "         " + printable(file.path) + "\n";
    ++many;
  }
  if (many == 0) return "";
  return "margins  " + count_of(many, "file") + " with margins or warm_up, and a baseline holds neither:\n" +
         names + "         under profile " + profiles_with_margins() +
         " an imported baseline is judged by the built-in ones;\n"
         "         the golden file itself, left as the baseline, keeps its own\n" +
         (gate_toml.empty()
              ? ""
              : "margins as rules of profile gate, to paste into gate.toml:\n\n" + gate_toml + "\n");
}

std::string margin_warning(ImportedFiles files, std::string_view profile, std::string_view shadow) {
  std::vector<std::string> warnings;
  for (const judge::ProfileRow& row : judge::profiles())
    if (row.name == profile || row.name == shadow)
      if (std::string warning = warning_of(row, files); !warning.empty())
        warnings.push_back(std::move(warning));
  return join(warnings, "\n");
}

std::string import_text(const TreeImport& import, const Acceptances* accepted, const Style& style) {
  const std::string head = style.quiet || import.imported.empty() ? "" : import_table(import, style);
  std::string out;
  if (!style.quiet) out += import_notes(import);
  const std::vector<std::string>& scriptless = import.without_script;
  if (!scriptless.empty())
    out += "no script for " + count_of(static_cast<std::int64_t>(scriptless.size()), "case") + ": " +
           verbatim(printable(some_of(scriptless, most_files_shown))) + "; imported all the same\n";
  out += environment_note(import) + refusals(import);
  std::string end = import.imported.empty() || accepted != nullptr ? "" : next_commands(import);
  end += import_closing(import);
  return head + words::shown_lines(style.language, out) + margin_text(import.imported, import.gate_toml) +
         words::shown_lines(style.language, end) +
         (accepted != nullptr ? accepted_text(*accepted, style) : "");
}

std::string import_json(const TreeImport& import, const Acceptances* accepted) {
  OutputJson refused = OutputJson::array();
  for (const RefusedFile& file : import.refused)
    refused.push_back({{"file", file.path}, {"reason", file.why}});
  OutputJson all{{"imported", imported_json(import)},
                 {"refused", std::move(refused)},
                 {"without_script", import.without_script},
                 {"gate_toml", import.gate_toml}};
  if (accepted != nullptr) all["accepted"] = OutputJson::parse(accepted_json(*accepted));
  return json_text(all);
}

std::ptrdiff_t left_out_of(const Acceptances& accepted) {
  return std::ranges::count_if(accepted, [](const Accepted& one) { return one.path.empty(); });
}

std::string acceptances_text(const Acceptances& accepted, const Style& style) {
  std::string out;
  for (const Accepted& one : accepted) {
    if (style.quiet && one.warnings.empty() && accepted.size() > 1) continue;
    out += one.path.empty() ? "left out " + verbatim(one.case_name) + "\n"
                            : "accepted " + verbatim(one.case_name) + " -> " + verbatim(one.path) + "\n";
    for (const std::string& line : one.warnings) out += "  " + line + "\n";
    for (const std::string& line : one.lines) out += style.quiet ? "" : "  " + line + "\n";
  }
  out = words::shown_lines(style.language, out);
  if (accepted.size() < 2) return out;
  const std::ptrdiff_t left_out = left_out_of(accepted);
  return out +
         words::shown_in(style.language,
                         std::to_string(std::ssize(accepted) - left_out) + " accepted" +
                             (left_out > 0 ? ", " + std::to_string(left_out) + " left out" : "")) +
         "\n";
}

std::string accepted_text(const Acceptances& accepted, const Style& style) {
  if (style.verbose || accepted.size() == 1) return acceptances_text(accepted, style);
  Style brief = style;
  brief.quiet = true;
  if (left_out_of(accepted) > 0) return acceptances_text(accepted, brief);
  return words::shown_in(style.language, "accepted " + count_of(std::ssize(accepted), "candidate")) + "\n";
}

std::string accepted_json(const Acceptances& accepted) {
  TextRows rows{{"case", "baseline"}};
  for (const Accepted& one : accepted) rows.push_back({one.case_name, one.path});
  return table_json(rows);
}

}  // namespace gate::render
