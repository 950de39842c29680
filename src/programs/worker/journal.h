// What a worker knows, in a file that outlives it: each test that a hub asked for, its state and what the hub
// was told of it, and stops that came before their tests. One worker at a time has it (decision 63).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fd.h"
#include "gate/base/time.h"
#include "gate/store/database.h"
#include "worker/message.h"
#include "worker/states.h"

namespace gate::worker {

// What became of a test, as far as it is known.
struct HubResult {
  std::optional<bool> passed;  // none: nothing was compared
  std::optional<double> value;
  std::string metric, threshold;  // as the hub calls them; "": not known
  std::string output, log;        // names of files beside test_result.json; "": not known
  std::string baseline;           // where the one that it made is; "": it made none
  std::string job;                // the engine's word for the job that runs it; "": no engine does
  std::string reason;             // why it ended so, or what else is to be known, in one line; "": nothing
  bool is_uploaded = false;       // its results are where they belong
};

struct HubTest {
  std::int64_t number = 0;  // of the journal's tests, from 1 on
  TestOrder order;
  TestState state = TestState::pending;
  TestState before = TestState::pending;  // the state that the latest one followed
  int tries = 0;                          // launches of its gate
  bool is_to_stop = false;                // its gate was told to end
  Moment trouble_since;                   // tries in a row that came to nothing; 1970: none did
  Moment retry_at;                        // its try has ended, and the next begins then; 1970: it has not
  HubResult result;
  std::string changed;        // ISO 8601, its latest change
  std::int64_t retry_of = 0;  // the number of the latest test before it of the same model and kind; 0: none
  std::int64_t version = 0;   // counts what the hub is to be told
  std::string message;        // the message that asked for it: where it was, and what it said; "": not known
};

// Of a message: where a source has it. `timestamp` is in milliseconds since 1970; 0 is unknown.
struct MessagePlace {
  std::string topic;
  std::int64_t partition = -1, offset = -1, timestamp = 0;
};

// Return what tells that message from others of the same test: as `message` of it.
std::string name_of_message(const TestOrder& order, const MessagePlace& place);

class Journal {
 public:
  // Open or make the file. Fails where another worker has it, and as Database::open does.
  static Result<std::unique_ptr<Journal>> open(const fs::Path& file);

  // Do all that `change` does, or nothing of it.
  Status together(const std::function<Status()>& change);

  // Put the test in as pending, or as stopped where an earlier stop is for it. Returns it; nothing where
  // there is one of that id.
  Result<std::optional<HubTest>> add(const TestOrder& order, const MessagePlace& place, Moment now);

  // Return the test of that id.
  Result<std::optional<HubTest>> find(const std::string& id);

  // Keep the stop for tests that are still to come: by id, or by model and commit for messages that are not
  // younger. Return the tests of it that have not ended.
  Result<std::vector<HubTest>> stop(const StopOrder& order, const MessagePlace& place, Moment now);

  // Put the event to the test: its state, and that the hub is to be told. Fails as next() does.
  Status advance(HubTest& test, TestEvent event, Moment now);

  // Write down what is tested now, the tries and the pause behind them, whether it is to stop, and the
  // result.
  Status save(const HubTest& test);

  // Save it, and have the hub told once more.
  Status tell_again(HubTest& test);

  // The hub knows that version of the test; or it refused it, and is told again later, after waits that
  // double.
  Status told(std::int64_t number, std::int64_t version);
  Status tell_later(std::int64_t number, Moment now);

  // Tell whether a message was put aside before, and write down that it is now.
  Result<bool> is_aside(const MessagePlace& place, std::string_view payload);
  Status put_aside(const MessagePlace& place, std::string_view payload, std::string_view reason, Moment now);

  // Return the tests that run, have waited longest of that kind of device, are to be tried again by now, or
  // to be told of, the oldest first. A kind is what `device` of an order says.
  Result<std::vector<HubTest>> running();
  Result<std::vector<HubTest>> waiting(std::string_view device, std::size_t most);
  Result<std::vector<HubTest>> paused(Moment now);
  Result<std::vector<HubTest>> untold(std::size_t most, const std::set<std::int64_t>& without, Moment now);
  Result<std::vector<std::string>> waiting_devices();

  // Return how many tests are in each state, and how many the hub is still to be told of.
  Result<std::map<TestState, std::int64_t>> counts();
  Result<std::int64_t> count_untold();

  // Remove tests that ended before that moment and that the hub knows, at most so many, and return their
  // numbers; stops that are as old likewise.
  Result<std::vector<std::int64_t>> forget(Moment before, std::size_t most);

 private:
  explicit Journal(Fd lock) : lock_(std::move(lock)) {}
  Result<std::vector<HubTest>> tests(store::Statement& statement);
  Result<bool> is_stopped(const TestOrder& order, const MessagePlace& place);

  const Fd lock_;  // outlives the database
  std::unique_ptr<store::Database> database_;
};

}  // namespace gate::worker
