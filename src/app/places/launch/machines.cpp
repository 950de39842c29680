#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "gate/base/text.h"
#include "gate/judging/pytest_launch.h"
#include "gate/launch/container.h"
#include "gate/launch/needs.h"
#include "gate/launch/script_environment.h"
#include "gate/places/host.h"
#include "gate/places/place.h"
#include "gate/places/queue.h"
#include "gate/places/stage_commands.h"
#include "places/host/git_tree.h"
#include "places/launch/cuts.h"
#include "places/plan/command_line.h"

namespace gate::app {

namespace {

const std::string& name_of(const Container& container) {
  return container.exec.empty() ? container.image : container.exec;
}

std::string engine_words(const ToolAnswer& answer) {
  return answer.failure.empty() ? printable(last_line(answer.errors), 200) : answer.failure;
}

Status check_there(Host& host, const Container& container, const Cut& cut) {
  const ToolAnswer answer = host.run_tool(launch::container_question(container), cut);
  if (trim(answer.output) == "true" && answer.exit_code == 0) return {};
  if (answer.missing)
    return fail("there is no " + container.engine + "; container.engine names another engine");
  if (launch::is_engine_silent(answer))
    return fail(container.engine + " does not answer: " + engine_words(answer));
  if (!container.exec.empty())
    return fail("container " + container.exec + " does not run: start it first" +
                (answer.exit_code == 0 ? "" : " (" + engine_words(answer) + ")"));
  return fail("image " + container.image + " is not there, and gate pulls none: " + container.engine +
              " pull " + container.image + " (" + engine_words(answer) + ")");
}

// What lies within another one comes with it.
std::vector<std::string> outermost(std::vector<std::string> folders) {
  std::ranges::sort(folders);
  std::vector<std::string> kept;
  for (const std::string& folder : folders)
    if (kept.empty() || (folder != kept.back() && !folder.starts_with(kept.back() + "/")))
      kept.push_back(folder);
  return kept;
}

std::vector<std::string> names_in(Host& host, const std::string& folder, const Cut& cut) {
  std::vector<std::string> names;
  const ToolAnswer listed = host.run_tool({"ls", "-1", folder}, cut);
  for (const std::string_view line : split(listed.output, '\n'))
    if (!line.empty()) names.emplace_back(line);
  return names;
}

Result<launch::ContainerHost> look_at(Host& host, const std::string& vendor, std::vector<std::string> folders,
                                      const Cut& cut) {
  launch::ContainerHost found{vendor, {}, {}, outermost(std::move(folders))};
  if (vendor.empty()) return found;
  found.device_files = launch::device_files_of(vendor, names_in(host, "/dev", cut));
  for (const std::string& file : launch::driver_files_of(vendor)) {
    GATE_TRY(const bool there, host.exists(file, cut));
    if (there) found.driver_files.push_back(file);
  }
  return found;
}

// Tell whether `mounts` have something at the path inside, or around it.
bool is_mounted(const Container& container, const std::string& path) {
  return std::ranges::any_of(container.mounts, [&](const std::string& mount) {
    const std::vector<std::string_view> parts = split(mount, ':');
    std::string inside(parts.size() > 1 ? parts[1] : parts[0]);
    while (inside.ends_with('/')) inside.pop_back();
    return path == inside || path.starts_with(inside + "/");
  });
}

// Return the command as one that runs in the container on its host; the command itself where the case has
// none. `folders` are the host's: of the suite and of the run. Fails, with what to do, where the host has no
// such engine, image or running container.
Result<launch::Command> in_container(Host& host, const Container& container, const std::string& vendor,
                                     std::vector<std::string> folders, launch::Command command,
                                     const Cut& cut) {
  if (!container.is_used()) return command;
  GATE_TRY_STATUS(check_there(host, container, cut));
  if (const std::vector<std::string> words = launch::container_sweep(container); !words.empty())
    host.run_tool(words, cut);
  GATE_TRY(const launch::ContainerHost found, look_at(host, vendor, std::move(folders), cut));
  return launch::in_container(container, command, found);
}

// Remove what is left of the launch's container. Puts what could not be removed into `problems`.
void remove_container(Host& host, const Container& container, const std::string& cookie,
                      std::vector<Sentence>& problems, const Cut& cut) {
  const std::vector<std::string> words = launch::container_removal(container, cookie);
  if (!container.is_used() || words.empty() || !host.why_lost().empty()) return;
  const ToolAnswer answer = host.run_tool(words, cut);
  const bool is_gone = answer.exit_code == 0 || answer.errors.find("o such container") != std::string::npos;
  if (!is_gone)
    problems.push_back(say({"container {} of {} may be left: {}", "{1} 的容器 {0} 可能还在：{2}"},
                           words.back(), name_of(container), engine_words(answer)));
}

// Return what became of the launch: an engine that could not start a container says so by its exit code, and
// the script has not been started then.
Outcome outcome_in(const Container& container, Outcome outcome, const std::string& last_words) {
  constexpr int engine_failed = 125;
  // What kills the script inside is told by its exit code.
  if (const auto* killed = std::get_if<Killed>(&outcome); killed != nullptr && container.is_used())
    return Vanished{say({"{} itself was killed by {}", "{} 自身被 {} 杀死"}, container.engine,
                        signal_name(killed->signal))};
  if (container.image.empty() || outcome != Outcome(Exited{engine_failed})) return outcome;
  return NotStarted{say({"{} could not run a container of {}: {}", "{} 无法运行 {} 的容器：{}"},
                        container.engine, container.image, last_words)};
}

// Return the k-th word of a host's SSH_CONNECTION, from 0: the address of gate's host as it sees it, gate's
// port, its own address as gate sees it, its port.
std::string connection_word(const Host& host, std::size_t k) {
  const std::string connection = host.variable("SSH_CONNECTION").value_or("");
  const std::vector<std::string_view> words = split_words(connection);
  return k < words.size() ? std::string(words[k]) : "";
}

// Where the other nodes reach the first one.
std::string master_address(const LaunchContext& context, const std::vector<int>& hosts) {
  constexpr const char* only_node = "127.0.0.1";
  if (hosts.size() == 1) return only_node;
  const std::string address = hosts.front() == 0 ? connection_word(hosts_in(context).at(hosts[1]), 0)
                                                 : connection_word(hosts_in(context).at(hosts.front()), 2);
  return address.empty() ? hosts_in(context).name(hosts.front()) : address;
}

// As the host of the launch calls them.
std::map<std::string, std::string> folders_before(const LaunchOrder& order, const NodeFiles::Folders& there) {
  std::map<std::string, std::string> folders;
  for (const auto& [variable, folder] : order.attempt.before) {
    const auto below = path_below(folder, order.context.folder.path());
    folders[variable] =
        (below ? std::filesystem::absolute(there.run) / *below : folder).lexically_normal().string();
  }
  return folders;
}

// On one or several hosts, each with gate or its agent on it.
class Machines : public Place {
 public:
  Machines(const LaunchContext& context, const PlannedCase& planned, Reservation reserved)
      : context_(context), planned_(planned), reserved_(std::move(reserved)) {}

