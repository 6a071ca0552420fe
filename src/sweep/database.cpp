#include "sweep/database.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace protobeam::sweep {

Database::Database(const std::filesystem::path& file, Open open, std::chrono::milliseconds patience)
    : file_(file) {
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (open == Open::kNew ? SQLITE_OPEN_CREATE : 0);
  sqlite3* handle = nullptr;
  const int result = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (result != SQLITE_OK) fail();
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, static_cast<int>(patience.count()));
}

void Database::fail() const {
  std::string what = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
  if (handle_ && (sqlite3_errcode(handle_.get()) & 0xff) == SQLITE_BUSY) {
    what = "another program has it open, such as a sqlite3 shell";
  }
  throw std::runtime_error(fmt::format("{}: {}", file_.string(), what));
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  check(sqlite3_prepare_v2(database.get(), sql.c_str(), static_cast<int>(sql.size()), &handle,
                           nullptr));
  handle_.reset(handle);
}

void Statement::check(int result) const {
  if (result != SQLITE_OK) database_.fail();
}

Statement& Statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  check(sqlite3_bind_double(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  check(sqlite3_bind_text(handle_.get(), ++bound_, value.data(), static_cast<int>(value.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_null() {
  check(sqlite3_bind_null(handle_.get(), ++bound_));
  return *this;
}

Statement& Statement::bind_value(const std::string& text) {
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, whole);
      error == std::errc() && at == end) {
    return bind(whole);
  }
  double value = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, value);
      error == std::errc() && at == end && std::isfinite(value)) {
    return bind(value);
  }
  return bind(std::string_view(text));
}

bool Statement::step() {
  const int result = sqlite3_step(handle_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) database_.fail();
  return false;
}

void Statement::run() {
  step();
  reset();
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  bound_ = 0;
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return text ? std::string(text,
                            static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)))
              : "";
}

Transaction::Transaction(Database& database) : database_(&database) {
  database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  // The error that led here is being told; SQLite may have rolled back by itself.
  if (database_) sqlite3_exec(database_->get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_->execute("COMMIT");
  database_ = nullptr;
}

}  // namespace protobeam::sweep
