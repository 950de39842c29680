// What becomes of a launch's exit code, by the text of its script. In
//
//   { torchrun train.py 2>&1 || exit 1; } | tee log
//   echo done
//
// the commands are torchrun, exit, tee and echo, each with the operator behind it; the first two are a group,
// with the operator behind that. A code is lost where a command, or a group around it, is piped into another
// one, runs in the background, or is followed by what ends with a code of its own.
#include "gate/config/exit_code.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "config/scripts/script_words.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"

namespace gate::config {

namespace {

struct ShellCommand {
  std::vector<std::string> words;
  std::string joint;          // what stands behind it: `|`, `||`, `&&`, `&`, `;`
  bool is_condition = false;  // of `if`, `while`, `!`: somebody asks what it ended with
  bool is_inside = false;     // a choice, a loop or a function: it may run or not
};

// ShellCommands in brackets, or from `if` to `fi`.
struct Group {
  std::string opener;
  std::size_t first = 0, end = 0;  // of the commands
  std::string joint = {};
  std::string name = {};  // of a function
};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 5> closers{"}", ")", "fi", "done", "esac"};

class ShellCommands {
 public:
  explicit ShellCommands(std::string_view script) : text_(script) {
    while (at_ < text_.size()) read();
    end_command(";");
  }

  std::vector<ShellCommand> all;
  std::vector<Group> groups;  // those within others first

 private:
  char ahead(std::size_t by = 1) const { return at_ + by < text_.size() ? text_[at_ + by] : '\n'; }

  // Take so many characters, or what is quoted or in brackets, into the word.
  void take(std::size_t count = 1) {
    word_ += text_.substr(at_, count);
    at_ += count;
  }

  void take_to(char end) {
    const char begin = text_[at_];
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\' && begin != '\'') {
        word_ += text_.substr(at_++, 2);
        continue;
      }
      word_ += c;
      if (c == begin && begin != end) ++depth;
      if (c == end && (begin == end ? depth++ > 0 : --depth == 0)) break;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void read() {
    const char c = text_[at_], next = ahead();
    const char before = word_.empty() ? ' ' : word_.back();
    const bool is_redirected = before == '>' || before == '<';
    if (c == '\\' && next == '\n') {
      at_ += 2;
    } else if (c == '\\') {
      take(2);
    } else if (c == '#' && word_.empty()) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '"' || c == '\'') {
      take_to(c);
    } else if (c == '{' && before == '$') {
      take_to('}');
    } else if (c == '(' && (next == '(' || before == '$' || before == '=' || is_redirected)) {
      take_to(')');
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
      ++at_;
    } else if (c == '(') {
      open_bracket();
    } else if (c == ')') {
      close_bracket();
    } else if (c == '\n' || c == ';') {
      end_command(";");
      ++at_;
    } else if ((c == '&' || c == '|') && is_redirected) {
      take();
    } else if (c == '&' && next == '>') {
      take();
    } else if (c == '&' || c == '|') {
      const bool is_double = next == c;
      end_command(std::string(is_double ? 2 : 1, c));
      at_ += is_double || (c == '|' && next == '&') ? 2 : 1;
    } else {
      take();
    }
  }

  void open_bracket() {
    end_word();
    ++at_;
    if (!words_.empty() && text_.substr(at_).starts_with(')')) {  // `train()`
      ++at_;
      words_ = {"function", words_.back()};
    } else {
      words_.emplace_back("(");
      end_command("");
    }
  }

  void close_bracket() {
    ++at_;
    end_word();
    if (!words_.empty() && words_[0] == "case") return end_command("");
    if (!open_.empty() && open_.back().opener == "case") return words_.clear();
    end_command(";");
    words_ = {")"};
  }

  void end_word() {
    if (!word_.empty()) words_.push_back(std::exchange(word_, {}));
  }

  void open(std::string opener) {
    open_.push_back({std::move(opener), all.size()});
    if (open_.back().opener == "function") open_.back().name = function_;
  }

  void close(const std::string& joint) {
    if (open_.empty()) return;
    Group group = std::move(open_.back());
    open_.pop_back();
    group.end = all.size();
    group.joint = joint;
    groups.push_back(std::move(group));
  }

