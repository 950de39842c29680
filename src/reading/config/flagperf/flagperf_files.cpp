// test_conf.py, cluster_conf.py, mutable_params.py
#include <algorithm>
#include <map>
#include <utility>

#include "config/flagperf/flagperf_words.h"
#include "gate/base/text.h"
#include "gate/config/flagperf.h"

namespace gate::config {

namespace {

constexpr int highest_port = 65535;

class FlagPerfReader {
 public:
  FlagPerfReader(PythonFile file, const std::string& name) : file_(std::move(file)), name_(name) {}

  FlagPerfTests tests();
  FlagPerfCluster cluster();
  std::vector<std::string> mutable_params();

  // Return the value, or the mistakes where there were any.
  template <typename T>
  Parsed<T> unless_mistaken(T value) {
    if (!mistakes_.empty()) return tl::unexpected(std::move(mistakes_));
    return value;
  }

 private:
  const PythonValue* value_of(std::string_view name) const {
    const PythonSetting* setting = file_.find(name);
    return setting == nullptr ? nullptr : &setting->value;
  }
  const PythonValue* needed(std::string_view name, std::string_view what);
  std::optional<std::string> optional_text(std::string_view name) const;
  std::optional<int> port(std::string_view name);
  void add_case(const PythonValue& key, const PythonValue& folder, FlagPerfTests& tests);
  std::optional<FlagPerfCase> parsed_key(const PythonValue& key);
  std::vector<std::string> texts_of(const PythonValue& list, std::string_view name);
  void mistake(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }

