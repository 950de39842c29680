// SQLite, as far as gate uses it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gate::store {

class Database;

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

  // Return another connection to the file, for another thread to read; nullptr where there is none to be had.
  std::unique_ptr<Database> another() const;

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
  std::string advice(int code) const;
  void remember(int code);
  void use_wal();
  Status migrate(std::span<const std::string_view> steps);

  fs::Path path_;
  std::string if_broken_;
  sqlite3* handle_ = nullptr;
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
