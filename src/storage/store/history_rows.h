// Rows of the history's tables, as values and back. Mistakes are remembered by the database.
#pragma once

#include "gate/store/database.h"
#include "gate/store/history.h"

namespace gate::store {

void insert_run(Database& database, const RememberedRun& run);

// Return the run with all its cases and checks, or nothing where there is none.
std::optional<RememberedRun> read_run(Database& database, std::int64_t id);

// Return its cases without their checks.
std::vector<RememberedCase> read_cases(Database& database, std::int64_t run_id);

// Add the latest runs of the case from that moment on, and the series that have a point in them. `limit` -1
// is none.
void read_history(Database& database, std::int64_t name_id, std::int64_t limit, const std::string& since,
                  CaseHistory& history);

History::LastGreen find_last_green(Database& database, std::int64_t name_id, const std::string& but);

}  // namespace gate::store
