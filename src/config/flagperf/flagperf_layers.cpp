// _base.py under a vendor's config file
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"

namespace gate::config {

namespace {

constexpr std::array<std::string_view, 6> target_names{
    "target_acc", "target_accuracy", "target_mlm_accuracy", "target_acc1", "target_mAP", "target_map"};

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
  const auto found = std::ranges::find(parameters, name, &FlagPerfParameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

FlagPerfLayers flagperf_layers(const PythonFile& base, const PythonFile& vendor,
                               std::span<const std::string> mutable_params) {
  FlagPerfLayers out;
  std::map<std::string_view, std::size_t> places;
  const std::set<std::string_view> may_change(mutable_params.begin(), mutable_params.end());
  for (const PythonSetting& setting : base.settings) {
    places.emplace(setting.name, out.parameters.size());
    out.parameters.push_back(parameter_of(setting));
  }
  for (const PythonSetting& setting : vendor.settings) {
    const auto [place, is_new] = places.emplace(setting.name, out.parameters.size());
    if (is_new) out.parameters.emplace_back();
    FlagPerfParameter& parameter = out.parameters[place->second];
    const auto base_at = is_new ? std::nullopt : std::optional(parameter.at);
    parameter = parameter_of(setting);
    parameter.overrides = base_at;
    if (!may_change.contains(setting.name)) out.not_mutable.push_back({setting.name, setting.at, base_at});
  }
  out.imports = base.imports;
  out.imports.insert(out.imports.end(), vendor.imports.begin(), vendor.imports.end());
  return out;
}

Parsed<std::optional<FlagPerfTarget>> flagperf_target(const FlagPerfLayers& layers) {
  for (const std::string_view name : target_names) {
    const FlagPerfParameter* parameter = layers.find(name);
    if (parameter == nullptr || (parameter->is_told && parameter->text == "None")) continue;
    if (!parameter->is_number)
      return tl::unexpected(
          Diagnostics{{parameter->at, std::string(name) +
                                          " is no number as it is written: gate executes nothing; write the "
                                          "accuracy that the case is to reach, as in " +
                                          std::string(name) + " = 0.8"}});
    return FlagPerfTarget{parameter->name, parameter->text, parameter->at};
  }
  return std::nullopt;
}

}  // namespace gate::config