  Status open(const LaunchOrder& order, std::vector<Seat>& seats, const Cut& cut) override {
    if (seats.empty()) {
      GATE_TRY_STATUS(check_needs(cut));
      GATE_TRY_STATUS(take_seats(order, seats, cut));
    }
    const std::string cookie = order.cookie();
    for (std::size_t node = 0; node < seats.size(); ++node) {
      Seat& seat = seats[node];
      if (const Status made = make_process(order, cookie, node, seat, cut); !made)
        return fail((seat.name.empty() ? "" : seat.name + ": ") + made.error().message);
    }
    return {};
  }

  void close(const std::vector<Seat>& seats, launch::Ending& ending, const Cut& cut) override {
    for (std::size_t node = 0; node < seats.size(); ++node)
      remove_container(host(node), container(), seats[node].command.cookie, ending.remarks, cut);
  }

  Outcome outcome_of(Outcome outcome, const std::string& last_words) const override {
    return outcome_in(container(), std::move(outcome), last_words);
  }

  std::vector<std::string> hosts() const override { return hosts_in(context_).far_names(reserved_.hosts); }

  launch::HostFacts facts() const override {
    const auto far = std::ranges::find_if(reserved_.hosts, [](int number) { return number != 0; });
    return hosts_in(context_).at(far == reserved_.hosts.end() ? 0 : *far).facts();
  }

