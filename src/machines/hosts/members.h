// What the words of a message are: one list of a value's members for both ways, into a message and out of it.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/hosts/protocol.h"

namespace gate::hosts {

// Those that an agent can see of a launcher.
void add(Frame& message, const Outcome& outcome);
Outcome read_outcome(WordReader& words);

// Appends the words of values: numbers in decimal, times in milliseconds, a list or a map behind its size,
// what may be absent behind whether it is there; an exit code is a number or `none`.
class Saying {
 public:
  explicit Saying(Frame& message) : message_(message) {}
  void operator()(const auto&... values) { (say(values), ...); }

 private:
  void say(const std::string& text) { message_.push_back(text); }
  void say(std::int64_t number) { message_.push_back(std::to_string(number)); }
  void say(std::uint64_t number) { say(static_cast<std::int64_t>(number)); }  // bit by bit
  void say(int number) { say(std::int64_t{number}); }
  void say(bool flag) { say(std::int64_t{flag}); }
  void say(Duration time) { say(std::int64_t{time.count()}); }
  void say(const std::optional<int>& code) { say(code ? std::to_string(*code) : "none"); }
  void say(const Sentence& text) { (*this)(text.english(), text.in(Language::chinese)); }
  void say(const Outcome& outcome) { add(message_, outcome); }
  void say(launch::Force force) { add(message_, force); }
  void say(const std::vector<AsidePlace>& places) {
    say(2 * places.size());
    for (const AsidePlace& place : places) (*this)(place.folder, place.glob);
  }
  template <class T>
  void say(const std::vector<T>& list) {
    say(list.size());
    for (const T& one : list) say(one);
  }
  template <class T>
  void say(const std::map<std::string, T>& map) {
    say(map.size());
    for (const auto& [key, value] : map) (*this)(key, value);
  }
  template <class T>
  void say(const std::optional<T>& value) {
    say(value.has_value());
    if (value) say(*value);
  }
  template <class T>
  void say(const T& value) {
    members(*this, value);
  }

  Frame& message_;
};

// Takes them again.
class Hearing {
 public:
  explicit Hearing(WordReader& words) : words_(words) {}
  void operator()(auto&... values) { (hear(values), ...); }

 private:
  void hear(std::string& text) { text = words_.text(); }
  void hear(std::int64_t& number) { number = words_.number(); }
  void hear(std::uint64_t& number) { number = static_cast<std::uint64_t>(words_.number()); }
  void hear(int& number) { number = words_.small(); }
  void hear(bool& flag) { flag = words_.flag(); }
  void hear(Duration& time) { time = words_.time(); }
  void hear(std::optional<int>& code) {
    if (const std::string word = words_.text(); word != "none")
      code = static_cast<int>(parse_integer(word).value_or(0));
  }
  void hear(Sentence& text) {
    std::string english = words_.text();
    text = {std::move(english), words_.text()};
  }
  void hear(Outcome& outcome) { outcome = read_outcome(words_); }
  void hear(launch::Force& force) { force = read_force(words_); }
  void hear(std::vector<AsidePlace>& places) {
    const std::vector<std::string> words = words_.list();
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) places.push_back({words[i], words[i + 1]});
  }
  template <class T>
  void hear(std::vector<T>& list) {
    for (std::size_t left = words_.count(); left > 0 && words_.is_good(); --left) hear(list.emplace_back());
  }
  template <class T>
  void hear(std::map<std::string, T>& map) {
    for (std::size_t left = words_.count(); left > 0 && words_.is_good(); --left) hear(map[words_.text()]);
  }
  template <class T>
  void hear(std::optional<T>& value) {
    if (words_.flag()) hear(value.emplace());
  }
  template <class T>
  void hear(T& value) {
    members(*this, value);
  }

  WordReader& words_;
};

template <class T, class Value>
concept Is = std::same_as<std::remove_const_t<T>, Value>;

void members(auto& way, Is<launch::HostFacts> auto& facts) {
  way(facts.name, facts.device_nodes, facts.weaknesses, facts.driver, facts.toolkit, facts.firmware,
      facts.kernel);
}

void members(auto& way, Is<Hello> auto& hello) {
  way(hello.facts, hello.lease_folder, hello.session_folder, hello.variables);
}

void members(auto& way, Is<launch::Command> auto& command) {
  way(command.argv, command.env, command.cwd, command.setup, command.cookie, command.at_kill, command.needs,
      command.script, command.script_sha256, command.watched, command.asides.journal, command.asides.places,
      command.asides.kept);
}

void members(auto& way, Is<ProcessState> auto& state) {
  way(state.started, state.ended, state.empty, state.size);
}

void members(auto& way, Is<ToolAnswer> auto& answer) {
  way(answer.output, answer.errors, answer.exit_code, answer.failure, answer.missing);
}

void members(auto& way, Is<Fingerprint> auto& seen) {
  way(seen.driver, seen.firmware, seen.toolkit, seen.kernel, seen.image, seen.python, seen.packages,
      seen.switches);
}

void members(auto& way, Is<devices::Holder> auto& holder) {
  way(holder.pid, holder.host, holder.user, holder.run, holder.case_name, holder.since);
}

void members(auto& way, Is<devices::Leases::Displaced> auto& displaced) {
  way(displaced.name, displaced.by, displaced.trouble);
}

void members(auto& way, Is<FileIdentity> auto& file) { way(file.device, file.inode, file.born); }

void members(auto& way, Is<FileState> auto& state) { way(state.identity, state.size, state.written); }

template <class T>
T read_members(WordReader& words) {
  T value{};
  Hearing{words}(value);
  return value;
}

}  // namespace gate::hosts
