// What a case has in object stores: golden files, and what its stages bring and take away.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "gate/places/launch_case.h"

namespace gate::app {

// How long gate itself fetches and puts for a case: until a time is up, or somebody wants the case to end.
class TransferLimit {
 public:
  // Of what comes before a script has ended: `rest` is that of --deadline.
  static TransferLimit fetching(const LaunchContext& context, const std::string& case_name, Duration timeout,
                                std::optional<Duration> rest);

  // Of what comes behind it: that ends where somebody is in a hurry.
  static TransferLimit putting(const LaunchContext& context, const std::string& case_name, Duration timeout);

  bool is_over() const { return !why().empty(); }

  // Return why it is over; "" while it is not.
  std::string why() const;

  // Return what ends a question to a far host then; the limit has to outlive it.
  Cut cut() const {
    return {.stop = [this] { return why(); }};
  }

  // Return how the case ends that this kept from its script: by a signal, or by --deadline; nothing else.
  std::optional<Outcome> outcome() const;

  // Return what is left of --deadline.
  std::optional<Duration> rest() const;

 private:
  TransferLimit(const LaunchContext& context, std::string case_name, Duration timeout)
      : context_(&context), case_name_(std::move(case_name)), timeout_(timeout) {}
  Duration passed() const;

  const LaunchContext* context_;
  std::string case_name_;
  Duration timeout_;
  std::optional<Duration> rest_;
  bool is_behind_script_ = false;
  SteadyTime::Point began_ = context_->environment.time.now();
};

// Fetch the golden files of the case that are objects to where golden_files() has them, which is emptied
// first; none for a test that compares nothing. Fails with the first one that does not come, and with one
// that is not what it was when the run fetched it first.
Status fetch_golden(const LaunchContext& context, const config::Case& spec, const TransferLimit& limit);

// Where files are taken to: a folder, or a prefix of a store.
class Destination {
 public:
  // Return that of a place of a stage; the limit has to outlive it. Fails as told_text() does, and where
  // there is no way to its store.
  static Result<Destination> of(const LaunchContext& context, const config::Case& spec,
                                const std::string& place, const TransferLimit& limit);

  // Mark the folder as one that results are being put to, until close(). Fails where others have it. Of a
  // store nothing is done.
  Status open() const;
  Status close() const;

  // Put the file there under that name. Fails where it would replace a golden file of any case of the suite.
  Status put_result(const fs::Path& file, const std::string& name) const;

  // Return what the file of that name is there: a path, or a URL.
  std::string place_of(const std::string& name) const;

 private:
  bool leads_to_golden(const std::string& name) const;

  fs::Path folder_;     // "" of a store
  std::string prefix_;  // of a store, with a slash at its end
  ObjectPlaces* objects_ = nullptr;
  const TransferLimit* limit_ = nullptr;
  std::set<std::string> golden_;  // files, and what objects are called by their store
};

// A baseline that is to be made. What is there is never replaced.
struct NewBaseline {
  std::string place;  // an absolute path, or a URL
  std::string maker;  // the same for one test alone, however often it is run; "" where nothing tells
  fs::Path scratch;   // a folder to look at objects in
};

// Tell whether nothing is there, not even a link that leads nowhere, or what the same maker made.
Result<bool> is_free(const LaunchContext& context, const NewBaseline& baseline, const TransferLimit& limit);

// Put the file there. Return whether it is there: false where anything else is, by then. What has the same
// bytes, or is of the same maker, stays and is as good.
Result<bool> make_baseline(const LaunchContext& context, const NewBaseline& baseline, const fs::Path& file,
                           const TransferLimit& limit);

// The folder below that of the stages that holds what is being brought.
inline constexpr const char* fetched_files = ".fetched";

// Bring what the place of a stage means below `.fetched` of the folder, and return where it is there: the
// object under its own name, or a folder with all below a prefix. A path is returned as it is.
Result<fs::Path> brought(const LaunchContext& context, const config::Case& spec, const std::string& place,
                         const fs::Path& folder, const TransferLimit& limit);

}  // namespace gate::app
