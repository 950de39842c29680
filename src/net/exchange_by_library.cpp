#include "net/exchange.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

#include "net/curl_library.h"

namespace gate::net {

namespace {

constexpr std::size_t most_of_an_answer = std::size_t{64} << 10;

// What may be otherwise at the next try.
constexpr std::array passing{CURLE_COULDNT_RESOLVE_PROXY,
                             CURLE_COULDNT_RESOLVE_HOST,
                             CURLE_COULDNT_CONNECT,
                             CURLE_WEIRD_SERVER_REPLY,
                             CURLE_PARTIAL_FILE,
                             CURLE_SSL_CONNECT_ERROR,
                             CURLE_GOT_NOTHING,
                             CURLE_SEND_ERROR,
                             CURLE_RECV_ERROR,
                             CURLE_HTTP2,
                             CURLE_HTTP2_STREAM};

// Behind what is kept of the answer nothing is read any more.
std::size_t take(char* bytes, std::size_t, std::size_t count, void* into) {
  std::string& body = *static_cast<std::string*>(into);
  const std::size_t kept = std::min(count, most_of_an_answer - body.size());
  body.append(bytes, kept);
  return kept;
}

int told_to_stop(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<const Stop*>(stop))() ? 1 : 0;
}

// The tool `curl` looks at these as well; its library does not.
const char* own_certificates() {
  for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    if (const char* file = std::getenv(variable); file != nullptr && *file != '\0') return file;
  return nullptr;
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
  void guard();
  Exchange answer();
  Exchange failure(CURLcode code);
  std::string reason(CURLcode code);

  const Curl& curl_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  std::string body_;
};

Transfer::Transfer(const Curl& curl, const Request& request) : curl_(curl), handle_(curl.easy_init()) {
  if (handle_ == nullptr) return;
  for (const std::string& header : request.headers) headers_ = curl_.slist_append(headers_, header.c_str());
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_HTTPHEADER, headers_);
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(CURLOPT_POSTFIELDS, request.body.data());
  set(CURLOPT_USERAGENT, "gate/" GATE_VERSION);
  set(CURLOPT_WRITEFUNCTION, &take);
  set(CURLOPT_WRITEDATA, &body_);
  guard();
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
  if (const char* file = own_certificates()) set(CURLOPT_CAINFO, file);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);
}

Exchange Transfer::run(Duration limit, const Stop& stop) {
  if (handle_ == nullptr) return {Exchange::End::hopeless, {}, {}, "libcurl does not start"};
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<Duration::rep>(1, limit.count())));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &told_to_stop);
  set(CURLOPT_XFERINFODATA, const_cast<Stop*>(&stop));
  const CURLcode code = curl_.easy_perform(handle_);
  const bool enough = code == CURLE_WRITE_ERROR && body_.size() == most_of_an_answer;
  return code == CURLE_OK || enough ? answer() : failure(code);
}

Exchange Transfer::answer() {
  long status = 0;
  curl_off_t wait = 0;
  curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  curl_.easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &wait);
  return {
      Exchange::End::answered, {static_cast<int>(status), std::move(body_)}, std::chrono::seconds(wait), ""};
}

Exchange Transfer::failure(CURLcode code) {
  if (code == CURLE_OPERATION_TIMEDOUT) return {Exchange::End::too_late, {}, {}, "no answer"};
  const bool passes = std::find(passing.begin(), passing.end(), code) != passing.end();
  return {passes ? Exchange::End::cut : Exchange::End::hopeless, {}, {}, reason(code)};
}

// Not libcurl's own longer words: they may hold the address, or a proxy's with its password.
std::string Transfer::reason(CURLcode code) {
  const std::string what = curl_.easy_strerror(code);
  long number = 0;
  if (code == CURLE_PEER_FAILED_VERIFICATION) {
    curl_.easy_getinfo(handle_, CURLINFO_SSL_VERIFYRESULT, &number);
    const bool told = number != 0 && curl_.certificate_error != nullptr;
    return told ? what + ": " + curl_.certificate_error(number) : what;
  }
  curl_.easy_getinfo(handle_, CURLINFO_OS_ERRNO, &number);
  return number == 0 ? what : what + ": " + std::generic_category().message(static_cast<int>(number));
}

}  // namespace

Exchange exchange(const Request& request, Duration limit, const Stop& stop) {
  const Curl* library = curl();
  if (library == nullptr) return {Exchange::End::hopeless, {}, {}, "there is no libcurl"};
  return Transfer(*library, request).run(limit, stop);
}

}  // namespace gate::net
