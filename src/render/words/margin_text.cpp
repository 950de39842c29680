#include "gate/render/imported.h"

#include <algorithm>
#include <vector>

#include "gate/base/text.h"
#include "gate/judge/profile.h"

namespace gate::render {

namespace {

bool uses_any(const judge::ProfileRow& row, const Baseline& candidate) {
  return (row.margins && !candidate.margins.empty()) || (row.warm_up && candidate.warm_up);
}

std::string profiles_with_margins() {
  std::vector<std::string> names;
  for (const judge::ProfileRow& row : judge::profiles())
    if (row.margins || row.warm_up) names.emplace_back(row.name);
  return join(names, ", ");
}

std::string lines_of_gate_toml(const std::string& blocks) {
  return blocks.empty() ? ""
                        : "margins as rules of profile gate, to paste into gate.toml:\n\n" + blocks + "\n";
}

std::string warning_of(const judge::ProfileRow& row, ImportedFiles files) {
  const auto many =
      std::ranges::count_if(files, [&](const ImportedFile& file) { return uses_any(row, file.candidate); });
  if (many == 0) return "";
  return "profile " + std::string(row.name) + " uses " + (row.margins ? "margins and " : "") +
         "warm_up of golden files, which " + count_of(many, "imported file") +
         " had and a baseline has not: it judges them by its built-in ones, and their colour may change; "
         "leave the golden files themselves as the baselines ([suite] baselines in gate.toml)";
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
         lines_of_gate_toml(gate_toml);
}

std::string margin_warning(ImportedFiles files, std::string_view profile, std::string_view shadow) {
  std::vector<std::string> warnings;
  for (const judge::ProfileRow& row : judge::profiles())
    if (row.name == profile || row.name == shadow)
      if (std::string warning = warning_of(row, files); !warning.empty())
        warnings.push_back(std::move(warning));
  return join(warnings, "\n");
}

}  // namespace gate::render
