#include "gate/launch/container.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::launch {

namespace {

const std::string slot_prefix = "gate_env_";

struct VendorRow {
  std::string_view vendor;
  std::vector<std::string_view> files;  // in /dev
  std::string_view numbered;            // in /dev, with a number behind it; "": none
  std::vector<std::string_view> driver;
  std::vector<std::string_view> podman;  // words that pass the devices on, beside files
  std::vector<std::string_view> docker;
};

const std::array<VendorRow, 3>& vendor_rows() {
  static const std::array<VendorRow, 3> rows{{
      {"ascend",
       {"davinci_manager", "devmm_svm", "hisi_hdc"},
       "davinci",
       {"/usr/local/Ascend/driver", "/usr/local/dcmi", "/usr/local/bin/npu-smi", "/etc/ascend_install.info"},
       {},
       {}},
      {"nvidia", {}, "", {}, {"--device=nvidia.com/gpu=all"}, {"--gpus=all"}},
      {"amd", {"kfd", "dri"}, "", {}, {}, {}},
  }};
  return rows;
}

const VendorRow* row_of_vendor(std::string_view vendor) {
  const auto& rows = vendor_rows();
  return row_in(rows, vendor, &VendorRow::vendor);
}

bool is_numbered(std::string_view name, std::string_view prefix) {
  return !prefix.empty() && name.size() > prefix.size() && name.starts_with(prefix) &&
         std::ranges::all_of(name.substr(prefix.size()), is_digit);
}

// Letters that names of containers may have.
std::string container_name(const std::string& cookie) {
  std::string name = "gate-" + cookie;
  std::ranges::replace_if(
      name, [](char c) { return !is_letter_or_digit(c) && c != '.' && c != '-' && c != '_'; }, '_');
  return name;
}

// Variables have numbers here, for the engine's client has an environment, too (decision 39). How many follow
// as gate_env_..., then the setup text, then the script's words.
std::string inner_program(bool has_setup) {
  std::string program =
      "gate_n=$1; shift; gate_i=0; while [ $gate_i -lt $gate_n ]; do eval \"gate_v=\\$gate_env_$gate_i\"; "
      "export \"$gate_v\"; unset gate_env_$gate_i; gate_i=$((gate_i + 1)); done; unset gate_n gate_i "
      "gate_v; ";
  if (has_setup)
    program +=
        "gate_setup=$1; shift; eval \"$gate_setup\"; gate_status=$?; "
        "[ $gate_status -eq 0 ] || exit $gate_status; ";
  return program + "exec \"$@\"";
}

// The first program inside, and its words.
std::vector<std::string> inner_words(const Command& command) {
  const bool has_setup = !command.setup.empty();
  std::vector<std::string> words{has_setup ? "bash" : "sh", "-c", inner_program(has_setup), "gate",
                                 std::to_string(command.env.size())};
  if (has_setup) words.push_back(command.setup);
  words.insert(words.end(), command.argv.begin(), command.argv.end());
  return words;
}

Status check_path(const std::string& path) {
  if (path.find_first_of(":,") == std::string::npos) return {};
  return fail("a folder with : or , in its name cannot be mounted in a container: " + printable(path, 200));
}

// Of `mounts`: a path alone stands where it does outside.
std::string volume(const std::string& mount) {
  return "--volume=" + (mount.find(':') == std::string::npos ? mount + ":" + mount : mount);
}

void add_devices(const Container& container, const ContainerHost& host, std::vector<std::string>& words) {
  for (const std::string& file : host.device_files) words.push_back("--device=/dev/" + file);
  for (const std::string& file : host.driver_files) words.push_back("--volume=" + file + ":" + file + ":ro");
  const VendorRow* row = row_of_vendor(host.vendor);
  if (row == nullptr) return;
  for (const std::string_view word : container.engine == "docker" ? row->docker : row->podman)
    words.emplace_back(word);
}

bool says_network(const std::vector<std::string>& options) {
  return std::ranges::any_of(options, [](const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    return name == "--network" || name == "--net";
  });
}

// Words of `run` that a container of an image has, and one that runs already does not.
Status add_run_words(const Container& container, const Command& command, const ContainerHost& host,
                     std::vector<std::string>& words) {
  words.insert(words.end(),
               {"--rm", "--pull=never", "--label=gate", "--name=" + container_name(command.cookie)});
  if (!says_network(container.options)) words.emplace_back("--network=host");
  for (const std::string& folder : host.folders) {
    GATE_TRY_STATUS(check_path(folder));
    words.push_back(volume(folder));
  }
  for (const std::string& mount : container.mounts) words.push_back(volume(mount));
  add_devices(container, host, words);
  return {};
}

// What is meant is told by the cookie; that of the asking shell itself is another one.
constexpr const char* kill_by_cookie =
    "for p in /proc/[0-9]*; do grep -zqxF \"GATE_LAUNCH=$1\" $p/environ 2>/dev/null && kill -KILL "
    "${p#/proc/}; "
    "done";

std::vector<std::string> killing_words(const Container& container, const std::string& cookie) {
  if (container.exec.empty()) return {container.engine, "kill", container_name(cookie)};
  return {container.engine, "exec", container.exec, "sh", "-c", kill_by_cookie, "gate", cookie};
}

}  // namespace

