#include "gate/config/accuracy_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "config/contract/contract_values.h"
#include "gate/base/text.h"
#include "gate/model/rules/grammar.h"
#include "gate/score/score_metric.h"

namespace gate::config {

namespace {

constexpr std::size_t longest_contract_value = 4096, longest_part = 255, longest_baseline_name = 32;
constexpr std::size_t shown_value = 80;

struct DefaultBound {
  ModelTestType test;
  std::string_view metric;
  Decimal threshold;
};

constexpr std::array default_bounds{
    DefaultBound{ModelTestType::inference, "bleu", {75, -2}},
    DefaultBound{ModelTestType::training, "mean_relative_error", {2, -2}},
};

// A metric, and which values it can have, where that is known.
struct ContractMetric {
  std::string name;
  Better better = Better::none;
  std::optional<Decimal> least, most;
};

std::optional<ContractMetric> contract_metric(std::string_view word) {
  if (const AccuracyMetric* row = find_accuracy_metric(word)) {
    ContractMetric metric{std::string(row->name), row->better, Decimal{row->least, 0}, std::nullopt};
    if (row->most) metric.most = Decimal{*row->most, 0};
    return metric;
  }
  const score::MetricRow* const row = score::find_metric(metric_named(word));
  if (row == nullptr) return std::nullopt;
  return ContractMetric{std::string(row->name), row->better, std::nullopt, std::nullopt};
}

std::string all_metric_names() {
  auto names = texts_of(accuracy_metrics(), &AccuracyMetric::name);
  for (const score::MetricRow& metric : score::metrics())
    if (std::ranges::find(names, metric.name) == names.end()) names.emplace_back(metric.name);
  return join(names, ", ");
}

// Return the comparisons that let the better values pass.
std::vector<Bound::Kind> fitting_comparisons(Better better) {
  using enum Bound::Kind;
  if (better == Better::higher) return {at_least, above, equals};
  if (better == Better::lower) return {at_most, below, equals};
  return {at_least, above, at_most, below, equals};
}

std::string signs_of(const std::vector<Bound::Kind>& comparisons) {
  return join(texts_of(comparisons, [&](const Bound::Kind kind) { return comparison_sign(kind); }), ", ");
}

// Return what is wrong with the bound, of a metric of which the least value is known; "" is nothing.
std::string wrong_bound(const ContractMetric& metric, Bound::Kind comparison, const Decimal& threshold) {
  if (!parse_tolerance(to_string(Bound{comparison, Bound::Side::both, threshold}))) return "is out of range";
  if (!metric.least) return "";
  const bool is_low_in = compares(*metric.least, comparison, threshold);
  const bool is_high_in = metric.most ? compares(*metric.most, comparison, threshold)
                                      : compares({1, 0}, comparison, {});  // whatever is higher
  const bool is_beyond = threshold < *metric.least || (metric.most && *metric.most < threshold);
  const bool is_any_in = comparison == Bound::Kind::equals ? !is_beyond : is_low_in || is_high_in;
  if (is_any_in && !(is_low_in && is_high_in)) return "";
  const std::string range = metric.most ? metric.least->to_string() + ".." + metric.most->to_string()
                                        : metric.least->to_string() + " and up";
  const bool is_percentage = metric.most == Decimal{1, 0} && Decimal{1, 0} < threshold;
  return fmt::format("tests nothing: {} of {} ({}) is {} {}; {}", is_any_in ? "every value" : "no value",
                     metric.name, range, comparison_sign(comparison), threshold.to_string(),
                     is_percentage ? "write a share of 1, such as 0.75" : "write one in its range");
}

bool is_part_of_path(std::string_view value) {
  return value.size() <= longest_part && value.find_first_of("/\\") == std::string_view::npos &&
         value != "." && value != ".." && !value.starts_with('-');
}

bool is_baseline_name(std::string_view value) {
  constexpr std::string_view others = "_-.";
  return value.size() <= longest_baseline_name && !value.starts_with('.') &&
         std::ranges::all_of(value, [&](char c) {
           return is_letter_or_digit(c) || others.find(c) != std::string_view::npos;
         });
}

std::string_view last_part_of_path(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}  // npos + 1 is 0

// Tell whether the path is that of a folder: it ends in a slash, or in a part without an extension.
bool looks_like_folder(std::string_view path) {
  const std::string_view last = last_part_of_path(path);
  return last.substr(std::min<std::size_t>(last.size(), 1)).find('.') == std::string_view::npos;
}

std::optional<bool> truth_of(std::string_view word) {
  const std::string lower = to_lower(word);
  if (lower == "true" || lower == "1") return true;
  if (lower == "false" || lower == "0") return false;
  return std::nullopt;
}

class ContractReader {
 public:
  ContractReader(const ContractVariables& variables, const OwnBound& own) : own_(own) {
    for (const ContractRow& row : contract_rows()) take(row, values_of(row, variables));
  }

