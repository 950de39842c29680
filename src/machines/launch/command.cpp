#include "launch/command.h"

#include <unistd.h>

#include <algorithm>

#include "gate/base/text.h"
#include "launch/fd.h"

namespace gate::launch {

namespace {

constexpr std::string_view cookie_name = "GATE_LAUNCH";
constexpr std::string_view default_path = "/usr/local/bin:/usr/bin:/bin";

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

std::string entry(std::string_view name, std::string_view value) {
  return std::string(name) + "=" + std::string(value);
}

std::string_view path_in(std::span<const std::string> env) {
  for (const std::string_view variable : env)
    if (variable.starts_with("PATH=")) return variable.substr(5);
  return default_path;
}

bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

bool is_name(std::string_view name) {
  return !name.empty() && name.find('=') == std::string_view::npos && !has_nul(name);
}

// The setup text is an argument, and never a part of this program; no other bash could set anything for the
// script (decision 6).
std::string setup_program() {
  const std::string ready = std::to_string(ready_descriptor);
  return "gate_setup=$1; shift; eval -- \"$gate_setup\"; gate_status=$?; "
         "[ $gate_status -eq 0 ] || exit $gate_status; "
         "printf . >&" +
         ready + "; exec " + ready + ">&-; exec -- \"$@\"";
}

std::vector<std::string> words_of(const Command& command) {
  if (command.setup.empty()) return command.argv;
  std::vector<std::string> argv{"bash", "-c", setup_program(), "setup", command.setup};
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  return argv;
}

}  // namespace

ExecWords exec_words(const Command& command, std::span<const std::string> inherited) {
  ExecWords words{
      words_of(command), environment(command, inherited), {}, command.cwd, !command.setup.empty()};
  words.files = files_of(words.argv.front(), words.env);
  return words;
}

std::vector<std::string> environment(const Command& command, std::span<const std::string> inherited) {
  std::vector<std::string> env;
  if (!command.cookie.empty()) env.push_back(entry(cookie_name, command.cookie));
  const auto is_set = [&](std::string_view name) {
    return command.env.contains(std::string(name)) || (name == cookie_name && !command.cookie.empty());
  };
  for (const auto& [name, value] : command.env)
    if (name != cookie_name || command.cookie.empty()) env.push_back(entry(name, value));
  for (const std::string& variable : inherited)
    if (!is_set(name_of(variable))) env.push_back(variable);
  return env;
}

std::vector<std::string> files_of(std::string_view program, std::span<const std::string> env) {
  if (program.find('/') != std::string_view::npos) return {std::string(program)};
  return texts_of(split(path_in(env), ':'), [&](const std::string_view folder) {
    return std::string(folder.empty() ? "." : folder) + "/" + std::string(program);
  });
}

std::optional<std::string> unfit(const Command& command) {
  if (command.argv.empty() || command.argv.front().empty()) return "there is no command to start";
  if (std::any_of(command.argv.begin(), command.argv.end(), has_nul)) return "an argument holds a NUL byte";
  if (has_nul(command.cwd) || has_nul(command.setup) || has_nul(command.cookie))
    return "the folder, the setup text or the cookie holds a NUL byte";
  for (const auto& [name, value] : command.env) {
    if (!is_name(name)) return "`" + printable(name) + "` cannot be the name of an environment variable";
    if (has_nul(value)) return "the environment variable " + printable(name) + " holds a NUL byte";
  }
  return {};
}

std::vector<std::string> own_environment() {
  std::vector<std::string> env;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    env.emplace_back(*variable);
  return env;
}

}  // namespace gate::launch