  std::function<bool(std::int64_t)> is_foreign() const override {
    return reserved_.hosts.size() == 1 ? host(0).is_foreign() : nullptr;
  }

  std::vector<launch::OpenFile> written_elsewhere(const std::string& cookie, const Cut& cut) override {
    return host(0).written_elsewhere(cookie, cut);
  }

 private:
  Host& host(std::size_t node) const { return hosts_in(context_).at(reserved_.hosts[node]); }
  const config::Settings& settings() const { return planned_.spec->settings; }
  const Container& container() const { return settings().container; }

  // What the case needs must be there on each of its hosts.
  Status check_needs(const Cut& cut) const {
    std::vector<Sentence> complaints;
    for (std::size_t node = 0; node < reserved_.hosts.size(); ++node) {
      GATE_TRY(const Sentence lacking, lacking_on(host(node), planned_, cut));
      const std::string name = hosts_in(context_).far_name(reserved_.hosts[node]);
      if (!lacking.empty()) complaints.push_back(lacking + (name.empty() ? "" : " on " + name));
    }
    return complaints.empty() ? Status() : fail(join(complaints, semicolon).english());
  }

  Status take_seats(const LaunchOrder& order, std::vector<Seat>& seats, const Cut& cut) const {
    for (std::size_t node = 0; node < reserved_.hosts.size(); ++node) {
      GATE_TRY(auto files, NodeFiles::make(host(node), context_, order.folders, node, cut));
      files->outputs = OutputPlaces::of(context_, planned_, order.folders, *files, files->aside_by());
      std::string name;
      if (reserved_.hosts.size() > 1)
        name = "node " + std::to_string(node) + " on " + hosts_in(context_).name(reserved_.hosts[node]);
      seats.push_back({std::move(name), std::move(files)});
    }
    return {};
  }

  Status make_process(const LaunchOrder& order, const std::string& cookie, std::size_t node, Seat& seat,
                      const Cut& cut) const {
    launch::Command command;
    command.cwd = seat.files->there().cwd.string();
    command.setup = setup_of(planned_);
    command.script = host(node).path_there(context_.suite.root / planned_.spec->script);
    command.script_sha256 = planned_.script_sha256;
    command.asides = seat.files->outputs.of_agent();
    if (settings().judge == config::JudgeMode::pytest && node == 0)
      command.watched = seat.files->there().scratch / pytest_files(cookie);
    command.cookie = cookie + (node == 0 ? "" : "." + std::to_string(node));
    GATE_TRY(command.env, environment(order, node, seat.files->there(), command.cookie));
    GATE_TRY(command.argv, command_line(planned_, command.script, node, command.env));
    GATE_TRY(seat.command, in_container(host(node), container(), vendor_on(reserved_.hosts[node]),
                                        folders_in_container(node, *seat.files), std::move(command), cut));
    GATE_TRY(seat.process, host(node).process(seat.command, until_hurry(context_, planned_)));
    return {};
  }

  // Of the case's devices there; "" where it uses none.
  std::string vendor_on(int number) const {
    for (const Device& device : reserved_.devices)
      if (device.host == number) return device.vendor;
    return "";
  }

  std::string data_dir(std::size_t node) const {
    const std::string folder = config::data_dir_on(settings(), planned_.placement.platform);
    if (folder.empty()) return "";
    return host(node).path_there((fs::Path(planned_.spec->cwd) / folder).lexically_normal()).string();
  }

