// The messages between gate and its agent. The verb comes first. An agent of another version is another file,
// by its content: so the two sides are always of one.
//
//   gate to agent
//     ping                                    alive; so is every other message
//     ask ID VERB WORDS                       answered by `reply ID ok|fail WORDS`; asked again after a cut
//     attach JOB OFFSET                       say anew how the job stands, and its output from that byte
//     ack JOB OFFSET                          output up to that byte has come: it need not be kept
//     bye                                     stop everything, and end
//
//   verbs of `ask`
//     tool LIMIT WORDS                        run a program: its answer
//     start JOB PATIENCE COMMAND              start a command
//     stop JOB ask|end|kill                   as Process::stop; a kill goes on until nothing is left
//     signal JOB kill|terminate|stop|go_on RANK   as Process::signal; `all` for no rank: how many it hit
//     left JOB, evidence JOB                  as Process: a list
//     fingerprint JOB                         as Process
//     forget JOB                              it is over: nothing of it need be kept
//     take NAME HOLDER, give NAME, holder NAME   leases
//     port NUMBER                             is it free
//     exists PATH                             is it there
//     plant ENTRIES                           files for the session's tree: hashes of contents it lacks
//     blob HASH OFFSET LAST BYTES             a piece of such a content
//     folder PATH                             make a folder of the tree: its time
//     remove PATH                             remove one
//     find FOLDER GLOBS                       files below it that match: each its path and FileState
//     read PATH IDENTITY OFFSET COUNT         bytes of a file
//
//   agent to gate
//     hello FACTS                             once a connection, first
//     pong                                    answers ping
//     output JOB OFFSET BYTES
//     state JOB STATE                         ProcessState
//     lease NAME HAS_HOLDER HOLDER TROUBLE    a lease was displaced: devices::Leases::Displaced
#pragma once

#include <map>
#include <optional>
#include <string>

#include "gate/base/tail.h"
#include "gate/devices/leases.h"
#include "gate/hosts/frame.h"
#include "gate/launch/host_facts.h"
#include "gate/launch/process.h"
#include "gate/launch/runner.h"
#include "gate/model/runs/fingerprint.h"
#include "gate/model/runs/tool_answer.h"

namespace gate::hosts {

// How much output an agent sends before it is acknowledged, and keeps before the script has to wait.
inline constexpr std::size_t sent_ahead = std::size_t{1} << 20;
inline constexpr std::size_t kept_output = std::size_t{64} << 20;

// How much of a file is sent in one message, in bytes.
inline constexpr std::size_t file_block = std::size_t{512} << 10;

// What a host tells of itself first.
struct Hello {
  launch::HostFacts facts;
  std::string lease_folder;
  std::string session_folder;                    // of this session's agent
  std::map<std::string, std::string> variables;  // that gate asks for: of those that are set
};

// What follows a job's name in `state`.
struct ProcessState {
  bool started = false;                         // the script itself: its setup is done
  std::optional<Outcome> ended = std::nullopt;  // how the launcher ended
  bool empty = false;                           // nothing is left
  std::int64_t size = 0;                        // bytes of output until then
};

// Append the value's words to the message; the read_... functions take them again. A value whose words are
// malformed spoils the reader.
void add(Frame& message, const Hello& hello);
void add(Frame& message, const launch::Command& command);
void add(Frame& message, const ProcessState& state);
void add(Frame& message, const ToolAnswer& answer);
void add(Frame& message, const Fingerprint& seen);
void add(Frame& message, const devices::Holder& holder);
void add(Frame& message, const devices::Leases::Displaced& displaced);
void add(Frame& message, launch::Force force);
void add(Frame& message, launch::Signal signal);
void add(Frame& message, const FileIdentity& file);
void add(Frame& message, const FileState& state);

Hello read_hello(WordReader& words);
launch::Command read_command(WordReader& words);
ProcessState read_state(WordReader& words);
ToolAnswer read_tool_answer(WordReader& words);
Fingerprint read_fingerprint(WordReader& words);
devices::Holder read_holder(WordReader& words);
devices::Leases::Displaced read_displaced(WordReader& words);
launch::Force read_force(WordReader& words);
std::optional<launch::Signal> read_signal(WordReader& words);  // nothing: it is unknown
FileIdentity read_identity(WordReader& words);
FileState read_file_state(WordReader& words);

}  // namespace gate::hosts
