// The history of runs: an SQLite file in WAL mode, so that any number of gates read and write it at once and
// a gate that is killed leaves the last whole run behind. It holds values and no series (decision 17).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/model/reports/device_use.h"
#include "gate/model/reports/history.h"

namespace gate::store {

class Database;

// A case of a suite on one platform. The suite's name is the one in gate.toml, "" where it gives none: a
// checkout in another folder is the same suite.
struct CaseKey {
  std::string suite;
  std::string name;
  std::string platform;
};

class History {
 public:
  // Open the file, made with its folder where it is not there. Fails with what to do where it is no history,
  // or one of a newer gate.
  static Result<History> open(const fs::Path& path);

  History(History&&) noexcept;
  History& operator=(History&&) noexcept;
  ~History();

  // Remember the runs; one with the same uid is replaced. All of them or nothing. Waits while others write,
  // 30 s at most.
  Status add(std::span<const RememberedRun> runs);

  // Tell whether a run with the uid is remembered.
  bool knows(const std::string& uid) const;

  // Return the cases of the suite that have any run, with their platforms, sorted; those of all suites under
  // their own names where `suite` is none.
  Result<std::vector<CaseKey>> cases(const std::optional<std::string>& suite) const;

  // Return the latest `last` runs of the case, 0: all of them; none that started before `since` (ISO 8601).
  Result<CaseHistory> read(const CaseKey& key, std::size_t last, const std::string& since = "") const;

  // Return the cases of the run of that number (see CasePoint), without their checks.
  Result<std::vector<RememberedCase>> cases_of(std::int64_t run) const;

  // Return how long the case's latest five passed runs took that tell it, latest first.
  Result<std::vector<Duration>> durations(const CaseKey& key) const;

  // Return the latest run in which the case passed as it is (without ARGS and --set), and how many runs of it
  // as it is came since: all of them where there is no such run. The run with the uid `but` counts as none.
  struct LastGreen {
    std::optional<CasePoint> point;
    std::int64_t runs_since = 0;
  };
  Result<LastGreen> last_green(const CaseKey& key, const std::string& but = "") const;

  // Return what the runs of the suite that started at that moment or later did with their devices.
  Result<DeviceUse> device_use(const std::optional<std::string>& suite, const std::string& since) const;

  // Hand out every run, oldest first, one at a time.
  Status each_run(const std::function<void(const RememberedRun&)>& take) const;

  // Forget all but the latest `keep` runs, and give their room back to the disk. Returns how many were
  // forgotten.
  Result<std::int64_t> prune(std::int64_t keep);

 private:
  explicit History(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace gate::store
