#include "cli/manual/completion.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "cli/options/commands.h"
#include "cli/options/options.h"
#include "cli/screen/terminal.h"
#include "cli/world/world.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/extract/format.h"
#include "gate/judge/profile.h"
#include "gate/judging/refusals.h"
#include "gate/model/numbers/metric.h"
#include "gate/store/run_folder.h"
#include "gate/stored/baseline.h"
#include "gate/stored/status.h"

namespace gate::cli {

namespace {

// --- names of a suite, and of the tables ---------------------------------------------------------

void offer_names(Completion& into, const std::set<std::string>& names) {
  for (const std::string& name : names) into.candidates.push_back({name, ""});
}

void offer_cases(Completion& into, const CommandOptions& options) {
  if (const auto suite = suite_of(options))
    for (const config::Case& spec : suite->cases) into.candidates.push_back({spec.name, ""});
}

void offer_tags(Completion& into, const CommandOptions& options) {
  std::set<std::string> tags;
  if (const auto suite = suite_of(options))
    for (const config::Case& spec : suite->cases)
      tags.insert(spec.settings.tags.begin(), spec.settings.tags.end());
  offer_names(into, tags);
}

void offer_strategies(Completion& into, const CommandOptions& options) {
  if (const auto suite = suite_of(options))
    for (const config::Strategy& one : suite->policy.strategies()) into.candidates.push_back({one.name, ""});
}

// Those that have baselines.
void offer_platforms(Completion& into, const CommandOptions& options) {
  std::set<std::string> platforms;
  if (const auto suite = suite_of(options))
    for (const auto& [name, of_case] : store::places_by_case(suite->layout))
      for (const store::BaselinePlace& place : of_case) platforms.insert(place.platform);
  platforms.erase("");
  offer_names(into, platforms);
}

// Groups, and hosts of them.
void offer_hosts(Completion& into, const CommandOptions& options) {
  const auto suite = suite_of(options);
  if (!suite) return;
  std::set<std::string> hosts{std::string(config::local_host)};
  for (const auto& [group, members] : suite->policy.hosts().groups) {
    into.candidates.push_back({group, join(members, ", ")});
    hosts.insert(members.begin(), members.end());
  }
  for (const auto& [group, members] : suite->policy.hosts().groups) hosts.erase(group);
  offer_names(into, hosts);
}

void offer_runs(Completion& into, const CommandOptions& options) {
  into.takes_folders = true;
  for (const std::string& id : store::run_ids(app::find_suite_root(options.folder)))
    into.candidates.push_back({id, ""});
}

// Those that go on, wherever their suites are.
void offer_running(Completion& into, const CommandOptions& options) {
  for (const RunStatus& run : app::runs_going_on("")) into.candidates.push_back({run.run, run.suite});
  offer_runs(into, options);
}

void offer_stoppable(Completion& into, const CommandOptions& options) {
  for (const RunStatus& run : app::runs_going_on(app::find_suite_root(options.folder))) {
    into.candidates.push_back({run.run, run.suite});
    for (const CaseStatus& c : run.cases)
      if (!c.verdict) into.candidates.push_back({c.name, "case of run " + run.run});
  }
}

void offer_compared(Completion& into, const CommandOptions& options) {
  offer_cases(into, options);
  offer_runs(into, options);
  into.takes_files = true;
}

void offer_files(Completion& into, const CommandOptions&) { into.takes_files = true; }

void offer_folders(Completion& into, const CommandOptions&) { into.takes_folders = true; }

void offer_profiles(Completion& into, const CommandOptions&) {
  for (const judge::ProfileRow& row : judge::profiles())
    into.candidates.push_back({std::string(row.name), std::string(row.doc.english)});
}

void offer_formats(Completion& into, const CommandOptions&) {
  for (const extract::FormatRow& row : extract::formats())
    into.candidates.push_back({std::string(row.name), std::string(row.doc)});
  into.candidates.push_back({std::string(extract::no_format), "by patterns alone"});
}

void offer_metrics(Completion& into, const CommandOptions&) {
  for (const Metric& metric : built_in_metrics()) into.candidates.push_back({metric.name, metric.doc});
}

void offer_refusals(Completion& into, const CommandOptions&) {
  for (const std::string& name : app::refusal_names()) into.candidates.push_back({name, ""});
}

void offer_attempts(Completion& into, const CommandOptions&) {
  for (const char* word : {"last", "first", "all"}) into.candidates.push_back({word, ""});
}

void offer_places(Completion& into, const CommandOptions&) {
  for (const char* word : {"general", "platform"}) into.candidates.push_back({word, ""});
}

void offer_nothing(Completion&, const CommandOptions&) {}

// --- what stands for what ------------------------------------------------------------------------

// What a word of --help stands for: alone, or behind the flag, or as the second word of the command. A word
// in small letters that has no row stands for itself, one in capitals for what nobody can list.
struct ValueRow {
  std::string_view value;
  void (*offer)(Completion& into, const CommandOptions& options);
};

constexpr std::array<ValueRow, 27> value_rows{{{"A B ...", offer_compared},
                                               {"status RUN 1", offer_running},
                                               {"stop RUN|CASE 1", offer_stoppable},
                                               {"CASE", offer_cases},
                                               {"explain CASE 2", offer_metrics},
                                               {"RUN", offer_runs},
                                               {"T", offer_tags},
                                               {"STRATEGY", offer_strategies},
                                               {"P", offer_platforms},
                                               {"LOG", offer_files},
                                               {"FILE", offer_files},
                                               {"F", offer_files},
                                               {"KIND=FILE", offer_files},
                                               {"DIR", offer_folders},
                                               {"--log-format NAME", offer_formats},
                                               {"--despite NAME", offer_refusals},
                                               {"K", offer_attempts},
                                               {"WHERE", offer_places},
                                               {"LIST", offer_metrics},
                                               {"metrics", offer_metrics},
                                               {"hosts", offer_hosts},
                                               {"profile", offer_profiles},
                                               {"list", offer_nothing},
                                               {"of", offer_nothing},
                                               {"or", offer_nothing},
                                               {"count", offer_nothing},
                                               {"duration", offer_nothing}}};

bool offer_row(Completion& into, std::string_view value, const CommandOptions& options) {
  const auto row = std::ranges::find(value_rows, value, &ValueRow::value);
  if (row == value_rows.end()) return false;
  row->offer(into, options);
  return true;
}

bool is_small(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '-'; });
}

