// Any bytes as the short words that people and files say: nothing, an error with words, or a value within its
// bounds that is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/base/base64.h"
#include "gate/base/proc_stat.h"
#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/config/job_patch.h"
#include "gate/config/outputs.h"
#include "gate/judge/profile.h"
#include "gate/model/numbers/step_set.h"
#include "gate/model/runs/provenance.h"
#include "gate/model/runs/shard.h"
#include "gate/schema/golden_name.h"
#include "gate/schema/golden_steps.h"
#include "gate/store/suite_folder.h"
#include "targets.h"

namespace {

using namespace gate;

void demand_of_word(bool holds) {
  if (!holds) std::abort();
}

void demand_reason(const Status& read) {
  if (!read) demand_of_word(!read.error().message.empty() && read.error().message.size() < 2000);
}

template <typename Value>
void demand_value(const Result<Value>& read) {
  if (!read) demand_reason(tl::unexpected(read.error()));
}

void read_times(std::string_view bytes) {
  if (const auto moment = parse_iso(bytes)) demand_of_word(to_iso(*moment) == bytes);
  if (const auto days = days_between(bytes, "2026-11-21")) demand_of_word(std::abs(*days) < 100'000);
  const auto duration = parse_duration(bytes);
  if (!duration) return;
  demand_of_word(*duration >= Duration{} && *duration <= std::chrono::days(3652));
  demand_of_word(parse_duration(to_string(*duration)) == duration && !rough(*duration).empty());
}

void read_numbers(std::string_view bytes) {
  if (const auto number = parse_integer(bytes))
    demand_of_word(parse_integer(std::to_string(*number)) == number);
  if (const auto shard = parse_shard(bytes))
    demand_of_word(to_string(*shard) == bytes && shard->number <= shard->count);
  if (const auto steps = StepSet::parse(bytes)) {
    demand_of_word(StepSet::parse(to_string(*steps)) == steps && steps->size() <= 10'000'000);
    if (steps->size() < 10'000) demand_of_word(StepSet(steps->numbers()) == *steps);
  }
  const auto steps = schema::read_steps(bytes);
  demand_value(steps);
  if (steps) demand_of_word(!steps->empty() && steps->front() > 0 && std::ranges::is_sorted(*steps));
}

void read_texts(std::string_view bytes) {
  if (const auto decoded = from_base64(bytes)) demand_of_word(from_base64(base64(*decoded)) == decoded);
  demand_of_word(from_base64(base64(bytes)) == bytes);
  const std::string shown = printable(bytes, bytes.size() * 8);
  demand_of_word(printable(shown, shown.size()) == shown);
  demand_of_word(to_string(parse_fact_change(bytes)) == bytes);
  (void)parse_stat(bytes);
}

// A name is a glob of itself, unless it has a character of globs; two globs that match one name overlap.
void match_globs(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view pattern = bytes.substr(0, end), name = bytes.substr(std::min(end + 1, bytes.size()));
  const bool matches = glob_match(pattern, name);
  if (!is_glob(pattern)) demand_of_word(matches == (pattern == name));
  if (pattern.size() + name.size() > 200) return;
  const bool overlap = globs_overlap(pattern, name);
  demand_of_word(overlap == globs_overlap(name, pattern));
  if (matches && !is_glob(name)) demand_of_word(overlap);
}

void read_names(std::string_view bytes) {
  store::BaselineLayout layout;
  layout.platforms = {{"lab", {"nvidia-*"}}};
  if (const auto place = store::parse_place(layout, bytes)) demand_of_word(place->name() == bytes);
  if (store::check_case_name(std::string(bytes)))
    for (const std::string_view part : split(bytes, '/'))
      demand_of_word(!part.empty() && part != "." && part != "..");
  demand_value(schema::golden_name(bytes, "/tree"));
  const auto profile = judge::parse_profile(bytes);
  demand_value(profile);
  if (profile) demand_reason(judge::check_profile(*profile));
  const auto tolerance = config::parse_output_tolerance(bytes);
  demand_value(tolerance);
  if (tolerance) demand_of_word(config::parse_output_tolerance(config::to_string(*tolerance)).has_value());
  const auto patch = config::read_job_patch(bytes, "job.yaml");
  if (!patch) demand_of_word(!patch.error().empty());
}

}  // namespace

int words_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_times(bytes);
  read_numbers(bytes);
  read_texts(bytes);
  match_globs(bytes);
  read_names(bytes);
  return 0;
}
