#include "config/layers/metrics.h"

#include <algorithm>
#include <array>

#include "config/tables/policy_tables.h"
#include "gate/base/text.h"
#include "gate/config/formulas.h"
#include "gate/config/peaks.h"

namespace gate::config {

namespace {

constexpr std::array keys_of_a_log{"pattern", "key", "scale", "thousands", "numbered", "pick"};

struct Node {
  const Draft* draft = nullptr;
  judge::Derivation derivation;
};

// By name: tens of thousands of formulas fit into a file, so nothing here recurses along them.
using Nodes = std::map<std::string, Node, std::less<>>;

// Puts the derivations into the metrics, and into the table the unit and the numbering that a formula gives
// its metric. Reports, at the formula: a metric or a peak that nobody knows, a metric that is called as a
// number which the case tells, units that cannot be added, a declared
// unit that is not the formula's, operands that are numbered otherwise, formulas that use one another in a
// circle, the metric of another case that itself compares cases; and keys beside it that speak of a log.
class DerivationAdder {
 public:
  DerivationAdder(Metrics& metrics, const Drafts& drafts, const Peaks& peaks, Diagnostics& mistakes)
      : metrics_(metrics), peaks_(peaks), mistakes_(mistakes) {
    for (const Draft& draft : drafts.all()) add(draft);
  }

  void add_all();

 private:
  void add(const Draft& draft);
  void report(const Draft& draft, std::string message);
  void report(const Node& node, const std::string& what);
  std::string unknown_peak(const std::string& type, const std::string& at) const;
  std::string unknown_in(const judge::Term& term) const;
  bool knows_all_of(const Node& node);
  std::vector<std::string> uses_of(const Node& node) const;
  void resolve(Node& node);
  void add_cases(judge::Derivation& derivation);
  bool compares_cases(const std::string& metric) const;
  void give_unit(const Node& node);
  void report_circle();

