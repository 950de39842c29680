// Proof that a gate can fail: a case's own reference is damaged, one way at a time, and the judge must
// notice.
//
// A judge that compares the wrong way round, or a rule that bounds nothing, passes every good run for years.
// It does not pass this: what is done to the values follows from the metric's bad side and from the window,
// never from what the rule happens to bound.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judge/judge.h"

namespace gate::judge {

struct MutationRow {
  std::string_view name;  // `beyond_first`
  TableText doc;
  bool harmless = false;  // it must pass; every other one must be caught
};

// Return all mutations, in the order in which reports list them.
std::span<const MutationRow> mutations();

// `held`: what must be caught was caught, what must pass passed. `stricter`: what gate's rules let pass,
// another profile refuses.
enum class Proof : std::uint8_t { held, survived, stricter, not_applicable };

// One mutation tried on one rule and series.
struct Tried {
  const MutationRow* mutation = nullptr;
  std::string rule;
  std::string metric;
  std::optional<int> rank;
  Proof proof = Proof::not_applicable;
  Sentence text;  // what was done and what the judge said; or why nothing could be done
};

// Return `caught`, `SURVIVED` or `n/a`; of a harmless mutation `passed`, `REFUSED` or `stricter`.
std::string_view word_of(const Tried& tried);

// One case on one platform.
struct SelftestCase {
  std::string name;
  std::string platform;  // "" is general
  std::string profile;   // by which it is judged
  bool has_script = true;
  Sentence why_not;  // why nothing was tried: no baseline, only the exit is judged, no rule applies
  std::vector<Tried> results;
  std::vector<Ungated> ungated;  // rules that make no check, and why
  bool unreadable = false;       // nobody knows what guards it
};

struct Selftest {
  std::vector<SelftestCase> cases;

  std::int64_t count(Proof proof) const;

  // 1 where anything survived; 3 where nothing was tried, or a baseline cannot be read; else 0.
  int exit_code() const;
};

// Return what is read from a log that holds these runs as its attempts, one after the other.
using Replay = std::function<Extraction(std::span<const Extraction> attempts)>;

// What guards a case.
struct GuardedCase {
  std::span<const Rule> rules;
  const MetricTable& metrics;
  const Reference& reference;
  std::string platform;
  Replay replay = nullptr;  // none: attempts are not tried
  Profile profile = {};     // by which selftest asks the judge
};

using Judge = std::function<Judgement(const JudgeInput&)>;

// Return every mutation tried on every check that the rules make, judged by `judge`. Waivers are set aside.
// The run that is damaged is the first of the baseline's runs that passes; where none does, `reference`
// survives for the checks that fail, and nothing else is tried on them. Rules that make no check are not in
// it.
// What is done follows from gate's rules under every profile: it shows what another system lets through. Of
// another profile the verdict alone counts, since its checks are not those of the rules.
std::vector<Tried> selftest(const GuardedCase& guard, const Judge& judge);

// Return the rules that make no check, and why; not the end of a curve whose beginning a rule is on.
std::vector<Ungated> ungated_rules(const GuardedCase& guard);

}  // namespace gate::judge
