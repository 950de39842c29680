#include "gate/base/secrets.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr std::array<std::string_view, 4> secret_names{"*token", "*secret*", "*password*", "*_key"};
constexpr std::string_view harmless_names = "*tokenizer*";

bool looks_secret(std::string_view name) {
  const std::string lower = to_lower(name);
  return !glob_match(harmless_names, lower) &&
         std::any_of(secret_names.begin(), secret_names.end(),
                     [&](std::string_view glob) { return glob_match(glob, lower); });
}

bool is_listed(std::string_view name, std::span<const std::string> listed) {
  return std::any_of(listed.begin(), listed.end(),
                     [&](const std::string& glob) { return glob_match(glob, name); });
}

// `-1200`, `3.14`: what a setting holds; `1e10` may well be a password.
bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

void add_secret(std::vector<std::string>& secrets, std::string_view text) {
  if (text.size() >= shortest_secret) secrets.emplace_back(text);
}

}  // namespace

std::vector<std::string> secret_values(const std::map<std::string, std::string>& environment,
                                       std::span<const std::string> listed,
                                       const std::function<bool(const std::string&)>& is_path) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : environment) {
    const std::string_view text = trim(value);
    const bool guessed = looks_secret(name) && !is_number(text) && !is_path(value);
    if (!guessed && !is_listed(name, listed)) continue;
    add_secret(secrets, text);
    for (const std::string_view line : split(text, '\n')) add_secret(secrets, trim(line));
  }
  std::sort(secrets.begin(), secrets.end());
  secrets.erase(std::unique(secrets.begin(), secrets.end()), secrets.end());
  return secrets;
}

}  // namespace gate
