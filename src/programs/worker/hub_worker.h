// The worker: takes messages, writes them down, runs the tests that they ask for, and tells the hub.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/config/worker.h"
#include "worker/hub_notice.h"
#include "worker/journal.h"
#include "worker/source.h"
#include "worker/status_page.h"
#include "worker/test_files.h"

namespace gate::worker {

struct WorkerPlaces {
  fs::Path suite;      // the folder that gate runs in
  std::string config;  // what is read instead of gate.toml; "": nothing
  std::string gate;    // the program
  fs::Path journal;    // the folder for the files of tests
};

class Worker {
 public:
  // `tell` may be empty: then nobody is told.
  Worker(const config::WorkerSettings& settings, WorkerPlaces places, Journal& journal, Source& source,
         NoticePoster::Post tell, StatusPage* page);

  // Go on until `stop` says so, or until nothing more can come, all tests have ended and the hub knows. Gates
  // that run then go on running; the next worker finds them. Fails where the journal or the dead-letter topic
  // cannot be written: nothing is acknowledged then that is not kept.
  Status run(const std::function<bool()>& stop);

 private:
  Status go_round();
  Status take_messages();
  Status take_all(const std::vector<Incoming>& messages);
  Status take(const Incoming& message);
  Status begin(const TestOrder& order, const MessagePlace& place);
  Status stop(const StopOrder& order, const MessagePlace& place);
  Status look_at(HubTest test);
  Status look_at_running(HubTest& test, const TryFolder& folder);
  Status take_end(HubTest& test, const End& end);
  Status launch_waiting();
  Status launch_some(const std::string& device, std::size_t most);
  Status launch(HubTest test);
  Status launch_gate_of(HubTest& test);
  static void clear(const TryFolder& folder);
  Status reach(HubTest& test, TestEvent event);
  Status post_notices();
  Status read_notice_results();
  Status take_notice_results(const std::vector<NoticeResult>& results);
  Status forget_old();
  void reap();
  Status show();
  bool is_done();
  std::string mistake_of(const TestOrder& order) const;
  TryFolder try_of(const HubTest& test) const;

  const config::WorkerSettings& settings_;
  const WorkerPlaces places_;
  Journal& journal_;
  Source& source_;
  StatusPage* page_;
  std::unique_ptr<NoticePoster> poster_;
  std::map<pid_t, int> exit_codes_;        // of gates that this worker launched, and that have ended
  std::map<std::string, pid_t> launched_;  // by the folder of the try
  std::set<std::int64_t> posted_;          // tests of which a notice is under way
  std::map<std::string, int> running_;     // tests that run, by device
  int times_away_ = 0;                     // of the hub, one after another
  SteadyClock::time_point next_look_, next_show_, next_sweep_, next_launch_, next_post_;
  WorkerNumbers numbers_;
};

}  // namespace gate::worker