  void end_command(const std::string& joint) {
    constexpr std::array<std::string_view, 3> asking{"if", "while", "until"};
    constexpr std::array<std::string_view, 3> listing{"for", "select", "case"};
    constexpr std::array<std::string_view, 2> brackets{"{", "("};
    constexpr std::array<std::string_view, 4> going_on{"then", "else", "do", "time"};
    end_word();
    std::vector<std::string> words = std::exchange(words_, {});
    bool is_inverted = false;
    while (!words.empty()) {
      const std::string first = words.front();
      if (is_one_of(first, closers)) return close(joint);
      if (is_one_of(first, listing)) return open(first);
      if (is_one_of(first, asking) || first == "elif") {
        if (first != "elif") open(first);
        is_condition_ = true;
      } else if (is_one_of(first, brackets)) {
        open(std::exchange(is_function_, false) ? "function" : first);
      } else if (first == "function") {
        is_function_ = true;
        words.erase(words.begin());
        if (words.empty()) return;
        function_ = words.front();
      } else if (is_one_of(first, going_on)) {
        if (first != "time") is_condition_ = false;
      } else if (first == "!") {
        is_inverted = true;
      } else {
        break;
      }
      words.erase(words.begin());
    }
    if (words.empty()) return;
    const bool is_inside =
        std::ranges::any_of(open_, [&](const Group& group) { return !is_one_of(group.opener, brackets); });
    all.push_back({std::move(words), joint, is_condition_ || is_inverted, is_inside});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  std::vector<std::string> words_;
  std::vector<Group> open_;
  bool is_condition_ = false, is_function_ = false;
  std::string function_;  // the one that was named last
};

bool is_assignment(std::string_view word) {
  const auto said = key_and_value(word);
  return said && is_variable_name(said->key);
}

// Return the words from the program on: without what is put before it, `A=1 nohup timeout 60`.
std::vector<std::string> program_words(const ShellCommand& command) {
  constexpr std::array<std::string_view, 11> before{
      "nohup", "exec", "env", "sudo", "stdbuf", "setsid", "numactl", "taskset", "timeout", "command", "nice"};
  auto word = command.words.begin();
  for (bool is_before = false; word != command.words.end(); ++word) {
    const bool is_option = is_before && (word->starts_with('-') || is_digit(word->front()));
    if (is_one_of(*word, before))
      is_before = true;
    else if (!is_option && !is_assignment(*word))
      break;
  }
  return {word, command.words.end()};
}

// Return the program that the command launches a training with; "" of any other command.
std::string launched_by(const ShellCommand& command, bool is_logged) {
  constexpr std::array<std::string_view, 9> launchers{"torchrun",   "deepspeed",  "mpirun",
                                                      "mpiexec",    "srun",       "msrun",
                                                      "accelerate", "horovodrun", "colossalai"};
  constexpr std::array<std::string_view, 5> others{"-c", "-V", "--version", "pip", "venv"};
  const std::vector<std::string> words = program_words(command);
  if (words.empty()) return "";
  const std::string path(bare_word(words[0]));
  const std::string name = path.substr(path.rfind('/') + 1);
  const auto has = [&](auto&& is_meant) { return std::any_of(words.begin() + 1, words.end(), is_meant); };
  const bool runs_python = has([](const std::string& word) { return bare_word(word).ends_with(".py"); });
  const bool runs_script = has([](const std::string& word) { return bare_word(word).ends_with(".sh"); });
  const bool has_flags = has([](const std::string& word) { return word.starts_with("--"); });
  if (is_one_of(name, launchers)) return name;
  if (name.starts_with("python"))
    return has([&](const std::string& word) { return is_one_of(word, others); }) ? "" : name;
  if (name == "bash" || name == "sh") return runs_script || is_logged ? name : "";
  const bool is_named_elsewhere = path.starts_with('$') || name == "eval";
  if (path.ends_with(".sh")) return name;
  if (path.find_first_of("$/") != std::string::npos && (runs_python || has_flags)) return name;
  return is_named_elsewhere && is_logged ? name : "";
}

// Return the script that `eval` or a shell behind -c is given: `python3 a.py | tee b` of `bash -c "python3
// a.py | tee b"`; "" of any other command.
std::string given_script(const ShellCommand& command) {
  const std::vector<std::string> words = program_words(command);
  auto text = words.begin();
  if (!words.empty() && words[0] == "eval") {
    ++text;
  } else {
    text = std::ranges::find_if(words, [](std::string_view word) {
      const std::string_view name = word.substr(word.rfind('/') + 1);
      return name == "bash" || name == "sh";
    });
    const auto takes_one = [](std::string_view word) { return word.starts_with('-') && word.ends_with('c'); };
    text = std::find_if(text, words.end(), takes_one);
    if (text != words.end()) ++text;
  }
  if (text == words.end() || text->size() < 2 || (text->front() != '"' && text->front() != '\'')) return "";
  const std::string_view inner = without_quotes(*text);
  if (text->front() == '\'') return std::string(inner);
  std::string script;
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (inner[i] != '\\' || i + 1 == inner.size() || inner[i + 1] == '\n')
      script += inner[i];
    else
      script += inner[++i];
  return script;
}

class ExitCode {
 public:
  explicit ExitCode(std::string_view script, int depth = 0) : commands_(script), depth_(depth) {
    const std::string_view head = script.substr(0, script.find('\n'));
    const std::vector<std::string> shebang =
        head.starts_with("#!") ? texts_of(split_words(head)) : std::vector<std::string>();
    note_options(shebang);
    for (const ShellCommand& command : commands_.all) {
      if (command.words[0] == "set") note_options(command.words);
      asks_ |= command.words[0] == "trap";
    }
    keeps_pipes_ |= script.find("PIPESTATUS") != std::string_view::npos;
    for (std::size_t i = 0; i < commands_.all.size(); ++i) launches_.push_back(launch(i));
    name_functions();
  }