std::vector<std::string> device_files_of(std::string_view vendor, const std::vector<std::string>& names) {
  const VendorRow* row = row_of_vendor(vendor);
  std::vector<std::string> files;
  if (row == nullptr) return files;
  for (const std::string& name : names)
    if (is_numbered(name, row->numbered) || std::ranges::count(row->files, std::string_view(name)) > 0)
      files.push_back(name);
  return files;
}

std::vector<std::string> driver_files_of(std::string_view vendor) {
  const VendorRow* row = row_of_vendor(vendor);
  if (row == nullptr) return {};
  return {row->driver.begin(), row->driver.end()};
}

Result<Command> in_container(const Container& container, const Command& command, const ContainerHost& host) {
  const bool is_new = container.exec.empty();
  std::vector<std::string> words{container.engine, is_new ? "run" : "exec"};
  if (is_new) {
    GATE_TRY_STATUS(add_run_words(container, command, host, words));
  }
  if (!command.cwd.empty()) words.push_back("--workdir=" + command.cwd);
  words.emplace_back("--env=GATE_LAUNCH");
  Command outer{.argv = {}, .env = {}, .cwd = "", .setup = "", .cookie = command.cookie};
  for (const auto& [name, value] : command.env) {
    if (name.starts_with(slot_prefix)) return fail("the variable " + name + " is gate's own in a container");
    const std::string slot = slot_prefix + std::to_string(outer.env.size());
    outer.env[slot] = name + "=" + value;
    words.push_back("--env=" + slot);
  }
  words.insert(words.end(), container.options.begin(), container.options.end());
  std::vector<std::string> inner = inner_words(command);
  if (is_new) {
    words.push_back("--entrypoint=" + inner.front());  // the image may have one of its own
    inner.erase(inner.begin());
  }
  words.push_back(is_new ? container.image : container.exec);
  words.insert(words.end(), inner.begin(), inner.end());
  outer.argv = std::move(words);
  outer.at_kill = killing_words(container, command.cookie);
  return outer;
}

std::vector<std::string> container_question(const Container& container) {
  if (container.exec.empty()) return {container.engine, "image", "inspect", "--format=true", container.image};
  return {container.engine, "container", "inspect", "--format={{.State.Running}}", container.exec};
}

bool is_engine_silent(const ToolAnswer& answer) {
  const std::string errors = to_lower(answer.errors);  // no name of an image has a blank
  return !answer.exit_code || errors.find("connect to ") != std::string::npos ||
         errors.find("error during connect") != std::string::npos;
}

std::vector<std::string> container_sweep(const Container& container) {
  if (!container.exec.empty()) return {};
  return {container.engine, "container", "prune", "-f", "--filter=label=gate", "--filter=until=1h"};
}

std::vector<std::string> container_removal(const Container& container, const std::string& cookie) {
  if (!container.exec.empty()) return {};
  return {container.engine, "rm", "-f", container_name(cookie)};
}

}  // namespace gate::launch
