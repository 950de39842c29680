#include "store/history_rows.h"

#include <algorithm>
#include <map>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"

namespace gate::store {

namespace {

constexpr std::size_t longest_fact = 400;
std::int64_t in_ms(Duration duration) { return duration.count(); }

void insert_run_row(Database& database, const RememberedRun& run) {
  Statement(
      database,
      "INSERT INTO runs(uid, run, suite, command, host, commit_id, started, duration_ms, exit_code, altered, "
      "devices) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(run.uid)
      .bind(run.run)
      .bind(run.suite)
      .bind(run.command)
      .bind(run.host)
      .bind(run.commit)
      .bind(run.started)
      .bind(in_ms(run.duration))
      .bind(std::int64_t{run.exit_code})
      .bind(std::int64_t{run.altered})
      .bind(run.devices)
      .run();
}

std::int64_t name_id(Database& database, const std::string& suite, const RememberedCase& one) {
  Statement known(database, "SELECT id FROM names WHERE suite = ? AND name = ? AND platform = ?");
  known.bind(suite).bind(one.name).bind(one.platform);
  if (known.next()) return known.integer(0);
  Statement(database, "INSERT INTO names(suite, name, platform) VALUES(?, ?, ?)")
      .bind(suite)
      .bind(one.name)
      .bind(one.platform)
      .run();
  return database.last_id();
}

void bind_key(Statement& statement, std::int64_t name, const TrendKey& key) {
  statement.bind(name)
      .bind(key.rule)
      .bind(key.metric)
      .bind(key.rank)
      .bind(key.unit)
      .bind(key.window)
      .bind(key.reduce);
}

// A run before the latest that the series knows, which is imported, says nothing of what the metric is now.
void tell_nature(Database& database, std::int64_t series, const RememberedCheck& check,
                 const std::string& started) {
  Statement(database,
            "UPDATE series SET kind = ?, better = ? WHERE id = ? AND NOT EXISTS "
            "(SELECT 1 FROM checks WHERE series_id = ? AND started > ?)")
      .bind(to_string(check.kind))
      .bind(to_string(check.better))
      .bind(series)
      .bind(series)
      .bind(started)
      .run();
}

std::int64_t series_id(Database& database, std::int64_t name, const RememberedCheck& check,
                       const std::string& started) {
  Statement known(database,
                  "SELECT id, kind, better FROM series WHERE name_id = ? AND rule = ? AND metric = ? AND "
                  "ifnull(rank, -1) = ifnull(?, -1) AND unit = ? AND window = ? AND reduce = ?");
  bind_key(known, name, check.key);
  if (known.next()) {
    const std::int64_t id = known.integer(0);
    if (known.text(1) != to_string(check.kind) || known.text(2) != to_string(check.better))
      tell_nature(database, id, check, started);
    return id;
  }
  Statement made(database,
                 "INSERT INTO series(name_id, rule, metric, rank, unit, window, reduce, kind, better) "
                 "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  bind_key(made, name, check.key);
  made.bind(to_string(check.kind)).bind(to_string(check.better)).run();
  return database.last_id();
}

// Values are printable: none holds a line end or a tab.
std::string facts_text(const EnvironmentFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts)
    text += printable(name, longest_fact) + "\t" + printable(value, longest_fact) + "\n";
  return text;
}

EnvironmentFacts facts_in(std::string_view text) {
  EnvironmentFacts facts;
  for (const std::string_view line : split(text, '\n'))
    if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos)
      facts.emplace(printable(line.substr(0, tab), longest_fact),
                    printable(line.substr(tab + 1), longest_fact));
  return facts;
}

// 0: nothing is known.
std::int64_t surroundings_id(Database& database, const EnvironmentFacts& facts) {
  if (facts.empty()) return 0;
  const std::string text = facts_text(facts);
  Statement known(database, "SELECT id FROM surroundings WHERE facts = ?");
  known.bind(text);
  if (known.next()) return known.integer(0);
  Statement(database, "INSERT INTO surroundings(facts) VALUES(?)").bind(text).run();
  return database.last_id();
}

void insert_case(Database& database, const RememberedRun& run, std::int64_t run_id,
                 const RememberedCase& one) {
  const std::int64_t name = name_id(database, run.suite, one);
  Statement(database,
            "INSERT OR REPLACE INTO cases(name_id, started, run_id, verdict, reason, baseline, duration_ms, "
            "host, surroundings_id, device_ms, saved_ms) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(name)
      .bind(run.started)
      .bind(run_id)
      .bind(to_string(one.verdict))
      .bind(one.reason)
      .bind(one.baseline_sha256)
      .bind(in_ms(one.duration))
      .bind(one.host)
      .bind(surroundings_id(database, one.ran_on))
      .bind(in_ms(one.device_time))
      .bind(in_ms(one.device_time_saved))
      .run();
  for (const RememberedCheck& check : one.checks)
    Statement(database,
              "INSERT OR REPLACE INTO checks(series_id, started, run_id, status, tolerance, value, baseline) "
              "VALUES(?, ?, ?, ?, ?, ?, ?)")
        .bind(series_id(database, name, check, run.started))
        .bind(run.started)
        .bind(run_id)
        .bind(to_string(check.status))
        .bind(check.tolerance)
        .bind(check.value)
        .bind(check.baseline)
        .run();
}

// Columns of a series' key from `first` on.
TrendKey key_at(const Statement& row, int first) {
  return {row.text(first),     row.text(first + 1), row.small(first + 2),
          row.text(first + 3), row.text(first + 4), row.text(first + 5)};
}

// What a series says of its metric; what it does not, since an older gate wrote it, the built-in table does.
void read_nature(const Statement& row, int first, const std::string& metric, auto& into) {
  const Metric built_in = MetricTable().get(metric);
  into.kind = parse_metric_kind(row.text(first)).value_or(built_in.kind);
  into.better = parse_better(row.text(first + 1)).value_or(built_in.better);
}

// What no gate wrote reads as what decides nothing.
CheckStatus status_of(std::string_view word) {
  return parse_check_status(word).value_or(CheckStatus::incomparable);
}
Verdict verdict_of(std::string_view word) { return parse_verdict(word).value_or(Verdict::not_run); }

std::vector<RememberedCheck> checks_of(Database& database, std::int64_t run_id, std::int64_t name) {
  std::vector<RememberedCheck> checks;
  Statement row(
      database,
      "SELECT s.rule, s.metric, s.rank, s.unit, s.window, s.reduce, c.status, c.tolerance, c.value, "
      "c.baseline, s.kind, s.better "
      "FROM checks c JOIN series s ON s.id = c.series_id WHERE c.run_id = ? AND s.name_id = ? ORDER BY s.id");
  row.bind(run_id).bind(name);
  while (row.next()) {
    checks.push_back({key_at(row, 0), status_of(row.text(6)), row.text(7), row.real(8), row.real(9)});
    read_nature(row, 10, checks.back().key.metric, checks.back());
  }
  return checks;
}

RememberedCase case_at(const Statement& row) {
  return {row.text(1),
          verdict_of(row.text(3)),
          row.text(4),
          row.text(2),
          row.text(5),
          Duration(row.integer(6)),
          row.text(7),
          {},
          facts_in(row.text(8)),
          Duration(row.integer(9)),
          Duration(row.integer(10))};
}

constexpr const char* cases_of_run =
    "SELECT n.id, n.name, n.platform, c.verdict, c.reason, c.baseline, c.duration_ms, c.host, "
    "ifnull(s.facts, ''), c.device_ms, c.saved_ms FROM cases c JOIN names n ON n.id = c.name_id "
    "LEFT JOIN surroundings s ON s.id = c.surroundings_id WHERE c.run_id = ? ORDER BY n.name, n.platform";

constexpr std::string_view point_columns =
    "SELECT r.run, iif(c.host = '', r.host, c.host), r.commit_id, r.started, r.command, r.altered, "
    "c.verdict, c.baseline, c.duration_ms, r.id, c.surroundings_id, ifnull(s.facts, '') "
    "FROM cases c JOIN runs r ON r.id = c.run_id LEFT JOIN surroundings s ON s.id = c.surroundings_id WHERE "
    "c.name_id = ? ";

// What was read of surroundings, by their ids.
using KnownFacts = std::map<std::int64_t, EnvironmentFacts>;

CasePoint point_at(const Statement& row, KnownFacts& known) {
  const auto [facts, is_new] = known.try_emplace(row.integer(10));
  if (is_new) facts->second = facts_in(row.view(11));
  return {row.text(0),
          row.text(1),
          row.text(2),
          row.text(3),
          row.text(4),
          row.integer(5) != 0,
          verdict_of(row.view(6)),
          row.text(7),
          Duration(row.integer(8)),
          facts->second,
          row.integer(9)};
}

// Finds the index of a run in the history by its id. Series are read in the order of the runs, so that it is
// mostly at `next`, behind the last one found.
class RunIndex {
 public:
  explicit RunIndex(const std::vector<CasePoint>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) places_.emplace_back(runs[i].number, i);
    if (!std::ranges::is_sorted(places_)) std::ranges::sort(places_);
  }

  std::optional<std::size_t> find(std::int64_t number, std::size_t& next) const {
    if (next >= places_.size() || places_[next].first != number)
      next = static_cast<std::size_t>(std::ranges::lower_bound(places_, number, {}, &Place::first) -
                                      places_.begin());
    if (next >= places_.size() || places_[next].first != number) return std::nullopt;
    return places_[next++].second;
  }

 private:
  using Place = std::pair<std::int64_t, std::size_t>;
  std::vector<Place> places_;  // by id
};

void read_points(Database& database, std::int64_t name, std::int64_t limit, const std::string& since,
                 std::vector<CasePoint>& runs) {
  Statement row(database, std::string(point_columns) +
                              "AND c.started >= ? ORDER BY c.started DESC, c.run_id DESC LIMIT ?");
  row.bind(name).bind(since).bind(limit);
  KnownFacts known;
  runs.clear();
  while (row.next()) runs.push_back(point_at(row, known));
  std::reverse(runs.begin(), runs.end());
}

std::string tolerance_at(Database& database, std::int64_t series, const CasePoint& run) {
  Statement row(database, "SELECT tolerance FROM checks WHERE series_id = ? AND started = ? AND run_id = ?");
  row.bind(series).bind(run.started).bind(run.number);
  return row.next() ? row.text(0) : "";
}

// How many runs there are to read, and when the oldest of them started.
struct RunsToRead {
  std::size_t count = 0;
  std::string from;
};

RunsToRead runs_to_read(Database& database, std::int64_t name, std::int64_t limit, const std::string& since) {
  Statement all(database,
                "SELECT count(*) FROM (SELECT 1 FROM cases WHERE name_id = ? AND started >= ? LIMIT ?)");
  all.bind(name).bind(since).bind(limit);
  const std::int64_t count = all.next() ? all.integer(0) : 0;
  Statement oldest(
      database,
      "SELECT started FROM cases WHERE name_id = ? AND started >= ? ORDER BY started DESC LIMIT 1 "
      "OFFSET ?");
  oldest.bind(name).bind(since).bind(count - 1);
  return {static_cast<std::size_t>(count), oldest.next() ? oldest.text(0) : ""};
}

// Read the points of the series, each with the id of its run in the place of the index. Rows that are older
// than the oldest of the runs are never looked at.
void read_points_of(Database& database, std::int64_t id, const RunsToRead& runs,
                    std::vector<TrendPoint>& points) {
  points.clear();
  points.reserve(runs.count);
  Statement(database,
            "SELECT take(run_id, status, value, baseline) FROM checks WHERE series_id = ? AND started >= ?")
      .bind(id)
      .bind(runs.from)
      .take([&](const TakenRow& row) {
        points.push_back(
            {static_cast<std::size_t>(row.integer(0)), status_of(row.view(1)), row.real(2), row.real(3)});
      });
}

// Make indices of the ids of runs; what is of none of the runs is left out.
void place_points(const RunIndex& index, std::vector<TrendPoint>& points) {
  std::size_t next = 0;
  auto kept = points.begin();
  for (const TrendPoint& point : points)
    if (const auto place = index.find(static_cast<std::int64_t>(point.run), next)) {
      *kept = point;
      kept++->run = *place;
    }
  points.erase(kept, points.end());
  if (!std::ranges::is_sorted(points, {}, &TrendPoint::run)) std::ranges::sort(points, {}, &TrendPoint::run);
}

// Add the series of the case without their points. Returns their ids.
std::vector<std::int64_t> read_series(Database& database, std::int64_t name,
                                      std::vector<TrendSeries>& series) {
  std::vector<std::int64_t> ids;
  Statement row(
      database,
      "SELECT id, rule, metric, rank, unit, window, reduce, kind, better FROM series WHERE name_id = ? "
      "ORDER BY id");
  row.bind(name);
  while (row.next()) {
    ids.push_back(row.integer(0));
    series.push_back({key_at(row, 1), "", {}});
    read_nature(row, 7, series.back().key.metric, series.back());
  }
  return ids;
}

}  // namespace

void insert_run(Database& database, const RememberedRun& run) {
  insert_run_row(database, run);
  const std::int64_t id = database.last_id();
  for (const RememberedCase& one : run.cases) insert_case(database, run, id, one);
}

std::optional<RememberedRun> read_run(Database& database, std::int64_t id) {
  Statement row(database,
                "SELECT uid, run, suite, command, host, commit_id, started, duration_ms, exit_code, "
                "altered, devices FROM runs WHERE id = ?");
  row.bind(id);
  if (!row.next()) return std::nullopt;
  RememberedRun run{row.text(0),
                    row.text(1),
                    row.text(2),
                    row.text(3),
                    row.text(4),
                    row.text(5),
                    row.text(6),
                    Duration(row.integer(7)),
                    static_cast<int>(row.integer(8)),
                    row.integer(9) != 0,
                    {},
                    row.integer(10)};
  Statement one(database, cases_of_run);
  one.bind(id);
  while (one.next()) {
    run.cases.push_back(case_at(one));
    run.cases.back().checks = checks_of(database, id, one.integer(0));
  }
  return run;
}

std::vector<RememberedCase> read_cases(Database& database, std::int64_t run_id) {
  std::vector<RememberedCase> cases;
  Statement row(database, cases_of_run);
  row.bind(run_id);
  while (row.next()) cases.push_back(case_at(row));
  return cases;
}

void read_history(Database& database, std::int64_t name_id, std::int64_t limit, const std::string& since,
                  CaseHistory& history) {
  constexpr std::size_t many = 20'000;  // runs, of which each series takes a while
  const RunsToRead runs = runs_to_read(database, name_id, limit, since);
  if (runs.count == 0) return;
  const std::size_t threads = runs.count < many ? 1 : usual_threads();
  const std::vector<std::int64_t> ids = read_series(database, name_id, history.series);
  database.read_pieces(ids.size() + 1, threads, [&](Database& from, std::size_t i) {
    if (i == 0) read_points(from, name_id, limit, since, history.runs);
    if (i > 0) read_points_of(from, ids[i - 1], runs, history.series[i - 1].points);
  });
  const RunIndex index(history.runs);
  in_parallel(ids.size(), threads, [&](std::size_t i) { place_points(index, history.series[i].points); });
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const auto& points = history.series[i].points; !points.empty())
      history.series[i].tolerance = tolerance_at(database, ids[i], history.runs[points.back().run]);
  std::erase_if(history.series, [](const TrendSeries& series) { return series.points.empty(); });
  std::ranges::sort(history.series, {}, &TrendSeries::key);
}

History::LastGreen find_last_green(Database& database, std::int64_t name_id, const std::string& but) {
  Statement row(database,
                std::string(point_columns) + "AND r.uid <> ? ORDER BY c.started DESC, c.run_id DESC");
  row.bind(name_id).bind(but);
  std::int64_t since = 0;
  KnownFacts known;
  while (row.next()) {
    CasePoint point = point_at(row, known);
    if (point.altered || point.command != "run") continue;
    if (point.verdict == Verdict::passed) return {std::move(point), since};
    ++since;
  }
  return {std::nullopt, since};
}

}  // namespace gate::store
