// `gate reference`: the published performance in a suite's references.json. It gates nothing by
// itself.
#pragma once

#include <string>
#include <vector>

#include "gate/model/numbers/performance.h"
#include "gate/model/reports/report.h"
#include "gate/model/reports/trend.h"
#include "gate/suite/answer.h"
#include "gate/suite/dry_run.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return where the suite keeps its references: `references.json` in its folder.
fs::Path references_path(const Suite& suite);

// Return the references of the suite, in their order; none where the file is not there. Fails (2) where it
// cannot be read, with all its mistakes (schema::read_performance).
Answer<PerformanceTable> references_of(const Suite& suite);

// Return the rows of published tables, as they would be imported where there were none.
Answer<PerformanceTable> references_of_files(const std::vector<std::string>& files);

// A row that is not what it was; that it stands in another line does not count.
struct ChangedReference {
  PerformanceRow before, after;
};

struct ReferenceImport {
  fs::Path path;
  PerformanceTable table;  // as it is now, or would be
  std::vector<PerformanceRow> added, removed;
  std::vector<ChangedReference> changed;
  std::size_t same = 0;
  bool is_written = false;  // false: a dry run, or the file says so already
};

// Take over the rows of published tables (schema::import_performance), one file after the other: those that
// came from a file of the same name before are replaced by what it has now, at their place, and gone where it
// has them no more; the rows of a new file go behind the others, and take the place of rows of their names.
// Rows of figures are known by the path of their file, from the suite's folder. Two imports take place one
// after the other, and the file is replaced whole or stays as it was. Fails (2), before anything is written,
// where a file cannot be read, is no such table, has the name of another one given, or a row of figures that
// another file has; (3) where the table would become larger than it may be.
Answer<ReferenceImport> import_references(const Suite& suite, const std::vector<std::string>& files,
                                          DryRun dry_run);

// Return the latest green run of each case in the history, as a report of which a table can be made
// (render::performance_table): the mean of what its checks compared. A case without one, or without a check
// of a speed, is in no table.
Report published_history(const Suite& suite, const SuiteTrend& trends);

}  // namespace gate::app
