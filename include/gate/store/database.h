// SQLite, as far as gate uses it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_value;

namespace gate::store {

class Database;

// The arguments of take() in a row, from 0, read as Statement reads columns.
class TakenRow {
 public:
  explicit TakenRow(sqlite3_value** values) : values_(values) {}
  std::int64_t integer(int argument) const;
  std::string_view view(int argument) const;  // of a text, up to the next row
  std::optional<double> real(int argument) const;

 private:
  sqlite3_value** values_;
};

// A prepared statement. Values are bound in their order; a mistake of SQLite's is remembered by the database
// (Database::status), so that a reader is one plain pass.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  Statement& bind(std::int64_t value);
  Statement& bind(std::string_view value);
  Statement& bind(std::optional<double> value);
  Statement& bind(std::optional<int> value);

  // Go to the next row; false behind the last one, and after a mistake.
  bool next();

  // Run to the end and be ready for new values.
  void run();

  // Run a `SELECT take(...) FROM ...` and hand out the arguments of each row, in any order. SQLite's loop is
  // not left between rows: of very many it takes half the time that next() does.
  void take(const std::function<void(const TakenRow&)>& each);

  // Columns of the row, in their order from 0.
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::string_view view(int column) const;  // of a text, up to the next row
  std::optional<double> real(int column) const;
  std::optional<int> small(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

class Database {
 public:
  // Open or make the file and bring it to the version of the last of `steps`: SQL of which the k-th leads
  // from version k to k + 1, all of them in one transaction. Fails where the file is none of gate's, or of a
  // later version than the steps lead to. `if_broken` is what to do where it is no database, or is damaged.
  static Result<std::unique_ptr<Database>> open(const fs::Path& path, std::span<const std::string_view> steps,
                                                std::string_view if_broken);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Read all pieces by calls of read(connection, piece), in that many threads. Of several each piece has a
  // connection of its own; one that could not be read so is read again by this one, which then knows why.
  void read_pieces(std::size_t pieces, std::size_t threads,
                   const std::function<void(Database&, std::size_t)>& read);

  // Run SQL without values.
  void execute(const char* sql);

  std::int64_t last_id() const;
  std::int64_t changes() const;

  // Fail once anything has failed since the last call, with the path, the first reason and what to do.
  Status status();

 private:
  friend class Statement;
  friend class Transaction;
  Database(fs::Path path, std::string_view if_broken) : path_(std::move(path)), if_broken_(if_broken) {}
  Status connect();
  std::unique_ptr<Database> another() const;  // connection to the file; nullptr where there is none to be had
  std::string advice(int code) const;
  void remember(int code);
  void define_take();
  void use_wal();
  Status migrate(std::span<const std::string_view> steps);

  fs::Path path_;
  std::string if_broken_;
  sqlite3* handle_ = nullptr;
  const std::function<void(const TakenRow&)>* taker_ = nullptr;  // of the take() that runs
  std::string trouble_;
};

// All that is written while it lives is written together: by commit(), or not at all.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  // Fails, and writes nothing, where anything failed since the beginning.
  Status commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace gate::store
