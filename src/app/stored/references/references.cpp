// The references of a suite: read, imported.
#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "gate/base/text.h"
#include "gate/schema/performance_file.h"
#include "gate/store/suite_folder.h"
#include "gate/stored/reference.h"
#include "gate/suite/imported_sources.h"
#include "gate/suite/published.h"

namespace gate::app {

namespace {

using RowsByName = std::map<std::string_view, const PerformanceRow*>;

RowsByName by_name(const PerformanceTable& table) {
  RowsByName rows;
  for (const PerformanceRow& row : table.rows) rows.emplace(row.name, &row);
  return rows;
}

std::string written_number(const std::optional<Decimal>& number) { return number ? number->to_string() : ""; }

bool is_same_row(const PerformanceRow& a, const PerformanceRow& b) {
  const auto rest = [](const PerformanceRow& row) {
    return std::tie(row.name, row.shape.precision, row.unit, row.contributor, row.label, row.hardware,
                    row.link);
  };
  return a.shape == b.shape && rest(a) == rest(b) && source_file_of(a) == source_file_of(b) &&
         written_number(a.measured) == written_number(b.measured) &&
         written_number(a.reference) == written_number(b.reference) && a.figures_line() == b.figures_line();
}

// Put the rows of a file, one at least, in the place of those that it had, or else behind the others.
PerformanceTable with_file(PerformanceTable table, const PerformanceTable& file) {
  const std::string name(source_file_of(file.rows.front()));
  const RowsByName fresh = by_name(file);
  PerformanceTable merged;
  merged.files = std::move(table.files);
  std::optional<std::size_t> place;
  for (PerformanceRow& row : table.rows) {
    const bool is_of_file = source_file_of(row) == name;
    if (is_of_file && !place) place = merged.rows.size();
    if (!is_of_file && !fresh.contains(row.name)) merged.rows.push_back(std::move(row));
  }
  const auto at = merged.rows.begin() + static_cast<std::ptrdiff_t>(place.value_or(merged.rows.size()));
  merged.rows.insert(at, file.rows.begin(), file.rows.end());
  return merged;
}

// What one configuration reached stands in a README of its case: all of them have one name.
void name_by_path(PerformanceTable& table, const std::string& path) {
  if (std::ranges::any_of(table.rows, [](const auto& row) { return row.figures.empty(); })) return;
  for (PerformanceRow& row : table.rows) row.source.replace(0, source_file_of(row).size(), path);
}

// Rows of two cases that nothing tells apart: one would be bound to the numbers of the other. Fails unless
// the other file is gone.
Answer<void> check_configurations(const PerformanceTable& before, const PerformanceTable& fresh,
                                  const fs::Path& root) {
  for (const PerformanceRow& row : fresh.rows) {
    const PerformanceRow* const other = before.find(row.name);
    if (other == nullptr || row.figures.empty() || other->figures.empty()) continue;
    const std::string file = source_file_of(*other);
    if (file != source_file_of(row) && fs::exists(root / file))
      return usage(row.source + ": \"" + printable(row.name, 80) + "\" is the name of the row at " +
                   other->source + ", too; tell the model in a table before, | 模型 | NAME |");
  }
  return {};
}

// Two files of one name could not be told apart the next time.
Answer<PerformanceTable> merged_files(PerformanceTable table, const std::vector<std::string>& files,
                                      const fs::Path& root) {
  std::map<std::string, std::string> seen;
  for (const std::string& file : files) {
    GATE_TRY(PerformanceTable rows, table_of_file(file));
    const std::string path = path_from(root, file);
    name_by_path(rows, path);
    const auto [first, is_new] = seen.emplace(source_file_of(rows.rows.front()), file);
    if (!is_new)
      return usage(file + ": has the name of " + first->second +
                   ", too, and rows are known by the name of their file; rename one of them");
    GATE_TRY_STATUS(check_configurations(table, rows, root));
    table = with_file(std::move(table), rows);
    table.files[first->first] = path;
  }
  std::erase_if(table.files, [&](const auto& file) {
    return std::ranges::none_of(table.rows,
                                [&](const auto& row) { return source_file_of(row) == file.first; });
  });
  if (table.rows.size() > schema::most_performance_rows)
    return refused("the table would have more than " + std::to_string(schema::most_performance_rows) +
                   " rows");
  return table;
}

// Say what became of each row.
void compare_tables(const PerformanceTable& before, ReferenceImport& import) {
  const RowsByName old = by_name(before), now = by_name(import.table);
  for (const PerformanceRow& row : import.table.rows) {
    const auto found = old.find(row.name);
    if (found == old.end())
      import.added.push_back(row);
    else if (is_same_row(*found->second, row))
      ++import.same;
    else
      import.changed.push_back({*found->second, row});
  }
  for (const PerformanceRow& row : before.rows)
    if (!now.contains(row.name)) import.removed.push_back(row);
}

Answer<bool> write_references(const fs::Path& path, const PerformanceTable& table) {
  const std::string text = schema::write_performance(table);
  if (text.size() > schema::most_performance_bytes)
    return refused(path.string() + ": would be larger than " +
                   std::to_string(schema::most_performance_bytes >> 20) + " MiB");
  if (fs::exists(path) && fs::read_file(path).value_or("") == text) return false;
  GATE_TRY(const auto target, or_infra(fs::end_of_links(path)));
  if (const Status written = fs::write_file(target, text); !written) return infra(written.error());
  return true;
}

}  // namespace

fs::Path references_path(const Suite& suite) { return suite.root / references_name; }

Answer<PerformanceTable> references_of_files(const std::vector<std::string>& files) {
  return merged_files({}, files, ".");
}

Answer<PerformanceTable> references_of(const Suite& suite) { return references_in(suite.root); }

Answer<ReferenceImport> import_references(const Suite& suite, const std::vector<std::string>& files,
                                          DryRun dry_run) {
  std::shared_ptr<store::FolderLock> held;
  if (dry_run == DryRun::no) {
    GATE_TRY(held, or_infra(store::lock_baselines(suite.layout)));
  }
  GATE_TRY(const PerformanceTable before, references_of(suite));
  ReferenceImport import{references_path(suite), {}, {}, {}, {}};
  GATE_TRY(import.table, merged_files(before, files, suite.root));
  compare_tables(before, import);
  if (dry_run == DryRun::no) {
    GATE_TRY(import.is_written, write_references(import.path, import.table));
  }
  return import;
}

}  // namespace gate::app
