#include <algorithm>
#include <system_error>
#include <thread>

#include "gate/base/text.h"
#include "net/answer_file.h"
#include "net/curl_codes.h"
#include "net/curl_config.h"
#include "net/curl_process.h"
#include "net/exchange.h"

namespace gate::net {

namespace {

constexpr Duration look_every{10};
constexpr std::size_t most_of_the_errors = 4096;
constexpr int weird_reply = 8, bad_certificate = 60;

Exchange hopeless(const std::string& why) { return {Exchange::End::hopeless, {}, {}, why}; }

// A request under way.
struct UnderWay {
  const Request& request;
  const CurlFiles& files;
  const AnswerFile& file;
};

Exchange answer_in(const UnderWay& way) {
  const AnswerHead head = read_heads(way.files.head.read(most_of_the_heads), now());
  if (head.status == 0) return failure_of(weird_reply, "");
  Response response{head.status, "", head.headers};
  if (way.request.method != "HEAD") response.body = way.files.answer.read(way.request.most);
  way.file.settle(response, way.request.most);
  return {Exchange::End::answered, std::move(response), head.retry_after, ""};
}

Exchange ended_with(int code, const UnderWay& way) {
  if (code == 0) return answer_in(way);
  if (code < 0) return {Exchange::End::cut, {}, {}, "curl was ended by a signal"};
  const bool may_tell = code == bad_certificate;
  return if_stalled(
      failure_of(code, may_tell ? certificate_problem(way.files.errors.read(most_of_the_errors)) : ""),
      way.request, false);
}

bool has_enough(const UnderWay& way) {
  return way.files.answer.size() >= way.request.most || way.files.head.size() >= most_of_the_heads;
}

// Wait until it has ended, there is enough of the answer, the time is up or `stop` tells to.
Exchange follow(CurlProcess& process, const UnderWay& way, Duration limit, const Stop& stop) {
  const auto end = SteadyClock::now() + limit;
  for (;;) {
    const std::optional<int> code = process.poll();
    const AnswerHead head =
        way.files.into < 0 ? AnswerHead{} : read_heads(way.files.head.read(most_of_the_heads), now());
    const bool too_much = way.file.has_too_much(head, way.request.most);
    if (too_much) process.end();
    if (too_much && way.file.takes(head)) return way.file.drop(), too_long();
    if (too_much || has_enough(way)) return answer_in(way);
    if (code) return ended_with(*code, way);
    if (stop()) return hopeless("told to stop");
    if (SteadyClock::now() >= end) return {Exchange::End::too_late, {}, {}, "no answer"};
    std::this_thread::sleep_for(look_every);
  }
}

Exchange exchange_by_program(const Request& request, Duration limit, const Stop& stop) {
  const Result<std::string> program = find_curl(), config = curl_config(request, limit);
  if (!program || !config) return hopeless((program ? config : program).error().message);
  const AnswerFile file(request.into);
  if (!file.problem().empty()) return hopeless(file.problem());
  CurlFiles files;
  files.into = file.descriptor();
  if (!files.config.fill(*config) || !files.message.fill(request.body))
    return hopeless("this system has no files in memory");
  // What is secret is in no argument: everybody can list these.
  CurlProcess process(*program, {"--disable", "--config", "-"}, files);
  if (process.error() != 0) return hopeless("curl: " + std::generic_category().message(process.error()));
  Exchange done = follow(process, {request, files, file}, limit, stop);
  process.end();
  if (done.end != Exchange::End::answered)
    file.settle_cut(read_heads(files.head.read(most_of_the_heads), now()));
  return done;
}

Status is_curl_there() {
  return find_curl().map([](const std::string&) {});
}

Result<std::string> program_version() {
  constexpr Duration limit = std::chrono::seconds(5);
  GATE_TRY(const std::string program, find_curl());
  CurlFiles files;
  CurlProcess process(program, {"--disable", "--version"}, files);
  const auto end = SteadyClock::now() + limit;
  while (process.error() == 0 && !process.poll() && SteadyClock::now() < end)
    std::this_thread::sleep_for(look_every);
  const std::string version = version_in(files.answer.read(most_of_the_errors));
  if (version.empty()) return fail(printable(program) + " tells no version");
  return printable(program) + " " + version;
}

}  // namespace

const Transport curl_program{is_curl_there, program_version, exchange_by_program};

}  // namespace gate::net
