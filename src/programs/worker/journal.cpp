#include "worker/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "gate/base/fs.h"
#include "worker/test_json.h"

namespace gate::worker {

namespace {

constexpr std::array<std::string_view, 3> steps{
    R"(
CREATE TABLE tests (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  test TEXT NOT NULL,
  device TEXT NOT NULL,
  test_order TEXT NOT NULL,
  state TEXT NOT NULL,
  before TEXT NOT NULL,
  is_final INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  is_to_stop INTEGER NOT NULL,
  result TEXT NOT NULL,
  changed TEXT NOT NULL,
  retry_of INTEGER NOT NULL,
  version INTEGER NOT NULL,
  told INTEGER NOT NULL,
  refusals INTEGER NOT NULL DEFAULT 0,
  tell_after INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX waiting_tests ON tests (device, number) WHERE state = 'pending';
CREATE INDEX running_tests ON tests (number) WHERE is_final = 0 AND state != 'pending';
CREATE INDEX untold_tests ON tests (tell_after, number) WHERE told < version;
CREATE INDEX tests_of_model ON tests (model, test, number);
CREATE INDEX ended_tests ON tests (changed) WHERE is_final = 1;
CREATE INDEX states_of_tests ON tests (state);
CREATE TABLE stops (
  id TEXT NOT NULL,
  model TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  why TEXT NOT NULL,
  came TEXT NOT NULL,
  PRIMARY KEY (id, model, commit_id)
) WITHOUT ROWID;
CREATE TABLE aside (
  topic TEXT NOT NULL,
  partition INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  reason TEXT NOT NULL,
  came TEXT NOT NULL,
  PRIMARY KEY (topic, partition, offset, sha256)
) WITHOUT ROWID;
)",
    R"(
ALTER TABLE tests ADD COLUMN trouble_since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tests ADD COLUMN retry_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX paused_tests ON tests (number) WHERE is_final = 0 AND retry_at > 0;
)",
    "ALTER TABLE tests ADD COLUMN message TEXT NOT NULL DEFAULT '';"};

constexpr std::string_view if_broken =
    "the journal is broken: move it away, with the files -wal and -shm beside it, and a new one begins, "
    "which knows none of its tests: whoever waits for one asks for it again";

constexpr const char* test_columns =
    "SELECT number, test_order, state, tries, is_to_stop, result, changed, retry_of, version, before, "
    "trouble_since, retry_at, message FROM tests ";

std::int64_t milliseconds_of(Moment moment) {
  return std::chrono::duration_cast<Duration>(moment.time_since_epoch()).count();
}

Moment moment_of(std::int64_t milliseconds) { return Moment(Duration(milliseconds)); }

Result<Fd> lock_of(const fs::Path& file) {
  GATE_TRY_STATUS(fs::make_folder(file.parent_path()));
  const std::string path = file.string() + ".lock";
  Fd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) return fail(path + ": cannot be opened: " + std::generic_category().message(errno));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  return fail(file.string() + ": another worker has this journal; stop it, or name another with --journal");
}

}  // namespace

std::string name_of_message(const TestOrder& order, const MessagePlace& place) {
  return place.topic + "/" + std::to_string(place.partition) + "/" + std::to_string(place.offset) + " " +
         fs::sha256(write_order(order));
}

Result<std::unique_ptr<Journal>> Journal::open(const fs::Path& file) {
  GATE_TRY(Fd lock, lock_of(file));
  std::unique_ptr<Journal> journal(new Journal(std::move(lock)));
  GATE_TRY(journal->database_, store::Database::open(file, steps, if_broken));
  // What is acknowledged to the queue must not be lost by a power cut.
  journal->database_->execute("PRAGMA synchronous = FULL");
  GATE_TRY_STATUS(journal->database_->status());
  return journal;
}

Status Journal::together(const std::function<Status()>& change) {
  store::Transaction transaction(*database_);
  GATE_TRY_STATUS(change());
  return transaction.commit();
}

