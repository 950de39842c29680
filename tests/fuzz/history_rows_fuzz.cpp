// Any bytes as lines of gate.history/1 that are put into the history, or else as the words in its rows: what
// is handed out again can be written, read, and put in once more as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/schema/history_file.h"
#include "gate/store/database.h"
#include "gate/store/history.h"
#include "store/history_steps.h"
#include "targets.h"
#include "temporary_folder.h"

namespace {

using namespace gate;

void demand_of_rows(bool holds) {
  if (!holds) std::abort();
}

constexpr std::string_view one_run =
    R"({"schema": "gate.history/1", "uid": "u", "run": "1121-0203", "suite": "st", "command": "run", "host": "h",)"
    R"( "commit": "9c1e2f4", "started": "2026-11-21T02:03:04Z", "duration_s": 2.5, "exit_code": 1, "altered": false,)"
    R"( "cases": [{"case": "a", "verdict": "passed", "reason": "", "platform": "cpu", "baseline_sha256": "ab",)"
    R"( "duration_s": 1, "ran_on": {"torch": "2.1"}, "checks": [{"rule": "lm_loss", "metric": "lm_loss", "rank": 3,)"
    R"( "unit": "", "window": "first 15", "reduce": "each", "status": "pass", "tolerance": "0.01", "value": 1.5,)"
    R"( "baseline": 1.25}]}]})";

std::string lines_in(store::History& history) {
  std::string lines;
  demand_of_rows(history.each_run([&](const RememberedRun& run) { lines += schema::write_history_line(run); })
                     .has_value());
  return lines;
}

void read_all(store::History& history) {
  const auto cases = history.cases(std::nullopt).value();
  for (const store::CaseKey& key : cases) {
    const auto read = history.read(key, 2).value();
    demand_of_rows(read.runs.size() <= 2);
    demand_of_rows(history.durations(key).value().size() <= 5);
    demand_of_rows(history.last_green(key).value().runs_since >= 0);
  }
}

// The file as this gate and as another one has it open.
struct Opened {
  fuzz::TemporaryFolder folder;
  store::History history = std::move(*store::History::open(folder.path() / "history.db"));
  std::unique_ptr<store::Database> rows =
      std::move(*store::Database::open(folder.path() / "history.db", store::history_steps, ""));

  void clear() {
    for (const char* table : {"checks", "series", "cases", "names", "surroundings", "runs"})
      rows->execute(("DELETE FROM " + std::string(table)).c_str());
    demand_of_rows(rows->status().has_value());
  }

  // Return the lines after they were put into an empty history.
  std::string once_more(const std::string& lines) {
    const auto runs = schema::read_history(lines, "h");
    demand_of_rows(runs.has_value());
    clear();
    demand_of_rows(history.add(*runs).has_value());
    return lines_in(history);
  }

  void write(const char* table, const char* column, std::string_view word) {
    store::Statement(*rows, "UPDATE " + std::string(table) + " SET " + column + " = ?").bind(word).run();
  }
};

}  // namespace

int history_rows_fuzz(const std::uint8_t* data, std::size_t size) {
  static Opened opened;
  opened.clear();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto told = schema::read_history(bytes, "h");
  const auto runs = told ? told : schema::read_history(one_run, "h");
  demand_of_rows(opened.history.add(*runs).has_value());
  if (!told) {
    for (const char* column : {"verdict", "reason", "baseline", "host"}) opened.write("cases", column, bytes);
    for (const char* column : {"status", "tolerance"}) opened.write("checks", column, bytes);
    opened.write("surroundings", "facts", bytes);
    demand_of_rows(opened.rows->status().has_value());
  }
  read_all(opened.history);
  // A long fact is cut, and what was cut in the middle of an escape is once more.
  const std::string lines = opened.once_more(lines_in(opened.history));
  demand_of_rows(opened.once_more(lines) == lines);
  return 0;
}
