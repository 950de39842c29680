// Words for ssh, and what its words mean. Pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/runs/outcome.h"

namespace gate::hosts {

// The program that is sent to a host.
struct AgentFile {
  std::string path;    // here
  std::string sha256;  // of its content
  std::size_t size = 0;
};
using AgentFiles = std::map<std::string, AgentFile>;  // by what `uname -m` prints: x86_64, aarch64

// How a session with a host begins.
struct Opening {
  std::string session;  // lower-case hexadecimal digits: nobody else's
  Duration lost_after{};
  bool is_new = true;  // false: the agent runs, and is to be found again
};

// Return the words that are executed here: `ssh` and its options, the host, and the one line that the host's
// shell gets, whichever shell it is. Nothing but digits and names of architectures is put into that line
// (decision 36).
//
// The line prints `GATE-HOST SESSION ARCHITECTURE`; where the agent is not there yet, `GATE-NEED SESSION`,
// and reads the file's size as a line and then the file; then it becomes the agent, which prints `GATE-AGENT
// SESSION`. It executes only a regular file that is the user's own and that nobody else may write, in a
// folder likewise, with the hash that its name says; else it says why not, and ends with 77. A host without
// sha256sum, shasum and openssl is sent the file each time. Whatever the host's rc files print before is to
// be passed over.
std::vector<std::string> ssh_words(const std::vector<std::string>& ssh, const std::string& host,
                                   const Opening& opening, const AgentFiles& agents);

// What the line says.
enum class OpeningWord { host, need, agent, gone };

// Finds it among all that the host's shell prints.
class OpeningReader {
 public:
  explicit OpeningReader(std::string session) : session_(std::move(session)) {}

  // Of a line without an end that is longer than 64 KiB the beginning is forgotten.
  void feed(std::string_view bytes);

  // Return the next word; nothing where none has come whole. Behind `agent` and `gone` there is none.
  std::optional<OpeningWord> next();

  // Return what `host` told of it; "" before.
  const std::string& architecture() const { return architecture_; }

  // Return what has come behind the words: behind `agent` the first bytes of its own.
  const std::string& rest() const { return text_; }

 private:
  std::string session_;
  std::string text_;
  std::string architecture_;
};

// What came before the agent spoke.
struct Heard {
  std::string host;                             // its name for ssh
  std::string architecture;                     // "": its shell did not come so far
  std::string errors;                           // standard error
  std::optional<Outcome> ended = std::nullopt;  // of ssh; none: it was given up
  Duration waited{};
};

// Return why there is no agent, and what to do: a sentence for people that names the host.
std::string why_no_agent(const Heard& heard, const AgentFiles& agents);

// Tell whether to try again: the network, a busy host or the end of ssh itself may be the reason, and no key,
// permission or word of the host's shell is.
bool may_pass(const Heard& heard);

}  // namespace gate::hosts