  Metrics& metrics_;
  const Peaks& peaks_;
  Diagnostics& mistakes_;
  Nodes open_;  // not yet resolved
  std::map<std::string, std::size_t, std::less<>> resolved_;
};

void DerivationAdder::report(const Draft& draft, std::string message) {
  mistakes_.push_back({draft.find("formula")->raw.at, std::move(message)});
  metrics_.broken.insert(draft.name);
}

void DerivationAdder::report(const Node& node, const std::string& what) {
  report(*node.draft, "formula \"" + printable(node.derivation.formula.text, 80) + "\": " + what);
}

void DerivationAdder::add(const Draft& draft) {
  const TableEntry* entry = draft.find("formula");
  if (entry == nullptr) return;
  for (const char* key : keys_of_a_log)
    if (draft.find(key) != nullptr)
      report(draft, "metric \"" + printable(draft.name, 80) + "\" has both a formula and " + key +
                        ", which is of what a log prints; leave one of them out");
  Declared declared;
  declared.metric.name = draft.name;
  if (assign_metric_key(declared, "formula", entry->raw))
    open_[draft.name] = {&draft, {draft.name, std::move(*declared.formula), {}}};
}

std::string DerivationAdder::unknown_peak(const std::string& type, const std::string& at) const {
  std::vector<std::string> names{std::string(auto_peak)};
  for (const auto& [one, by_platform] : peaks_) names.push_back(one);
  for (const PublishedPeak& peak : published_peaks())
    if (std::ranges::find(names, peak.type) == names.end()) names.emplace_back(peak.type);
  if (std::ranges::find(names, type) != names.end()) return "";
  const std::string hint = did_you_mean(type, names);
  return "unknown peak \"" + printable(type, 80) + "\"" + at +
         (hint.empty() ? "; known: " + some_of(names, 20) : hint);
}

// Return what nobody knows of the term, or two know; "" if it is well.
std::string DerivationAdder::unknown_in(const judge::Term& term) const {
  const std::string at = " at character " + std::to_string(term.character);
  const bool is_metric = metrics_.table.find(term.metric) != nullptr;
  std::vector<std::string> names;
  if (term.is_told() && is_metric)
    return term.metric + at + " is a number that the case tells, and a metric has this name, too; rename it";
  if (term.is_told() && term.metric == "flops_per_token") {
    const bool is_known = term.type == megatron_estimate || term.type == six_n_estimate;
    return is_known ? ""
                    : "unknown estimate \"" + printable(term.type, 80) + "\"" + at + "; known: megatron, 6N";
  }
  if (term.is_told() && !term.type.empty()) return unknown_peak(term.type, at);
  if (term.kind != judge::Term::Kind::metric || is_metric) return "";
  for (const Metric& metric : metrics_.table.all()) names.push_back(metric.name);
  return "unknown metric \"" + printable(term.metric, 80) + "\"" + at + did_you_mean(term.metric, names);
}

bool DerivationAdder::knows_all_of(const Node& node) {
  for (const judge::Term& term : node.derivation.formula.terms) {
    const std::string unknown = unknown_in(term);
    if (unknown.empty()) continue;
    report(node, unknown);
    return false;
  }
  return true;
}

// Return the open formulas that the node's formula uses.
std::vector<std::string> DerivationAdder::uses_of(const Node& node) const {
  std::vector<std::string> used;
  for (const judge::Term& term : node.derivation.formula.terms)
    if (term.kind == judge::Term::Kind::metric && open_.contains(term.metric)) used.push_back(term.metric);
  return used;
}

bool DerivationAdder::compares_cases(const std::string& metric) const {
  const auto known = resolved_.find(metric);
  return known != resolved_.end() && !metrics_.derivations[known->second].cases.empty();
}

void DerivationAdder::add_cases(judge::Derivation& derivation) {
  std::vector<std::string>& cases = derivation.cases;
  for (const judge::Term& term : derivation.formula.terms) {
    if (!term.case_name.empty()) cases.push_back(term.case_name);
    if (!compares_cases(term.metric)) continue;
    const std::vector<std::string>& more = metrics_.derivations[resolved_.at(term.metric)].cases;
    cases.insert(cases.end(), more.begin(), more.end());
  }
  std::ranges::sort(cases);
  cases.erase(std::unique(cases.begin(), cases.end()), cases.end());
}

// What is computed from a speed is one, and so is bound to its platform; memory likewise.
MetricKind derived_kind(const judge::Formula& formula, const MetricTable& metrics) {
  MetricKind kind = MetricKind::other;
  for (const judge::Term& term : formula.terms) {
    if (term.kind != judge::Term::Kind::metric) continue;
    const MetricKind operand = metrics.get(term.metric).kind;
    if (operand == MetricKind::speed || (operand == MetricKind::memory && kind == MetricKind::other))
      kind = operand;
  }
  return kind;
}

void DerivationAdder::give_unit(const Node& node) {
  const judge::Formula& formula = node.derivation.formula;
  Metric metric = metrics_.table.get(node.draft->name);
  const bool declared = node.draft->find("unit") != nullptr || MetricTable().find(metric.name) != nullptr;
  const Result<std::string> unit =
      unit_of(formula, metrics_.table, declared ? std::optional(metric.unit) : std::nullopt);
  const Result<Numbering> numbered = numbering_of(formula, metrics_.table);
  if (!unit) report(*node.draft, unit.error().message);
  if (!numbered) report(*node.draft, numbered.error().message);
  if (!unit || !numbered) return;
  metric.unit = *unit;
  metric.numbered = *numbered;
  if (node.draft->find("kind") == nullptr && MetricTable().find(metric.name) == nullptr)
    metric.kind = derived_kind(formula, metrics_.table);
  metrics_.table.put(std::move(metric));
}

void DerivationAdder::resolve(Node& node) {
  for (const judge::Term& term : node.derivation.formula.terms)
    if (!term.case_name.empty() && compares_cases(term.metric))
      report(node, term.metric + "(\"" + printable(term.case_name, 80) + "\") at character " +
                       std::to_string(term.character) + " compares cases itself; write its formula out");
  if (knows_all_of(node)) give_unit(node);
  add_cases(node.derivation);
  resolved_[node.derivation.metric] = metrics_.derivations.size();
  metrics_.derivations.push_back(std::move(node.derivation));
}

// What cannot be resolved leads into a circle, whichever way is followed.
void DerivationAdder::report_circle() {
  std::vector<std::string> way{open_.begin()->first};
  std::map<std::string, std::size_t> seen{{way.front(), 0}};
  for (;;) {
    const std::string next = uses_of(open_.at(way.back())).front();
    const auto [first, fresh] = seen.emplace(next, way.size());
    way.push_back(next);
    if (fresh) continue;
    way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(first->second));
    return report(open_.at(next), "it uses itself: " + printable(join(way, " -> "), 400));
  }
}

void DerivationAdder::add_all() {
  std::map<std::string, std::size_t> waits;
  std::map<std::string, std::vector<std::string>> users;
  std::vector<std::string> ready;
  for (const auto& [name, node] : open_) {
    const std::vector<std::string> uses = uses_of(node);
    waits[name] = uses.size();
    for (const std::string& used : uses) users[used].push_back(name);
    if (uses.empty()) ready.push_back(name);
  }
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const std::string name = ready[next];
    resolve(open_.at(name));
    open_.erase(name);
    for (const std::string& user : users[name])
      if (--waits[user] == 0) ready.push_back(user);
  }
  if (!open_.empty()) report_circle();
}