// The words of `text|json`, `CASE|RUN`, `auto, on or off`, `{text,markdown}`.
std::vector<std::string> parts_of(std::string value) {
  std::ranges::replace_if(
      value, [](char c) { return c == '|' || c == ',' || c == '{' || c == '}'; }, ' ');
  return texts_of(split_words(value));
}

// Offer what the value may be; `place` is what its row is known by where the value alone tells too little.
void offer_values(Completion& into, const OptionSyntax& option, const std::string& place,
                  const CommandOptions& options) {
  const bool is_listed = option.range.starts_with('{');
  if (!is_listed && (offer_row(into, place, options) || offer_row(into, option.value, options))) return;
  for (const std::string& part : parts_of(is_listed ? option.range : option.value))
    if (!offer_row(into, part, options) && is_small(part)) into.candidates.push_back({part, ""});
}

// --- the line before the word --------------------------------------------------------------------

// Where a shell leaves it to the program what ~ is.
std::string at_home(const std::string& path) {
  const auto home = variable_if_set("HOME");
  return path.starts_with("~/") && home ? *home + path.substr(1) : path;
}

// Reads the words of a line, and tells what the next one may be.
class Line {
 public:
  explicit Line(const std::vector<CommandSyntax>& syntax) : syntax_(syntax) {}

  void take(const std::string& word);
  Completion next(const std::string& word) const;

 private:
  bool is_flag(const std::string& word) const { return !behind_dashes_ && word.starts_with("-"); }
  const OptionSyntax* find(const std::string& name) const;
  void take_value(const OptionSyntax& option, const std::string& value);
  void take_flag(const std::string& word);
  void take_name(const std::string& word);
  void offer_commands(Completion& into) const;
  void offer_flags(Completion& into) const;
  void offer_words(Completion& into) const;
  void offer_after_equals(Completion& into, const std::string& word) const;

  const std::vector<CommandSyntax>& syntax_;
  CommandOptions options_;                  // of these the folder and the file of the suite
  std::string name_;                        // of the command, as far as it was said
  const CommandSyntax* command_ = nullptr;  // once it is known
  const OptionSyntax* open_ = nullptr;      // the flag whose value comes next
  bool behind_dashes_ = false;
  int words_ = 0;
};

const OptionSyntax* Line::find(const std::string& name) const {
  const OptionSyntax* own = command_ == nullptr ? nullptr : find_option(*command_, name);
  return own != nullptr ? own : find_option(syntax_.front(), name);
}

void Line::take_value(const OptionSyntax& option, const std::string& value) {
  if (option.names.back() == "-C") options_.folder = at_home(value);
  if (option.names.back() == "--config") options_.config = at_home(value);
}

