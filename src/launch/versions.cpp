#include "launch/versions.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::launch {

namespace {

std::string text_in(const fs::Path& path) { return fs::read_file(path).value_or(""); }

bool is_version(std::string_view word) {
  constexpr std::string_view allowed = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_+";
  const bool begins = !word.empty() && word.front() >= '0' && word.front() <= '9';
  return begins && word.find('.') != std::string_view::npos && word.size() <= 40 &&
         word.find_first_not_of(allowed) == std::string_view::npos;
}

// Of lines `key=value` the value of the key, whatever its case.
std::string value_of(std::string_view text, std::string_view key) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || to_lower(trim(line.substr(0, equals))) != key) continue;
    if (const std::string_view value = trim(line.substr(equals + 1)); is_version(value))
      return std::string(value);
  }
  return "";
}

// `NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug ...`
std::string nvidia_driver(std::string_view text) {
  const std::vector<std::string_view> words = split_words(text.substr(0, text.find('\n')));
  const auto found = std::ranges::find_if(words, is_version);
  return found == words.end() ? "" : std::string(*found);
}

// The first version behind the first "cuda": what follows it are its parts.
std::string cuda_version(std::string_view text) {
  const std::size_t cuda = text.find("\"cuda\"");
  const std::size_t key = cuda == std::string_view::npos ? cuda : text.find("\"version\"", cuda);
  if (key == std::string_view::npos) return "";
  const std::vector<std::string_view> parts = split(text.substr(key), '"');
  return parts.size() > 3 && is_version(parts[3]) ? std::string(parts[3]) : "";
}

}  // namespace

std::string driver_version(const fs::Path& root) {
  const std::string nvidia = nvidia_driver(text_in(root / "proc/driver/nvidia/version"));
  return nvidia.empty() ? value_of(text_in(root / "usr/local/Ascend/driver/version.info"), "version")
                        : nvidia;
}

std::string toolkit_version(const fs::Path& ascend_toolkit, const fs::Path& cuda) {
  for (const char* platform : {"aarch64-linux", "x86_64-linux"}) {
    const std::string version =
        value_of(text_in(ascend_toolkit / platform / "ascend_toolkit_install.info"), "version");
    if (!version.empty()) return "CANN " + version;
  }
  const std::string version = cuda_version(text_in(cuda / "version.json"));
  return version.empty() ? "" : "CUDA " + version;
}

}  // namespace gate::launch
