// Profiles: judging as other systems do, so that their colours stay what they were.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/sentence.h"

namespace gate::judge {

struct ProfileRow {
  std::string_view name;
  TableText doc;
  // What it takes from a golden file that is the baseline itself, in place of its built-in ones.
  bool margins = false;
  bool warm_up = false;
};

// Return all profiles; the first is gate's own.
std::span<const ProfileRow> profiles();

// A profile that was chosen, with what its system lets one choose.
struct Profile {
  std::string name = "gate";
  // megatron: the metrics that are compared, by gate's names or Megatron's, or globs over those that the
  // golden file has; none: lm_loss and num_zeros.
  std::vector<std::string> compare;
  bool nondeterministic = false;  // megatron: leave the exact comparisons out

  bool is_gate() const { return name == "gate"; }
};

// Fail where something was chosen that the profile does not know: a metric that Megatron-LM has no test of,
// or any choice under a profile that has none. The message says what to do.
Status check_profile(const Profile& profile);

// Return the profile that such words are: its name, and behind it the metrics and `nondeterministic`, as
// `megatron lm_loss num_zeros nondeterministic`. Fails as check_profile() does; the name may be any.
Result<Profile> parse_profile(std::string_view words);

}  // namespace gate::judge