  // Data that container.mounts puts where it belongs is not mounted once more.
  std::vector<std::string> folders_in_container(std::size_t node, const NodeFiles& files) const {
    std::vector<std::string> folders{files.there().cwd.string(), files.there().run.string(),
                                     host(node).path_there(context_.suite.root).string()};
    const std::string data = data_dir(node);
    if (!data.empty() && !is_mounted(container(), data)) folders.push_back(data);
    return folders;
  }

  // What gate tells the script, the devices that were reserved for it there, and the case's own variables.
  Result<std::map<std::string, std::string>> environment(const LaunchOrder& order, std::size_t node,
                                                         const NodeFiles::Folders& there,
                                                         const std::string& cookie) const {
    std::vector<std::string> indices;
    launch::ScriptFacts facts = order.facts();
    if (planned_.placement.rehearsed)
      facts.device_variable = devices::selection_variable(devices::vendor_of(planned_.placement.platform));
    for (const Device& device : reserved_.devices) {
      if (device.host != reserved_.hosts[node]) continue;
      indices.push_back(std::to_string(device.index));
      facts.device_variable = devices::selection_variable(device.vendor);
    }
    facts.run_folder = there.run.string();
    facts.case_folder = there.launch.string();
    facts.before = folders_before(order, there);
    facts.data_dir = data_dir(node);
    facts.scratch = there.scratch.string();
    facts.checkpoints = there.checkpoints.string();
    facts.cookie = cookie;
    facts.node_rank = static_cast<int>(node);
    facts.master_address = master_address(context_, reserved_.hosts);
    facts.device_list = join(indices, ",");
    facts.master_port = reserved_.port;
    facts.has_ascend_log_path = host(node).variable("ASCEND_PROCESS_LOG_PATH").has_value();
    std::map<std::string, std::string> env = launch::script_environment(facts);
    GATE_TRY_STATUS(add_variables(env, planned_));
    const auto inherited = container().is_used() ? std::nullopt : host(node).variable("PYTEST_ADDOPTS");
    if (node == 0) ask_for_tests(env, settings(), inherited.value_or(""), cookie);
    return env;
  }

  const LaunchContext& context_;
  const PlannedCase& planned_;
  const Reservation reserved_;
};

}  // namespace

std::vector<NodeFiles*> distinct(std::vector<Seat>& seats) {
  std::vector<NodeFiles*> found;
  std::set<const void*> owners;
  for (Seat& seat : seats)
    if (owners.insert(seat.files->owner()).second) found.push_back(seat.files.get());
  return found;
}

std::string new_cookie(const LaunchContext& context, const PlannedCase& planned, const std::string& what) {
  return context.folder.id() + "." + planned.spec->name + "." + what + "." +
         std::to_string(context.environment.now().time_since_epoch().count());
}

std::string LaunchOrder::cookie() const {
  return new_cookie(context, planned, std::to_string(attempt.number)) +
         (attempt.start == 1 ? "" : ".start" + std::to_string(attempt.start));
}

launch::ScriptFacts LaunchOrder::facts() const {
  launch::ScriptFacts facts;
  facts.case_name = planned.spec->name;
  facts.run_id = context.folder.id();
  facts.phase = config::phase_name(planned.spec->settings, planned.phase);
  facts.start = planned.spec->settings.fault ? attempt.start : 0;
  if (has_stages(*planned.spec)) facts.stages = stages_folder(context, *planned.spec).string();
  facts.devices = planned.placement.told_devices();
  facts.nodes = planned.placement.shape.nodes;
  return facts;
}

std::unique_ptr<Place> place_of(const LaunchContext& context, const PlannedCase& planned,
                                const Reservation& reservation) {
  if (hosts::JobEngine* const engine = queue_of(context, planned)) return queue_place(*engine);
  return std::make_unique<Machines>(context, planned, reservation);
}

hosts::JobEngine* queue_of(const LaunchContext& context, const PlannedCase& planned) {
  return planned.place.reserves ? nullptr : &context.environment.queues->at(planned.spec->settings.backend);
}

}  // namespace gate::app