  Sentence dropped() const {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < commands_.all.size(); ++i) {
      if (Sentence why = lost_within(i); !why.empty()) return why;
      if (launches_[i].empty() && commands_.all[i].words[0] != "exit") continue;
      for (const Group& unit : units_of(i)) {
        const std::string name = launches_[i].empty() ? left_early(i, unit) : launches_[i];
        if (Sentence why = name.empty() ? Sentence() : lost_at(unit); !why.empty()) return lost(name, why);
      }
      if (!launches_[i].empty()) last = i;
    }
    if (!last || asks_) return {};
    const Sentence why = lost_behind(*last);
    return why.empty() ? why : lost(launches_[*last], why);
  }

 private:
  void note_options(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      keeps_pipes_ |= word == "pipefail";
      ends_early_ |= word == "errexit" || (word.starts_with('-') && word.find('e') != std::string::npos);
    }
  }

  std::string launch(std::size_t i) const {
    const ShellCommand& command = commands_.all[i];
    std::string own = launched_by(command, is_logged(i + 1, command.joint));
    if (!own.empty() || depth_ == most_depth) return own;
    const std::string script = given_script(command);
    const std::vector<std::string> inner =
        script.empty() ? std::vector<std::string>() : ExitCode(script, depth_ + 1).launches_;
    const auto found = std::ranges::find_if_not(inner, &std::string::empty);
    return found == inner.end() ? own : *found;
  }

  bool is_logged(std::size_t next, const std::string& joint) const {
    return joint == "|" && program(next) == "tee";
  }

  // Where a function launches a training, a call of it does, too.
  void name_functions() {
    for (const Group& group : commands_.groups) {
      const auto begin = launches_.begin();
      const auto is_launch = [](const std::string& name) { return !name.empty(); };
      const auto first = begin + static_cast<std::ptrdiff_t>(group.first);
      const auto end = begin + static_cast<std::ptrdiff_t>(group.end);
      if (group.name.empty() || std::none_of(first, end, is_launch)) continue;
      for (std::size_t i = group.end; i < commands_.all.size(); ++i)
        if (program(i) == group.name) launches_[i] = group.name;
    }
  }

  // What `eval` or a shell behind -c is given may drop it, too; `eval` is of this shell.
  Sentence lost_within(std::size_t i) const {
    const std::string script = depth_ == most_depth ? "" : given_script(commands_.all[i]);
    if (script.empty() || std::any_of(at(i + 1), commands_.all.end(), tells)) return {};
    ExitCode inner(script, depth_ + 1);
    inner.note_options(commands_.all[i].words);
    const bool is_eval = program(i) == "eval";
    inner.keeps_pipes_ |= is_eval && keeps_pipes_;
    inner.ends_early_ |= is_eval && ends_early_;
    return inner.dropped();
  }

  // `(...)` where the command leaves a group that tee logs with a code of its own.
  std::string left_early(std::size_t i, const Group& unit) const {
    const bool leaves = !unit.opener.empty() && tells(commands_.all[i]);
    return leaves && is_logged(unit.end, unit.joint) ? "(...)" : "";
  }

  std::string program(std::size_t i) const {
    if (i >= commands_.all.size()) return "";
    const std::vector<std::string> words = program_words(commands_.all[i]);
    return words.empty() ? commands_.all[i].words[0] : words[0];
  }

