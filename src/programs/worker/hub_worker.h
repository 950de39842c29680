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
  // that run then go on running; the next worker finds them. What is the host's own trouble is no test's
  // failure: gate cannot be executed, device tools fail, the disk is full. Such a test is tried again after
  // pauses that grow, for settings.patience at most. Fails where the journal or the dead-letter topic could
  // not be written for so long: nothing is acknowledged that is not kept; and where all is done but that the
  // hub has taken no notice for so long.
  Status run(const std::function<bool()>& stop);

 private:
  struct Launched {
    pid_t pid = 0;
    SteadyClock::time_point at;
    std::optional<int> code;  // it has ended
  };

  Status go_round();
  bool bears(const Error& error);
  void tell_of_source();
  Status take_messages();
  Status take_all(const std::vector<Incoming>& messages);
  Status take(const Incoming& message);
  Status begin(const TestOrder& order, const MessagePlace& place);
  Status answer_again(const TestOrder& order, const MessagePlace& place);
  Status stop(const StopOrder& order, const MessagePlace& place);
  Status look_at(HubTest test);
  Status look_at_running(HubTest& test, const TryFolder& folder);
  Status wait_to_read(HubTest& test, const End& end);
  Status take_end(HubTest& test, End end);
  Status go_on(HubTest& test);
  bool is_to_be_tried_again(HubTest& test, End& end);
  void look_for_room();
  bool had_full_disk(const HubTest& test) const;
  bool has_tries_left(HubTest& test, std::string& reason);
  bool may_wait(HubTest& test) const;
  Status pause(HubTest& test, const std::string& why);
  void note_trouble(const std::string& why);
  Status note_begun(HubTest& test, const TryFolder& folder);
  void note_success(const TryFolder& folder);
  Result<std::vector<HubTest>> next_tests();
  int free_places(const std::string& device);
  Status launch_waiting();
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
  Status wait_for_hub();
  bool has_ended_all() const;
  bool is_done();
  std::string mistake_of(const TestOrder& order) const;
  std::string limit_of(const std::string& device) const;
  TryFolder try_of(const HubTest& test) const;

  const config::WorkerSettings& settings_;
  const WorkerPlaces places_;
  Journal& journal_;
  Source& source_;
  StatusPage* page_;
  std::unique_ptr<NoticePoster> poster_;
  std::map<std::string, Launched> launched_;  // by the folder of the try
  std::vector<Incoming> taken_;               // messages that are not kept yet
  std::set<std::string> told_again_;          // ids that came again, and of which that was said
  std::set<std::pair<std::int64_t, std::string>> told_refused_;  // tests, and why: that was said
  std::set<std::string> told_unknown_;                    // fields that no test knows, and that was said
  std::set<std::int64_t> posted_;                         // tests of which a notice is under way
  std::map<std::string, int> running_;                    // tests that run, by what limits them: limit_of()
  int times_away_ = 0;                                    // of the hub, one after another
  std::string hub_trouble_;                               // why it took no notice lately; "": it took them
  std::optional<SteadyClock::time_point> unheard_since_;  // no message can come
  int times_unheard_ = 0;                                 // that this was said
  std::optional<SteadyClock::time_point> untold_since_;   // all is done but that the hub takes no notice
  std::string trouble_;                                   // of the host: why no gate runs here; "": they do
  std::optional<SteadyClock::time_point> unkept_since_;   // rounds fail, for what cannot be written
  std::optional<SteadyClock::time_point> last_full_;      // when a disk had no room
  SteadyClock::time_point trouble_since_;                 // of the host
  SteadyClock::time_point next_look_, next_show_, next_sweep_, next_launch_, next_post_;
  WorkerNumbers numbers_;
};

}  // namespace gate::worker
