#include "gate/hosts/protocol.h"

#include <algorithm>
#include <array>

namespace gate::hosts {

namespace {

void add_map(Frame& message, const std::map<std::string, std::string>& map) {
  message.push_back(std::to_string(map.size()));
  for (const auto& [key, value] : map) {
    message.push_back(key);
    message.push_back(value);
  }
}

std::map<std::string, std::string> read_map(WordReader& words) {
  std::map<std::string, std::string> map;
  for (std::size_t left = words.count(); left > 0 && words.is_good(); --left) {
    std::string key = words.text();
    map[std::move(key)] = words.text();
  }
  return map;
}

// Those that an agent can see of a launcher.
void add_outcome(Frame& message, const Outcome& outcome) {
  std::string held;
  const auto take = [&](const auto& one) {
    if constexpr (requires { one.code; }) held = std::to_string(one.code);
    if constexpr (requires { one.signal; }) held = std::to_string(one.signal);
    if constexpr (requires { one.why; }) held = one.why;
  };
  std::visit(take, outcome);
  message.insert(message.end(), {kind_of(outcome), std::move(held)});
}

Outcome read_outcome(WordReader& words) {
  const std::string kind = words.text();
  if (kind == "exited") return Exited{static_cast<int>(words.number())};
  if (kind == "killed") return Killed{static_cast<int>(words.number())};
  if (kind == "not_started") return NotStarted{words.text()};
  if (kind == "script_changed") return ScriptChanged{words.text()};
  return Vanished{words.text()};
}

constexpr std::array<std::string_view, 3> force_words{"ask", "end", "kill"};
constexpr std::array<std::string_view, 4> signal_words{"kill", "terminate", "stop", "go_on"};

}  // namespace

void add_list(Frame& message, const std::vector<std::string>& words) {
  message.push_back(std::to_string(words.size()));
  message.insert(message.end(), words.begin(), words.end());
}

void add(Frame& message, const Hello& hello) {
  message.push_back(hello.facts.name);
  message.push_back(std::to_string(hello.facts.device_nodes.size()));
  for (const auto& [vendor, count] : hello.facts.device_nodes) {
    message.push_back(vendor);
    message.push_back(std::to_string(count));
  }
  add_list(message, hello.facts.weaknesses);
  message.push_back(hello.facts.driver);
  message.push_back(hello.facts.toolkit);
  message.push_back(hello.facts.firmware);
  message.push_back(hello.facts.kernel);
  message.push_back(hello.lease_folder);
  message.push_back(hello.session_folder);
  add_map(message, hello.variables);
}

Hello read_hello(WordReader& words) {
  Hello hello;
  hello.facts.name = words.text();
  for (std::size_t left = words.count(); left > 0 && words.is_good(); --left) {
    std::string vendor = words.text();
    hello.facts.device_nodes[std::move(vendor)] = static_cast<int>(words.number());
  }
  hello.facts.weaknesses = words.list();
  hello.facts.driver = words.text();
  hello.facts.toolkit = words.text();
  hello.facts.firmware = words.text();
  hello.facts.kernel = words.text();
  hello.lease_folder = words.text();
  hello.session_folder = words.text();
  hello.variables = read_map(words);
  return hello;
}

void add(Frame& message, const launch::Command& command) {
  add_list(message, command.argv);
  add_map(message, command.env);
  message.push_back(command.cwd);
  message.push_back(command.setup);
  message.push_back(command.cookie);
  add_list(message, command.at_kill);
  add_list(message, command.needs);
  message.push_back(command.script);
  message.push_back(command.script_sha256);
  message.push_back(command.watched);
  message.push_back(command.asides.journal);
  std::vector<std::string> places;
  for (const AsidePlace& place : command.asides.places)
    places.insert(places.end(), {place.folder, place.glob});
  add_list(message, places);
  add_list(message, command.asides.kept);
}

launch::Command read_command(WordReader& words) {
  launch::Command command;
  command.argv = words.list();
  command.env = read_map(words);
  command.cwd = words.text();
  command.setup = words.text();
  command.cookie = words.text();
  command.at_kill = words.list();
  command.needs = words.list();
  command.script = words.text();
  command.script_sha256 = words.text();
  command.watched = words.text();
  command.asides.journal = words.text();
  const std::vector<std::string> places = words.list();
  for (std::size_t i = 0; i + 1 < places.size(); i += 2)
    command.asides.places.push_back({places[i], places[i + 1]});
  command.asides.kept = words.list();
  return command;
}

void add(Frame& message, const ProcessState& state) {
  message.push_back(std::to_string(static_cast<int>(state.started)));
  message.push_back(std::to_string(static_cast<int>(state.ended.has_value())));
  if (state.ended) add_outcome(message, *state.ended);
  message.push_back(std::to_string(static_cast<int>(state.empty)));
  message.push_back(std::to_string(state.size));
}

ProcessState read_state(WordReader& words) {
  ProcessState state;
  state.started = words.flag();
  if (words.flag()) state.ended = read_outcome(words);
  state.empty = words.flag();
  state.size = words.number();
  return state;
}

void add(Frame& message, const ToolAnswer& answer) {
  message.push_back(answer.output);
  message.push_back(answer.errors);
  message.push_back(answer.exit_code ? std::to_string(*answer.exit_code) : "none");
  message.push_back(answer.failure);
  message.push_back(std::to_string(static_cast<int>(answer.missing)));
}

ToolAnswer read_tool_answer(WordReader& words) {
  ToolAnswer answer;
  answer.output = words.text();
  answer.errors = words.text();
  const Frame code{words.text()};
  if (code.front() != "none") answer.exit_code = static_cast<int>(WordReader(code).number());
  answer.failure = words.text();
  answer.missing = words.flag();
  return answer;
}

void add(Frame& message, const Fingerprint& seen) {
  for (const std::string* word :
       {&seen.driver, &seen.firmware, &seen.toolkit, &seen.kernel, &seen.image, &seen.python})
    message.push_back(*word);
  add_map(message, seen.packages);
  message.emplace_back(seen.switches ? "1" : "0");
  if (seen.switches) add_map(message, *seen.switches);
}

Fingerprint read_fingerprint(WordReader& words) {
  Fingerprint seen;
  for (std::string* word :
       {&seen.driver, &seen.firmware, &seen.toolkit, &seen.kernel, &seen.image, &seen.python})
    *word = words.text();
  seen.packages = read_map(words);
  if (words.flag()) seen.switches = read_map(words);
  return seen;
}

void add(Frame& message, const devices::Holder& holder) {
  for (const std::string& word :
       {std::to_string(holder.pid), holder.host, holder.user, holder.run, holder.case_name, holder.since})
    message.push_back(word);
}

devices::Holder read_holder(WordReader& words) {
  devices::Holder holder;
  holder.pid = words.number();
  for (std::string* word : {&holder.host, &holder.user, &holder.run, &holder.case_name, &holder.since})
    *word = words.text();
  return holder;
}

void add(Frame& message, const devices::Leases::Displaced& displaced) {
  message.push_back(displaced.name);
  message.push_back(std::to_string(static_cast<int>(displaced.by.has_value())));
  if (displaced.by) add(message, *displaced.by);
  message.push_back(displaced.trouble);
}

devices::Leases::Displaced read_displaced(WordReader& words) {
  devices::Leases::Displaced displaced;
  displaced.name = words.text();
  if (words.flag()) displaced.by = read_holder(words);
  displaced.trouble = words.text();
  return displaced;
}

void add(Frame& message, launch::Force force) {
  message.emplace_back(force_words.at(static_cast<std::size_t>(force)));
}

launch::Force read_force(WordReader& words) {
  const std::string word = words.text();
  if (word == force_words[0]) return launch::Force::ask;
  return word == force_words[1] ? launch::Force::end : launch::Force::kill;
}

void add(Frame& message, launch::Signal signal) {
  message.emplace_back(signal_words.at(static_cast<std::size_t>(signal)));
}

std::optional<launch::Signal> read_signal(WordReader& words) {
  const auto* const word = std::ranges::find(signal_words, words.text());
  if (word == signal_words.end()) return std::nullopt;
  return static_cast<launch::Signal>(word - signal_words.begin());
}

// Numbers of the system's own are passed on bit by bit.
void add(Frame& message, const FileIdentity& file) {
  message.push_back(std::to_string(static_cast<std::int64_t>(file.device)));
  message.push_back(std::to_string(static_cast<std::int64_t>(file.inode)));
  message.push_back(std::to_string(file.born));
}

FileIdentity read_identity(WordReader& words) {
  FileIdentity file;
  file.device = static_cast<std::uint64_t>(words.number());
  file.inode = static_cast<std::uint64_t>(words.number());
  file.born = words.number();
  return file;
}

void add(Frame& message, const FileState& state) {
  add(message, state.identity);
  message.push_back(std::to_string(static_cast<std::int64_t>(state.size)));
  message.push_back(std::to_string(state.written));
}

FileState read_file_state(WordReader& words) {
  FileState state{read_identity(words)};
  state.size = static_cast<std::uintmax_t>(std::max<std::int64_t>(words.number(), 0));
  state.written = words.number();
  return state;
}

}  // namespace gate::hosts