  Parsed<AccuracyContract> read() {
    contract_.owner = part("MODEL_OWNER");
    contract_.model = part("MODEL_NAME");
    demand("MODEL_OWNER", "set it to the model's owner");
    demand("MODEL_NAME", "set it to the model's name, without its owner");
    contract_.commit = part("COMMIT_ID");
    contract_.model_template = text("MODEL_TEMPLATE");
    contract_.test_type = named("TEST_TYPE", parse_test_type, TestType::accuracy,
                                "accuracy_test or usability_test; inference and training are words of "
                                "MODEL_TEST_TYPE");
    contract_.model_test_type = named(
        "MODEL_TEST_TYPE", parse_model_test_type,
        told("DATASET_INFO") ? ModelTestType::training : ModelTestType::inference, "inference or training");
    contract_.run_as_baseline = named("RUN_AS_BASELINE", truth_of, false, "true, false, 1 or 0");
    read_baseline_name();
    contract_.baseline_id = part("BASELINE_ID");
    read_bound();
    contract_.bucket = text("BUCKET_NAME");
    contract_.endpoint = text("ENDPOINT");
    contract_.test_id = part("ACCURACY_TEST_ID");
    contract_.input_file = file("INPUT_FILE_NAME", "INPUT_FILE_PATH");
    contract_.golden_file = file("OUTPUT_FILE_NAME", "OUTPUT_FILE_PATH");
    contract_.dataset = text("DATASET_INFO");
    read_cards();
    contract_.image = name_of_letters("IMAGE_NAME", "._-/:@+");
    contract_.git_url = git_url();
    contract_.framework = name_of_letters("FRAMEWORK", "._-+");
    contract_.framework_version = name_of_letters("FRAMEWORK_VERSION", "._-+");
    contract_.cann_version = name_of_letters("CANN_VERSION", "._-+");
    if (!mistakes_.empty()) return tl::unexpected(mistakes_.take());
    return std::move(contract_);
  }

 private:
  // Keep the first of the values, if all are the same and can be shown.
  void take(const ContractRow& row, std::vector<ContractValue> values) {
    for (const ContractValue& value : values) {
      if (value.value != values.front().value)
        mistakes_.add(row.name,
                      fmt::format("{} is \"{}\" and {} is \"{}\": both name one thing; set one of them, or "
                                  "both to the same",
                                  values.front().name, printable(values.front().value, shown_value),
                                  value.name, printable(value.value, shown_value)));
      if (value.value.size() > longest_contract_value)
        complain(row.name, value, fmt::format("is longer than {} bytes", longest_contract_value));
      else if (printable(value.value, longest_contract_value) != value.value)
        complain(row.name, value,
                 "holds control characters, or bytes that are no UTF-8: set it to plain text");
    }
    if (!values.empty() && mistakes_.is_sound(row.name)) told_.emplace(row.name, std::move(values.front()));
  }

  void take_own(std::string_view name, const std::string& key, std::string value) {
    if (mistakes_.is_sound(name)) told_.emplace(name, ContractValue{"gate.toml's " + key, std::move(value)});
  }

  // Let the case's own limit stand where nothing else is told of the metric.
  void take_own_bound() {
    if (told("THRESHOLD") == nullptr && !own_.bound) {
      contract_.keeps_tolerance = true;
      if (const ContractValue* value = told("OPERATOR"))
        complain("OPERATOR", *value,
                 "stands without THRESHOLD, and gate.toml's tolerance is no single constant: set THRESHOLD, "
                 "too, or neither");
    }
    if (!own_.bound) return;
    take_own("THRESHOLD", "tolerance", own_.bound->amount.to_string());
    take_own("OPERATOR", "tolerance", std::string(comparison_sign(own_.bound->kind)));
  }

  void complain(std::string_view row, const ContractValue& value, std::string_view what) {
    mistakes_.add(row, fmt::format("{} \"{}\" {}", value.name, printable(value.value, shown_value), what));
  }

