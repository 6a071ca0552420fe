// SQLite, as much of it as the manifest needs.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace protobeam::sweep {

/// Everything throws std::runtime_error with SQLite's words.
class Database {
 public:
  enum class Open { kExisting, kNew };
  /// `patience`: how long it waits for others that have the file open.
  Database(const std::filesystem::path& file, Open open,
           std::chrono::milliseconds patience = std::chrono::minutes(1));

  void execute(const std::string& sql);
  sqlite3* get() const { return handle_.get(); }
  [[noreturn]] void fail() const;
  int changes() const { return sqlite3_changes(handle_.get()); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close(handle); }
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

class Statement {
 public:
  Statement(const Database& database, const std::string& sql);

  /// The next parameter, from the first one on after reset().
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);
  Statement& bind_null();
  /// A number as a number, anything else as text.
  Statement& bind_value(const std::string& text);

  /// False at the end of the rows.
  bool step();
  /// For a statement without rows; it can be bound again.
  void run();
  void reset();

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  double number(int column) const { return sqlite3_column_double(handle_.get(), column); }
  std::string text(int column) const;
  bool null(int column) const { return type(column) == SQLITE_NULL; }
  int type(int column) const { return sqlite3_column_type(handle_.get(), column); }

 private:
  void check(int result) const;

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;
};

/// Rolled back unless commit() is reached.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  void commit();

 private:
  Database* database_;
};

}  // namespace protobeam::sweep
