#include "gate/suite/imported_sources.h"

#include "gate/base/text.h"
#include "gate/schema/performance_import.h"

namespace gate::app {

namespace {

constexpr std::size_t most_golden_bytes = std::size_t{64} << 20;  // read_baseline() reads no more

std::string sha256_of_regular(const fs::Path& file) {
  const Result<std::string> text = fs::read_regular(file, most_golden_bytes);
  return text ? fs::sha256(*text) : "";
}

Sentence changed_number(const char* name, const std::optional<Decimal>& then,
                        const std::optional<Decimal>& now) {
  const auto shown = [](const std::optional<Decimal>& number) { return number ? number->to_string() : "--"; };
  return shown(then) == shown(now) ? Sentence()
                                   : as_is(std::string(name) + " " + shown(then) + " -> " + shown(now));
}

}  // namespace

std::string path_from(const fs::Path& folder, const fs::Path& file) {
  return fs::whole_path(file).lexically_relative(fs::whole_path(folder)).generic_string();
}

void keep_source(Provenance& provenance, const fs::Path& root, const fs::Path& file) {
  provenance.source_sha256 = sha256_of_regular(file);
  if (!provenance.source_sha256.empty()) provenance.source = path_from(root, file);
}

Sentence changed_golden(const Provenance& provenance, const store::BaselinePlace& place,
                        const fs::Path& root) {
  if (provenance.source.empty()) return {};
  const fs::Path file = root / provenance.source;
  if (!fs::is_taken(file) && fs::is_within(file.lexically_normal(), root.lexically_normal()))
    return say({"{}, which it was imported from, is gone; gate baseline rm removes the baseline, too",
                "{}（它的导入来源）已不在；gate baseline rm 可一并删除该基线"},
               printable(provenance.source));
  const std::string now = sha256_of_regular(file);
  if (now.empty() || now == provenance.source_sha256) return {};
  const auto option = [](const char* name, const std::string& value) {
    return value.empty() ? "" : std::string(name) + shell_quote(value);
  };
  const std::string command = "gate baseline import " + shell_quote(printable(provenance.source)) +
                              option(" --case ", place.case_name) + option(" --platform ", place.platform) +
                              option(" --environment ", place.environment);
  return say({"{} has changed since it was imported; {} takes its values (its sha256 is {}, imported was {})",
              "{} 在导入之后有改动；{} 可取用新的数值（它的 sha256 是 {}，导入时是 {}）"},
             printable(provenance.source), command, now.substr(0, 12),
             printable(provenance.source_sha256.substr(0, 12)));
}

Answer<PerformanceTable> table_of_file(const std::string& file) {
  if (fs::size_of(file) > schema::most_imported_bytes)
    return usage(file + ": is larger than " + std::to_string(schema::most_imported_bytes >> 20) +
                 " MiB; is this a table of performance?");
  if (!fs::is_replaceable(file) && !fs::is_folder(file))
    return usage(file + ": is no regular file; its name is what rows are said to be from: save it first");
  GATE_TRY(const auto text, or_usage(fs::read_file(file)));
  return or_usage(schema::import_performance(text, file));
}

Sentence changed_reference(const PerformanceRow& row, const PerformanceTable& references,
                           const fs::Path& root) {
  const auto path = references.files.find(source_file_of(row));
  if (path == references.files.end() || !fs::exists(root / path->second)) return {};
  const std::string name = printable(row.name, 80), file = printable(path->second);
  const Answer<PerformanceTable> table = table_of_file((root / path->second).string());
  if (!table)
    return say({"reference {}: its table can be read no more: {}", "参考 {}：它的表格已无法读取：{}"}, name,
               in_one_line(table.error().message));
  const PerformanceRow* const now = table->find(row.name);
  if (now == nullptr)
    return say({"reference {}: {} has no such row any more", "参考 {}：{} 已没有这一行"}, name, file);
  std::vector<Sentence> changes;
  for (Sentence change :
       {changed_number("measured", row.measured, now->measured),
        changed_number("reference", row.reference, now->reference),
        row.unit == now->unit ? Sentence() : as_is("unit " + printable(row.unit + " -> " + now->unit, 80))})
    if (!change.empty()) changes.push_back(std::move(change));
  for (const PrintedFigure& figure : row.figures) {
    const Decimal* const number = now->find(figure.metric);
    const auto shown = number == nullptr ? std::nullopt : std::optional(*number);
    if (Sentence change = changed_number(figure.metric.c_str(), figure.value, shown); !change.empty())
      changes.push_back(std::move(change));
  }
  if (changes.empty()) return {};
  return say({"reference {}: {} has other numbers by now: {}; gate reference {} takes them",
              "参考 {}：{} 里现在是别的数：{}；gate reference {} 可取用"},
             name, file, join(changes, comma), shell_quote(file));
}

}  // namespace gate::app
