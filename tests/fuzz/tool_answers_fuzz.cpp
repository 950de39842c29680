// The first byte chooses what other programs tell gate: H the heads of an answer as curl writes them, C what
// curl says of itself and of what went wrong, T and B what git tells of a tree and of contents, G the files
// of a git folder. The rest is what it tells: values within their bounds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/base/text.h"
#include "gate/net/post.h"
#include "gate/suite/git.h"
#include "net/curl_config.h"
#include "suite/git_output.h"
#include "targets.h"
#include "temporary_folder.h"

namespace {

using namespace gate;

void demand_of_answer(bool holds) {
  if (!holds) std::abort();
}

void read_heads_of(std::string_view bytes) {
  const Moment moment = Moment{} + std::chrono::hours(500'000);
  const net::AnswerHead head = net::read_heads(bytes, moment);
  demand_of_answer(head.status >= 0 && head.status <= 999);
  demand_of_answer(head.retry_after >= Duration{} && head.retry_after <= net::longest_retry_after);
  for (const auto& [name, value] : head.headers) {
    demand_of_answer(name == to_lower(name) && (name + value).find('\n') == std::string::npos);
    demand_of_answer(trim(value) == value);
  }
  // Heads of a proxy before it change nothing.
  const net::AnswerHead behind =
      net::read_heads("HTTP/1.1 100 Continue\r\nRetry-After: 3\r\n\r\n" + std::string(bytes), moment);
  if (bytes.starts_with("HTTP/"))
    demand_of_answer(behind.status == head.status && behind.headers == head.headers);
  if (const auto time = net::parse_http_time(std::string(bytes)))
    demand_of_answer(*time >= Moment{} && parse_iso(to_iso(*time)) == time);
}

// A line of curl's configuration is one option, whatever an address or a header has in it.
void read_words_of_curl(std::string_view bytes) {
  const std::string words(bytes);
  for (const std::string& said :
       {net::certificate_problem(bytes), net::failure_of(static_cast<int>(bytes.size() % 100), "").why})
    demand_of_answer(printable(said, said.size()) == said);
  demand_of_answer(net::version_in(bytes).size() <= bytes.size() + 2);
  demand_of_answer(net::host_of(words).size() <= words.size());
  demand_of_answer(is_plain(net::encoded(bytes)));
  net::Request request{"http://h/" + words, {"X: " + words}, ""};
  const auto config = net::curl_config(request, std::chrono::seconds(1));
  request = {"http://h/", {"X: "}, ""};
  const auto plain = net::curl_config(request, std::chrono::seconds(1));
  if (config) demand_of_answer(std::ranges::count(*config, '\n') == std::ranges::count(*plain, '\n'));
}

void read_tree_of(std::string_view bytes) {
  for (const auto& [path, entry] : app::read_tree(bytes)) {
    demand_of_answer(!path.empty() && entry.object.size() + path.size() <= bytes.size());
    demand_of_answer(bytes.find(path) != std::string_view::npos);
  }
}

void read_contents(std::string_view bytes) {
  std::string_view rest = bytes;
  std::size_t most = bytes.size();
  while (const auto content = app::next_content(rest)) {
    demand_of_answer(content->size() < most && rest.size() < most - content->size());
    most = rest.size();
  }
}

// The input is `.git/HEAD`, `.git/packed-refs` and the branch `main`, divided by empty lines.
void read_git_folder(std::string_view bytes) {
  static const fuzz::TemporaryFolder temporary;
  const fs::Path& root = temporary.path();
  for (const char* name : {".git/HEAD", ".git/packed-refs", ".git/commondir"}) {
    const std::size_t end = std::min(bytes.find("\n\n"), bytes.size());
    demand_of_answer(fs::write_file(root / name, bytes.substr(0, end), fs::Survives::kill).has_value());
    bytes.remove_prefix(std::min(end + 2, bytes.size()));
  }
  const std::string commit = app::git_commit(root / "scripts");
  demand_of_answer(commit.empty() || app::is_commit(commit));
}

}  // namespace

int tool_answers_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'H') read_heads_of(bytes);
  if (data[0] == 'C') read_words_of_curl(bytes);
  if (data[0] == 'T') read_tree_of(bytes);
  if (data[0] == 'B') read_contents(bytes);
  if (data[0] == 'G') read_git_folder(bytes);
  return 0;
}
