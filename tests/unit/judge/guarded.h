// A case under the usual rules for selftest, and what it says of it.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/selftest.h"
#include "logs.h"

namespace gate::judge::testing {

// Values that rise by two steps and fall by one, with two decimals.
inline std::string wandering(const std::string& metric, std::int64_t last, std::int64_t start,
                             std::int64_t by) {
  std::string out = metric;
  for (std::int64_t n = 1; n <= last; ++n)
    out += " " + std::to_string(n) + ":" + Decimal{start + by * (2 * n + n % 3), -2}.to_string();
  return out;
}

inline const std::string usual =
    wandering("lm_loss", 20, 1050, -5) + "\n" + wandering("throughput", 20, 14000, 60) +
    "\nmemory_allocated/0 1:1000.5 2:1200.5\nmemory_allocated/1 1:1001.5 2:1300.5" +
    "\nmemory_max_allocated/0 1:2000.5 2:2200.5\nmemory_max_allocated/1 1:2001.5 2:2300.5";

// What guards a case, with all that a GuardedCase refers to.
struct Guarded {
  std::vector<Rule> rules = built_in_rules();
  Reference reference = baseline(usual);
  MetricTable metrics;
  Profile profile;

  Replay replay = [](std::span<const Extraction> attempts) { return attempts.back(); };

  std::vector<Tried> tested(const Judge& by = judge) const {
    return selftest({rules, metrics, reference, "", replay, profile}, by);
  }
};

inline std::vector<std::string> survivors(const std::vector<Tried>& results) {
  std::vector<std::string> names;
  for (const Tried& tried : results)
    if (tried.proof == Proof::survived) names.push_back(std::string(tried.mutation->name) + " " + tried.rule);
  return names;
}

inline std::string all_texts(const std::vector<Tried>& results) {
  std::string out;
  for (const Tried& tried : results)
    out += std::string(tried.mutation->name) + " " + tried.rule + " " + std::string(word_of(tried)) + ": " +
           tried.text.english() + "\n";
  return out;
}

inline std::string text_of(const std::vector<Tried>& results, std::string_view mutation,
                           std::string_view rule) {
  for (const Tried& tried : results)
    if (tried.mutation->name == mutation && tried.rule == rule)
      return std::string(word_of(tried)) + ": " + tried.text.english();
  return "";
}

}  // namespace gate::judge::testing
