#include "launch/versions.h"

#include <algorithm>
#include <initializer_list>

#include "gate/base/text.h"

namespace gate::launch {

namespace {

bool has_parts(std::string_view word) {
  return word.find('.') != std::string_view::npos && word.size() <= 40 && is_version(word);
}

std::string version_or_none(std::string_view word) { return has_parts(word) ? std::string(word) : ""; }

// Of lines `key=value`, or with another separator, the value of the key, whatever its case.
std::string version_of(std::string_view text, std::string_view key, char separator = '=') {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t end = line.find(separator);
    if (end == std::string_view::npos || to_lower(trim(line.substr(0, end))) != key) continue;
    if (const std::string_view value = trim(line.substr(end + 1)); has_parts(value))
      return std::string(value);
  }
  return "";
}

// `NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug ...`
std::string nvidia_driver(std::string_view text) {
  const std::vector<std::string_view> words = split_words(text.substr(0, text.find('\n')));
  const auto found = std::ranges::find_if(words, has_parts);
  return found == words.end() ? "" : std::string(*found);
}

// The first version behind the first "cuda": what follows it are its parts.
std::string cuda_version(std::string_view text) {
  const std::size_t cuda = text.find("\"cuda\"");
  const std::size_t key = cuda == std::string_view::npos ? cuda : text.find("\"version\"", cuda);
  if (key == std::string_view::npos) return "";
  const std::vector<std::string_view> parts = split(text.substr(key), '"');
  return parts.size() > 3 ? version_or_none(parts[3]) : "";
}

std::string nvidia_firmware(const RootedFiles& files) {
  const std::string folder = "/proc/driver/nvidia/gpus";
  for (const std::string& gpu : files.list(folder))
    if (std::string version = version_of(files.read(folder + "/" + gpu + "/information"), "video bios", ':');
        !version.empty())
      return version;
  return "";
}

// `113-M3250101-100`
std::string amd_firmware(const RootedFiles& files) {
  for (const std::string& card : files.list("/sys/class/drm"))
    if (const std::string text = files.read("/sys/class/drm/" + card + "/device/vbios_version");
        is_version(trim(text)))
      return std::string(trim(text));
  return "";
}

std::string first_known(std::initializer_list<std::string> versions) {
  const auto known = std::ranges::find_if(versions, [](const std::string& one) { return !one.empty(); });
  return known == versions.end() ? "" : *known;
}

std::string named_version(std::string_view name, const std::string& version) {
  return version.empty() ? "" : std::string(name) + " " + version;
}

}  // namespace

bool is_version(std::string_view word) {
  constexpr std::string_view others = ".-_+!";
  return !word.empty() && is_digit(word.front()) && word.size() <= 80 &&
         std::ranges::all_of(word,
                             [&](char c) { return is_letter_or_digit(c) || others.find(c) != others.npos; });
}

std::string driver_version(const RootedFiles& files) {
  return first_known({nvidia_driver(files.read("/proc/driver/nvidia/version")),
                      version_of(files.read("/usr/local/Ascend/driver/version.info"), "version"),
                      version_or_none(trim(files.read("/sys/module/amdgpu/version")))});
}

std::string firmware_version(const RootedFiles& files) {
  return first_known({version_of(files.read("/usr/local/Ascend/firmware/version.info"), "version"),
                      nvidia_firmware(files), amd_firmware(files)});
}

ToolkitHomes homes_in(const std::function<std::string(const char* name)>& value_of) {
  ToolkitHomes homes;
  const auto take = [&](std::string& home, const char* name) {
    if (std::string told = value_of(name); told.starts_with('/')) home = std::move(told);
  };
  take(homes.ascend, "ASCEND_TOOLKIT_HOME");
  take(homes.cuda, "CUDA_HOME");
  take(homes.rocm, "ROCM_PATH");
  return homes;
}

std::string toolkit_version(const RootedFiles& files, const ToolkitHomes& homes) {
  const auto cann = [&](const char* platform) {
    return version_of(files.read(homes.ascend + "/" + platform + "/ascend_toolkit_install.info"), "version");
  };
  return first_known(
      {named_version("CANN", cann("aarch64-linux")), named_version("CANN", cann("x86_64-linux")),
       named_version("CUDA", cuda_version(files.read(homes.cuda + "/version.json"))),
       named_version("ROCm", version_or_none(trim(files.read(homes.rocm + "/.info/version"))))});
}

}  // namespace gate::launch