void Line::take_flag(const std::string& word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const OptionSyntax* option = find(word.substr(0, equals));
  if (option == nullptr) return;
  if (equals < word.size())
    take_value(*option, word.substr(equals + 1));
  else if (option->most > 0)
    open_ = option;
}

void Line::take_name(const std::string& word) {
  name_ += (name_.empty() ? "" : " ") + word;
  const auto command = std::ranges::find(syntax_, name_, &CommandSyntax::name);
  if (command != syntax_.end()) command_ = &*command;
}

void Line::take(const std::string& word) {
  const OptionSyntax* open = std::exchange(open_, nullptr);
  if (open != nullptr && (open->least > 0 || !is_flag(word))) return take_value(*open, word);
  if (word == "--")
    behind_dashes_ = true;
  else if (is_flag(word) && word != "-")
    take_flag(word);
  else if (command_ == nullptr)
    take_name(word);
  else
    ++words_;
}

// Of `baseline record` the first word, and once that was said the second.
void Line::offer_commands(Completion& into) const {
  const std::string before = name_.empty() ? "" : name_ + " ";
  for (const CommandSyntax& command : syntax_) {
    if (command.name.empty() || !command.name.starts_with(before)) continue;
    const std::string rest = command.name.substr(before.size());
    const std::string word = rest.substr(0, rest.find(' '));
    const bool is_group = word != rest;
    if (into.candidates.empty() || into.candidates.back().word != word)
      into.candidates.push_back({word, is_group ? std::string(doc_of_baseline) : command.doc});
  }
}

void Line::offer_flags(Completion& into) const {
  std::set<std::string> known;
  if (command_ != nullptr) known.insert("--version");  // which no command takes
  const auto offer = [&](const CommandSyntax& command) {
    for (const OptionSyntax& option : command.options)
      for (const std::string& name : option.names)
        if (known.insert(name).second) into.candidates.push_back({name, option.doc});
  };
  if (command_ != nullptr) offer(*command_);
  offer(syntax_.front());
}

void Line::offer_words(Completion& into) const {
  const std::optional<OptionSyntax>& words = command_->words;
  if (behind_dashes_ && takes_args(command_->name)) {
    into.takes_files = true;
  } else if (words && words_ < words->most) {
    const std::string place = command_->name + " " + words->value + " " + std::to_string(words_ + 1);
    offer_values(into, *words, place, options_);
  } else {
    offer_flags(into);
  }
}

// The value behind `--flag=` is of the word, so each candidate has both.
void Line::offer_after_equals(Completion& into, const std::string& word) const {
  const std::string name = word.substr(0, word.find('='));
  const OptionSyntax* option = find(name);
  if (option == nullptr || option->most == 0) return;
  offer_values(into, *option, name + " " + option->value, options_);
  for (Candidate& candidate : into.candidates) candidate.word = name + "=" + candidate.word;
}

Completion Line::next(const std::string& word) const {
  Completion completion;
  if (open_ != nullptr) offer_values(completion, *open_, open_->names.back() + " " + open_->value, options_);
  if (open_ != nullptr && open_->least > 0) return completion;
  if (is_flag(word) && word.find('=') != std::string::npos)
    offer_after_equals(completion, word);
  else if (is_flag(word))
    offer_flags(completion);
  else if (command_ == nullptr)
    offer_commands(completion);
  else if (open_ == nullptr)
    offer_words(completion);
  return completion;
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

}  // namespace

Completion complete(const std::vector<CommandSyntax>& syntax, const std::vector<std::string>& words) {
  Line line(syntax);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) line.take(words[i]);
  return line.next(words.empty() ? "" : words.back());
}

std::string completion_lines(const Completion& completion) {
  std::string out;
  for (const Candidate& candidate : completion.candidates)
    if (!has_control(candidate.word)) out += candidate.word + "\t" + in_one_line(candidate.doc) + "\n";
  if (completion.takes_files) out += "\tfiles\n";
  if (completion.takes_folders && !completion.takes_files) out += "\tfolders\n";
  return out;
}

app::Answer<int> completion_command(const CommandOptions& options, Terminal& terminal) {
  if (!options.script_args.empty()) {
    terminal.print(completion_lines(complete(command_syntax(), options.script_args)));
    return exit_code::ok;
  }
  const char* script = completion_script(options.words.empty() ? "" : options.words.front());
  if (script == nullptr) return app::usage("completion: name the shell: bash, zsh or fish");
  terminal.print(script);
  return exit_code::ok;
}

}  // namespace gate::cli
