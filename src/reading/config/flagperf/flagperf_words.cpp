// Keys of CASES, and what their words mean for gate.
#include "config/flagperf/flagperf_words.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"

namespace gate::config {

namespace {

constexpr std::size_t key_words = 6;
constexpr int most_machines = 4096, most_repeats = 1000;

// Vendors whose devices gate leases and selects.
constexpr std::array<std::string_view, 3> selected_vendors{"nvidia", "ascend", "amd"};

// How a model of a device may be written: A100, L40S, MI300X, 910B3.
constexpr std::size_t most_letters = 3, fewest_digits = 2, most_digits = 4, most_behind = 2;

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }

std::size_t count_while(std::string_view word, bool (*holds)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(word, holds) - word.begin());
}

bool is_device_model(std::string_view word) {
  const std::size_t letters = count_while(word, is_small_letter);
  word.remove_prefix(letters);
  const std::size_t digits = count_while(word, is_digit);
  word.remove_prefix(digits);
  return letters <= most_letters && digits >= fewest_digits && digits <= most_digits &&
         word.size() <= most_behind;
}

bool is_plain_below(std::string_view path) {
  const auto parts = split(path, '/');
  return is_shell_plain(path) && path[0] != '/' && std::ranges::find(parts, "..") == parts.end();
}

// Texts of a case that are paths below its data's folder.
std::vector<const FlagPerfParameter*> told_paths(const FlagPerfLayers& layers) {
  std::vector<const FlagPerfParameter*> told;
  for (const char* name : {"train_data", "eval_data", "init_checkpoint"})
    if (const FlagPerfParameter* found = layers.find(name);
        found != nullptr && found->is_told && found->is_text && !found->text.empty())
      told.push_back(found);
  return told;
}

// Packages of one vendor's devices.
constexpr std::array<std::string_view, 12> foreign_packages{
    "apex",      "amp_C",     "transformer_engine", "nvidia",      "tensorrt",          "pynvml",
    "torch_npu", "torch_mlu", "torch_musa",         "torch_xmlir", "habana_frameworks", "ixformer"};

// Return the first part of each name that a line imports: apex of `from apex.optimizers import FusedAdam`.
std::vector<std::string_view> imported_packages(std::string_view line) {
  const bool is_from = line.starts_with("from ");
  if (!is_from && !line.starts_with("import ")) return {};
  line.remove_prefix(line.find(' '));
  std::vector<std::string_view> packages;
  for (std::string_view name : split(is_from ? line.substr(0, line.find(" import")) : line, ',')) {
    name = trim(name);
    packages.push_back(name.substr(0, name.find_first_of(" .#;")));
  }
  return packages;
}

}  // namespace

const std::string* flagperf_hardware_of(const Settings& settings) {
  const auto said = settings.env.find(std::string(flagperf_hardware));
  return said == settings.env.end() ? nullptr : &said->second;
}

std::string quoted_text(std::string_view text) { return "\"" + printable(text, 120) + "\""; }

bool is_path_word(std::string_view word) {
  const auto is_good = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-'; };
  return !word.empty() && word.size() <= 200 && word[0] != '-' && word[0] != '.' &&
         std::ranges::all_of(word, is_good);
}

bool is_shell_plain(std::string_view text) { return !text.starts_with('-') && shell_quote(text) == text; }

