// The references of a suite: read, chosen, imported.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "gate/base/text.h"
#include "gate/schema/performance_file.h"
#include "gate/schema/performance_import.h"
#include "gate/store/suite_folder.h"
#include "gate/stored/reference.h"
#include "gate/suite/published.h"

namespace gate::app {

namespace {

constexpr std::size_t told_conflicts = 20;

using RowsByName = std::map<std::string_view, const PerformanceRow*>;

RowsByName by_name(const PerformanceTable& table) {
  RowsByName rows;
  for (const PerformanceRow& row : table.rows) rows.emplace(row.name, &row);
  return rows;
}

// Return `README.md` of `README.md:111`.
std::string_view file_of(const PerformanceRow& row) {
  return std::string_view(row.source).substr(0, row.source.rfind(':'));
}

std::string shown_source(const PerformanceRow& row) {
  return row.source.empty() ? "a row without a source" : printable(row.source, 200);
}

std::string written_number(const std::optional<Decimal>& number) { return number ? number->to_string() : ""; }

bool is_same_row(const PerformanceRow& a, const PerformanceRow& b) {
  const auto rest = [](const PerformanceRow& row) {
    return std::tie(row.name, row.shape.precision, row.unit, row.contributor, row.label, row.hardware,
                    row.link);
  };
  return a.shape == b.shape && rest(a) == rest(b) && file_of(a) == file_of(b) &&
         written_number(a.measured) == written_number(b.measured) &&
         written_number(a.reference) == written_number(b.reference);
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

// Puts the rows of files into a table.
class ReferenceMerge {
 public:
  ReferenceMerge(PerformanceTable table, bool replaces) : table_(std::move(table)), replaces_(replaces) {}

  // Put the rows of a file, one at least, in the place of those that it had, or else behind the others.
  void add(const PerformanceTable& file) {
    const std::string name(file_of(file.rows.front()));
    const RowsByName fresh = by_name(file);
    PerformanceTable merged;
    std::optional<std::size_t> place;
    for (PerformanceRow& row : table_.rows) {
      const bool is_of_file = file_of(row) == name;
      if (is_of_file && !place) place = merged.rows.size();
      const auto same_name = fresh.find(row.name);
      if (!is_of_file && same_name != fresh.end() && !replaces_)
        conflicts_.push_back(told(row, *same_name->second));
      if (!is_of_file && same_name == fresh.end()) merged.rows.push_back(std::move(row));
    }
    const auto at = merged.rows.begin() + static_cast<std::ptrdiff_t>(place.value_or(merged.rows.size()));
    merged.rows.insert(at, file.rows.begin(), file.rows.end());
    table_ = std::move(merged);
  }

  Answer<PerformanceTable> take() {
    if (table_.rows.size() > schema::most_performance_rows)
      return refused("the table would have more than " + std::to_string(schema::most_performance_rows) +
                     " rows");
    if (conflicts_.empty()) return std::move(table_);
    const std::size_t more = conflicts_.size() - std::min(conflicts_.size(), told_conflicts);
    conflicts_.resize(conflicts_.size() - more);
    return refused(join(conflicts_, "\n") + (more > 0 ? "\nand " + std::to_string(more) + " more" : "") +
                   "\nnothing was imported; --replace takes the new rows");
  }

 private:
  static std::string told(const PerformanceRow& old, const PerformanceRow& fresh) {
    return shown_source(fresh) + ": \"" + printable(fresh.name, 200) + "\" is there from another file, " +
           shown_source(old);
  }

  PerformanceTable table_;
  bool replaces_;
  std::vector<std::string> conflicts_;
};

// Two files of one name could not be told apart the next time.
Answer<PerformanceTable> merged_files(PerformanceTable table, const ReferenceImportOptions& options) {
  std::map<std::string, std::string> seen;
  ReferenceMerge merge(std::move(table), options.replace);
  for (const std::string& file : options.files) {
    const auto [first, is_new] = seen.emplace(fs::Path(file).filename().string(), file);
    if (!is_new)
      return usage(file + ": has the name of " + first->second +
                   ", too, and rows are known by the name of their file; rename one of them");
    GATE_TRY(const PerformanceTable rows, table_of_file(file));
    merge.add(rows);
  }
  return merge.take();
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

Answer<PerformanceTable> references_of(const Suite& suite) { return references_in(suite.root); }

Answer<PerformanceTable> choose_references(const Suite& suite, const std::vector<std::string>& words) {
  GATE_TRY(PerformanceTable table, references_of(suite));
  if (table.rows.empty())
    return refused(references_path(suite).string() +
                   ": no references; gate reference import FILE makes them");
  const auto names = texts_of(table.rows, &PerformanceRow::name);
  std::set<std::string> chosen;
  for (const std::string& word : words) {
    bool selects = false;
    for (const std::string& name : names)
      if (name == word || glob_match(word, name)) selects = true, chosen.insert(name);
    if (!selects)
      return usage(printable(word, 120) + ": no reference" + did_you_mean(word, names) +
                   "; gate reference list names those that there are");
  }
  if (!words.empty()) std::erase_if(table.rows, [&](const auto& row) { return !chosen.contains(row.name); });
  return table;
}

Answer<ReferenceImport> import_references(const Suite& suite, const ReferenceImportOptions& options) {
  std::shared_ptr<store::FolderLock> held;
  if (!options.dry_run) {
    GATE_TRY(held, or_infra(store::lock_baselines(suite.layout)));
  }
  GATE_TRY(const PerformanceTable before, references_of(suite));
  ReferenceImport import{references_path(suite), {}, {}, {}, {}};
  GATE_TRY(import.table, merged_files(before, options));
  compare_tables(before, import);
  if (!options.dry_run) {
    GATE_TRY(import.is_written, write_references(import.path, import.table));
  }
  return import;
}

}  // namespace gate::app
