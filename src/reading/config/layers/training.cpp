// What a case trains, by its settings and by the flags of its script.
#include "gate/config/training.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/config/exit_code.h"
#include "gate/config/flagperf.h"

namespace gate::config {

namespace {

constexpr std::string_view mcore = "Mcore", legacy = "Legacy";

// Tell whether the word is a part of the path: `legacy` of `examples/legacy/a.sh` and of `a_legacy_ptd.sh`.
bool has_part(std::string_view path, std::string_view word) {
  std::string parted = to_lower(path);
  std::ranges::replace_if(
      parted, [](char c) { return !is_letter_or_digit(c); }, ' ');
  const std::vector<std::string_view> parts = split_words(parted);
  return std::ranges::find(parts, word) != parts.end();
}

}  // namespace

TrainingFlags training_flags(const Case& spec, const std::string& platform) {
  return {spec.training_text ? *spec.training_text : "", variables_on(spec, platform)};
}

std::string implementation_of(const Case& spec, const TrainingFlags& flags) {
  if (!spec.settings.model.implementation.empty()) return spec.settings.model.implementation;
  if (flags.has("--use-legacy-models") == Told::on) return std::string(legacy);
  if (flags.has("--use-mcore-models") == Told::on) return std::string(mcore);
  if (has_part(spec.script, "legacy")) return std::string(legacy);
  return has_part(spec.script, "mcore") ? std::string(mcore) : "";
}

std::string precision_of(const Case& spec, const TrainingFlags& flags) {
  if (!spec.settings.model.precision.empty()) return spec.settings.model.precision;
  for (const char* fp8 : {"--fp8-format", "--fp8-hybrid", "--fp8-e4m3", "--fp8"})
    if (flags.has(fp8) == Told::on) return "FP8";
  const Told bf16 = flags.has("--bf16"), fp16 = flags.has("--fp16");
  if (bf16 == Told::not_told || fp16 == Told::not_told || bf16 == fp16) return "";
  return bf16 == Told::on ? "BF16" : "FP16";
}

std::string model_in_path(std::string_view script) {
  constexpr std::array<std::string_view, 3> shelves{"benchmarks", "examples", "test_cases"};
  const std::vector<std::string_view> parts = split(script, '/');
  auto at = std::ranges::find_first_of(parts, shelves);
  const auto is_kind = [](std::string_view part) {
    return part == to_lower(mcore) || part == to_lower(legacy);
  };
  if (at != parts.end()) at = std::find_if_not(at + 1, parts.end(), is_kind);
  return at == parts.end() || at + 1 == parts.end() ? "" : std::string(*at);
}

Sentence dropped_exit(const Case& spec) {
  if (flagperf_hardware_of(spec.settings) != nullptr)
    return say({"its starter drops the exit codes of its processes", "它的启动器丢弃各进程的退出码"});
  if (spec.kind != CaseKind::script || !spec.training_text || spec.script.ends_with(".py")) return {};
  const std::string_view text = *spec.training_text;
  return dropped_exit(text.substr(0, text.rfind('\n')));  // behind it are the words that it is given
}

std::string redirected_to(const Case& spec) {
  if (spec.kind != CaseKind::script || !spec.training_text || spec.script.ends_with(".py")) return "";
  for (const std::string_view line : split(*spec.training_text, '\n')) {
    if (trim(line).starts_with('#')) continue;
    const std::size_t both = std::min(line.find("&>"), line.size()), error = line.find("2>&1");
    const std::size_t own = error == line.npos || error == 0 ? both : line.rfind('>', error - 1);
    std::string_view rest = trim(line.substr(std::min(own, line.size())));
    if (rest.starts_with(">&")) continue;
    rest.remove_prefix(std::min(rest.find_first_not_of("&>"), rest.size()));
    const std::vector<std::string_view> words = split_words(rest);
    if (words.empty()) continue;
    std::string file(words.front());
    std::erase_if(file, [](char c) { return c == '"' || c == '\'' || c == ';'; });
    if (!file.empty() && !file.starts_with("/dev/") && file.find_first_of("()|<&") == file.npos) return file;
  }
  return "";
}

std::optional<extract::ProfilerFlags> profiler_flags(const Case& spec, const std::string& platform) {
  constexpr const char* profile = "--profile";
  if (!spec.training_text || spec.training_text->find(profile) == std::string::npos) return std::nullopt;
  const TrainingFlags flags = training_flags(spec, platform);
  if (flags.has(profile) != Told::on) return std::nullopt;
  const auto bound_of = [&](std::string_view flag) {
    return flags.has(flag) == Told::off ? std::nullopt : std::optional(flags.value_of(flag).value_or(""));
  };
  return extract::ProfilerFlags{bound_of("--profile-step-start"), bound_of("--profile-step-end")};
}

TrainingShape training_shape(const Case& spec, const std::string& platform) {
  const Settings& settings = spec.settings;
  TrainingShape shape{settings.model.name, settings.model.size, "", "", "", ""};
  if (const auto length = sequence_length_on(spec, platform)) shape.sequence = sequence_word(*length);
  const Size size = size_on(settings, platform);
  if (size.devices.value_or(0) > 0)
    shape.cluster = std::to_string(size.nodes) + "x" + std::to_string(*size.devices);
  const TrainingFlags flags = training_flags(spec, platform);
  shape.implementation = implementation_of(spec, flags);
  shape.precision = precision_of(spec, flags);
  return shape;
}

std::vector<Sentence> mcore_only_in_legacy(const Case& spec, const std::vector<Feature>& features,
                                           const TrainingFlags& flags) {
  std::vector<Sentence> found;
  if (to_lower(implementation_of(spec, flags)) != to_lower(legacy)) return found;
  for (const Feature& feature : features) {
    const FeatureUse use = feature.is_mcore_only ? flags.use_of(feature) : FeatureUse{};
    if (use.told == Told::on)
      found.push_back(
          say({"{}: the Legacy models have no {}", "{}：Legacy 模型没有 {}"}, use.text, feature.title));
  }
  return found;
}

}  // namespace gate::config
