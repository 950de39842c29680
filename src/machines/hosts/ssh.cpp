#include "gate/hosts/ssh.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::hosts {

namespace {

// Nobody is asked, host keys are what ~/.ssh/known_hosts says, a connection that the user's configuration
// shares is used, and none is left behind.
constexpr std::array options{"-T",
                             "-x",
                             "-a",
                             "-oBatchMode=yes",
                             "-oStrictHostKeyChecking=yes",
                             "-oConnectTimeout=15",
                             "-oControlMaster=no",
                             "-oClearAllForwardings=yes",
                             "-oPermitLocalCommand=no",
                             "-oRemoteCommand=none",
                             "-oEscapeChar=none",
                             "-oLogLevel=ERROR"};

// Executed is a regular file of the user's own, that nobody else may write, in a folder likewise, whose
// content has the hash that its name says. `own KIND PATH WORD` looks; `sum` prints the hash, by whichever
// program is there. Where none is, no file that lies there is trusted: the agent is sent anew, into that
// folder.
constexpr std::string_view shell_functions =
    "no() { echo \"gate-agent: $*; remove it, or let GATE_AGENT_DIR there name another folder\" >&2; "
    "exit 77; }; "
    "own() { set -- $1 \"$2\" $3 $(ls -ldn \"$2\"); "
    "case $4 in $1*) ;; *) no \"$2 is no $3\";; esac; "
    "case $4 in ????\?-?\?-*) ;; *) no \"$2 may be written by others ($4)\";; esac; "
    "test $6 = $(id -u) || no \"$2 belongs to another user ($6)\"; }; "
    "sum() { set -- $({ sha256sum || shasum -a 256 || openssl dgst -sha256 -r; } <\"$f\" 2>/dev/null); "
    "echo $1; }; ";

// For any shell: within single quotes, and without quotes, backslashes and exclamation marks.
std::string remote_line(const Opening& opening, const AgentFiles& agents) {
  std::string hashes;
  for (const auto& [architecture, file] : agents) hashes += architecture + ") h=" + file.sha256 + ";; ";
  std::string connect = opening.session;
  if (opening.is_new) connect += " start " + std::to_string(opening.lost_after.count());
  return "exec sh -c 'echo; m=$(uname -m); echo GATE-HOST " + opening.session +
         " $m; d=${GATE_AGENT_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/gate}; h=none; case $m in " + hashes +
         "esac; f=$d/gate-agent-$h; " + std::string(shell_functions) +
         "k=$(umask); umask 077; mkdir -p \"$d\" || exit 73; own d \"$d/.\" folder; s=; "
         "if test -e \"$f\" || test -L \"$f\"; then own - \"$f\" file; s=$(sum); "
         "test ${s:-$h} = $h || no \"$f has another content than its name says\"; fi; "
         "if test -z \"$s\"; then echo GATE-NEED " +
         opening.session +
         "; read n || exit 1; "
         "{ rm -f \"$f.$$\" && head -c $n >\"$f.$$\" && test $(wc -c <\"$f.$$\") -eq $n && "
         "chmod 700 \"$f.$$\" && mv -f \"$f.$$\" \"$f\"; } || { rm -f \"$f.$$\"; exit 73; }; fi; umask $k; "
         "exec \"$f\" connect " +
         connect + "'";
}

struct FailureRow {
  std::string_view sign;  // in what ssh says
  std::string_view words;
  bool passes;  // perhaps by itself
};

constexpr std::array failures{
    FailureRow{
        "REMOTE HOST IDENTIFICATION HAS CHANGED",
        "its host key is another one than ~/.ssh/known_hosts has: somebody may stand between, or it was "
        "installed anew; compare the key, then ssh-keygen -R it",
        false},
    FailureRow{"host key is known for",
               "its host key is not known: connect once with ssh, and compare the key", false},
    FailureRow{"Host key verification failed", "its host key could not be verified: connect once with ssh",
               false},
    FailureRow{"Permission denied (",
               "it lets nobody in with the keys that ssh has here: try ssh -oBatchMode=yes", false},
    FailureRow{"Too many authentication failures",
               "it refused the keys that ssh offered: name one in ~/.ssh/config", false},
    FailureRow{"Temporary failure in name resolution", "no name server answers: is the network up", true},
    FailureRow{"Could not resolve hostname", "its name is not known: is it in ~/.ssh/config or DNS", false},
    FailureRow{"Connection refused", "nothing listens where ssh connects to: is sshd running there", true},
    FailureRow{"No route to host", "there is no route to it: is it up", true},
    FailureRow{"Network is unreachable", "there is no route to its network", true},
    FailureRow{"timed out", "it does not answer: is it up, does a firewall keep it off", true},
    FailureRow{"Connection reset", "the connection was reset", true},
    FailureRow{"Connection closed", "it closed the connection", true},
    FailureRow{"Bad configuration", "ssh does not understand its configuration", false},
};

// Of what ssh says itself; behind the shell's first word it is the host that speaks.
const FailureRow* row_of(const Heard& heard) {
  if (!heard.architecture.empty()) return nullptr;
  const auto* row = std::ranges::find_if(
      failures, [&](const FailureRow& one) { return heard.errors.find(one.sign) != std::string::npos; });
  return row == failures.end() ? nullptr : row;
}

std::string last_words(std::string_view text) { return printable(last_line(text), 200); }

std::string names_of(const AgentFiles& agents) {
  const auto names = keys_in(agents);
  return names.empty() ? "none is there" : "there is one for " + join(names, ", ");
}

bool exited_with(const Heard& heard, int code) {
  return heard.ended && *heard.ended == Outcome(Exited{code});
}

// Its shell has spoken.
std::string why_not_started(const Heard& heard, const AgentFiles& agents) {
  constexpr int cannot_execute = 126, not_trusted = 77;
  const std::string said = last_words(heard.errors);
  if (!agents.contains(heard.architecture))
    return "it is " + printable(heard.architecture, 40) +
           ", and the gate-agent for that is not beside gate (" + names_of(agents) +
           "): take it from the release's archive, or make it with scripts/release";
  if (heard.errors.find("No space left") != std::string::npos ||
      heard.errors.find("quota exceeded") != std::string::npos)
    return "there is no room for gate-agent: " + said + "; GATE_AGENT_DIR there names another folder";
  if (exited_with(heard, not_trusted))
    return "gate-agent is not executed there: " + said.substr(std::min(said.size(), said.find(": ") + 2));
  if (exited_with(heard, cannot_execute) && heard.errors.find("Permission denied") != std::string::npos)
    return "gate-agent may not be executed (" + said +
           "): is its folder mounted noexec? GATE_AGENT_DIR there names another one";
  if (!heard.ended) return "gate-agent did not answer within " + to_string(heard.waited);
  return "gate-agent could not be started: " + (said.empty() ? text(*heard.ended).english() : said);
}

constexpr std::size_t longest_line = std::size_t{64} << 10;

struct OpeningRow {
  std::string_view text;
  OpeningWord word;
};
constexpr std::array opening_words{
    OpeningRow{"GATE-HOST", OpeningWord::host}, OpeningRow{"GATE-NEED", OpeningWord::need},
    OpeningRow{"GATE-AGENT", OpeningWord::agent}, OpeningRow{"GATE-GONE", OpeningWord::gone}};

}  // namespace

