// Any bytes as a training script, its first line as a variable that gate gives it: what it turns on is told
// in the same way each time, what is off has no words, and a further comment changes nothing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "gate/config/exit_code.h"
#include "gate/config/script_counts.h"
#include "gate/config/training_flags.h"
#include "targets.h"

namespace {

using namespace gate::config;

void hold_flags(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

int training_flags_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  const std::string_view script = end == std::string_view::npos ? text : text.substr(end + 1);
  const std::map<std::string, std::string> given{{"GIVEN", std::string(text.substr(0, end))}};
  const TrainingFlags flags(script, given), again(std::string(script) + "\n", given);
  for (const FeatureRow& row : features()) {
    const Feature feature = feature_of(row);
    const FeatureUse use = flags.use_of(feature), same = again.use_of(feature);
    hold_flags(use.told == same.told && use.text == same.text);
    hold_flags((use.told == Told::off) == use.text.empty());
  }
  for (const char* flag : {"--num-layers", "--seq-length"})
    if (const auto number = flags.number_of(flag)) hold_flags(*number >= 1 && flags.has(flag) == Told::on);
  const SequenceLength length = read_sequence_length(script);
  hold_flags(!length.number || *length.number >= 1);
  (void)dropped_exit(script);
  (void)read_script_flags(script);
  (void)read_script_counts(script);
  (void)check_name("{model}_{parallelism}", "llama_tp2_pp1", script);
  return 0;
}