  const ContractValue* told(std::string_view name) const {
    const auto found = told_.find(name);
    return found == told_.end() ? nullptr : &found->second;
  }

  std::string text(std::string_view name) const {
    const ContractValue* value = told(name);
    return value == nullptr ? "" : value->value;
  }

  void demand(std::string_view name, std::string_view advice) {
    if (text(name).empty() && mistakes_.is_sound(name))
      mistakes_.add(name, fmt::format("{} is missing: {}", name, advice));
  }

  // What becomes the name of a folder or a file.
  std::string part(std::string_view name) {
    const ContractValue* value = told(name);
    if (value == nullptr) return "";
    if (!is_part_of_path(value->value))
      complain(
          name, *value,
          fmt::format("is no single part of a path, which it becomes: at most {} bytes without a slash, not "
                      "\".\" or \"..\", no dash in front",
                      longest_part));
    return value->value;
  }

  template <class T>
  T named(std::string_view name, std::optional<T> (*parse)(std::string_view), T otherwise,
          std::string_view allowed) {
    const ContractValue* value = told(name);
    if (value == nullptr) return otherwise;
    const std::optional<T> parsed = parse(value->value);
    if (!parsed) complain(name, *value, fmt::format("is unknown: write {}", allowed));
    return parsed.value_or(otherwise);
  }

  void read_baseline_name() {
    contract_.baseline_name = text("BASELINE_NAME");
    if (!is_baseline_name(contract_.baseline_name))
      complain(
          "BASELINE_NAME", *told("BASELINE_NAME"),
          fmt::format("is no name of a baseline: 1 to {} letters, digits, _, - and, not in front, points",
                      longest_baseline_name));
  }

  // Letters, digits and those; none that a program could take for an option.
  std::string name_of_letters(std::string_view name, std::string_view others) {
    const std::string value = text(name);
    const auto may_stand = [&](char c) { return is_letter_or_digit(c) || others.find(c) != others.npos; };
    if (value.empty() || (is_letter_or_digit(value[0]) && value.size() <= longest_part &&
                          std::ranges::all_of(value, may_stand)))
      return value;
    complain(name, *told(name),
             fmt::format("is no such name: write at most {} letters, digits and {}, a letter or digit first",
                         longest_part, others));
    return "";
  }

  // git itself knows addresses that run a program: `ext::sh -c ...`, `-upload-pack=...`.
  std::string git_url() {
    constexpr std::array<std::string_view, 4> schemes{"https://", "http://", "ssh://", "git@"};
    const std::string url = text("GIT_URL");
    const bool is_address =
        std::ranges::any_of(schemes, [&](std::string_view scheme) { return url.starts_with(scheme); }) &&
        url.find_first_of(" \\\"'`$;|<>") == std::string::npos;
    if (url.empty() || is_address) return url;
    complain("GIT_URL", *told("GIT_URL"),
             "is no address of a repository: write https://..., ssh://... or git@HOST:PATH");
    return "";
  }

  void read_cards() {
    const ContractValue* value = told("NUM_COMPUTE_CARDS");
    contract_.tells_cards = value != nullptr;
    if (value == nullptr) return;
    const auto number = parse_integer(value->value);
    if (number == 1 || number == 2 || number == 4 || number == 8)
      contract_.cards = static_cast<int>(*number);
    else
      complain("NUM_COMPUTE_CARDS", *value, "is no number of cards: 1, 2, 4 or 8");
  }

  void read_bound() {
    const bool has_own = contract_.is_comparison() && !own_.metric.empty();
    if (has_own) take_own("METRIC", "metric", own_.metric);
    const bool is_open = own_.is_unknown && (told("METRIC") == nullptr || told("THRESHOLD") == nullptr);
    const std::optional<ContractMetric> metric =
        is_open && told("METRIC") == nullptr ? std::nullopt : read_metric();
    if (has_own && metric && metric->name == own_.metric && own_.has_tolerance) take_own_bound();
    if (metric) contract_.metric = metric->name;
    if (contract_.keeps_tolerance) return;
    const std::optional<Decimal> threshold = read_threshold(is_open ? std::nullopt : metric);
    const std::optional<Bound::Kind> comparison = read_comparison(metric);
    if (!metric || !threshold || !comparison) return;
    contract_.threshold = *threshold;
    contract_.comparison = *comparison;
    const std::string wrong = wrong_bound(*metric, *comparison, *threshold);
    if (wrong.empty()) return;
    complain("THRESHOLD", *told("THRESHOLD"), wrong);
  }

