#include "gate/store/history.h"

#include "gate/store/database.h"
#include "store/history_rows.h"
#include "store/history_steps.h"

namespace gate::store {

namespace {

constexpr std::int64_t no_limit = -1;  // as SQLite says it
constexpr int last_passes = 5;

void forget(Database& database, std::int64_t run_id) {
  for (const char* sql : {"DELETE FROM checks WHERE run_id = ?", "DELETE FROM cases WHERE run_id = ?",
                          "DELETE FROM runs WHERE id = ?"})
    Statement(database, sql).bind(run_id).run();
}

std::optional<std::int64_t> id_of_run(Database& database, const std::string& uid) {
  Statement statement(database, "SELECT id FROM runs WHERE uid = ?");
  statement.bind(uid);
  return statement.next() ? std::optional(statement.integer(0)) : std::nullopt;
}

std::optional<std::int64_t> id_of_name(Database& database, const CaseKey& key) {
  Statement statement(database, "SELECT id FROM names WHERE suite = ? AND name = ? AND platform = ?");
  statement.bind(key.suite).bind(key.name).bind(key.platform);
  return statement.next() ? std::optional(statement.integer(0)) : std::nullopt;
}

void forget_unused(Database& database) {
  database.execute("DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM checks WHERE series_id = series.id)");
  database.execute(
      "DELETE FROM surroundings WHERE NOT EXISTS (SELECT 1 FROM cases WHERE surroundings_id = "
      "surroundings.id)");
  database.execute("DELETE FROM names WHERE NOT EXISTS (SELECT 1 FROM cases WHERE name_id = names.id)");
}

std::vector<std::int64_t> ids_of_runs(Database& database) {
  std::vector<std::int64_t> ids;
  Statement statement(database, "SELECT id FROM runs ORDER BY started, id");
  while (statement.next()) ids.push_back(statement.integer(0));
  return ids;
}

}  // namespace

Result<History> History::open(const fs::Path& path) {
  GATE_TRY(auto database,
           Database::open(path, history_steps, "move the file away, and a new history begins"));
  return History(std::move(database));
}

History::History(std::unique_ptr<Database> database) : database_(std::move(database)) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

Status History::add(std::span<const RememberedRun> runs) {
  Transaction transaction(*database_);
  for (const RememberedRun& run : runs) {
    if (const auto known = id_of_run(*database_, run.uid)) forget(*database_, *known);
    insert_run(*database_, run);
  }
  return transaction.commit();
}

bool History::knows(const std::string& uid) const { return id_of_run(*database_, uid).has_value(); }

Result<std::vector<CaseKey>> History::cases(const std::optional<std::string>& suite) const {
  std::vector<CaseKey> keys;
  Statement statement(*database_, "SELECT suite, name, platform FROM names ORDER BY name, platform, suite");
  while (statement.next())
    if (CaseKey key{statement.text(0), statement.text(1), statement.text(2)}; !suite || key.suite == *suite)
      keys.push_back(std::move(key));
  GATE_TRY_STATUS(database_->status());
  return keys;
}

Result<CaseHistory> History::read(const CaseKey& key, std::size_t last, const std::string& since) const {
  CaseHistory history{key.name, key.platform, {}, {}};
  const std::int64_t limit = last == 0 ? no_limit : static_cast<std::int64_t>(last);
  if (const auto name = id_of_name(*database_, key)) read_history(*database_, *name, limit, since, history);
  GATE_TRY_STATUS(database_->status());
  return history;
}

Result<std::vector<RememberedCase>> History::cases_of(std::int64_t run) const {
  std::vector<RememberedCase> cases = read_cases(*database_, run);
  GATE_TRY_STATUS(database_->status());
  return cases;
}

Result<std::vector<Duration>> History::durations(const CaseKey& key) const {
  std::vector<Duration> durations;
  const auto name = id_of_name(*database_, key);
  Statement statement(
      *database_,
      "SELECT duration_ms FROM cases WHERE name_id = ? AND verdict = 'passed' AND duration_ms > 0 "
      "ORDER BY started DESC, run_id DESC LIMIT ?");
  statement.bind(name.value_or(0)).bind(std::int64_t{last_passes});
  while (statement.next()) durations.emplace_back(statement.integer(0));
  GATE_TRY_STATUS(database_->status());
  return durations;
}

Result<History::LastGreen> History::last_green(const CaseKey& key, const std::string& but) const {
  LastGreen found;
  if (const auto name = id_of_name(*database_, key)) found = find_last_green(*database_, *name, but);
  GATE_TRY_STATUS(database_->status());
  return found;
}

Status History::each_run(const std::function<void(const RememberedRun&)>& take) const {
  for (const std::int64_t id : ids_of_runs(*database_))
    if (const auto run = read_run(*database_, id)) take(*run);
  return database_->status();
}

Result<DeviceUse> History::device_use(const std::optional<std::string>& suite,
                                      const std::string& since) const {
  DeviceUse all;
  Statement row(*database_,
                "SELECT r.devices, r.duration_ms, max(iif(c.device_ms > 0, c.duration_ms, 0)), "
                "sum(c.device_ms), sum(c.saved_ms), sum(iif(c.verdict = 'hung', c.device_ms, 0)), "
                "sum(iif(c.verdict = 'infra', c.device_ms, 0)) FROM runs r JOIN cases c ON c.run_id = r.id "
                "WHERE r.started >= ? AND r.devices > 0 AND (? OR r.suite = ?) GROUP BY r.id");
  row.bind(since).bind(std::int64_t{!suite}).bind(suite.value_or(""));
  while (row.next()) {
    DeviceUse use;
    use.devices = row.integer(0);
    int column = 1;
    for (const auto member : {&DeviceUse::duration, &DeviceUse::longest, &DeviceUse::used, &DeviceUse::saved,
                              &DeviceUse::hung, &DeviceUse::infra})
      use.*member = Duration(row.integer(column++));
    all += with_bounds(use);
  }
  GATE_TRY_STATUS(database_->status());
  return all;
}

Result<std::int64_t> History::prune(std::int64_t keep) {
  Transaction transaction(*database_);
  const std::vector<std::int64_t> ids = ids_of_runs(*database_);
  const std::int64_t surplus = std::max<std::int64_t>(0, static_cast<std::int64_t>(ids.size()) - keep);
  for (std::int64_t i = 0; i < surplus; ++i) forget(*database_, ids[static_cast<std::size_t>(i)]);
  forget_unused(*database_);
  GATE_TRY_STATUS(transaction.commit());
  database_->execute("VACUUM");
  GATE_TRY_STATUS(database_->status());
  return surplus;
}

}  // namespace gate::store
