#include "gate/judging/derived.h"

#include <algorithm>

#include "gate/judge/derive.h"
#include "gate/judging/series_sources.h"
#include "gate/model/numbers/step_set.h"

namespace gate::app {

namespace {

bool has_rule(const config::Case& spec, const std::string& metric) {
  return std::ranges::find(spec.rules, metric, &Rule::metric) != spec.rules.end();
}

// Return the series with their files counted from `first` on.
std::vector<Series> moved(const std::vector<Series>& all, std::size_t first) {
  std::vector<Series> out;
  for (const Series& series : all) {
    Series& copy = out.emplace_back(series.metric(), series.rank(), series.unit(), series.numbered());
    for (Sample sample : series.samples()) {
      sample.file += static_cast<std::uint32_t>(first);
      copy.append(sample);
    }
    for (const std::int64_t number : series.conflicts()) copy.mark_conflict(number);
  }
  return out;
}

void add_inputs(judge::FormulaInputs& inputs, const std::string& case_name, const std::vector<Series>& all) {
  std::vector<const Series*>& of_case = inputs[case_name];
  for (const Series& series : all) of_case.push_back(&series);
}

using OtherSeries = std::map<std::string, std::vector<Series>>;

OtherSeries add_files(Extraction& extraction, const Partners& partners) {
  OtherSeries others;
  for (const auto& [name, partner] : partners) {
    others[name] = moved(partner.extraction.series, extraction.files.size());
    const std::vector<std::string>& files = partner.extraction.files;
    extraction.files.insert(extraction.files.end(), files.begin(), files.end());
  }
  return others;
}

void derive_all(const config::Case& spec, const std::string& platform, std::vector<Series>& own,
                const OtherSeries& others) {
  for (const judge::Derivation& derivation : spec.derivations) {
    judge::FormulaInputs inputs;
    for (const auto& [name, all] : others) add_inputs(inputs, name, all);
    add_inputs(inputs, "", own);
    inputs[spec.name] = inputs[""];
    std::vector<Series> derived = judge::derive(
        spec.metrics.get(derivation.metric), config::formula_on(spec, derivation.formula, platform), inputs);
    std::erase_if(own, [&](const Series& series) { return series.metric() == derivation.metric; });
    std::ranges::move(derived, std::back_inserter(own));
  }
}

void add_formula(Check& check, const judge::Formula& formula, const judge::FormulaInputs& inputs) {
  check.formula = formula.text;
  if (!check.first_miss) return;
  const std::int64_t number = check.first_miss->number;
  const std::string operands = judge::operands_text(formula, inputs, check.rank, number);
  if (operands.empty()) return;
  check.remarks.emplace_back(remark::Operands{number, operands});
}

bool has_metric(const std::vector<Series>& all, const std::string& metric) {
  return std::ranges::find(all, metric, &Series::metric) != all.end();
}

bool has_metric(const Reference& reference, const std::string& metric) {
  return std::ranges::any_of(reference.series,
                             [&](const ReferenceSeries& s) { return s.runs.front().metric() == metric; });
}

bool is_own_metric(const judge::Term& term, const config::Case& spec) {
  return term.kind == judge::Term::Kind::metric && (term.case_name.empty() || term.case_name == spec.name);
}

// Return why a run of another case that the formula names is not here; "" if all are.
Sentence why_no_partner(const config::Case& spec, const judge::Derivation& derivation,
                        const Partners& partners) {
  for (const std::string& name : derivation.cases) {
    const auto partner = partners.find(name);
    if (name == spec.name) continue;
    if (partner == partners.end())
      return say({"it is derived with a run of case {}, and only gate run has one beside this",
                  "它要用用例 {} 的运行来计算，只有 gate run 才同时有"},
                 name);
    if (!partner->second.lacking.empty()) return partner->second.lacking;
  }
  return {};
}

// Return why a derived metric of the formula, the case's own or a partner's, is not there; "" if none is.
// `reasons` are those of the case.
Sentence why_no_operand(const config::Case& spec, const judge::Formula& formula,
                        const std::map<std::string, Sentence>& reasons, const Partners& partners) {
  for (const judge::Term& term : formula.terms) {
    if (term.kind != judge::TermKind::metric) continue;
    const auto partner = partners.find(term.case_name);
    const auto& known =
        is_own_metric(term, spec) || partner == partners.end() ? reasons : partner->second.underived;
    if (const auto why = known.find(term.metric); why != known.end())
      return say({"it is derived from {}: {}", "它由 {} 计算：{}"}, judge::written(term), why->second);
  }
  return {};
}

// Return the metric to be read for want of which the metric could not be derived from the case's own; "" if
// it was, or if that is not the reason.
template <typename Source>
std::string lacking(const config::Case& spec, std::string metric, const Source& source) {
  while (!metric.empty() && !has_metric(source, metric)) {
    const auto derivation = std::ranges::find(spec.derivations, metric, &judge::Derivation::metric);
    if (derivation == spec.derivations.end()) return metric;
    metric.clear();
    for (const judge::Term& term : derivation->formula.terms)
      if (metric.empty() && is_own_metric(term, spec) && !has_metric(source, term.metric))
        metric = term.metric;
  }
  return "";
}

template <typename Source>
void note_lacking(CaseReport& report, const config::Case& spec, const std::string& metric,
                  const Sentence& side, const Source& source) {
  if (const std::string what = lacking(spec, metric, source); !what.empty())
    report.notes.push_back(
        plain_note(say({"{} cannot be derived from {}: it holds no {}", "无法从{1}计算 {0}：没有 {2}"},
                       metric, side, what)));
}

// Note the steps of the case's own metrics at which the derived one has no value.
void note_holes(CaseReport& report, const config::Case& spec, const judge::Derivation& derivation,
                const std::vector<Series>& run) {
  std::set<std::int64_t> holes;
  for (const Series& derived : run) {
    if (derived.metric() != derivation.metric) continue;
    for (const judge::Term& term : derivation.formula.terms) {
      const Series* operand = find_series(run, term.metric, derived.rank());
      if (!is_own_metric(term, spec) || operand == nullptr) continue;
      for (const Sample& sample : operand->samples())
        if (!derived.find(sample.number)) holes.insert(sample.number);
    }
  }
  if (holes.empty()) return;
  const std::vector<std::int64_t> numbers(holes.begin(), holes.end());
  report.notes.push_back(plain_note(say({"{}: no value at {}: not all that it is derived from has one there",
                                         "{}：在 {} 没有值：计算它所需的值不全"},
                                        derivation.metric, to_string(StepSet(numbers)))));
}

}  // namespace

Partners beside_run(const Partners& partners, std::size_t number) {
  Partners own = partners;
  for (auto& [name, partner] : own)
    if (number > 0 && number <= partner.further.size()) partner.extraction = partner.further[number - 1];
  return own;
}

void derive_series(Extraction& run, const config::Case& spec, const std::string& platform,
                   const Partners& partners) {
  if (spec.derivations.empty()) return;
  const OtherSeries others = add_files(run, partners);
  derive_all(spec, platform, run.series, others);
  for (Attempt& attempt : run.attempts) derive_all(spec, platform, attempt.series, others);
}

Extraction with_derived(const config::Case& spec, Extraction run, const std::string& platform,
                        const Partners& partners) {
  add_series(run, After::partners, {spec, platform, {}, partners});
  return run;
}

Reference with_derived(const config::Case& spec, Reference reference, const std::string& platform,
                       const Partners& partners) {
  for (const judge::Derivation& derivation : spec.derivations) {
    judge::InputReferences inputs{{"", &reference}, {spec.name, &reference}};
    for (const auto& [name, partner] : partners) inputs.emplace(name, &partner.reference);
    std::vector<ReferenceSeries> derived = judge::derive(
        spec.metrics.get(derivation.metric), config::formula_on(spec, derivation.formula, platform), inputs);
    std::erase_if(reference.series,
                  [&](const ReferenceSeries& s) { return s.runs.front().metric() == derivation.metric; });
    std::ranges::move(derived, std::back_inserter(reference.series));
  }
  return reference;
}

std::map<std::string, Sentence> underived(const config::Case& spec, const std::string& platform,
                                          const Partners& partners, const Extraction* log) {
  std::map<std::string, Sentence> reasons;
  for (const judge::Derivation& derivation : spec.derivations) {
    Sentence why = why_no_partner(spec, derivation, partners);
    if (why.empty() && log != nullptr) why = config::why_doubtful(spec, derivation.formula, platform, *log);
    if (why.empty())
      why = config::why_open(spec, config::formula_on(spec, derivation.formula, platform), platform);
    if (why.empty()) why = why_no_operand(spec, derivation.formula, reasons, partners);
    if (!why.empty()) reasons.emplace(derivation.metric, std::move(why));
  }
  return reasons;
}

std::map<std::string, Sentence> withheld(const config::Case& spec, const std::string& platform,
                                         const Partners& partners, const Extraction& log) {
  std::map<std::string, Sentence> reasons = underived(spec, platform, partners, &log);
  std::erase_if(reasons, [&](const auto& one) { return !has_rule(spec, one.first); });
  return reasons;
}

std::set<std::string> without_inputs(const config::Case& spec, const std::string& platform,
                                     const Partners& partners, const Extraction& log) {
  std::set<std::string> metrics;
  const auto is_lacking = [&](const std::string& name) {
    const auto partner = partners.find(name);
    return name != spec.name && partner != partners.end() && !partner->second.lacking.empty();
  };
  for (const judge::Derivation& derivation : spec.derivations) {
    const bool uses_one = std::ranges::any_of(derivation.formula.terms, [&](const judge::Term& term) {
      return is_own_metric(term, spec) && metrics.contains(term.metric);
    });
    if (uses_one || std::ranges::any_of(derivation.cases, is_lacking) ||
        !config::why_doubtful(spec, derivation.formula, platform, log).empty())
      metrics.insert(derivation.metric);
  }
  return metrics;
}

void add_formulas(CaseReport& report, const config::Case& spec, const Extraction& run,
                  const Partners& partners) {
  judge::FormulaInputs inputs;
  for (const auto& [name, partner] : partners) add_inputs(inputs, name, partner.extraction.series);
  add_inputs(inputs, "", run.series);
  inputs[spec.name] = inputs[""];
  for (const judge::Derivation& derivation : spec.derivations)
    for (Check& check : report.checks)
      if (check.metric == derivation.metric)
        add_formula(check, config::formula_on(spec, derivation.formula, report.platform), inputs);
}

void note_derivations(CaseReport& report, const config::Case& spec, const Extraction& read,
                      const Extraction& run, const Reference& reference) {
  for (const judge::Derivation& derivation : spec.derivations) {
    const std::string& metric = derivation.metric;
    if (has_metric(read.series, metric))
      report.notes.push_back(plain_note(say({"{} is derived ({}); what the log prints of it is not judged",
                                             "{} 由公式计算（{}）；日志打印的值不参与判定"},
                                            metric, derivation.formula.text)));
    if (has_rule(spec, metric) && !read.series.empty())
      note_lacking(report, spec, metric, {"the run", "运行"}, run.series);
    if (const Sentence why = config::why_open(
            spec, config::formula_on(spec, derivation.formula, report.platform), report.platform);
        !has_rule(spec, metric) && !why.empty())
      report.notes.push_back(plain_note(say({"{} has no value: {}", "{} 没有值：{}"}, metric, why)));
    note_holes(report, spec, derivation, run.series);
    const bool is_compared = std::ranges::any_of(spec.rules, [&](const Rule& rule) {
      return rule.metric == metric && needs_baseline(rule.tolerance);
    });
    if (is_compared && !reference.series.empty())
      note_lacking(report, spec, metric, {"the baseline", "基线"}, reference);
  }
}

}  // namespace gate::app
