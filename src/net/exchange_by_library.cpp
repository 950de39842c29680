#include <curl/curl.h>
#include <dlfcn.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "net/answer_file.h"
#include "net/curl_config.h"
#include "net/exchange.h"

namespace gate::net {

namespace {

// libcurl, loaded when something is to be sent: with the program it would more than double what a start
// costs, for it brings two dozen libraries along.

struct Curl {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_version) version;
  const char* (*certificate_error)(long);  // of OpenSSL; nullptr where libcurl is built on another library
};

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* library, Curl& c) {
  return find(library, "curl_global_init", c.global_init) && find(library, "curl_easy_init", c.easy_init) &&
         find(library, "curl_easy_setopt", c.easy_setopt) &&
         find(library, "curl_easy_perform", c.easy_perform) &&
         find(library, "curl_easy_getinfo", c.easy_getinfo) &&
         find(library, "curl_easy_cleanup", c.easy_cleanup) &&
         find(library, "curl_slist_append", c.slist_append) &&
         find(library, "curl_slist_free_all", c.slist_free_all) && find(library, "curl_version", c.version);
}

std::optional<Curl> load() {
  void* library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  Curl c{};
  if (library == nullptr || !find_all(library, c)) return std::nullopt;
  find(library, "X509_verify_cert_error_string", c.certificate_error);
  if (c.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return std::nullopt;
  return c;
}

// Return the library, ready to be used by several threads; nullptr where this host has none.
const Curl* curl() {
  static const std::optional<Curl> library = load();
  return library ? &*library : nullptr;
}

// What comes of an answer.
struct Arriving {
  std::size_t most;
  AnswerFile file;
  std::string body = {}, heads = {};

  AnswerHead head() const { return read_heads(heads, {}); }
  bool has_too_much() const { return file.descriptor() >= 0 && file.has_too_much(head(), most); }
};

// Behind what is kept of the answer nothing is read any more.
std::size_t take(char* bytes, std::size_t, std::size_t count, void* into) {
  Arriving& answer = *static_cast<Arriving*>(into);
  if (answer.file.descriptor() >= 0)
    return answer.file.append({bytes, count}) && !answer.has_too_much() ? count : 0;
  const std::size_t kept = std::min(count, answer.most - answer.body.size());
  answer.body.append(bytes, kept);
  return kept;
}

std::size_t take_head(char* bytes, std::size_t, std::size_t count, void* into) {
  std::string& heads = static_cast<Arriving*>(into)->heads;
  if (heads.size() + count > most_of_the_heads) return 0;
  heads.append(bytes, count);
  return count;
}

int told_to_stop(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<const Stop*>(stop))() ? 1 : 0;
}

class Transfer {
 public:
  Transfer(const Curl& curl, const Request& request);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  Exchange run(Duration limit, const Stop& stop);

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    curl_.easy_setopt(handle_, option, value);
  }
  void ask();
  void guard();
  Exchange answer();
  std::string detail_of(CURLcode code);

  const Curl& curl_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  const Request& request_;
  Arriving answer_;
};

Transfer::Transfer(const Curl& curl, const Request& request)
    : curl_(curl),
      handle_(curl.easy_init()),
      request_(request),
      answer_{request.most, AnswerFile(request.into)} {
  if (handle_ == nullptr) return;
  for (const std::string& header : request.headers) headers_ = curl_.slist_append(headers_, header.c_str());
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_HTTPHEADER, headers_);
  set(CURLOPT_USERAGENT, "gate/" GATE_VERSION);
  set(CURLOPT_WRITEFUNCTION, &take);
  set(CURLOPT_WRITEDATA, &answer_);
  set(CURLOPT_HEADERFUNCTION, &take_head);
  set(CURLOPT_HEADERDATA, &answer_);
  ask();
  guard();
}

void Transfer::ask() {
  if (request_.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
    return;
  }
  if (has_body(request_)) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.data());
  }
  set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

Transfer::~Transfer() {
  curl_.easy_cleanup(handle_);
  curl_.slist_free_all(headers_);
}

// A name server that does not answer holds nobody up: its thread is left behind.
void Transfer::guard() {
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (const std::string file = own_certificates(); !file.empty()) set(CURLOPT_CAINFO, file.c_str());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);
}

Exchange Transfer::run(Duration limit, const Stop& stop) {
  if (handle_ == nullptr) return {Exchange::End::hopeless, {}, {}, "libcurl does not start"};
  if (!answer_.file.problem().empty()) return {Exchange::End::hopeless, {}, {}, answer_.file.problem()};
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<Duration::rep>(1, limit.count())));
  if (request_.stall > Duration{}) {
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(whole_seconds(request_.stall)));
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(whole_seconds(request_.stall)));
  }
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &told_to_stop);
  set(CURLOPT_XFERINFODATA, const_cast<Stop*>(&stop));
  const auto end = SteadyClock::now() + limit;
  const CURLcode code = curl_.easy_perform(handle_);
  const bool too_much = answer_.has_too_much();
  const bool enough = code == CURLE_WRITE_ERROR && (answer_.body.size() == request_.most || too_much);
  if (too_much && answer_.file.takes(answer_.head())) return answer_.file.drop(), too_long();
  if (code == CURLE_OK || enough) return answer();
  answer_.file.settle_cut(answer_.head());
  return if_stalled(failure_of(code, detail_of(code)), request_, SteadyClock::now() >= end);
}

Exchange Transfer::answer() {
  AnswerHead head = read_heads(answer_.heads, now());
  Response response{head.status, std::move(answer_.body), std::move(head.headers)};
  answer_.file.settle(response, request_.most);
  return {Exchange::End::answered, std::move(response), head.retry_after, ""};
}

// Of libcurl's own longer words nothing is taken.
std::string Transfer::detail_of(CURLcode code) {
  long number = 0;
  if (code == CURLE_PEER_FAILED_VERIFICATION) {
    curl_.easy_getinfo(handle_, CURLINFO_SSL_VERIFYRESULT, &number);
    const bool told = number != 0 && curl_.certificate_error != nullptr;
    return told ? curl_.certificate_error(number) : "";
  }
  curl_.easy_getinfo(handle_, CURLINFO_OS_ERRNO, &number);
  return number == 0 ? "" : std::generic_category().message(static_cast<int>(number));
}

Status can_load() {
  if (curl() == nullptr) return fail("libcurl.so.4 does not load on this host; install libcurl4");
  return {};
}

Result<std::string> loaded_version() {
  GATE_TRY_STATUS(can_load());
  return "libcurl " + version_in(curl()->version());
}

Exchange exchange_by_library(const Request& request, Duration limit, const Stop& stop) {
  const Curl* library = curl();
  if (library == nullptr) return {Exchange::End::hopeless, {}, {}, "there is no libcurl"};
  return Transfer(*library, request).run(limit, stop);
}

}  // namespace

const Transport curl_library{can_load, loaded_version, exchange_by_library};

}  // namespace gate::net
