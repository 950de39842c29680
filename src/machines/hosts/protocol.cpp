#include "gate/hosts/protocol.h"

#include <algorithm>
#include <array>

#include "hosts/members.h"

namespace gate::hosts {

namespace {

constexpr std::array<std::string_view, 3> force_words{"ask", "end", "kill"};
constexpr std::array<std::string_view, 4> signal_words{"kill", "terminate", "stop", "go_on"};

}  // namespace

// Those that an agent can see of a launcher.
void add(Frame& message, const Outcome& outcome) {
  std::string held, in_chinese;
  const auto take = [&](const auto& one) {
    if constexpr (requires { one.code; }) held = std::to_string(one.code);
    if constexpr (requires { one.signal; }) held = std::to_string(one.signal);
    if constexpr (requires { one.why; }) {
      held = one.why.english();
      in_chinese = one.why.in(Language::chinese);
    }
  };
  std::visit(take, outcome);
  message.insert(message.end(), {kind_of(outcome), std::move(held), std::move(in_chinese)});
}

Outcome read_outcome(WordReader& words) {
  const std::string kind = words.text();
  const bool is_number = kind == "exited" || kind == "killed";
  const int number = is_number ? words.small() : 0;
  const std::string held = is_number ? "" : words.text(), in_chinese = words.text();
  if (kind == "exited") return Exited{number};
  if (kind == "killed") return Killed{number};
  const Sentence why(held, in_chinese);
  if (kind == "not_started") return NotStarted{why};
  if (kind == "script_changed") return ScriptChanged{why};
  return Vanished{why};
}

void add(Frame& message, const Hello& hello) { Saying{message}(hello); }
void add(Frame& message, const launch::Command& command) { Saying{message}(command); }
void add(Frame& message, const ProcessState& state) { Saying{message}(state); }
void add(Frame& message, const ToolAnswer& answer) { Saying{message}(answer); }
void add(Frame& message, const Fingerprint& seen) { Saying{message}(seen); }
void add(Frame& message, const devices::Holder& holder) { Saying{message}(holder); }
void add(Frame& message, const devices::Leases::Displaced& displaced) { Saying{message}(displaced); }
void add(Frame& message, const FileIdentity& file) { Saying{message}(file); }
void add(Frame& message, const FileState& state) { Saying{message}(state); }

Hello read_hello(WordReader& words) { return read_members<Hello>(words); }
launch::Command read_command(WordReader& words) { return read_members<launch::Command>(words); }
ProcessState read_state(WordReader& words) { return read_members<ProcessState>(words); }
ToolAnswer read_tool_answer(WordReader& words) { return read_members<ToolAnswer>(words); }
Fingerprint read_fingerprint(WordReader& words) { return read_members<Fingerprint>(words); }
devices::Holder read_holder(WordReader& words) { return read_members<devices::Holder>(words); }
devices::Leases::Displaced read_displaced(WordReader& words) {
  return read_members<devices::Leases::Displaced>(words);
}
FileIdentity read_identity(WordReader& words) { return read_members<FileIdentity>(words); }

FileState read_file_state(WordReader& words) {
  auto state = read_members<FileState>(words);
  if (static_cast<std::int64_t>(state.size) < 0) state.size = 0;
  return state;
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

}  // namespace gate::hosts
