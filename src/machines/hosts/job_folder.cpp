// How two sides speak through a folder that both see late.
//
// A job of Slurm's may begin in an hour, on a node that gate has no connection to. All that both have is a
// file system, and that may be NFS: what one side wrote the other one sees seconds later, and perhaps in
// another order. So a file has one writer, and is replaced as a whole by a rename; who reads it sees the old
// one or the new one, and never half of one. A job of one node whose script prints two lines, and is stopped:
//
//     gate   command    the script of node 0, and how long gate may be silent
//     gate   alive      anew every few seconds, by its time alone
//     agent  begun-0    made with O_EXCL: an engine that starts the job once more finds it, and an agent that
//                       does makes again-0, and ends
//     agent  state-0    {host, devices, started}, each time one of them changes
//     agent  log-0      grows; the last state says how many bytes it has: gate knows when it has them all
//     gate   order-0    {stop: ask}; a second order, {stop: kill}, takes its place
//     agent  state-0    {ended: killed by TERM, empty}
//
// Questions are numbers that grow: order-0 says {questions: 2}, and state-0 {answers: 2, left: ...}. That an
// order is seen twice, or one of two never, does no harm: an order says what is wanted by now, and not what
// to do next.
//
// Times: whether gate lives is told by changes of `alive`, and by the agent's own steady clock; the clocks of
// two hosts, and of the file system, are never compared but with one another's earlier times.
#include "gate/hosts/job_folder.h"

#include <sys/stat.h>

#include "hosts/members.h"

namespace gate::hosts {

void members(auto& way, Is<JobCommand> auto& command) {
  way(command.nodes, command.lost_after, command.gone_within);
}

void members(auto& way, Is<JobOrder> auto& order) { way(order.stop, order.questions, order.looks); }

void members(auto& way, Is<NodeState> auto& state) {
  way(state.process, state.host, state.devices, state.lasted, state.told_to_end, state.trouble, state.answers,
      state.left, state.evidence, state.looks, state.fingerprint);
}

void members(auto& way, Is<Master> auto& master) { way(master.address, master.port); }

namespace {

constexpr int highest_port = 65535;

std::optional<Frame> read_frame(const fs::Path& path) {
  const Result<std::string> content = fs::read_file(path);
  if (!content) return std::nullopt;
  FrameReader reader;
  reader.feed(*content);
  return reader.next();
}

// Nothing where words of it are missing.
template <class T>
std::optional<T> read_as(const fs::Path& path) {
  const std::optional<Frame> frame = read_frame(path);
  if (!frame) return std::nullopt;
  WordReader words(*frame);
  auto value = read_members<T>(words);
  return words.is_good() ? std::optional(std::move(value)) : std::nullopt;
}

Status put(const fs::Path& path, const auto& value) {
  Frame frame;
  Saying{frame}(value);
  return fs::write_file(path, encode(frame), fs::Survives::kill);
}

}  // namespace

Result<JobFolder> JobFolder::make(const fs::Path& path) {
  GATE_TRY_STATUS(fs::make_folder(path));
  if (::chmod(path.c_str(), S_IRWXU) != 0) return fail(path.string() + ": its mode cannot be set");
  return JobFolder(path);
}

Status JobFolder::write(const JobCommand& command) const { return put(path_ / "command", command); }
Status JobFolder::write(const JobOrder& order, std::size_t node) const {
  return put(file("order", node), order);
}
Status JobFolder::write(const NodeState& state, std::size_t node) const {
  return put(state_file(node), state);
}
Status JobFolder::write(const Master& master) const { return put(path_ / "master", master); }

std::optional<JobCommand> JobFolder::command() const { return read_as<JobCommand>(path_ / "command"); }
std::optional<JobOrder> JobFolder::order(std::size_t node) const {
  return read_as<JobOrder>(file("order", node));
}
std::optional<NodeState> JobFolder::state(std::size_t node) const {
  return read_as<NodeState>(state_file(node));
}
std::optional<Master> JobFolder::master() const {
  std::optional<Master> master = read_as<Master>(path_ / "master");
  if (master && (master->port < 1 || master->port > highest_port)) master.reset();
  return master;
}

}  // namespace gate::hosts
