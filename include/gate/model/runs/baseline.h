// The approved reference series of a case.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/series.h"
#include "gate/model/runs/provenance.h"

namespace gate {

// What a baseline says whose numbers were measured nobody knows where: its speed and memory are compared
// nowhere.
inline constexpr std::string_view unknown_platform = "unknown";

// Return the platform as people read it: `general` for "".
std::string platform_name(const std::string& platform);

// Return platform and environment in one word: `nvidia-a100@lts`, `nvidia-a100`, `@lts`, or "" for neither.
std::string place_word(const std::string& platform, const std::string& environment);

// Who made the series the reference, when and why.
struct Acceptance {
  std::string who;
  std::string when;  // ISO 8601
  std::string reason;
  std::string from;             // run id or imported file
  std::string previous_sha256;  // of the baseline file before; "" if there was none
  std::vector<std::string> despite;
  std::vector<std::string> metrics;  // where only some were taken
};

struct BaselineRun {
  std::optional<std::int64_t> total;  // the last step that its log announced
  std::vector<Series> series;
  std::optional<std::int64_t> attempts = {};  // that its log held
  std::vector<std::string> other_jobs = {};   // attempts in it that were to do something else
  std::string unfit = {};                     // why its attempts make no baseline; "": they do
};

// The runs that were the reference before any drift: later acceptances are measured from them.
struct FirstAccepted {
  std::string when;    // ISO 8601; "" is unknown
  std::string sha256;  // of its file
  std::vector<BaselineRun> runs;
};

struct Baseline {
  std::string case_name;
  std::string platform;     // "": any; or unknown_platform
  std::string environment;  // of the software, as `dev`, `lts`; "": any
  std::vector<std::string> formats;
  Provenance provenance;
  std::vector<BaselineRun> runs;            // one or more
  std::vector<Acceptance> accepted;         // oldest first; empty in a candidate
  std::optional<FirstAccepted> first = {};  // none: these runs are the first

  // Of foreign files only; gate's own hold none of these.
  std::string origin;                          // `gate`, `modellink`, ...: the kind of file it was read from
  std::map<std::string, std::string> margins;  // metric -> relative margin as written
  std::optional<std::int64_t> warm_up;         // values that the mean of a speed leaves out at first
  std::vector<Sentence> notes;                 // values left out, assumed steps, odd ranks
  std::vector<Sentence> assumed;               // those of the notes that tell of assumed steps
  std::string null_value;                      // the first value that is JSON's null: `lm_loss: step 2`
};

// The series that one metric and rank are judged against: the most specific file that has the metric.
struct ReferenceSeries {
  std::vector<Series> runs;     // one per recorded run; all of the same metric and rank
  std::string path;             // the baseline file
  std::string platform;         // of that file; "" is any
  KnownSwitches switches = {};  // of the run that it was recorded by
};

// What a case is judged against. Empty where it has no baseline.
struct Reference {
  std::vector<ReferenceSeries> series;
  std::vector<std::string> formats;
  std::vector<Sentence> notes;
  std::optional<std::int64_t> last_step;  // of any step series
  std::set<std::int64_t> attempts;        // how many the logs of its runs held, where that is known
  // Of golden files, for the profiles that use them.
  std::vector<Series> unrecorded;  // that a file names, and holds no value of at all
  std::map<std::string, std::string> margins;
  std::optional<std::int64_t> warm_up;
};

// Return the reference that a single baseline makes.
Reference make_reference(const Baseline& baseline, const std::string& path);

// Return the reference of several files, most specific first: each metric comes from the first that has it.
Reference merge_references(const std::vector<Reference>& most_specific_first);

}  // namespace gate