  std::optional<ContractMetric> read_metric() {
    const ContractValue* value = told("METRIC");
    const auto* otherwise = std::ranges::find(default_bounds, contract_.model_test_type, &DefaultBound::test);
    const auto metric = contract_metric(value == nullptr ? otherwise->metric : value->value);
    if (!metric) complain("METRIC", *value, "is unknown: one of " + all_metric_names());
    const bool trains = contract_.model_test_type == ModelTestType::training && contract_.is_comparison();
    if (trains && metric && is_metric_of_text(metric->name))
      complain("METRIC", *value,
               "is a metric of text, and a training has losses: one of " + join(number_metrics(), ", "));
    return mistakes_.is_sound("METRIC") ? metric : std::nullopt;
  }

  std::optional<Decimal> read_threshold(const std::optional<ContractMetric>& metric) {
    if (const ContractValue* value = told("THRESHOLD")) {
      const std::optional<Decimal> number = Decimal::parse(value->value);
      if (!number) complain("THRESHOLD", *value, "is no number: write one such as 0.75");
      return number;
    }
    if (!metric) return std::nullopt;
    const auto* otherwise = std::ranges::find(default_bounds, metric->name, &DefaultBound::metric);
    if (otherwise != default_bounds.end()) return otherwise->threshold;
    if (mistakes_.is_sound("THRESHOLD"))
      mistakes_.add(
          "THRESHOLD",
          fmt::format("THRESHOLD is missing: {} has no default; set what it is held against", metric->name));
    return std::nullopt;
  }

  std::optional<Bound::Kind> read_comparison(const std::optional<ContractMetric>& metric) {
    const ContractValue* value = told("OPERATOR");
    const std::vector<Bound::Kind> fitting = fitting_comparisons(metric ? metric->better : Better::none);
    if (value == nullptr) return fitting.front();
    const std::optional<Bound::Kind> comparison = comparison_of(value->value);
    const bool is_known = comparison && *comparison != Bound::Kind::differs;
    if (!is_known) {
      complain("OPERATOR", *value, "is unknown: write " + signs_of(fitting));
    } else if (std::ranges::find(fitting, *comparison) == fitting.end()) {
      complain("OPERATOR", *value,
               fmt::format("lets the worse pass, for of {} {} is better: write {}", metric->name,
                           to_string(metric->better), signs_of(fitting)));
    }
    return mistakes_.is_sound("OPERATOR") ? comparison : std::nullopt;
  }

  std::string file(std::string_view name_variable, std::string_view path_variable) {
    const std::string name = part(name_variable), path = text(path_variable);
    if (path.empty()) return name;
    if (name.empty()) {
      if (path.ends_with('/'))
        complain(path_variable, *told(path_variable),
                 fmt::format("is a folder: set {} to the name of the file in it", name_variable));
      return path;
    }
    if (last_part_of_path(path) == name) return path;
    if (!looks_like_folder(path))
      complain(path_variable, *told(path_variable),
               fmt::format("is not where {} \"{}\" is: end it in this name, or in a slash if it is a folder",
                           name_variable, printable(name, shown_value)));
    return path + (path.ends_with('/') ? "" : "/") + name;
  }

  std::map<std::string, ContractValue, std::less<>> told_;  // by canonical name
  const OwnBound& own_;
  ContractMistakes mistakes_;
  AccuracyContract contract_;
};

}  // namespace

std::string metric_named(std::string_view word) {
  if (const AccuracyMetric* row = find_accuracy_metric(word)) return std::string(row->name);
  for (const score::MetricRow& row : score::metrics())
    if (to_lower(row.name) == to_lower(word)) return std::string(row.name);
  return std::string(word);
}

bool is_metric_of_text(std::string_view name) {
  const score::MetricRow* row = score::find_metric(name);
  return row != nullptr && row->input == score::Input::text;
}

std::vector<std::string> number_metrics() {
  std::vector<std::string> names;
  for (const score::MetricRow& row : score::metrics())
    if (row.input == score::Input::numbers) names.emplace_back(row.name);
  return names;
}

Parsed<AccuracyContract> read_accuracy_contract(const ContractVariables& variables, const OwnBound& own) {
  return ContractReader(variables, own).read();
}

}  // namespace gate::config