Diagnostic without_pattern(const Draft& draft) {
  const std::string hint = did_you_mean(draft.name, texts_of(built_in_metrics(), &Metric::name));
  return {draft.at, "metric \"" + printable(draft.name, 80) +
                        "\" is not built in and has neither a pattern, a key nor a formula" + hint};
}

// A log prints it one way, and two readings of it would be one too many.
void check_reading(const Draft& draft, Diagnostics& mistakes) {
  const TableEntry* key = draft.find("key");
  if (key != nullptr && draft.find("pattern") != nullptr)
    mistakes.push_back({key->raw.at, "metric \"" + printable(draft.name, 80) +
                                         "\" has both a pattern and a key; leave one of them out"});
}

// By the name of a metric the draft whose pattern reads it in a group of its own.
using PatternOwners = std::map<std::string, const Draft*, std::less<>>;

Declared declared_by(const Draft& draft, const MetricTable& table) {
  Declared declared{table.get(draft.name), {draft.name, "", Decimal{1, 0}}};
  for (const auto& [key, entry] : draft.keys) assign_metric_key(declared, key, entry->raw);
  return declared;
}

// The group `value` is the draft's own metric.
std::vector<std::string> groups_of(const Draft& draft) {
  const TableEntry* pattern = draft.find("pattern");
  if (pattern == nullptr) return {};
  std::vector<std::string> names = extract::metrics_in(pattern->raw.text);
  std::erase_if(names, [&](const std::string& name) { return name == "value" || name == draft.name; });
  return names;
}

// Reports a metric that two places read.
PatternOwners owners_of(const Drafts& drafts, Diagnostics& mistakes) {
  PatternOwners owners;
  for (const Draft& draft : drafts.all()) {
    for (const std::string& name : groups_of(draft)) {
      const Draft* own = drafts.find(name);
      const bool has_own = own != nullptr && (own->find("pattern") != nullptr ||
                                              own->find("key") != nullptr || own->find("formula") != nullptr);
      const auto [it, first] = owners.emplace(name, &draft);
      if (first && !has_own) continue;
      mistakes.push_back({draft.find("pattern")->raw.at, "the group " + printable(name, 80) +
                                                             " is a metric that [metrics." +
                                                             printable(first ? name : it->second->name, 80) +
                                                             "] reads already; leave one of them out"});
    }
  }
  return owners;
}

// Add the pattern for each metric that it reads.
void add_patterns(Metrics& metrics, const Draft& draft, const Declared& declared, const Drafts& drafts) {
  const std::vector<std::string> all = extract::metrics_in(declared.pattern.regex);
  extract::UserPattern own = declared.pattern;
  if (std::ranges::find(all, "value") == all.end()) own.group = draft.name;
  own.origin = own.group == "value" ? "" : "metrics." + draft.name + ".pattern";
  metrics.patterns.push_back(own);
  for (const std::string& name : groups_of(draft)) {
    const Draft* other = drafts.find(name);
    extract::UserPattern pattern = other == nullptr ? extract::UserPattern{name, "", Decimal{1, 0}}
                                                    : declared_by(*other, metrics.table).pattern;
    pattern.regex = own.regex;
    pattern.group = name;
    pattern.origin = "metrics." + draft.name + ".pattern";
    metrics.patterns.push_back(std::move(pattern));
    if (metrics.table.find(name) == nullptr) metrics.table.put(metrics.table.get(name));
  }
}

void add_metric(Metrics& metrics, const Draft& draft, const Drafts& drafts, const PatternOwners& owners,
                Diagnostics& mistakes) {
  const bool built_in = MetricTable().find(draft.name) != nullptr;
  Declared declared = declared_by(draft, metrics.table);
  const extract::UserPattern& pattern = declared.pattern;
  const bool read =
      !pattern.regex.empty() || !declared.key.empty() || declared.formula || owners.contains(draft.name);
  const bool unread = !built_in && !read;
  if (unread && !draft.broken) mistakes.push_back(without_pattern(draft));
  if (unread || draft.broken) metrics.broken.insert(draft.name);
  if (read) declared.metric.measured_by = MeasuredBy::log;
  check_reading(draft, mistakes);
  if (!pattern.regex.empty()) add_patterns(metrics, draft, declared, drafts);
  if (!declared.key.empty()) metrics.json.metrics.push_back({pattern.metric, declared.key, pattern.scale});
  metrics.declared[draft.name] = draft.at;
  metrics.table.put(declared.metric);
}

}  // namespace

Metrics metrics_of(const Drafts& drafts, const Peaks& peaks, Diagnostics& mistakes) {
  Metrics metrics;
  const PatternOwners owners = owners_of(drafts, mistakes);
  for (const Draft& draft : drafts.all()) add_metric(metrics, draft, drafts, owners, mistakes);
  DerivationAdder(metrics, drafts, peaks, mistakes).add_all();
  return metrics;
}

}  // namespace gate::config