  PythonFile file_;
  const std::string& name_;
  Diagnostics mistakes_;
  std::map<std::string, Position> keys_;
};

// Return the value that gate cannot do without, or say why there is none. `what` it has to be: `a text`.
const PythonValue* FlagPerfReader::needed(std::string_view name, std::string_view what) {
  const PythonValue* value = value_of(name);
  if (value == nullptr)
    mistake({name_}, std::string(name) + " is not set; write " + std::string(name) + " = " +
                         std::string(what) + " at the top level");
  else if (value->kind == PythonKind::untold)
    mistake(value->at, std::string(name) + " is not told: gate reads literals and executes nothing; write " +
                           std::string(what) + " as a literal");
  else
    return value;
  return nullptr;
}

FlagPerfTests FlagPerfReader::tests() {
  FlagPerfTests out;
  if (const PythonValue* vendor = needed("VENDOR", "\"nvidia\"")) {
    out.vendor = vendor->text;
    out.vendor_at = vendor->at;
    if (vendor->kind != PythonKind::text || !is_path_word(vendor->text))
      mistake(vendor->at, "VENDOR is not the name of a vendor's folder: letters, digits, `_`, `.` and `-`");
  }
  out.container_options = optional_text("ACCE_CONTAINER_OPT");
  out.visible_devices = optional_text("ACCE_VISIBLE_DEVICE_ENV_NAME");
  out.path = optional_text("FLAGPERF_PATH");
  out.pip_source = optional_text("PIP_SOURCE");
  out.shm_size = optional_text("SHM_SIZE");
  const PythonValue* clears = value_of("CLEAR_CACHES");
  out.clears_caches = clears != nullptr && clears->text == "True";
  const PythonValue* cases = needed("CASES", "{\"" + std::string(key_form) + "\": \"data folder\"}");
  if (cases != nullptr && cases->kind != PythonKind::dictionary)
    mistake(cases->at, "CASES is no dictionary of \"" + std::string(key_form) + "\": \"data folder\"");
  else if (cases != nullptr)
    for (std::size_t i = 0; i + 1 < cases->items.size(); i += 2)
      add_case(cases->items[i], cases->items[i + 1], out);
  return out;
}

void FlagPerfReader::add_case(const PythonValue& key, const PythonValue& folder, FlagPerfTests& tests) {
  std::optional<FlagPerfCase> parsed = parsed_key(key);
  if (!parsed) return;
  const auto [first, is_new] = keys_.try_emplace(parsed->key, key.at);
  if (!is_new) return tests.twins.push_back({parsed->key, key.at, first->second.line});
  if (folder.kind != PythonKind::text || folder.text.empty())
    return mistake(folder.at, "the data folder of " + quoted_text(key.text) + " is no text as it is written");
  if (!is_shell_plain(folder.text))
    return mistake(folder.at, "the data folder of " + quoted_text(key.text) + ", " +
                                  quoted_text(folder.text) +
                                  ", is not made of letters, digits and /._-+=,:@% alone, and FlagPerf's "
                                  "scripts hand it to a shell as it stands; call it by another name");
  parsed->data_dir = folder.text;
  tests.cases.push_back(std::move(*parsed));
}

std::optional<FlagPerfCase> FlagPerfReader::parsed_key(const PythonValue& key) {
  const auto refuse = [&](const std::string& what, const std::string& why) {
    mistake(key.at, what + " is no case: " + why + "; a case is \"" + std::string(key_form) + "\"");
    return std::nullopt;
  };
  if (key.kind != PythonKind::text) return refuse("this key", "it is no text as it is written");
  Result<FlagPerfCase> parsed = read_flagperf_key(key.text);
  if (!parsed) return refuse(quoted_text(key.text), parsed.error().message);
  parsed->at = key.at;
  return *std::move(parsed);
}

std::optional<std::string> FlagPerfReader::optional_text(std::string_view name) const {
  const PythonValue* value = value_of(name);
  return value != nullptr && value->kind == PythonKind::text ? std::optional(value->text) : std::nullopt;
}

FlagPerfCluster FlagPerfReader::cluster() {
  FlagPerfCluster out;
  std::map<std::string, int> lines;
  if (value_of("HOSTS") != nullptr)
    if (const PythonValue* hosts = needed("HOSTS", "[\"host1\", \"host2\"]")) {
      const std::vector<std::string> names = texts_of(*hosts, "HOSTS");
      for (std::size_t i = 0; i < names.size(); ++i) {
        const Position& at = hosts->items[i].at;
        const auto [first, is_new] = lines.try_emplace(names[i], at.line);
        if (!is_new)
          mistake(at, quoted_text(names[i]) + " stands in line " + std::to_string(first->second) + ", too");
        const auto is_good = [](char c) {
          return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-' || c == ':';
        };
        if (names[i].empty() || names[i][0] == '-' || !std::ranges::all_of(names[i], is_good))
          mistake(at, quoted_text(names[i]) + " is no name or address of a host");
        out.hosts.push_back({names[i], at});
      }
    }
  if (const PythonValue* ports = value_of("HOSTS_PORTS"); ports != nullptr && ports->is_told())
    out.host_ports = texts_of(*ports, "HOSTS_PORTS");
  out.master_port = port("MASTER_PORT");
  out.ssh_port = port("SSH_PORT");
  return out;
}

// A text or a number; none where it is missing, None or no literal.
std::optional<int> FlagPerfReader::port(std::string_view name) {
  const PythonValue* value = value_of(name);
  if (value == nullptr || !value->is_told() || value->kind == PythonKind::none) return std::nullopt;
  const auto number = count_in(trim(value->text), highest_port);
  if (!number) mistake(value->at, std::string(name) + " is no port from 1 to 65535");
  return number;
}

// Return the texts of a list or tuple, all or none.
std::vector<std::string> FlagPerfReader::texts_of(const PythonValue& list, std::string_view name) {
  std::vector<std::string> out;
  if (list.kind != PythonKind::list && list.kind != PythonKind::tuple) {
    mistake(list.at, std::string(name) + " is no list of texts");
    return out;
  }
  for (const PythonValue& item : list.items)
    if (item.kind == PythonKind::text)
      out.push_back(item.text);
    else
      mistake(item.at, std::string(name) + " holds something that is no text as it is written");
  if (out.size() < list.items.size()) out.clear();
  return out;
}

std::vector<std::string> FlagPerfReader::mutable_params() {
  std::vector<std::string> out;
  if (const PythonValue* list = needed("mutable_params", "[\"vendor\"]"))
    out = texts_of(*list, "mutable_params");
  if (std::ranges::find(out, "vendor") == out.end()) out.emplace_back("vendor");
  return out;
}

// Return what the reader makes of the file.
template <typename Read>
auto flagperf_file(std::string_view text, const std::string& file, const Read& read)
    -> Parsed<decltype(read(std::declval<FlagPerfReader&>()))> {
  auto python = read_python(text, file);
  if (!python) return tl::unexpected(std::move(python).error());
  FlagPerfReader reader(*std::move(python), file);
  auto value = read(reader);
  return reader.unless_mistaken(std::move(value));
}

}  // namespace

Parsed<FlagPerfTests> read_flagperf_tests(std::string_view text, const std::string& file) {
  return flagperf_file(text, file, [](FlagPerfReader& reader) { return reader.tests(); });
}

Parsed<FlagPerfCluster> read_flagperf_cluster(std::string_view text, const std::string& file) {
  return flagperf_file(text, file, [](FlagPerfReader& reader) { return reader.cluster(); });
}

Parsed<std::vector<std::string>> read_mutable_params(std::string_view text, const std::string& file) {
  return flagperf_file(text, file, [](FlagPerfReader& reader) { return reader.mutable_params(); });
}

}  // namespace gate::config