void OpeningReader::feed(std::string_view bytes) {
  text_ += bytes;
  if (text_.size() > longest_line && text_.find('\n') == std::string::npos)
    text_.erase(0, text_.size() - longest_line);
}

std::optional<OpeningWord> OpeningReader::next() {
  std::size_t begin = 0;
  for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', begin)) {
    const std::string line = text_.substr(begin, end - begin);
    begin = end + 1;
    const std::vector<std::string_view> words = split(line, ' ');
    const auto* row = std::ranges::find(opening_words, words[0], &OpeningRow::text);
    if (row == opening_words.end() || words.size() < 2 || words[1] != session_) continue;
    const bool tells_more = row->word == OpeningWord::host;
    if (words.size() != (tells_more ? 3U : 2U)) continue;
    if (tells_more) architecture_ = std::string(words[2]);
    text_.erase(0, begin);
    return row->word;
  }
  text_.erase(0, begin);
  return std::nullopt;
}

std::vector<std::string> ssh_words(const std::vector<std::string>& ssh, const std::string& host,
                                   const Opening& opening, const AgentFiles& agents) {
  std::vector<std::string> words = ssh;
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", host, remote_line(opening, agents)});
  return words;
}

std::string why_no_agent(const Heard& heard, const AgentFiles& agents) {
  const std::string host = printable(heard.host, 80) + ": ";
  if (heard.ended && std::holds_alternative<NotStarted>(*heard.ended))
    return host + text(*heard.ended).english();
  if (const FailureRow* row = row_of(heard))
    return host + std::string(row->words) + " (" + last_words(heard.errors) + ")";
  if (!heard.architecture.empty()) return host + why_not_started(heard, agents);
  if (!heard.ended)
    return host + "its shell said nothing within " + to_string(heard.waited) +
           ": do its rc files wait for something";
  const std::string said = last_words(heard.errors);
  return host + "ssh " + text(*heard.ended).english() + (said.empty() ? "" : ": " + said);
}

bool may_pass(const Heard& heard) {
  constexpr int connection_ended = 255;
  if (const FailureRow* row = row_of(heard)) return row->passes;
  return !heard.ended || exited_with(heard, connection_ended) || std::holds_alternative<Killed>(*heard.ended);
}

}  // namespace gate::hosts
