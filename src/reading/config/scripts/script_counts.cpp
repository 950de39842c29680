#include "gate/config/script_counts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "config/scripts/script_words.h"
#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"

namespace gate::config {

namespace {

enum class Says : std::uint8_t { devices, nodes, world, port, rank, master };

struct WordRow {
  std::string_view word;
  Says says;
};
constexpr std::array words{
    WordRow{"GPUS_PER_NODE", Says::devices},    WordRow{"NPUS_PER_NODE", Says::devices},
    WordRow{"NPROC_PER_NODE", Says::devices},   WordRow{"--nproc_per_node", Says::devices},
    WordRow{"--nproc-per-node", Says::devices}, WordRow{"NNODES", Says::nodes},
    WordRow{"--nnodes", Says::nodes},           WordRow{"WORLD_SIZE", Says::world},
    WordRow{"MASTER_PORT", Says::port},         WordRow{"--master_port", Says::port},
    WordRow{"--master-port", Says::port},       WordRow{"NODE_RANK", Says::rank},
    WordRow{"--node_rank", Says::rank},         WordRow{"--node-rank", Says::rank},
    WordRow{"MASTER_ADDR", Says::master},       WordRow{"--master_addr", Says::master},
    WordRow{"--master-addr", Says::master},
};
constexpr std::int64_t most_counted = 4096, last_port = 65535;
constexpr std::int64_t here = 1;  // MASTER_ADDR

struct Counted {
  std::set<std::int64_t> numbers;
  std::string computed;  // the first that is no number
  std::vector<std::string> values = {};
};

// `N` and `16` of `${N:-16}`, `N` of `$N`; no name: the word is another one.
struct VariableWord {
  std::string name;
  std::string otherwise = {};
};

VariableWord variable_word(std::string_view word) {
  const auto is_of_name = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  if (!word.starts_with('$')) return {};
  const bool is_braced = word.starts_with("${") && word.ends_with('}');
  const std::string_view inner = is_braced ? word.substr(2, word.size() - 3) : word.substr(1);
  const auto end = std::ranges::find_if_not(inner, is_of_name) - inner.begin();
  std::string_view rest = inner.substr(static_cast<std::size_t>(end));
  if (rest.starts_with(':')) rest.remove_prefix(1);
  const bool has_other = is_braced && (rest.starts_with('-') || rest.starts_with('='));
  if (end == 0 || (!has_other && static_cast<std::size_t>(end) != inner.size())) return {};
  return {std::string(inner.substr(0, static_cast<std::size_t>(end))),
          has_other ? std::string(rest.substr(1)) : ""};
}

bool is_set_by_gate(std::string_view name) {
  return std::ranges::find(words, name, &WordRow::word) != words.end();
}

bool is_loopback(std::string_view address) {
  return address == "localhost" || address == "::1" || address.starts_with("127.");
}

std::optional<std::int64_t> number_in(Says says, std::string_view value) {
  if (says == Says::master) return is_loopback(value) ? std::optional(here) : std::nullopt;
  const std::int64_t least = says == Says::rank ? 0 : 1, most = says == Says::port ? last_port : most_counted;
  const auto number = parse_integer(value);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

void note(Counted& found, Says says, std::string_view value, std::string_view word, bool is_flag) {
  found.values.emplace_back(without_quotes(value));
  if (const auto number = number_in(says, without_quotes(value)))
    found.numbers.insert(*number);
  else if (!is_flag && found.computed.empty())
    found.computed = std::string(word);
}

class CountReader {
 public:
  void read(const std::vector<std::string>& line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      for (const WordRow& row : words) count(row, line, i);
      if (const std::size_t equals = line[i].find('='); equals != std::string::npos)
        assigned_[line[i].substr(0, equals)].emplace_back(without_quotes(line[i].substr(equals + 1)));
    }
  }

  // Return each number that the words get, once, in their order.
  std::vector<GivenCount> given(Says says) const {
    std::vector<GivenCount> all;
    for (const std::string& value : counted_of(says).values) add_given(says, value, "", 0, all);
    return all;
  }

  const Counted& counted_of(Says says) const { return found_[static_cast<std::size_t>(says)]; }

 private:
  void count(const WordRow& row, const std::vector<std::string>& line, std::size_t i) {
    const std::string_view word = line[i];
    const bool is_flag = row.word.starts_with('-');
    if (!word.starts_with(row.word)) return;
    const std::string_view rest = word.substr(row.word.size());
    Counted& found = found_[static_cast<std::size_t>(row.says)];
    if (rest.starts_with('=')) note(found, row.says, rest.substr(1), word, is_flag);
    if (is_flag && rest.empty() && i + 1 < line.size()) note(found, row.says, line[i + 1], word, is_flag);
  }

  // Add what the value is: a number, or those that its variable may have.
  void add_given(Says says, const std::string& value, const std::string& variable, int depth,
                 std::vector<GivenCount>& all) const {
    constexpr int deepest = 8;
    if (const auto number = number_in(says, value)) {
      const auto is_same = [&](const GivenCount& one) { return one.number == *number; };
      if (std::ranges::none_of(all, is_same)) all.push_back({static_cast<int>(*number), variable});
      return;
    }
    const auto [name, otherwise] = variable_word(value);
    if (name.empty() || depth == deepest) return;
    bool is_assigned = false;
    if (const auto assigned = assigned_.find(name); assigned != assigned_.end())
      for (const std::string& one : assigned->second) {
        const bool is_own = variable_word(one).name == name;
        is_assigned |= !is_own;
        if (!is_own || one != value) add_given(says, one, variable, is_own ? deepest - 1 : depth + 1, all);
      }
    if (!is_assigned && !is_set_by_gate(name)) add_given(says, otherwise, name, deepest, all);
  }

  std::array<Counted, 6> found_;
  std::map<std::string, std::vector<std::string>> assigned_;  // by the variable
};

std::optional<int> only(const Counted& found) {
  if (found.numbers.size() != 1 || !found.computed.empty()) return std::nullopt;
  return static_cast<int>(*found.numbers.begin());
}

bool says_nothing(const Counted& found) { return found.numbers.empty() && found.computed.empty(); }

// `what` are the numbers: `number of devices`.
Sentence why_unclear(const Counted& found, const Sentence& what) {
  if (!found.computed.empty()) return say({"{} is no number", "{} 不是数字"}, printable(found.computed, 60));
  if (found.numbers.empty()) return say({"no number of devices is given", "没有写明设备数"});
  const std::vector<std::int64_t> numbers(found.numbers.begin(), found.numbers.end());
  return say({"several {} are given: {}", "写了多个{}：{}"}, what, to_string(StepSet(numbers)));
}

// The devices of all nodes, over the nodes.
void share_world(const Counted& world, const Counted& nodes, ScriptCounts& counts) {
  const std::optional<int> all = only(world);
  if (!all)
    counts.unclear = why_unclear(world, say({"numbers for WORLD_SIZE", " WORLD_SIZE"}));
  else if (!says_nothing(nodes) && !counts.nodes)
    counts.unclear = why_unclear(nodes, say({"numbers of nodes", "节点数"}));
  else if (*all % counts.nodes.value_or(1) != 0)
    counts.unclear = say({"WORLD_SIZE={} is no multiple of NNODES={}", "WORLD_SIZE={} 不是 NNODES={} 的倍数"},
                         *all, *counts.nodes);
  else
    counts.devices = *all / counts.nodes.value_or(1);
  if (counts.devices) counts.all_devices.push_back({*counts.devices, ""});
}

}  // namespace

ScriptCounts read_script_counts(std::string_view script) {
  CountReader reader;
  for (const std::string_view line : split(script, '\n')) reader.read(words_of_line(line));
  const Counted& devices = reader.counted_of(Says::devices);
  ScriptCounts counts{only(devices),
                      only(reader.counted_of(Says::nodes)),
                      only(reader.counted_of(Says::port)),
                      "",
                      only(reader.counted_of(Says::rank)),
                      only(reader.counted_of(Says::master)).has_value(),
                      reader.given(Says::devices),
                      reader.given(Says::nodes)};
  if (says_nothing(devices))
    share_world(reader.counted_of(Says::world), reader.counted_of(Says::nodes), counts);
  else if (!counts.devices)
    counts.unclear = why_unclear(devices, say({"numbers of devices", "设备数"}));
  return counts;
}

}  // namespace gate::config