  // The command, and the groups around it, the innermost first.
  std::vector<Group> units_of(std::size_t i) const {
    std::vector<Group> units{{"", i, i + 1, commands_.all[i].joint}};
    std::ranges::copy_if(commands_.groups, std::back_inserter(units),
                         [&](const Group& group) { return group.first <= i && i < group.end; });
    return units;
  }

  Sentence lost_at(const Group& unit) const {
    if (unit.joint == "|" && !keeps_pipes_)
      return say({"| {} stands behind it without set -o pipefail", "其后是 | {}，而没有 set -o pipefail"},
                 printable(program(unit.end), 40));
    const auto waits_for_it = [](const ShellCommand& command) {
      return command.words[0] == "wait" && command.words.size() > 1;
    };
    if (unit.joint == "&" && std::ranges::none_of(commands_.all, waits_for_it))
      return say(
          {"it runs behind & and no wait PID asks for it", "它以 & 在后台运行，而没有 wait PID 查询它"});
    return {};
  }

  // Tell whether the command passes on that something failed.
  static bool tells(const ShellCommand& command) {
    const std::vector<std::string>& words = command.words;
    const bool is_end = words[0] == "exit" || words[0] == "return";
    return words[0] == "false" || (is_end && (words.size() == 1 || words[1] != "0")) ||
           std::ranges::any_of(words, [](std::string_view word) { return word.find("$?") != word.npos; });
  }

  Sentence lost_behind(std::size_t i) const {
    const auto& all = commands_.all;
    const std::vector<Group> units = units_of(i);
    if (all[i].is_condition) return lost_in_choice(i, units);
    for (const Group& unit : units)
      if (unit.joint == "||" && unit.end < all.size()) {
        std::size_t end = unit.end + 1;
        for (const Group& group : commands_.groups)
          if (group.first == unit.end) end = std::max(end, group.end);
        if (std::any_of(at(unit.end), at(end), tells)) return {};
        return say({"|| {} stands behind it", "其后是 || {}"}, printable(program(unit.end), 40));
      }
    const auto is_behind = [](const Group& unit) { return unit.joint == "&"; };
    if (ends_early_ || all[i].is_inside || std::ranges::any_of(units, is_behind)) return {};
    std::size_t next = units.back().end;
    for (std::string joint = units.back().joint; next < all.size() && joint != ";"; ++next)
      joint = all[next].joint;
    const auto runs =
        std::find_if(at(next), all.end(), [](const ShellCommand& one) { return !one.is_inside; });
    if (runs == all.end() || std::any_of(at(next), all.end(), tells)) return {};
    return say({"{} stands behind it without set -e", "其后是 {}，而没有 set -e"},
               printable(runs->words[0], 40));
  }

  std::vector<ShellCommand>::const_iterator at(std::size_t i) const {
    return commands_.all.begin() + static_cast<std::ptrdiff_t>(std::min(i, commands_.all.size()));
  }

  // `if python3 a.py; then echo good; else echo bad; fi` ends with 0 either way.
  Sentence lost_in_choice(std::size_t i, const std::vector<Group>& units) const {
    const auto asking = std::ranges::find_if(units, [](const Group& unit) {
      return !unit.opener.empty() && unit.opener != "{" && unit.opener != "(";
    });
    if (asking == units.end() || asking->opener != "if") return {};
    const auto may_tell = [](const ShellCommand& command) {
      return tells(command) || std::ranges::all_of(command.words, is_assignment);
    };
    if (std::any_of(at(i + 1), commands_.all.end(), may_tell)) return {};
    for (const Group& group : commands_.groups)
      if (!group.name.empty() && std::any_of(at(group.first), at(group.end), tells)) return {};
    return say({"an if around it asks for it, and no branch ends with exit 1",
                "由外层的 if 查询，而没有分支以 exit 1 结束"});
  }

  static Sentence lost(const std::string& name, const Sentence& why) {
    return say({"its script drops the exit code of {}: {}", "它的脚本丢弃 {} 的退出码：{}"},
               printable(name, 40), why);
  }

  static constexpr int most_depth = 4;  // of scripts in words of scripts

  ShellCommands commands_;
  int depth_;
  std::vector<std::string> launches_;  // by each command; "": none
  bool keeps_pipes_ = false, ends_early_ = false, asks_ = false;
};

}  // namespace

Sentence dropped_exit(std::string_view script) {
  const std::string folded_script = with_folded_commands(script);
  std::string text;
  for (const ScriptLine& line : lines_of_script(folded_script))
    if (!line.is_text) text += std::string(line.text) + "\n";
  return ExitCode(text).dropped();
}

}  // namespace gate::config