Result<std::vector<HubTest>> Journal::tests(store::Statement& statement) {
  std::vector<HubTest> found;
  while (statement.next()) {
    HubTest test;
    test.number = statement.integer(0);
    GATE_TRY(test.order, read_order(statement.text(1)));
    test.state = parse_test_state(statement.text(2)).value_or(TestState::pending);
    test.tries = static_cast<int>(statement.integer(3));
    test.is_to_stop = statement.integer(4) != 0;
    GATE_TRY(test.result, read_test_result(statement.text(5)));
    test.changed = statement.text(6);
    test.retry_of = statement.integer(7);
    test.version = statement.integer(8);
    test.before = parse_test_state(statement.text(9)).value_or(TestState::pending);
    test.trouble_since = moment_of(statement.integer(10));
    test.retry_at = moment_of(statement.integer(11));
    test.message = statement.text(12);
    found.push_back(std::move(test));
  }
  GATE_TRY_STATUS(database_->status());
  return found;
}

Result<bool> Journal::is_stopped(const TestOrder& order, const MessagePlace& place) {
  store::Statement statement(
      *database_,
      "SELECT timestamp, commit_id FROM stops WHERE id = ?1 AND model = '' UNION ALL "
      "SELECT timestamp, commit_id FROM stops WHERE id = '' AND model = ?2 AND model != '' "
      "AND commit_id IN (?3, '')");
  statement.bind(order.id.text).bind(order.model.text).bind(order.commit);
  bool is_stopped = false;
  while (statement.next()) {
    const std::int64_t stopped = statement.integer(0);
    const bool is_dated = stopped > 0 && place.timestamp > 0;
    // Without dates a commit alone tells that the stop is of this test.
    is_stopped |= is_dated ? place.timestamp <= stopped : stopped == -1 || !statement.text(1).empty();
  }
  GATE_TRY_STATUS(database_->status());
  return is_stopped;
}

Result<std::optional<HubTest>> Journal::add(const TestOrder& order, const MessagePlace& place, Moment now) {
  store::Statement known(*database_, "SELECT 1 FROM tests WHERE id = ?");
  known.bind(order.id.text);
  if (known.next()) return std::nullopt;
  GATE_TRY(const bool stopped, is_stopped(order, place));
  HubTest test;
  test.order = order;
  test.changed = to_iso(now);
  test.version = 1;
  test.message = name_of_message(order, place);
  store::Statement before(*database_, "SELECT max(number) FROM tests WHERE model = ? AND test = ?");
  before.bind(order.model.text).bind(order.test());
  if (!order.model.text.empty() && before.next()) test.retry_of = before.integer(0);
  store::Statement statement(
      *database_,
      "INSERT INTO tests (id, model, commit_id, test, device, test_order, state, before, is_final, "
      "tries, is_to_stop, result, changed, retry_of, version, told, message) "
      "VALUES (?, ?, ?, ?, ?, ?, 'pending', 'pending', 0, 0, 0, ?, ?, ?, 1, 0, ?)");
  statement.bind(order.id.text)
      .bind(order.model.text)
      .bind(order.commit)
      .bind(order.test())
      .bind(order.device);
  statement.bind(write_order(order)).bind(write_test_result({})).bind(test.changed).bind(test.retry_of);
  statement.bind(test.message).run();
  test.number = database_->last_id();
  if (stopped) {
    test.result.reason = "it was to stop before it came";
    GATE_TRY_STATUS(save(test));
    GATE_TRY_STATUS(advance(test, TestEvent::stopped, now));
  }
  GATE_TRY_STATUS(database_->status());
  return test;
}

Result<std::optional<HubTest>> Journal::find(const std::string& id) {
  store::Statement statement(*database_, std::string(test_columns) + "WHERE id = ?");
  statement.bind(id);
  GATE_TRY(const std::vector<HubTest> found, tests(statement));
  return found.empty() ? std::nullopt : std::optional(found.front());
}

