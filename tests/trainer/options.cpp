#include "trainer/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tinygpt {
namespace {

// Return the number that is all of the word, if there is one within [low, high].
template <class Number>
std::optional<Number> number_in(std::string_view word, Number low, Number high) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  if (!(value >= low && value <= high)) return std::nullopt;
  return value;
}

using Set = bool (*)(Options&, std::string_view);

// A setter of one member that refuses what is not a number within [low, high], both whole numbers.
template <auto member, auto low, auto high>
bool set(Options& options, std::string_view word) {
  using Number = std::remove_reference_t<decltype(options.*member)>;
  const auto value = number_in<Number>(word, static_cast<Number>(low), static_cast<Number>(high));
  if (value) options.*member = *value;
  return value.has_value();
}

// The learning rate is the one with a fraction for a bound.
bool set_lr(Options& options, std::string_view word) {
  const auto value = number_in<double>(word, 1e-9, 1e3);
  if (value) options.lr = *value;
  return value.has_value();
}

bool set_seed(Options& options, std::string_view word) {
  options.seed_from_clock = word == "clock";
  return options.seed_from_clock ||
         set<&Options::seed, 0, std::numeric_limits<std::uint64_t>::max()>(options, word);
}

bool set_master_addr(Options& options, std::string_view word) {
  options.master_addr = word;
  return !word.empty();
}

// A folder that is printed breaks no line.
template <std::string Options::*member>
bool set_folder(Options& options, std::string_view word) {
  options.*member = word;
  return !word.empty() && std::none_of(word.begin(), word.end(), [](unsigned char c) { return c < ' '; });
}

// A switch has no value.
template <bool Options::*member, bool on = true>
bool set_switch(Options& options, std::string_view) {
  options.*member = on;
  return true;
}

struct Row {
  std::string_view name;
  std::string_view value;  // what --help calls it; a switch has none
  std::string_view range;
  std::string_view doc;
  Set set;
  const char* variable = nullptr;  // of the environment, that sets it, too
};

constexpr int kMost = 1'000'000;
constexpr int kBillion = 1'000'000'000;

constexpr std::array kRows = {
    Row{"--ranks", "N", "1 to 64", "data-parallel processes (default 2); with several nodes, of each",
        set<&Options::ranks, 1, 64>, "NPROC_PER_NODE"},
    Row{"--steps", "N", "1 to 1000000", "training steps (default 30)", set<&Options::steps, 1, kMost>},
    Row{"--seed", "N", "0 to 2^64-1, or clock",
        "of the text and the first parameters (default 1234); clock: another in every run", set_seed},
    Row{"--lr", "X", "1e-9 to 1000", "peak of the learning rate (default 0.003)", set_lr},
    Row{"--grad-scale", "X", "-1e9 to 1e9", "multiply the gradients: a silent bug in the numerics",
        set<&Options::grad_scale, -kBillion, kBillion>},
    Row{"--sleep-ms", "N", "0 to 1000000", "sleep this long in every step: a regression of speed",
        set<&Options::sleep_ms, 0, kMost>},
    Row{"--elapsed-ms", "N", "1 to 1000000", "print that every step took this long, whatever it took",
        set<&Options::elapsed_ms, 1, kMost>},
    Row{"--leak-mb", "N", "0 to 1000000", "leak this many MiB in every step, on every rank",
        set<&Options::leak_mb, 0, kMost>},
    Row{"--nan-at", "N", "1 to --steps", "loss and gradients of step N are NaN; training goes on",
        set<&Options::nan_at, 1, kMost>},
    Row{"--crash-at", "N", "1 to --steps", "a rank fails before step N", set<&Options::crash_at, 1, kMost>},
    Row{"--hang-at", "N", "1 to --steps", "a rank stops before step N; all wait for it for ever",
        set<&Options::hang_at, 1, kMost>},
    Row{"--stop-at", "N", "1 to --steps", "end after step N with exit code 0, as if that were all",
        set<&Options::stop_at, 1, kMost>},
    Row{"--save", "FOLDER", "", "save a checkpoint there after the last step", set_folder<&Options::save>},
    Row{"--save-interval", "N", "1 to 1000000", "save one after every N steps, too",
        set<&Options::save_interval, 1, kMost>},
    Row{"--no-save-optim", "", "", "leave the optimizer's state out: what goes on from there is not the same",
        set_switch<&Options::save_optim, false>},
    Row{"--save-on-term", "", "", "SIGTERM ends training after its step, with a checkpoint and exit code 0",
        set_switch<&Options::save_on_term>},
    Row{"--save-ms", "N", "0 to 1000000", "stop this long amid every checkpoint: time to be killed in",
        set<&Options::save_ms, 0, kMost>},
    Row{"--torn-tracker", "", "", "leave the tracker empty, as a host does that loses power",
        set_switch<&Options::torn_tracker>},
    Row{"--load", "FOLDER", "", "go on after the checkpoint that was saved there last, if one was",
        set_folder<&Options::load>},
    Row{"--nnodes", "N", "1 to 64", "nodes, on each of which a tinygpt is started (default 1)",
        set<&Options::nodes, 1, 64>, "NNODES"},
    Row{"--node-rank", "N", "0 to 63", "which of the nodes this is (default 0)", set<&Options::node, 0, 63>,
        "NODE_RANK"},
    Row{"--master-addr", "A", "", "address of node 0, which listens exactly there", set_master_addr,
        "MASTER_ADDR"},
    Row{"--master-port", "N", "1 to 65535", "its port (default 29500)", set<&Options::master_port, 1, 65535>,
        "MASTER_PORT"},
    Row{"--connect-limit", "S", "1 to 86400", "seconds until all nodes must be there (default 60)",
        set<&Options::connect_limit, 1, 86400>},
    Row{"--silence-limit", "S", "4 to 32767",
        "seconds until a node whose host does not answer is lost (default 60)",
        set<&Options::silence_limit, 4, 32767>},
};

