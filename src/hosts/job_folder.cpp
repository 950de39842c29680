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

namespace gate::hosts {

namespace {

std::optional<Frame> read_frame(const fs::Path& path) {
  const Result<std::string> content = fs::read_file(path);
  if (!content) return std::nullopt;
  FrameReader reader;
  reader.feed(*content);
  return reader.next();
}

// What `read` makes of the file; nothing where words of it are missing.
template <class T>
std::optional<T> read_as(const fs::Path& path, T (*read)(WordReader&)) {
  const std::optional<Frame> frame = read_frame(path);
  if (!frame) return std::nullopt;
  WordReader words(*frame);
  T value = read(words);
  return words.is_good() ? std::optional(std::move(value)) : std::nullopt;
}

JobCommand read_job_command(WordReader& words) {
  JobCommand command;
  for (std::size_t left = words.count(); left > 0 && words.is_good(); --left)
    command.nodes.push_back(read_command(words));
  command.lost_after = Duration{words.number()};
  command.gone_within = Duration{words.number()};
  return command;
}

JobOrder read_order(WordReader& words) {
  JobOrder order;
  if (words.flag()) order.stop = read_force(words);
  order.questions = words.number();
  order.looks = words.number();
  return order;
}

NodeState read_node_state(WordReader& words) {
  NodeState state;
  state.process = read_state(words);
  state.host = words.text();
  state.devices = words.text();
  state.lasted = Duration{words.number()};
  state.told_to_end = words.flag();
  state.trouble = words.text();
  state.answers = words.number();
  state.left = words.list();
  state.evidence = words.list();
  state.looks = words.number();
  state.fingerprint = read_fingerprint(words);
  return state;
}

Master read_master(WordReader& words) { return {words.text(), static_cast<int>(words.number())}; }

Status put(const fs::Path& path, const Frame& frame) {
  return fs::write_file(path, encode(frame), fs::Survives::kill);
}

std::string word_of(bool flag) { return flag ? "1" : "0"; }

}  // namespace

Result<JobFolder> JobFolder::make(const fs::Path& path) {
  GATE_TRY_STATUS(fs::make_folder(path));
  if (::chmod(path.c_str(), S_IRWXU) != 0) return fail(path.string() + ": its mode cannot be set");
  return JobFolder(path);
}

Status JobFolder::write(const JobCommand& command) const {
  Frame frame{std::to_string(command.nodes.size())};
  for (const launch::Command& node : command.nodes) add(frame, node);
  frame.push_back(std::to_string(command.lost_after.count()));
  frame.push_back(std::to_string(command.gone_within.count()));
  return put(path_ / "command", frame);
}

Status JobFolder::write(const JobOrder& order, std::size_t node) const {
  Frame frame{word_of(order.stop.has_value())};
  if (order.stop) add(frame, *order.stop);
  frame.push_back(std::to_string(order.questions));
  frame.push_back(std::to_string(order.looks));
  return put(file("order", node), frame);
}

Status JobFolder::write(const NodeState& state, std::size_t node) const {
  Frame frame;
  add(frame, state.process);
  frame.push_back(state.host);
  frame.push_back(state.devices);
  frame.push_back(std::to_string(state.lasted.count()));
  frame.push_back(word_of(state.told_to_end));
  frame.push_back(state.trouble);
  frame.push_back(std::to_string(state.answers));
  add_list(frame, state.left);
  add_list(frame, state.evidence);
  frame.push_back(std::to_string(state.looks));
  add(frame, state.fingerprint);
  return put(state_file(node), frame);
}

Status JobFolder::write(const Master& master) const {
  return put(path_ / "master", {master.address, std::to_string(master.port)});
}

std::optional<JobCommand> JobFolder::command() const { return read_as(path_ / "command", read_job_command); }
std::optional<JobOrder> JobFolder::order(std::size_t node) const {
  return read_as(file("order", node), read_order);
}
std::optional<NodeState> JobFolder::state(std::size_t node) const {
  return read_as(state_file(node), read_node_state);
}
std::optional<Master> JobFolder::master() const { return read_as(path_ / "master", read_master); }

}  // namespace gate::hosts
