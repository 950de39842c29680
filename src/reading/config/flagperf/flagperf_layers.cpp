// _base.py under a vendor's config file
#include <algorithm>
#include <array>
#include <map>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"
#include "gate/extract/format.h"

namespace gate::config {

namespace {

struct TargetRow {
  std::string_view parameter, metric;
  std::string_view bound = ">=";
};

constexpr std::array targets{
    TargetRow{"target_acc", "final_accuracy"},
    TargetRow{"target_accuracy", "final_accuracy"},
    TargetRow{"target_mlm_accuracy", "final_accuracy"},
    TargetRow{"target_acc1", "final_accuracy"},
    TargetRow{"target_mAP", "final_accuracy"},
    TargetRow{"target_map", "final_accuracy"},
    TargetRow{"target_bleu", "final_accuracy"},
    TargetRow{"target_embedding_average", "final_accuracy"},
    TargetRow{"target_map_bbox", "final_map_bbox"},
    TargetRow{"target_map_segm", "final_map_segm"},
    TargetRow{"target_auc", "final_auc"},
    TargetRow{"target_nuv", "final_nuv"},
    TargetRow{"target_rouge1", "final_rouge1"},
    TargetRow{"target_ppl", "final_perplexity", "<="},
    TargetRow{"target_val_loss", "final_loss", "<="},
    TargetRow{"target_loss", "final_loss", "<="},
};

// A week is how long FlagPerf's rules for cases have one train; speeds are compared as those of steps are.
constexpr std::string_view a_week = "> 0 and <= 604800", as_fast = "-5%";

constexpr std::array demands{
    FlagPerfDemand{"converged", "== 1", true},
    FlagPerfDemand{"e2e_time", a_week, true},
    FlagPerfDemand{"raw_train_time", a_week, true},
    FlagPerfDemand{"init_time", a_week, true},
    FlagPerfDemand{"training_samples_per_second", as_fast, true},
    FlagPerfDemand{"throughput_raw", as_fast},
    FlagPerfDemand{"throughput_no_eval", as_fast},
    FlagPerfDemand{"throughput_pure_compute", as_fast},
};

// Tell whether the script has the text as a word of its own in quotes, outside of comments.
bool has_word(std::string_view script, std::string_view word) {
  return std::ranges::any_of(split(script, '\n'), [&](std::string_view line) {
    const std::string_view code = line.substr(0, line.find('#'));
    return code.find('"' + std::string(word) + '"') != std::string_view::npos ||
           code.find('\'' + std::string(word) + '\'') != std::string_view::npos;
  });
}

FlagPerfParameter parameter_of(const PythonSetting& setting) {
  const PythonValue& value = setting.value;
  FlagPerfParameter out{.name = setting.name,
                        .text = "",
                        .is_told = value.is_told(),
                        .is_number = value.kind == PythonKind::integer || value.kind == PythonKind::real,
                        .is_text = value.kind == PythonKind::text,
                        .at = setting.at,
                        .overrides = std::nullopt};
  if (out.is_told) out.text = value.kind == PythonKind::text ? value.text : to_string(value);
  return out;
}

}  // namespace

FlagPerfPaths flagperf_paths(const FlagPerfCase& of_case, std::string_view vendor) {
  const std::string base = "benchmarks/" + of_case.model + "/" + of_case.framework + "/config/";
  const std::string own = std::string(vendor) + "/" + of_case.model + "-" + of_case.framework + "/config/";
  const std::string size = "x" + std::to_string(of_case.nodes) + "x" + std::to_string(of_case.devices);
  return {.base = base + "_base.py",
          .mutable_params = base + "mutable_params.py",
          .vendor_config = own + "config_" + of_case.hardware + size + ".py",
          .environment = own + "environment_variables.sh",
          .requirements = own + "requirements.txt"};
}

const FlagPerfParameter* FlagPerfLayers::find(std::string_view name) const {
  return row_in(parameters, name, &FlagPerfParameter::name);
}

FlagPerfLayers flagperf_layers(const PythonFile& base, const PythonFile& vendor,
                               const std::optional<std::vector<std::string>>& mutable_params) {
  FlagPerfLayers out;
  std::map<std::string_view, std::size_t> places;
  const auto may_change = [&](const std::string& name) {
    return !mutable_params || std::ranges::find(*mutable_params, name) != mutable_params->end();
  };
  for (const PythonSetting& setting : base.settings) {
    places.emplace(setting.name, out.parameters.size());
    out.parameters.push_back(parameter_of(setting));
  }
  for (const PythonSetting& setting : vendor.settings) {
    if (setting.value.kind == PythonKind::none) continue;
    const auto [place, is_new] = places.emplace(setting.name, out.parameters.size());
    if (is_new) out.parameters.emplace_back();
    FlagPerfParameter& parameter = out.parameters[place->second];
    const auto base_at = is_new ? std::nullopt : std::optional(parameter.at);
    const bool is_mutable = may_change(setting.name);
    if (!is_mutable) out.not_mutable.push_back({setting.name, setting.at, base_at});
    if (!is_mutable && !is_new) continue;
    parameter = parameter_of(setting);
    parameter.overrides = base_at;
  }
  out.imports = base.imports;
  out.imports.insert(out.imports.end(), vendor.imports.begin(), vendor.imports.end());
  return out;
}

Parsed<std::vector<FlagPerfTarget>> flagperf_targets(const FlagPerfLayers& layers) {
  std::vector<FlagPerfTarget> out;
  for (const TargetRow& row : targets) {
    const FlagPerfParameter* parameter = layers.find(row.parameter);
    if (parameter == nullptr || (parameter->is_told && parameter->text == "None")) continue;
    if (std::ranges::find(out, row.metric, &FlagPerfTarget::metric) != out.end()) continue;
    if (!parameter->is_number)
      return tl::unexpected(
          Diagnostics{{parameter->at, parameter->name +
                                          " is no number as it is written: gate executes nothing; write the "
                                          "accuracy that the case is to reach, as in " +
                                          parameter->name + " = 0.8"}});
    out.push_back(
        {parameter->name, std::string(row.metric), std::string(row.bound), parameter->text, parameter->at});
  }
  return out;
}

std::optional<bool> flagperf_says(std::string_view script, std::string_view metric) {
  if (!has_word(script, "e2e_time")) return std::nullopt;
  return std::ranges::any_of(extract::finished_keys(metric),
                             [&](std::string_view key) { return has_word(script, key); });
}

std::span<const FlagPerfDemand> flagperf_demands() { return demands; }

std::vector<std::string> flagperf_unsaid(std::string_view script) {
  std::vector<std::string> unsaid;
  const auto says = [&](std::string_view metric) { return flagperf_says(script, metric).value_or(true); };
  for (const FlagPerfDemand& demand : demands)
    if (demand.is_of_all && !says(demand.metric))
      unsaid.emplace_back(extract::finished_keys(demand.metric).front());
  if (std::ranges::none_of(targets, says, &TargetRow::metric)) unsaid.emplace_back("final_accuracy");
  return unsaid;
}

}  // namespace gate::config