std::optional<int> count_in(std::string_view word, int most) {
  const auto number = parse_integer(word);
  const bool is_good = number && *number >= 1 && *number <= most && std::ranges::all_of(word, is_digit);
  return is_good ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

Result<FlagPerfCase> read_flagperf_key(std::string_view key) {
  const std::vector<std::string_view> words = split(key, ':');
  if (words.size() != key_words) return fail(count_of(std::ssize(words), "word") + " in place of 6");
  for (std::size_t i = 0; i < 3; ++i)
    if (!is_path_word(words[i]))
      return fail(quoted_text(words[i]) + " is not made of letters, digits, `_`, `.` and `-`");
  const auto nodes = count_in(words[3], most_machines), devices = count_in(words[4], most_machines),
             repeat = count_in(words[5], most_repeats);
  if (!nodes) return fail(quoted_text(words[3]) + " is no number of nodes from 1 to 4096");
  if (!devices) return fail(quoted_text(words[4]) + " is no number of devices from 1 to 4096");
  if (!repeat) return fail(quoted_text(words[5]) + " is no number of repeats from 1 to 1000");
  const std::string_view framework = words[1].substr(0, words[1].find('_'));
  if (framework.empty()) return fail("its framework has no name");
  FlagPerfCase out{.key = std::string(key),
                   .model = std::string(words[0]),
                   .framework = std::string(framework),
                   .version = "",
                   .hardware = std::string(words[2]),
                   .nodes = *nodes,
                   .devices = *devices,
                   .repeat = *repeat,
                   .data_dir = "",
                   .at = {}};
  if (framework.size() < words[1].size()) out.version = words[1].substr(framework.size() + 1);
  return out;
}

bool is_flagperf_case(const FlagPerfCase& key, std::string_view case_name) {
  const std::size_t at = case_name.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string base = "/" + std::string(case_name.substr(0, at));
  const std::vector<std::string_view> axes = split(case_name.substr(at + 1), ',');
  const std::string hardware = std::string(flagperf_hardware) + "=";
  return base.ends_with("/" + key.name()) && axes.front() == key.size() &&
         std::ranges::all_of(axes, [&](std::string_view axis) {
           return !axis.starts_with(hardware) || axis.substr(hardware.size()) == key.hardware;
         });
}

std::vector<std::string> flagperf_needs(const FlagPerfLayers& layers) {
  std::vector<std::string> needs;
  for (const FlagPerfParameter* found : told_paths(layers))
    if (is_plain_below(found->text) && std::ranges::find(needs, found->text) == needs.end())
      needs.push_back(found->text);
  return needs;
}

std::vector<const FlagPerfParameter*> flagperf_outside(const FlagPerfLayers& layers) {
  std::vector<const FlagPerfParameter*> outside = told_paths(layers);
  std::erase_if(outside, [](const FlagPerfParameter* one) { return is_plain_below(one->text); });
  return outside;
}

std::map<std::string, std::vector<int>> flagperf_foreign_imports(std::string_view python) {
  std::map<std::string, std::vector<int>> found;
  int number = 0;
  bool is_text = false;  // of several lines
  for (const std::string_view line : split(python, '\n')) {
    ++number;
    if (!is_text)
      for (const std::string_view package : imported_packages(trim(line)))
        if (std::ranges::find(foreign_packages, package) != foreign_packages.end())
          found[std::string(package)].push_back(number);
    for (const std::string_view quotes : {"\"\"\"", "'''"})
      for (std::size_t at = line.find(quotes); at != std::string_view::npos; at = line.find(quotes, at + 3))
        is_text = !is_text;
  }
  return found;
}

bool selects_devices_of(std::string_view vendor) {
  return std::ranges::find(selected_vendors, vendor) != selected_vendors.end();
}

std::vector<std::string> flagperf_platforms(std::string_view vendor, std::string_view hardware) {
  if (!selects_devices_of(vendor)) return {std::string(vendor) + "-*"};
  std::string model = to_lower(hardware.substr(0, hardware.find_first_of("-_")));
  if (model.starts_with("ascend")) model.erase(0, std::string_view("ascend").size());
  if (!is_device_model(model)) return {};
  const std::string platform = std::string(vendor) + "-" + model;
  std::vector<std::string> platforms{platform, platform + "-*"};
  const bool is_series = vendor == "ascend" && std::ranges::all_of(model, is_digit);
  if (is_series) platforms.push_back(platform + "[a-z]*");  // 910 is 910A, 910B3 ...
  return platforms;
}

std::vector<std::string> read_requirements(std::string_view text) {
  std::vector<std::string> packages;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view package = trim(line.substr(0, line.find(" #")));
    if (!package.empty() && !package.starts_with('-') && !package.starts_with('#'))
      packages.emplace_back(package);
  }
  return packages;
}

}  // namespace gate::config