struct Word {
  std::string_view name;
  std::optional<std::string_view> value;  // after `=`
};

Word split(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

const Row* row_of(std::string_view name) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == name; });
  return row == kRows.end() ? nullptr : &*row;
}

UsageError unknown(std::string_view word) { return {"unknown option '" + std::string(word) + "'"}; }

UsageError missing(const Row& row) { return {std::string(row.name) + ": its value is missing"}; }

// What values are that are no numbers.
constexpr std::array kKinds = {std::pair<std::string_view, std::string_view>{"A", "an address"},
                               std::pair<std::string_view, std::string_view>{"FOLDER", "a folder's name"}};

UsageError malformed(std::string_view name, const Row& row, std::string_view value) {
  const std::string said = std::string(name) + ": '" + std::string(value) + "' is not ";
  for (const auto& [kind, words] : kKinds)
    if (row.value == kind) return {said + std::string(words)};
  return {said + "a number from " + std::string(row.range)};
}

// A fault that would never happen is a mistake of whoever asked for it.
std::optional<UsageError> fault_after_end(const Options& o) {
  for (const auto& [name, step] : {std::pair{"--nan-at", o.nan_at}, std::pair{"--crash-at", o.crash_at},
                                   std::pair{"--hang-at", o.hang_at}, std::pair{"--stop-at", o.stop_at}})
    if (step > o.steps)
      return UsageError{std::string(name) + " " + std::to_string(step) + ": there are only " +
                        std::to_string(o.steps) + " steps"};
  return std::nullopt;
}

// So is a word about checkpoints that nobody saves.
std::optional<UsageError> nothing_saved(const Options& o) {
  if (!o.save.empty()) return std::nullopt;
  for (const auto& [name, is_set] :
       {std::pair{"--save-interval", o.save_interval != 0}, std::pair{"--no-save-optim", !o.save_optim},
        std::pair{"--save-on-term", o.save_on_term}, std::pair{"--save-ms", o.save_ms != 0},
        std::pair{"--torn-tracker", o.torn_tracker}})
    if (is_set) return UsageError{std::string(name) + ": there is no --save with a folder"};
  return std::nullopt;
}

