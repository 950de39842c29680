#include "gate/store/database.h"

#include <sqlite3.h>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"

namespace gate::store {

namespace {

constexpr int busy_limit_ms = 30'000;
constexpr std::int64_t application = 0x67617465;  // "gate"

std::int64_t pragma(Database& database, std::string_view name) {
  Statement statement(database, "PRAGMA " + std::string(name));
  return statement.next() ? statement.integer(0) : 0;
}

bool is_empty(Database& database) {
  Statement statement(database, "SELECT count(*) FROM sqlite_schema");
  return statement.next() && statement.integer(0) == 0;
}

}  // namespace

std::int64_t TakenRow::integer(int argument) const { return sqlite3_value_int64(values_[argument]); }

std::string_view TakenRow::view(int argument) const {
  const unsigned char* bytes = sqlite3_value_text(values_[argument]);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_value_bytes(values_[argument]))};
}

std::optional<double> TakenRow::real(int argument) const {
  if (sqlite3_value_type(values_[argument]) == SQLITE_NULL) return std::nullopt;
  return sqlite3_value_double(values_[argument]);
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  database_.remember(
      sqlite3_prepare_v2(database_.handle_, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::int64_t value) {
  database_.remember(sqlite3_bind_int64(statement_, ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  database_.remember(sqlite3_bind_text64(statement_, ++bound_, value.empty() ? "" : value.data(),
                                         value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(std::optional<double> value) {
  ++bound_;
  database_.remember(value ? sqlite3_bind_double(statement_, bound_, *value)
                           : sqlite3_bind_null(statement_, bound_));
  return *this;
}

Statement& Statement::bind(std::optional<int> value) {
  ++bound_;
  database_.remember(value ? sqlite3_bind_int(statement_, bound_, *value)
                           : sqlite3_bind_null(statement_, bound_));
  return *this;
}

bool Statement::next() {
  if (statement_ == nullptr || !database_.trouble_.empty()) return false;
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.remember(code);
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (next()) {
  }
  sqlite3_reset(statement_);
  bound_ = 0;
}

void Statement::take(const std::function<void(const TakenRow&)>& each) {
  database_.taker_ = &each;
  run();
  database_.taker_ = nullptr;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string Statement::text(int column) const { return std::string(view(column)); }

std::string_view Statement::view(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::optional<double> Statement::real(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

std::optional<int> Statement::small(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int(statement_, column);
}

Result<std::unique_ptr<Database>> Database::open(const fs::Path& path,
                                                 std::span<const std::string_view> steps,
                                                 std::string_view if_broken) {
  GATE_TRY_STATUS(fs::make_folder(path.parent_path()));
  std::unique_ptr<Database> database(new Database(path, if_broken));
  GATE_TRY_STATUS(database->connect());
  GATE_TRY_STATUS(database->migrate(steps));
  return database;
}

std::unique_ptr<Database> Database::another() const {
  std::unique_ptr<Database> database(new Database(path_, if_broken_));
  return database->connect() ? std::move(database) : nullptr;
}

void Database::read_pieces(std::size_t pieces, std::size_t threads,
                           const std::function<void(Database&, std::size_t)>& read) {
  std::vector<std::uint8_t> is_read(pieces);
  const auto read_beside = [&](std::size_t i) {
    const std::unique_ptr<Database> own = another();
    if (own == nullptr) return;
    read(*own, i);
    is_read[i] = own->status().has_value();
  };
  if (threads > 1) in_parallel(pieces, threads, read_beside);
  for (std::size_t i = 0; i < pieces; ++i)
    if (!is_read[i]) read(*this, i);
}

Status Database::connect() {
  remember(sqlite3_open_v2(path_.c_str(), &handle_,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr));
  GATE_TRY_STATUS(status());
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, busy_limit_ms);
  execute("PRAGMA trusted_schema = OFF");
  define_take();
  return status();
}

void Database::define_take() {
  const auto step = [](sqlite3_context* context, int, sqlite3_value** values) {
    if (const auto* taker = static_cast<Database*>(sqlite3_user_data(context))->taker_)
      (*taker)(TakenRow(values));
  };
  remember(sqlite3_create_function_v2(
      handle_, "take", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, this, nullptr, step, [](sqlite3_context*) {},
      nullptr));
}

// Several that make the same file at once are told that it is busy without the wait that else goes before.
void Database::use_wal() {
  constexpr int pause_ms = 20;
  for (int waited = 0; trouble_.empty(); waited += pause_ms) {
    const int code = sqlite3_exec(handle_, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if ((code & 0xff) != SQLITE_BUSY || waited >= busy_limit_ms) return remember(code);
    sqlite3_sleep(pause_ms);
  }
}

// What a power cut may take are the latest runs; what is in the file stays whole.
Status Database::migrate(std::span<const std::string_view> steps) {
  use_wal();
  execute("PRAGMA synchronous = NORMAL");
  GATE_TRY_STATUS(status());
  const auto version = static_cast<std::size_t>(pragma(*this, "user_version"));
  if (version == steps.size() && pragma(*this, "application_id") == application) return status();
  Transaction transaction(*this);
  const auto from = static_cast<std::size_t>(pragma(*this, "user_version"));
  const bool ours = pragma(*this, "application_id") == application || is_empty(*this);
  GATE_TRY_STATUS(status());
  if (!ours) return fail(path_.string() + ": an SQLite file, and none of gate's; name another one");
  if (from > steps.size())
    return fail(path_.string() + ": written by a newer gate (version " + std::to_string(from) +
                ", this one knows " + std::to_string(steps.size()) +
                "); use that gate, or name another file");
  for (std::size_t step = from; step < steps.size(); ++step) execute(std::string(steps[step]).c_str());
  execute(("PRAGMA application_id = " + std::to_string(application)).c_str());
  execute(("PRAGMA user_version = " + std::to_string(steps.size())).c_str());
  return transaction.commit();
}

Database::~Database() { sqlite3_close(handle_); }

void Database::execute(const char* sql) {
  if (trouble_.empty()) remember(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_); }
std::int64_t Database::changes() const { return sqlite3_changes64(handle_); }

// What can be done about it.
std::string Database::advice(int code) const {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "; " + if_broken_;
    case SQLITE_BUSY:
      return "; others wrote to it for 30 s";
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
      return "; its folder must be writable, and on a disk that lets files be locked";
    default:
      return "";
  }
}

void Database::remember(int code) {
  if (code == SQLITE_OK || !trouble_.empty()) return;
  const char* why = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  trouble_ = path_.string() + ": " + printable(why) + advice(code);
}

Status Database::status() {
  if (trouble_.empty()) return {};
  return fail(std::exchange(trouble_, ""));
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

Status Transaction::commit() {
  GATE_TRY_STATUS(database_.status());
  database_.execute("COMMIT");
  Status committed = database_.status();
  open_ = !committed;
  return committed;
}

}  // namespace gate::store
