#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "gate/base/text.h"
#include "gate/devices/discover.h"

namespace gate::devices {

namespace {

// Words of names that are the vendor, a line of products, or say nothing.
constexpr std::array<std::string_view, 9> left_out{"nvidia", "tesla",    "geforce", "amd",       "instinct",
                                                   "radeon", "graphics", "ascend",  "generation"};

// What begins the words that say how the card is built: memory, socket, slot.
bool is_build(std::string_view word) {
  constexpr std::array<std::string_view, 7> builds{"sxm", "pcie", "hbm", "nvl", "oam", "pg", "mig"};
  const bool memory = std::isdigit(static_cast<unsigned char>(word.front())) != 0 && word.ends_with("gb");
  return memory || std::any_of(builds.begin(), builds.end(),
                               [&](std::string_view build) { return word.starts_with(build); });
}

bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_'; }

std::vector<std::string> words_in(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_part(c); }, ' ');
  std::vector<std::string> words;
  for (const std::string_view word : split_words(name)) words.emplace_back(word);
  return words;
}

}  // namespace

std::string platform_of(const Device& device) {
  std::string platform = device.vendor;
  std::string model = to_lower(device.model);
  if (model.starts_with("ascend")) model.erase(0, std::string_view("ascend").size());
  for (const std::string& word : words_in(model)) {
    if (std::find(left_out.begin(), left_out.end(), word) != left_out.end()) continue;
    if (is_build(word)) break;
    platform += "-" + word;
  }
  return platform;
}

std::string vendor_of(const std::string& platform) { return platform.substr(0, platform.find('-')); }

}  // namespace gate::devices