std::optional<UsageError> wrong_nodes(const Options& o) {
  if (o.node >= o.nodes)
    return UsageError{"--node-rank " + std::to_string(o.node) + ": the last of " + std::to_string(o.nodes) +
                      " nodes is " + std::to_string(o.nodes - 1)};
  if (o.nodes > 1 && o.master_addr.empty())
    return UsageError{"--master-addr: several nodes need the address of node 0"};
  return std::nullopt;
}

using Given = std::array<bool, kRows.size()>;

// Set what the environment says and no word did.
std::optional<UsageError> take_variable(const Row& row, const Given& given, const Environment& environment,
                                        Options& options) {
  if (row.variable == nullptr || given[static_cast<std::size_t>(&row - kRows.data())]) return std::nullopt;
  const char* const value = environment(row.variable);
  if (value == nullptr || *value == '\0' || row.set(options, value)) return std::nullopt;
  return malformed(row.variable, row, value);
}

std::optional<UsageError> take_environment(const Given& given, const Environment& environment,
                                           Options& options) {
  if (!environment) return std::nullopt;
  if (auto error = take_variable(*row_of("--nnodes"), given, environment, options)) return error;
  for (const Row& row : kRows)
    if (options.nodes > 1)
      if (auto error = take_variable(row, given, environment, options)) return error;
  return std::nullopt;
}

}  // namespace

ParsedOptions parse_options(std::span<const char* const> words, const Environment& environment) {
  Options options;
  Given given{};
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == std::string_view("--help") || *word == std::string_view("-h")) return HelpWanted{};
    const Word option = split(*word);
    const Row* const row = row_of(option.name);
    if (row == nullptr) return unknown(*word);
    const bool is_switch = row->value.empty();
    if (is_switch && option.value) return UsageError{std::string(row->name) + ": it takes no value"};
    if (!is_switch && !option.value && ++word == words.end()) return missing(*row);
    const std::string_view value = option.value ? *option.value : *word;
    if (!row->set(options, value)) return malformed(row->name, *row, value);
    given[static_cast<std::size_t>(row - kRows.data())] = true;
  }
  if (auto error = take_environment(given, environment, options)) return *error;
  if (auto error = wrong_nodes(options)) return *error;
  if (auto error = fault_after_end(options)) return *error;
  if (auto error = nothing_saved(options)) return *error;
  return options;
}

std::string help_text() {
  std::string text =
      "Usage: tinygpt [OPTION [VALUE]]...\n"
      "Train a small GPT on generated text and print what Megatron-LM prints.\n\n";
  for (const Row& row : kRows) {
    std::string left = "  " + std::string(row.name) + " " + std::string(row.value);
    left.resize(20, ' ');
    text += left + std::string(row.doc) + "\n";
  }
  return text +
         "  --help            this text\n\n"
         "A training that goes on from a checkpoint prints what it would have printed without the break, to "
         "the\n"
         "last digit, if seed, ranks over all nodes, steps and all else are the same; another seed or number "
         "of\n"
         "ranks is an error, and so is a damaged file. Without a checkpoint it begins at step 1. Rank 0 of "
         "node 0\n"
         "alone saves and loads, so the folder need not be shared. FOLDER/latest_checkpointed_iteration.txt "
         "names\n"
         "the last checkpoint; it is written last. --save-on-term is --exit-signal-handler of "
         "Megatron-LM.\n\n"
         "Several nodes train as one with as many ranks does, to the last bit. Start tinygpt on each with "
         "the\n"
         "same options; --nnodes may come as NNODES of the environment and then --node-rank as NODE_RANK,\n"
         "--ranks as NPROC_PER_NODE, --master-addr as MASTER_ADDR and --master-port as MASTER_PORT. The "
         "last\n"
         "rank prints the iterations. Whoever is lost, the others end.\n\n"
         "Exit code: 0 trained, 1 a rank failed or a node was lost or did not come, 2 wrong usage.\n";
}

}  // namespace tinygpt
