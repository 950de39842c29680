// The tables of the history, and how each version becomes the next.
#pragma once

#include <array>
#include <string_view>

namespace gate::store {

// Rows that are read together lie together: those of a case, and of a series, by time.
// What many runs ran on is kept once: a line `NAME\tVALUE` a fact.
inline constexpr std::array<std::string_view, 5> history_steps{R"sql(
CREATE TABLE runs(
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  run TEXT NOT NULL,
  suite TEXT NOT NULL,
  command TEXT NOT NULL,
  host TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  started TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  exit_code INTEGER NOT NULL,
  altered INTEGER NOT NULL
);
CREATE INDEX runs_by_start ON runs(started, id);
CREATE TABLE names(
  id INTEGER PRIMARY KEY,
  suite TEXT NOT NULL,
  name TEXT NOT NULL,
  platform TEXT NOT NULL,
  UNIQUE(suite, name, platform)
);
CREATE TABLE cases(
  name_id INTEGER NOT NULL REFERENCES names(id),
  started TEXT NOT NULL,
  run_id INTEGER NOT NULL REFERENCES runs(id),
  verdict TEXT NOT NULL,
  reason TEXT NOT NULL,
  baseline TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  PRIMARY KEY(name_id, started, run_id)
) WITHOUT ROWID;
CREATE INDEX cases_by_run ON cases(run_id);
CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  name_id INTEGER NOT NULL REFERENCES names(id),
  rule TEXT NOT NULL,
  metric TEXT NOT NULL,
  rank INTEGER,
  unit TEXT NOT NULL,
  window TEXT NOT NULL,
  reduce TEXT NOT NULL
);
CREATE UNIQUE INDEX series_of_name ON series(name_id, rule, metric, ifnull(rank, -1), unit, window, reduce);
CREATE TABLE checks(
  series_id INTEGER NOT NULL REFERENCES series(id),
  started TEXT NOT NULL,
  run_id INTEGER NOT NULL REFERENCES runs(id),
  status TEXT NOT NULL,
  tolerance TEXT NOT NULL,
  value REAL,
  baseline REAL,
  PRIMARY KEY(series_id, started, run_id)
) WITHOUT ROWID;
CREATE INDEX checks_by_run ON checks(run_id);
)sql",
                                                               R"sql(
ALTER TABLE cases ADD COLUMN host TEXT NOT NULL DEFAULT '';
)sql",
                                                               R"sql(
CREATE TABLE surroundings(
  id INTEGER PRIMARY KEY,
  facts TEXT NOT NULL UNIQUE
);
ALTER TABLE cases ADD COLUMN surroundings_id INTEGER NOT NULL DEFAULT 0;
)sql",
                                                               R"sql(
ALTER TABLE series ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE series ADD COLUMN better TEXT NOT NULL DEFAULT '';
)sql",
                                                               R"sql(
ALTER TABLE runs ADD COLUMN devices INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cases ADD COLUMN device_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cases ADD COLUMN saved_ms INTEGER NOT NULL DEFAULT 0;
)sql"};

}  // namespace gate::store
