#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/world.h"
#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/config/old_words.h"
#include "gate/render/reporters.h"
#include "gate/render/table_json.h"
#include "gate/stored/reference.h"

namespace gate::cli {

namespace {

// --- the list ------------------------------------------------------------------------------------

std::string digits(const std::optional<Decimal>& number, const std::string& otherwise) {
  return number ? number->to_string() : otherwise;
}

// Return what was measured, in percent of the reference: `121.4`.
std::string ratio(const PerformanceRow& row, const std::string& sign, const std::string& otherwise) {
  if (!row.measured || !row.reference) return otherwise;
  constexpr double percent = 100;
  return fmt::format("{:.1f}", percent * row.measured->to_double() / row.reference->to_double()) + sign;
}

// What runs of one configuration reached, in columns of its own where some row has it; with the rows' names
// where the other columns are no name.
void add_figures(TableRows& rows, const PerformanceTable& references, const std::vector<Sentence>& heads,
                 bool is_named) {
  if (std::ranges::all_of(references.rows, [](const auto& row) { return row.figures.empty(); })) return;
  rows.front().insert(rows.front().end(), heads.begin(), heads.end());
  for (std::size_t i = 0; i < references.rows.size(); ++i) {
    rows[i + 1].push_back(references.rows[i].figures_line());
    if (is_named) rows[i + 1].push_back(references.rows[i].name);
  }
}

// For people.
TableRows short_table(const PerformanceTable& references) {
  TableRows rows{{say({"model", "模型"}), say({"parameters", "参数量"}), say({"sequence", "序列长度"}),
                  say({"implementation", "实现"}), say({"cluster", "集群"}), say({"precision", "精度"}),
                  say({"measured", "实测"}), say({"reference", "参考"}), say({"ratio", "比值"}),
                  say({"contributor", "贡献者"}), say({"label", "标签"})}};
  for (const PerformanceRow& row : references.rows) {
    const TrainingShape& shape = row.shape;
    rows.push_back({shape.model, shape.parameters, shape.sequence, shape.implementation, shape.cluster,
                    shape.precision, digits(row.measured, "--"), digits(row.reference, "--"),
                    ratio(row, " %", "--"), row.contributor, row.label});
  }
  add_figures(rows, references, {say({"figures", "数字"}), say({"name", "名称"})}, true);
  return rows;
}

// For programs.
TableRows whole_table(const PerformanceTable& references) {
  TableRows rows{{"name", "model", "parameters", "sequence", "implementation", "cluster", "precision",
                  "measured", "reference", "ratio_percent", "contributor", "label", "unit", "hardware",
                  "link", "source"}};
  for (const PerformanceRow& row : references.rows) {
    const TrainingShape& shape = row.shape;
    rows.push_back({row.name, shape.model, shape.parameters, shape.sequence, shape.implementation,
                    shape.cluster, shape.precision, digits(row.measured, ""), digits(row.reference, ""),
                    ratio(row, "", ""), row.contributor, row.label, row.unit, row.hardware, row.link,
                    row.source});
  }
  add_figures(rows, references, {"figures"}, false);
  return rows;
}

// --- the import ----------------------------------------------------------------------------------

struct TextMember {
  std::string_view name;
  std::string (*text)(const PerformanceRow& row);
};

constexpr std::array<TextMember, 9> compared_members{{
    {"measured", [](const PerformanceRow& row) { return digits(row.measured, ""); }},
    {"reference", [](const PerformanceRow& row) { return digits(row.reference, ""); }},
    {"figures", [](const PerformanceRow& row) { return row.figures_line(); }},
    {"unit", [](const PerformanceRow& row) { return row.unit; }},
    {"precision", [](const PerformanceRow& row) { return row.shape.precision; }},
    {"contributor", [](const PerformanceRow& row) { return row.contributor; }},
    {"label", [](const PerformanceRow& row) { return row.label; }},
    {"hardware", [](const PerformanceRow& row) { return row.hardware; }},
    {"link", [](const PerformanceRow& row) { return row.link; }},
}};

// Return `measured 4672 -> 4700, label Test -> Pass`; where nothing but the source changed, that.
std::string changes_of(const app::ChangedReference& changed) {
  const auto shown = [](const std::string& text) { return text.empty() ? "--" : printable(text, 200); };
  std::string out;
  for (const TextMember& member : compared_members) {
    const std::string before = member.text(changed.before), after = member.text(changed.after);
    if (before == after) continue;
    out += (out.empty() ? "" : ", ") + std::string(member.name) + " " + shown(before) + " -> " + shown(after);
  }
  return out.empty() ? "source " + shown(changed.before.source) + " -> " + shown(changed.after.source) : out;
}

Sentence counts_of(const app::ReferenceImport& import) {
  return say({"{} new, {} changed, {} removed, {} same\n", "新增 {}，改动 {}，删除 {}，相同 {}\n"},
             import.added.size(), import.changed.size(), import.removed.size(), import.same);
}

Sentence end_of(const app::ReferenceImport& import, bool is_dry_run) {
  const Sentence rows = count_of(std::ssize(import.table.rows), "row", "行");
  const std::string file = printable(import.path.string(), 1000);
  if (is_dry_run) return say({"dry run: {} would have {}\n", "试运行：{} 将有 {}\n"}, file, rows);
  return import.is_written ? say({"wrote {}: {}\n", "已写出 {}：{}\n"}, file, rows)
                           : say({"{} says so already: {}\n", "{} 已是如此：{}\n"}, file, rows);
}

// New rows are told one by one with --verbose: the first import has nothing else.
Sentence import_text(const app::ReferenceImport& import, const CommandOptions& options) {
  const auto name = [](const PerformanceRow& row) { return printable(row.name, 1000); };
  Sentence out;
  for (const PerformanceRow& row : import.added)
    if (options.verbosity > 0)
      out += say({"new {}  {}\n", "新增 {}  {}\n"}, name(row), printable(row.source));
  for (const app::ChangedReference& one : import.changed)
    out += say({"changed {}  {}\n", "改动 {}  {}\n"}, name(one.after), changes_of(one));
  for (const PerformanceRow& row : import.removed)
    out += say({"removed {}  was {}\n", "删除 {}  原在 {}\n"}, name(row), printable(row.source));
  return out + counts_of(import) + end_of(import, options.dry_run);
}

std::string import_json(const app::ReferenceImport& import) {
  const auto names = [](const std::vector<PerformanceRow>& rows) {
    return texts_of(rows, &PerformanceRow::name);
  };
  render::OutputJson changed = render::OutputJson::array();
  for (const app::ChangedReference& one : import.changed)
    changed.push_back({{"name", one.after.name}, {"what", changes_of(one)}});
  return render::json_text({{"file", import.path.string()},
                            {"written", import.is_written},
                            {"rows", import.table.rows.size()},
                            {"new", names(import.added)},
                            {"changed", changed},
                            {"removed", names(import.removed)},
                            {"same", import.same}});
}

bool has_suite(const CommandOptions& options) {
  return !options.config.empty() || !app::find_suite_root(options.folder).empty();
}

// Cases may be bound to references that are to come: none of them is looked at.
app::Answer<app::Suite> suite_of_references(const CommandOptions& options) {
  return has_suite(options) ? suite_if_any(options) : suite_of(options);
}

void print_references(const PerformanceTable& references, const CommandOptions& options, Terminal& terminal) {
  if (options.format == "csv" && !options.json)
    terminal.print(render::csv_table(whole_table(references)));
  else
    terminal.print(table_output(options.json ? whole_table(references) : short_table(references), options,
                                terminal.style()));
}

// What would be imported, where there is no suite to import it into.
app::Answer<int> print_files(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const PerformanceTable references, app::references_of_files(options.words));
  print_references(references, options, terminal);
  if (!options.json && options.format == "text")
    terminal.print(
        say({"no suite here or above: nothing is written\n", "这里和上层都没有用例集：没有写出任何文件\n"})
            .in(terminal.style().language));
  return exit_code::ok;
}

}  // namespace

app::Answer<int> reference_command(const CommandOptions& options, Terminal& terminal) {
  const std::string_view now =
      options.words.empty() ? "" : config::now_written("reference " + options.words.front());
  if (!now.empty() && !fs::exists(options.words.front()))
    return app::usage("reference: write " + std::string(now));
  if (!options.words.empty() && !has_suite(options)) return print_files(options, terminal);
  GATE_TRY(const app::Suite suite, suite_of_references(options));
  if (!options.words.empty()) {
    GATE_TRY(const auto import, app::import_references(suite, options.words,
                                                       options.dry_run ? app::DryRun::yes : app::DryRun::no));
    terminal.print(options.json ? import_json(import)
                                : import_text(import, options).in(terminal.style().language));
    return exit_code::ok;
  }
  GATE_TRY(const PerformanceTable references, app::references_of(suite));
  if (references.rows.empty())
    return app::refused(app::references_path(suite).string() +
                        ": no references; gate reference FILE takes over those of a published table");
  print_references(references, options, terminal);
  return exit_code::ok;
}

}  // namespace gate::cli