Result<std::vector<HubTest>> Journal::stop(const StopOrder& order, const MessagePlace& place, Moment now) {
  // A stop by id is for that test, whenever it comes.
  const std::int64_t timestamp = order.id.empty() ? place.timestamp : -1;
  store::Statement keep(*database_,
                        "INSERT INTO stops VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                        "timestamp = max(timestamp, excluded.timestamp), came = excluded.came");
  keep.bind(order.id).bind(order.id.empty() ? order.model : "").bind(order.commit).bind(timestamp);
  keep.bind(order.why).bind(to_iso(now)).run();
  if (!order.id.empty()) {
    store::Statement statement(*database_, std::string(test_columns) + "WHERE id = ? AND is_final = 0");
    statement.bind(order.id);
    return tests(statement);
  }
  store::Statement statement(
      *database_,
      std::string(test_columns) + "WHERE model = ?1 AND is_final = 0 AND (?2 = '' OR commit_id = ?2)");
  statement.bind(order.model).bind(order.commit);
  return tests(statement);
}

Status Journal::advance(HubTest& test, TestEvent event, Moment now) {
  GATE_TRY(const TestState state, next(test.state, event));
  test.before = std::exchange(test.state, state);
  test.changed = to_iso(now);
  ++test.version;
  store::Statement statement(
      *database_,
      "UPDATE tests SET state = ?, before = ?, is_final = ?, changed = ?, version = ?, tell_after = 0 "
      "WHERE number = ?");
  statement.bind(to_string(test.state))
      .bind(to_string(test.before))
      .bind(std::int64_t{is_final(test.state)})
      .bind(test.changed);
  statement.bind(test.version).bind(test.number).run();
  return database_->status();
}

Status Journal::save(const HubTest& test) {
  store::Statement statement(*database_,
                             "UPDATE tests SET tries = ?, is_to_stop = ?, result = ?, trouble_since = ?, "
                             "retry_at = ?, test_order = ? WHERE number = ?");
  statement.bind(std::int64_t{test.tries}).bind(std::int64_t{test.is_to_stop});
  statement.bind(write_test_result(test.result)).bind(milliseconds_of(test.trouble_since));
  statement.bind(milliseconds_of(test.retry_at)).bind(write_order(test.order)).bind(test.number).run();
  return database_->status();
}

Status Journal::tell_again(HubTest& test) {
  GATE_TRY_STATUS(save(test));
  store::Statement statement(*database_, "UPDATE tests SET version = ?, tell_after = 0 WHERE number = ?");
  statement.bind(++test.version).bind(test.number).run();
  return database_->status();
}

Status Journal::told(std::int64_t number, std::int64_t version) {
  store::Statement statement(
      *database_, "UPDATE tests SET told = max(told, ?), refusals = 0, tell_after = 0 WHERE number = ?");
  statement.bind(version).bind(number).run();
  return database_->status();
}

Status Journal::tell_later(std::int64_t number, Moment now) {
  store::Statement statement(*database_,
                             "UPDATE tests SET refusals = refusals + 1, tell_after = ? + min(60000, 250 << "
                             "min(refusals, 10)) WHERE number = ?");
  statement.bind(milliseconds_of(now)).bind(number).run();
  return database_->status();
}

Result<bool> Journal::is_aside(const MessagePlace& place, std::string_view payload) {
  store::Statement statement(
      *database_, "SELECT 1 FROM aside WHERE topic = ? AND partition = ? AND offset = ? AND sha256 = ?");
  statement.bind(place.topic).bind(place.partition).bind(place.offset).bind(fs::sha256(payload));
  const bool known = statement.next();
  GATE_TRY_STATUS(database_->status());
  return known;
}

Status Journal::put_aside(const MessagePlace& place, std::string_view payload, std::string_view reason,
                          Moment now) {
  store::Statement statement(*database_, "INSERT OR IGNORE INTO aside VALUES (?, ?, ?, ?, ?, ?)");
  statement.bind(place.topic).bind(place.partition).bind(place.offset).bind(fs::sha256(payload));
  statement.bind(reason).bind(to_iso(now)).run();
  return database_->status();
}

Result<std::vector<HubTest>> Journal::running() {
  store::Statement statement(
      *database_, std::string(test_columns) +
                      "WHERE is_final = 0 AND state != 'pending' AND retry_at = 0 ORDER BY number");
  return tests(statement);
}

// A clock that was put back holds nobody up.
Result<std::vector<HubTest>> Journal::paused(Moment now) {
  store::Statement statement(*database_,
                             std::string(test_columns) +
                                 "INDEXED BY paused_tests WHERE is_final = 0 AND retry_at > 0 AND "
                                 "retry_at NOT BETWEEN ?1 + 1 AND ?1 + 60000 ORDER BY number");
  statement.bind(milliseconds_of(now));
  return tests(statement);
}

Result<std::vector<HubTest>> Journal::waiting(std::string_view device, std::size_t most) {
  store::Statement statement(
      *database_,
      std::string(test_columns) + "WHERE state = 'pending' AND device = ? ORDER BY number LIMIT ?");
  statement.bind(device).bind(static_cast<std::int64_t>(most));
  return tests(statement);
}

Result<std::vector<std::string>> Journal::waiting_devices() {
  // From one device to the next by the index: a long queue is not read.
  store::Statement statement(*database_,
                             "WITH RECURSIVE devices (device) AS (SELECT min(device) FROM tests INDEXED BY "
                             "waiting_tests WHERE state = 'pending' UNION ALL SELECT "
                             "(SELECT min(device) FROM tests INDEXED BY waiting_tests WHERE state = "
                             "'pending' AND device > devices.device) FROM devices WHERE "
                             "device IS NOT NULL) SELECT device FROM devices WHERE device IS NOT NULL");
  std::vector<std::string> devices;
  while (statement.next()) devices.push_back(statement.text(0));
  GATE_TRY_STATUS(database_->status());
  return devices;
}

Result<std::vector<HubTest>> Journal::untold(std::size_t most, const std::set<std::int64_t>& without,
                                             Moment now) {
  store::Statement statement(*database_, std::string(test_columns) +
                                             "INDEXED BY untold_tests WHERE told < version AND "
                                             "tell_after <= ? ORDER BY tell_after, number LIMIT ?");
  statement.bind(milliseconds_of(now)).bind(static_cast<std::int64_t>(most + without.size()));
  GATE_TRY(std::vector<HubTest> found, tests(statement));
  std::erase_if(found, [&](const HubTest& test) { return without.contains(test.number); });
  if (found.size() > most) found.resize(most);
  return found;
}

Result<std::map<TestState, std::int64_t>> Journal::counts() {
  store::Statement statement(*database_, "SELECT state, count(*) FROM tests GROUP BY state");
  std::map<TestState, std::int64_t> counts;
  while (statement.next())
    if (const auto state = parse_test_state(statement.text(0))) counts[*state] = statement.integer(1);
  GATE_TRY_STATUS(database_->status());
  return counts;
}

Result<std::int64_t> Journal::count_untold() {
  store::Statement statement(*database_, "SELECT count(*) FROM tests WHERE told < version");
  const std::int64_t count = statement.next() ? statement.integer(0) : 0;
  GATE_TRY_STATUS(database_->status());
  return count;
}

Result<std::vector<std::int64_t>> Journal::forget(Moment before, std::size_t most) {
  store::Statement statement(
      *database_,
      "DELETE FROM tests WHERE number IN (SELECT number FROM tests WHERE is_final = 1 AND "
      "changed < ? AND told >= version LIMIT ?) RETURNING number");
  statement.bind(to_iso(before)).bind(static_cast<std::int64_t>(most));
  std::vector<std::int64_t> numbers;
  while (statement.next()) numbers.push_back(statement.integer(0));
  for (const char* sql : {"DELETE FROM stops WHERE came < ?", "DELETE FROM aside WHERE came < ?"}) {
    store::Statement old(*database_, sql);
    old.bind(to_iso(before)).run();
  }
  GATE_TRY_STATUS(database_->status());
  return numbers;
}

}  // namespace gate::worker
